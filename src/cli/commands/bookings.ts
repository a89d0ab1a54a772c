import type { CommandModule } from 'yargs';
import { type Booking, type BookingState, bookingStates } from '../../model/booking.ts';
import { withoutPatient } from '../../model/patient.ts';
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
  limit: number;
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
            .option('limit', { type: 'number', default: 50, describe: 'At most so many' })
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

async function list(io: Io, { needsMe, state, source, limit, patient, ...given }: Arguments): Promise<void> {
  await withParts(io, given, async ({ store, bookings }) => {
    const filter = { ...(state && { states: [state] }), ...(source && { source }), limit };
    const waiting = async () =>
      (await Promise.all((await bookings.attention()).map(({ subject }) => store.bookings.get(subject))))
        .filter((booking) => booking !== undefined)
        .filter((booking) => (!state || booking.state === state) && (!source || booking.source === source))
        .slice(0, limit);
    const found = needsMe ? await waiting() : await store.bookings.list(filter);
    const shown = patient ? found : found.map((booking) => withoutPatient({ ...booking }));
    if (given.json) return printJson(io, shown);
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
  });
}

async function show(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async ({ store, bookings }) => {
    const booking = await store.bookings.get(given.ref);
    if (booking === undefined)
      throw new Exit(exit.needsPerson, `There is no booking ${given.ref}; see: clinic-sync bookings list`);
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
      ['dentist', booking.doctor ?? booking.doctor_id],
      ['treatment', booking.treatment ?? booking.treatment_id],
      ['address', booking.address],
      ['note', booking.note],
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

const slotOf = ({ appointment_date, appointment_time }: Booking): string =>
  `${appointment_date ?? '(no date)'} ${appointment_time ?? ''}`.trim();
