import type { Argv, CommandModule } from 'yargs';
import type { Bookings } from '../../bookings/bookings.ts';
import { type Booking, isNumberField, type SubmissionField, submissionFields } from '../../domain/booking.ts';
import { actorName } from '../actor.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, print, printJson } from '../io.ts';
import { withParts } from '../with-parts.ts';
import { oneClinic } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  ref: string;
  why?: string;
  by: string;
}

/** However it was typed from a phone call. */
export const refArgument = { type: 'string', coerce: (ref: string) => ref.toUpperCase() } as const;

const common = <T>(yargs: Argv<T>) =>
  yargs
    .positional('ref', { ...refArgument, demandOption: true, describe: 'The booking, such as CS-7K3Q9F' })
    .option('by', { type: 'string', default: actorName(), describe: 'Who decides; stored with the decision' })
    .option('why', { type: 'string', describe: 'Stored with the decision' });

type Decide = (bookings: Bookings, argv: Arguments) => Promise<Booking>;

function decision(
  io: Io,
  command: string,
  describe: string,
  options: (yargs: Argv) => Argv,
  decide: Decide,
): CommandModule {
  return {
    command: `${command} <ref>`,
    describe,
    builder: (yargs) => options(common(yargs)),
    handler: async (argv) => {
      const given = argv as unknown as Arguments;
      await withParts(io, given, async ({ bookings }) => {
        const booking = await decide(bookings, given);
        if (given.json) return printJson(io, booking);
        print(io, `${booking.ref} is now ${booking.state}${booking.reason ? ` (${booking.reason})` : ''}.`);
        if (booking.state === 'held' && booking.message !== null) print(io, booking.message);
      });
    },
  };
}

const corrections: Record<SubmissionField, string> = {
  patient_name: 'The patient’s full name',
  patient_phone: 'The patient’s phone number',
  address: 'The patient’s address',
  appointment_date: 'YYYY-MM-DD',
  appointment_time: 'HH:MM on the clinic’s wall clock',
  doctor_id: 'The clinic’s number of the dentist',
  doctor: 'The dentist’s name, as the clinic has it',
  treatment_id: 'The clinic’s number of the treatment',
  treatment: 'The treatment’s name, as the clinic has it',
  note: 'For the front desk',
};

const optionOf = (field: string) => field.replaceAll('_', '-');

const acknowledgeCommand = (io: Io): CommandModule => ({
  command: 'acknowledge <ref>',
  describe: 'Say that you have seen a difference between what was asked for and what was booked',
  builder: (yargs) =>
    common(yargs).example('$0 bookings acknowledge CS-7K3Q9F', 'the other time was agreed by phone'),
  handler: async (argv) => {
    const { ref, by, ...given } = argv as unknown as Arguments;
    await withParts(io, given, async ({ bookings }) => {
      await bookings.acknowledge(ref, by);
      print(io, `${ref} is as it should be.`);
    });
  },
});

/** About a whole clinic: bookings are sent again after a pause that only a person ends. */
const resumeCommand = (io: Io): CommandModule => ({
  command: 'resume [clinic]',
  describe: 'Let bookings be sent to a clinic again',
  builder: (yargs) =>
    yargs
      .positional('clinic', { type: 'string', describe: 'The clinic, when several are configured' })
      .option('by', { type: 'string', default: actorName(), describe: 'Who decides; logged' })
      .example('$0 bookings resume', 'the clinic has been restored and checked'),
  handler: async (argv) => {
    const given = argv as unknown as ConfigArguments & { clinic?: string; by: string };
    await withParts(io, given, async ({ config, bookings }) => {
      const clinic = oneClinic(config, given.clinic);
      await bookings.resumeSending(clinic, given.by);
      print(io, `Bookings are sent to ${clinic} again.`);
    });
  },
});

const reconcileCommand = (io: Io): CommandModule => ({
  command: 'reconcile <ref>',
  describe: 'Look for an unknown booking at the clinic',
  builder: (yargs) => common(yargs).example('$0 bookings reconcile CS-7K3Q9F', 'is it there or not?'),
  handler: async (argv) => {
    const given = argv as unknown as Arguments;
    await withParts(io, given, async ({ bookings }) => {
      const description = await bookings.reconcile(given.ref, given.by);
      if (given.json) return printJson(io, description);
      for (const line of [description.sentence, ...description.evidence]) print(io, line);
    });
  },
});

