import type { SheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import type { Story } from '../daemon/clinic-story.ts';
import { until } from '../until.ts';
import { each, type Scenario, submitLead } from './scenario.ts';

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** Somebody types a lead into the next empty row of the tab Bookings and ticks it. Resolves to the phone number. */
function typeLead({ control }: SheetsSandbox, story: Story): void {
  const grid = control.book.grids.find(({ metadata }) =>
    metadata.some(({ metadataValue }) => metadataValue === 'tab:bookings'),
  );
  if (grid === undefined) throw new Error('there is no tab for bookings yet');
  const columnOf = (key: string) =>
    grid.columns.findIndex(({ metadata }) =>
      metadata.some(({ metadataValue }) => metadataValue === `tab:bookings/col:${key}`),
    );
  const patient = columnOf('patient');
  const row = 1 + grid.rows.findLastIndex((cells) => cells[patient]?.value !== undefined);
  const lead = story.lead();
  const [hours = 0, minutes = 0] = lead.appointment_time.split(':').map(Number);
  const cells = {
    patient: lead.patient_name,
    phone: lead.patient_phone,
    date: (Date.parse(lead.appointment_date) - EPOCH_MS) / DAY_MS,
    time: (hours * 60 + minutes) / (24 * 60),
    send: true,
  };
  for (const [key, value] of Object.entries(cells))
    control.userActions.type(grid.title, row, columnOf(key), value);
}

const shows = ({ control }: SheetsSandbox, ref: string): boolean =>
  control.book.grids.some(({ rows }) =>
    rows.some((cells) => cells.some((cell) => cell?.value?.stringValue?.includes(ref))),
  );

async function typeAndWaitForChange(story: Story): Promise<void> {
  const { sheet } = story;
  if (sheet === undefined) throw new Error('this story has no sheet');
  await until('the tab is there', () => {
    typeLead(sheet, story);
    return true;
  });
  // The sheet is looked at when something changes; a look later the row is taken.
  for (let look = 0; look < 3; look += 1) {
    const answer = await submitLead(story);
    await story.untilBooking(answer?.body.ref ?? '', 'booked');
    await until('the sheet shows it', () => shows(sheet, answer?.body.ref ?? ''));
  }
}

/** What was typed into the sheet is booked once, and says so in its row. */
const typedRowsAreBooked = async (story: Story) => {
  await until(
    'every row that was ticked is booked',
    async () => {
      const typed = await story.read((store) => store.bookings.list({ source: 'accounts' }));
      return typed.length > 0 && typed.every(({ state }) => state === 'booked');
    },
    { withinMs: 90_000 },
  );
};

/** Points between the change log, the sheet and the people in it. */
export const sheetPoints: Scenario[] = [
  ...each(['google-sheets.planned', 'google-sheets.written'], submitLead),
  ...each(['google-sheets.claimed', 'google-sheets.accepted'], typeAndWaitForChange).map((scenario) => ({
    ...scenario,
    proves: typedRowsAreBooked,
  })),
];
