import type { CommandModule } from 'yargs';
import type { Parts } from '../../app/parts.ts';
import { type Booking, type BookingState, bookingStates, noClinic } from '../../domain/booking.ts';
import { choiceWords } from '../../domain/booking-actions.ts';
import { withoutPatient } from '../../domain/patient.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, painter, print, printJson, table } from '../io.ts';
import { withParts } from '../with-parts.ts';
import { addCommand } from './bookings-add.ts';
import { decisionCommands, refArgument } from './bookings-decide.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  needsMe: boolean;
  state?: BookingState;
  source?: string;
  limit?: number;
  after?: string;
  patient: boolean;
  ref: string;
}

/** `clinic-sync bookings list | show | add | approve | take | edit | resolve | reconcile | acknowledge | drop | resume` */
export const bookingsCommand = (io: Io): CommandModule => ({
  command: 'bookings',
  describe: 'What we were asked to book, and what became of it',
  builder: (yargs) => {
    const withReads = yargs
      .command(
        'list',
        'Newest first',
        (sub) =>
          sub
            .option('needs-me', {
              type: 'boolean',
              default: false,
              describe: 'Only those that wait for a person, the most urgent first',
            })
            .option('state', { choices: bookingStates, describe: 'Only this state' })
            .option('source', { type: 'string', describe: 'Only from this connector' })
            .option('limit', {
              type: 'number',
              describe: 'At most so many; 50, and all that wait for a person, when not given',
            })
            .option('after', { ...refArgument, describe: 'Those that come after this booking in the list' })
            .option('patient', { type: 'boolean', default: false, describe: 'Include names and phones' })
            .example('$0 bookings list --needs-me', 'what waits for a person'),
        (argv) => list(io, argv as unknown as Arguments),
      )
      .command(
        'show <ref>',
        'One booking: what happened, what is known, what can be done',
        (sub) =>
          sub
            .positional('ref', refArgument)
            .example('$0 bookings show CS-7K3Q9F', 'and what can be done about it'),
        (argv) => show(io, argv as unknown as Arguments),
      )
      .command(addCommand(io));
    return decisionCommands(io)
      .reduce((all, command) => all.command(command), withReads)
      .example('$0 bookings list --needs-me', 'what waits for a person')
      .example(
        '$0 bookings resolve CS-7K3Q9F --as booked --appointment 1204',
        'it is there, with this number',
      )
      .demandCommand(
        1,
        'Say which: list, show, add, approve, take, edit, resolve, reconcile, acknowledge, drop or resume.',
      );
  },
  handler: () => {},
});

async function list(io: Io, { needsMe, patient, ...given }: Arguments): Promise<void> {
  await withParts(io, given, async (parts) => {
    const { found, more } = needsMe ? await waiting(parts, given) : await newest(parts, given);
    const shown = patient ? found : found.map((booking) => withoutPatient({ ...booking }));
    // Beside the list and not in it: programs read the list.
    const sayMore = () =>
      more !== '' && io.err(`${more} To see them, add: --after ${found.at(-1)?.ref ?? ''}\n`);
    if (given.json) {
      printJson(io, shown);
      sayMore();
      return;
    }
    if (found.length === 0) return print(io, needsMe ? 'No booking waits for a person.' : 'No bookings.');

    const person = (booking: Booking) =>
      patient ? [booking.patient_name ?? '', booking.patient_phone ?? ''] : [];
    const rows = shown.map((booking) => [
      booking.ref,
      booking.state,
      slotOf(booking),
      booking.source,
      String(booking.appointment_id ?? ''),
      booking.received_at,
      ...person(booking),
      booking.reason ?? '',
    ]);
    const head = [
      'REF',
      'STATE',
      'SLOT',
      'SOURCE',
      'APPOINTMENT',
      'RECEIVED',
      ...(patient ? ['NAME', 'PHONE'] : []),
      'WHY',
    ];
    print(io, table([head, ...rows]));
    sayMore();
  });
}

interface Listed {
  found: Booking[];
  /** That the list goes on; empty when it is complete. */
  more: string;
}
type Filter = Pick<Arguments, 'state' | 'source' | 'limit' | 'after'>;

