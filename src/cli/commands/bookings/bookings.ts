import { visitsNow } from '../../../app/page-data/visits-now.ts';
import type { Parts } from '../../../app/parts.ts';
import {
  type Booking,
  type BookingState,
  bookingStates,
  noClinic,
} from '../../../domain/bookings/booking.ts';
import { choiceWords } from '../../../domain/bookings/booking-actions.ts';
import { wallClockText } from '../../../domain/date-time.ts';
import { withoutPatient } from '../../../domain/patient.ts';
import { type Instant, systemClock, toMs } from '../../../platform/clock.ts';
import { formatDuration } from '../../../platform/duration.ts';
import { inertText } from '../../../platform/text/inert-text.ts';
import { existingRef, PATIENTS } from '../../audited.ts';
import { command, flagArgument, group, refArgument } from '../../command.ts';
import { Exit, exit, type Io, painter, print, printJson } from '../../io.ts';
import { answerList, inPages, limitArgument, oneLine, textTable } from '../../list.ts';
import { operationCommands } from '../../operation-commands.ts';
import { sinceArgument, untilBefore } from '../../since.ts';
import { knownSource, noSuchBooking, withParts } from '../../with-app.ts';
import { add } from './bookings-add.ts';

/** Does not apply to bookings that wait for a person: those beyond it would wait unseen. */
const STANDARD_LIMIT = 50;

const list = command({
  name: 'list',
  describe: 'Newest first',
  args: {
    'needs-me': flagArgument('Only those that wait for a person, the most urgent first'),
    state: { choices: bookingStates, describe: 'Only this state' },
    source: { type: 'string', describe: 'Only from this connector' },
    since: sinceArgument,
    limit: limitArgument('At most this many; 50, and all that wait for a person, when not given'),
    after: { ...refArgument, describe: 'Continue the list after this booking' },
    patient: flagArgument('Include names and phones'),
  },
  examples: { 'bookings list --needs-me': 'what waits for a person' },
  audit: { action: PATIENTS },
  open: withParts,
  async run(io, { needsMe, patient, ...given }, parts) {
    if (given.source !== undefined) await knownSource(parts, given.source);
    const all = needsMe ? waiting(parts, given) : newest(parts, given);
    const limit = given.limit ?? (needsMe ? Number.POSITIVE_INFINITY : STANDARD_LIMIT);
    let [listed, more, last] = [0, 0, ''];
    async function* rows() {
      for await (const booking of all) {
        if (listed === limit) more += 1;
        // Beyond the limit, only bookings that wait for a person are counted.
        if (more > 0 && !needsMe) return;
        if (more > 0) continue;
        listed += 1;
        last = booking.ref;
        yield patient ? booking : withoutPatient({ ...booking });
      }
    }
    await answerList(io, given, {
      rows: rows(),
      none: needsMe ? 'No booking waits for a person.' : 'No bookings.',
      columns: {
        REF: 'ref',
        STATE: 'state',
        SLOT: slotOf,
        SOURCE: 'source',
        APPOINTMENT: 'appointment_id',
        AGE: ({ received_at }) => formatDuration(systemClock.now() - toMs(received_at)),
        ...(patient && { NAME: typed('patient_name'), PHONE: typed('patient_phone') }),
        WHY: 'reason',
      },
    });
    // On stderr, because programs read the list from stdout.
    if (more === 0) return;
    const words = needsMe ? `${more} more ${more === 1 ? 'waits' : 'wait'}.` : 'There are more.';
    io.err(`${words} To see them, add: --after ${last}\n`);
  },
});

interface Filter {
  state: BookingState | undefined;
  source: string | undefined;
  after: string | undefined;
  since: Instant | undefined;
}

async function* newest({ store }: Parts, { state, source, after, since }: Filter): AsyncGenerator<Booking> {
  const first = after === undefined ? undefined : await store.bookings.get(after);
  if (after !== undefined && first === undefined) throw noSuchBooking(after);
  const filter = { ...(state && { states: [state] }), ...(source && { source }) };
  const page = (limit: number, behind: Booking | undefined) =>
    store.bookings.list({ ...filter, limit, ...(behind && { behind }) });
  yield* untilBefore(inPages(page, { after: first }), since, ({ received_at }) => received_at);
}

async function* waiting(
  { store, bookings }: Parts,
  { state, source, after, since = '' }: Filter,
): AsyncGenerator<Booking> {
  const refs = (await bookings.reviewItems()).map(({ subject }) => subject);
  const from = after === undefined ? 0 : refs.indexOf(after) + 1;
  if (after !== undefined && from === 0)
    throw new Exit(exit.needsPerson, `${after} no longer waits for a person. Start without --after.`);
  for (const ref of refs.slice(from)) {
    const booking = await store.bookings.get(ref);
    if (booking && booking.received_at < since) continue;
    if (booking && (!state || booking.state === state) && (!source || booking.source === source))
      yield booking;
  }
}

