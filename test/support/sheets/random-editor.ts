import { serialDate } from '../../../connectors/google-sheets/sheet/cells.ts';
import { seededRandom } from '../../../sandbox/clinic/random.ts';
import { startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { instant } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { fakeClock } from '../fake-clock.ts';
import { newDesk } from './desk.ts';
import { type SheetsMirror, sheetsRig, treatmentRow } from './kit.ts';
import { at } from './office.ts';

export interface Edited {
  bookings: number;
  /** Booked persons whom nobody typed and ticked: invented by a fill handle, or half of one and half of another. */
  invented: number;
  /** Booked for a day and hour that nobody typed for them. */
  wrongWhens: number;
  /** Persons with more than one visit, though nobody ticked twice. */
  doubled: number;
  /** Notes beside our rows that are gone or changed. */
  lostNotes: number;
  /** Rests at which the sum over the fees was not the clinic's. */
  wrongSums: number;
  /** Ticked rows that are neither booked nor say why not. */
  silent: number;
}

const REST_EVERY = 12;
const INPUTS = at('send');
/** Rows in which people enter patients. */
const LAST_ROW = 40;

/** People do what the double can, in random order, while Google fails; from one seed. */
export async function editAtRandom(seed: number, steps: number): Promise<Edited> {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  try {
    const { control } = sandbox;
    const { userActions } = control;
    const ledger: Booking[] = [];
    const desk = newDesk(ledger, () => instant(clock.now()));
    const mirror: SheetsMirror = { rows: { treatments: [] }, changes: [], asOf: instant(clock.now()) };
    const treatments = () => mirror.rows.treatments ?? [];
    const add = () => {
      const id = treatments().length + 1;
      mirror.rows.treatments = [...treatments(), treatmentRow(id, { base_fee: `${id}.00` })];
    };
    for (let i = 0; i < 4; i += 1) add();
    const rig = await sheetsRig({
      ...{ sandbox, clock, mirror, desk, random },
      settings: { tabs: ['treatments', 'bookings', 'sync'] },
    });
    const run = async () => {
      await clock.advance(12_000);
      await rig.converge().catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
      });
    };
    await run();
    const fee = rig.column('Treatments', 'Fee');
    const beside = control.tab('Treatments').columns.length;
    userActions.insertColumn('Treatments', beside);
    const fees = { startRowIndex: 1, endRowIndex: 5, startColumnIndex: fee, endColumnIndex: fee + 1 };
    userActions.nameRange('Treatments', 'Fees', fees);
    userActions.type('Sheet1', 0, 0, { formula: '=SUM(Fees)' });
    const found: Edited = {
      bookings: 0,
      invented: 0,
      doubled: 0,
      lostNotes: 0,
      wrongSums: 0,
      silent: 0,
      wrongWhens: 0,
    };
    const meant = new Set<string>();
    const whens = new Set<string>();
    const notes = new Set<string>();
    const versions: (() => void)[] = [];
    let serial = 0;

    const cell = (row: number, name: string) => control.tab('Bookings').rows[row]?.[at(name)]?.value;
    const rowOf = (row: number) => ({
      startRowIndex: row,
      endRowIndex: row + 1,
      startColumnIndex: 0,
      endColumnIndex: INPUTS,
    });
    const enterLead = (row: number) => {
      if (cell(row, 'patient') !== undefined) return;
      serial += 1;
      const [patient, phone] = [`Lead ${serial} Rahman`, `017${String(serial * 1_000).padStart(8, '0')}`];
      meant.add(`${patient} ${phone}`);
      const [date, hour] = [46_100 + below(60), 9 + below(8)];
      whens.add(`${patient} ${phone} ${serialDate(date)} ${String(hour).padStart(2, '0')}:00`);
      const lead = { patient, phone, date, time: hour / 24, send: true };
      for (const [name, value] of Object.entries(lead)) userActions.type('Bookings', row, at(name), value);
    };
    const isRead = () =>
      control
        .tab('Bookings')
        .rows.every((_, row) => !cell(row, 'send')?.boolValue || !cell(row, 'patient') || cell(row, 'ref'));
    const deeds: (() => void)[] = [
      ...Array.from({ length: 4 }, () => () => enterLead(1 + below(LAST_ROW))),
      () => userActions.type('Bookings', 1 + below(LAST_ROW), at('note'), `remark ${below(99)}`),
      () => userActions.sortRange('Bookings', { ...rowOf(1), endRowIndex: LAST_ROW + 1 }, below(3)),
      () => userActions.sort('Bookings', below(INPUTS)),
      () => {
        const column = below(at('treatment'));
        const region = { startColumnIndex: column, endColumnIndex: column + 1 };
        // Nobody can know whose cells they were in rows that were never read.
        if (isRead())
          userActions.sortRange('Bookings', { ...rowOf(1), endRowIndex: LAST_ROW + 1, ...region }, column);
      },
      () => userActions.moveRow('Bookings', 1 + below(LAST_ROW), 1 + below(LAST_ROW)),
      () =>
        userActions.cutAndPaste('Bookings', rowOf(1 + below(LAST_ROW)), {
          row: LAST_ROW + 1 + below(20),
          column: 0,
        }),
      () => {
        const row = 1 + below(LAST_ROW - 3);
        if (cell(row, 'patient') && !cell(row + 1, 'patient'))
          userActions.fillDown('Bookings', { ...rowOf(row), endColumnIndex: INPUTS + 1 }, row + 1);
      },
      () => userActions.type('Bookings', 1 + below(LAST_ROW), at('ref'), null),
      () => void versions.push(userActions.version()),
      () => versions.splice(below(versions.length), 1)[0]?.(),
      () => userActions.insertRow('Treatments', 2 + below(2)),
      () => userActions.sort('Treatments', below(beside)),
      () => {
        const row = control
          .tab('Treatments')
          .rows.findIndex((cells, index) => index > 0 && cells[0]?.value && !cells[beside]?.value);
        if (row < 0) return;
        notes.add(`note ${notes.size}`);
        userActions.type('Treatments', row, beside, `note ${notes.size - 1}`);
        versions.length = 0;
      },
      () => {
        add();
        versions.length = 0;
      },
      () => {
        const kinds = ['late', 'status', 'reset-before', 'reset-after'] as const;
        control.fault({
          ...{ on: random() < 0.7 ? 'write' : 'read', kind: kinds[below(kinds.length)] ?? 'late' },
          delayMs: below(50_000),
        });
      },
    ];
    const rest = async () => {
      control.clearFaults();
      for (let i = 0; i < 8; i += 1) await run();
      await clock.advance(5 * 60_000);
      for (let i = 0; i < 4; i += 1) await run();
      const sheet = control.tab('Sheet1');
      const sum = treatments().reduce((total, { base_fee }) => total + Number(base_fee), 0);
      if (control.result(sheet, sheet.rows[0]?.[0])?.numberValue !== sum) found.wrongSums += 1;
      const there = control
        .tab('Treatments')
        .rows.flatMap((cells) => cells[beside]?.value?.stringValue ?? []);
      found.lostNotes += [...notes].filter((note) => there.filter((one) => one === note).length !== 1).length;
      for (let row = 1; row < LAST_ROW + 22; row += 1)
        if (cell(row, 'send')?.boolValue && cell(row, 'patient') && !cell(row, 'state')) found.silent += 1;
    };
    for (let step = 1; step <= steps; step += 1) {
      for (let people = 0; people < 4; people += 1) if (random() < 0.5) deeds[below(deeds.length)]?.();
      await run();
      if (step % REST_EVERY === 0) await rest();
    }
    const persons = ledger.map(({ patient_name, patient_phone }) => `${patient_name} ${patient_phone}`);
    found.bookings = ledger.length;
    found.invented = persons.filter((person) => !meant.has(person)).length;
    found.wrongWhens = ledger.filter(
      (one) =>
        !whens.has(
          `${one.patient_name} ${one.patient_phone} ${one.appointment_date} ${one.appointment_time}`,
        ),
    ).length;
    found.doubled = persons.length - new Set(persons).size;
    return found;
  } finally {
    await sandbox.close();
  }
}