async function newest({ store }: Parts, { state, source, limit = 50, after }: Filter): Promise<Listed> {
  const behind = after === undefined ? undefined : await store.bookings.get(after);
  if (after !== undefined && behind === undefined) throw noSuchBooking(after);
  const found = await store.bookings.list({
    ...(state && { states: [state] }),
    ...(source && { source }),
    ...(behind && { behind }),
    limit: limit + 1,
  });
  return { found: found.slice(0, limit), more: found.length > limit ? 'There are more.' : '' };
}

/** All of it, unless a limit is asked for: what is not listed would wait unseen. */
async function waiting({ store, bookings }: Parts, { state, source, limit, after }: Filter): Promise<Listed> {
  const refs = (await bookings.reviewItems()).map(({ subject }) => subject);
  const from = after === undefined ? 0 : refs.indexOf(after) + 1;
  if (after !== undefined && from === 0)
    throw new Exit(exit.needsPerson, `${after} does not wait for a person any more. Begin without --after.`);
  const all = (await Promise.all(refs.slice(from).map((ref) => store.bookings.get(ref))))
    .filter((booking) => booking !== undefined)
    .filter((booking) => (!state || booking.state === state) && (!source || booking.source === source));
  const left = limit === undefined ? 0 : all.length - limit;
  return {
    found: all.slice(0, limit),
    more: left > 0 ? `${left} more ${left === 1 ? 'waits' : 'wait'}.` : '',
  };
}

const noSuchBooking = (ref: string) =>
  new Exit(exit.needsPerson, `There is no booking ${ref}; see: clinic-sync bookings list`);

async function show(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async ({ config, store, bookings }) => {
    const booking = await store.bookings.get(given.ref);
    if (booking === undefined) throw noSuchBooking(given.ref);
    const chosen = await bookings.chosen(booking);
    const [description, events] = [
      await bookings.describe(given.ref),
      await store.bookings.events(given.ref),
    ];
    if (given.json) return printJson(io, { booking, ...description, events });

    const paint = painter(io);
    print(
      io,
      `${paint('bold', booking.ref)}  ${booking.state}${booking.reason ? ` (${booking.reason})` : ''}`,
    );
    print(io, description.sentence);
    for (const line of description.evidence) print(io, `  ${line}`);
    const { duplicate_of } = booking;
    const resembled = duplicate_of === null ? undefined : await store.bookings.get(duplicate_of);
    const asked = [
      ['patient', booking.patient_name],
      ['phone', booking.patient_phone],
      ['slot', slotOf(booking)],
      ['dentist', choiceWords(booking.doctor, chosen.doctor, booking.doctor_id)],
      ['treatment', choiceWords(booking.treatment, chosen.treatment, booking.treatment_id)],
      ['address', booking.address],
      ['note', booking.note],
      ['clinic', config.clinics.length > 1 ? clinicWords(booking) : null],
      ['source', booking.source],
      ['appointment', booking.appointment_id],
      ['resembles', resembled ? besides(resembled) : null],
      ['same again', booking.merged > 0 ? `${booking.merged} more, merged into this one` : null],
    ].filter(([, value]) => value !== null && value !== '');
    print(io, `\n${table(asked.map(([name, value]) => [`  ${name}`, String(value)]))}`);
    print(
      io,
      `\n${table(events.map(({ at, to, by, reason, message }) => [`  ${at}`, to, by, [reason, message].filter(Boolean).join(': ')]))}`,
    );
    if (description.ways.length === 0) return;
    print(io, '\nWhat you can do:');
    print(io, table(description.ways.map(({ way, command }) => [`  ${way}`, command])));
  });
}

/** Both are shown, so that a person can tell a family's second patient from the same lead sent twice. */
const besides = (booking: Booking): string =>
  [booking.ref, booking.state, booking.patient_name, slotOf(booking), booking.doctor, booking.treatment]
    .filter((part) => part !== null)
    .join(', ');

const clinicWords = ({ clinic }: Booking): string => (clinic === noClinic ? 'none named' : clinic);

const slotOf = ({ appointment_date, appointment_time }: Booking): string =>
  `${appointment_date ?? '(no date)'} ${appointment_time ?? ''}`.trim();