const show = command({
  name: 'show <ref>',
  describe: 'One booking: what happened, what is known, what can be done',
  args: { ref: { ...refArgument, demandOption: true } },
  examples: { 'bookings show CS-7K3Q9F': 'and what can be done about it' },
  audit: { action: PATIENTS, subject: existingRef },
  open: withParts,
  async run(io, { ref, json }, parts) {
    const booking = await parts.store.bookings.get(ref);
    if (booking === undefined) throw noSuchBooking(ref);
    const description = await parts.bookings.describe(ref);
    const events = await parts.store.bookings.events(ref);
    const visit = (await visitsNow(parts.store, [booking])).get(ref) ?? null;
    if (json) return printJson(io, { booking, visit, ...description, events });

    print(io, `${painter(io)('bold', ref)}  ${booking.state}${booking.reason ? ` (${booking.reason})` : ''}`);
    print(io, oneLine(description.sentence));
    if (visit !== null) {
      const age = formatDuration(systemClock.now() - toMs(visit.read_at));
      print(
        io,
        `At the clinic now: ${visit.date ?? '–'} ${visit.time ?? ''}, ${visit.status} (read ${age} ago)`,
      );
    }
    for (const line of description.evidence) print(io, `  ${oneLine(line)}`);
    printTable(io, await askedFor(parts, booking));
    const zone = parts.bookings.zoneOf(booking.clinic);
    printTable(
      io,
      events.map(({ at, to, by, reason, message }) => [
        wallClockText(toMs(at), zone),
        to,
        by,
        oneLine([reason, message].filter(Boolean).join(': ')),
      ]),
    );
    if (description.ways.length === 0) return;
    print(io, '\nWhat you can do:');
    print(io, textTable(description.ways.map(({ way, command }) => [`  ${way}`, command])));
  },
});

const printTable = (io: Io, rows: readonly (readonly string[])[]) =>
  print(io, `\n${textTable(rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]))}`);

/** The filled-in fields of a booking, by name. */
async function askedFor({ config, bookings }: Parts, booking: Booking): Promise<string[][]> {
  const chosen = await bookings.chosen(booking);
  const { merged } = booking;
  const alike = await bookings.alike(booking);
  const asked = Object.entries({
    patient: typed('patient_name')(booking),
    phone: typed('patient_phone')(booking),
    slot: `${slotOf(booking)} (${bookings.zoneOf(booking.clinic)})`,
    dentist: choiceWords(booking.doctor, chosen.doctor, booking.doctor_id),
    treatment: choiceWords(booking.treatment, chosen.treatment, booking.treatment_id),
    address: typed('address')(booking),
    note: noteLines(booking),
    clinic: config.clinics.length > 1 ? clinicWords(booking) : null,
    source: booking.source,
    appointment: booking.appointment_id,
  });
  const others = alike.map((one) => ['resembles', besides(one)] as const);
  const again = ['same again', merged > 0 ? `${merged} more, merged into this one` : null] as const;
  return [...asked, ...others, again].flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
}

const typed =
  (field: 'patient_name' | 'patient_phone' | 'address') =>
  (booking: Booking): string | null =>
    booking[field] === null ? null : inertText(booking[field]);

/** In full, because it is read nowhere else. */
const noteLines = ({ note }: Booking): string | null =>
  note === null
    ? null
    : note
        .split(/[\n\r]+/)
        .map((line) => inertText(line, note.length * 2))
        .join(' ⏎ ');

/** Printed beside the booking, to tell a family's second patient from a lead that was sent twice. */
const besides = (booking: Booking): string =>
  [
    booking.ref,
    booking.state,
    typed('patient_name')(booking),
    slotOf(booking),
    booking.doctor,
    booking.treatment,
  ]
    .filter((part) => part !== null)
    .join(', ');

const clinicWords = ({ clinic }: Booking): string => (clinic === noClinic ? 'none named' : clinic);

const slotOf = ({ appointment_date, appointment_time }: Booking): string =>
  `${appointment_date ?? '(no date)'} ${appointment_time ?? ''}`.trim();

export const bookings = group({
  name: 'bookings',
  describe: 'What we were asked to book, and what became of it',
  commands: [list, show, add, ...operationCommands('bookings')],
  examples: {
    'bookings list --needs-me': 'what waits for a person',
    'bookings resolve CS-7K3Q9F --as booked --appointment 1204': 'it is there, with this number',
  },
});