/** What a person decides about a booking; each is stored with who, when and why. */
export const decisionCommands = (io: Io): CommandModule[] => [
  reconcileCommand(io),
  resumeCommand(io),
  acknowledgeCommand(io),
  decision(
    io,
    'approve',
    'Release a held booking',
    (yargs) => yargs.example('$0 bookings approve CS-7K3Q9F', 'it is real: send it'),
    (bookings, { ref, by, why }) => bookings.approve(ref, by, why),
  ),
  decision(
    io,
    'take',
    'Take a changed submission instead of the first, which was not sent yet',
    (yargs) => yargs.example('$0 bookings take CS-7K3Q9F', 'they corrected the time in their form'),
    (bookings, { ref, by, why }) => bookings.take(ref, by, why),
  ),
  decision(
    io,
    'drop',
    'End a booking; nothing is sent any more',
    (yargs) => yargs.example('$0 bookings drop CS-7K3Q9F --why "a test"', 'it never was one'),
    (bookings, { ref, by, why }) => bookings.drop(ref, by, why),
  ),
  decision(
    io,
    'edit',
    'Correct what is going to be sent',
    (yargs) =>
      submissionFields.reduce(
        (all, field) =>
          all.option(optionOf(field), {
            type: isNumberField(field) ? 'number' : 'string',
            describe: corrections[field],
          }),
        yargs.example('$0 bookings edit CS-7K3Q9F --note "rang back"', 'before it is approved'),
      ),
    (bookings, argv) => {
      const given = argv as unknown as Record<string, string | number | undefined>;
      const fields = submissionFields.flatMap((field) =>
        given[optionOf(field)] === undefined ? [] : [[field, given[optionOf(field)]]],
      );
      if (fields.length === 0)
        throw new Exit(exit.usage, 'Say what to correct, for example --patient-phone "+880 1712 345678".');
      return bookings.edit(argv.ref, Object.fromEntries(fields), argv.by);
    },
  ),
  decision(
    io,
    'resolve',
    'Say what became of an unknown booking',
    (yargs) =>
      yargs
        .option('as', {
          choices: ['booked', 'booked-no-id', 'not-booked'] as const,
          demandOption: true,
          describe: 'What you found at the clinic',
        })
        .option('appointment', { type: 'number', describe: 'Its number, with --as booked' })
        .option('send-again', {
          type: 'boolean',
          default: false,
          describe: 'With --as not-booked: send it again',
        })
        .option('confirm', {
          type: 'boolean',
          default: false,
          describe: 'Although the clinic shows something else',
        })
        .example(
          '$0 bookings resolve CS-7K3Q9F --as booked --appointment 1204',
          'it is there, with this number',
        ),
    resolve,
  ),
];

async function resolve(bookings: Bookings, argv: Arguments): Promise<Booking> {
  const { ref, by, why, as, appointment, sendAgain, confirm } = argv as Arguments & {
    as: 'booked' | 'booked-no-id' | 'not-booked';
    appointment?: number;
    sendAgain: boolean;
    confirm: boolean;
  };
  if (as === 'booked' && appointment === undefined)
    throw new Exit(exit.usage, 'Add the appointment’s number: --appointment N, or say --as booked-no-id.');
  const resolved = await bookings.resolve(
    ref,
    as === 'booked'
      ? { as, appointment_id: appointment ?? 0, confirm, why }
      : as === 'not-booked'
        ? { as, send_again: sendAgain, confirm, why }
        : { as, why },
    by,
  );
  if (resolved.ok) return resolved.booking;

  const { asked, clinic, appointment_id } = resolved.comparison;
  const lines = [
    `Nothing was changed: appointment ${appointment_id} is not what was asked for.`,
    `  asked for   ${asked.date} ${asked.time}`,
    `  the clinic  ${clinic.date} ${clinic.time} (${clinic.status})`,
    ...resolved.differences.map((difference) => `  ${difference}`),
    'If it is the right one anyway, add --confirm.',
  ];
  throw new Exit(exit.needsPerson, lines.join('\n'));
}
