import { type Booking, submissionFields } from '../../../domain/bookings/booking.ts';
import { asFailure, Failure } from '../../../platform/failure.ts';
import { clause } from '../../../platform/text/sentences.ts';
import { actorName, existingRef } from '../../audited.ts';
import {
  type Command,
  type CommonArguments,
  command,
  flagArgument,
  refArgument,
  refsArgument,
} from '../../command.ts';
import { oneClinic } from '../../configuration.ts';
import { answer, Exit, exit, failureText, type Io, print } from '../../io.ts';
import { withParts } from '../../with-app.ts';

const common = {
  ref: { ...refArgument, demandOption: true, describe: 'The booking, such as CS-7K3Q9F' },
  by: { type: 'string', default: actorName(), describe: 'Who decides; stored with the decision' },
  why: { type: 'string', describe: 'Stored with the decision' },
} as const;

const reconcile = command({
  name: 'reconcile <ref>',
  describe: 'Look for an unknown booking at the clinic',
  args: common,
  examples: { 'bookings reconcile CS-7K3Q9F': 'is it there or not?' },
  needsSecrets: true,
  audit: { action: 'booking.reconcile', subject: existingRef },
  open: withParts,
  async run(io, { ref, by, ...given }, { bookings }) {
    const description = await bookings.reconcile(ref, by);
    answer(io, given, description, description.sentence, ...description.evidence);
  },
});

const MOST_NAMED = 20;

const named = (waiting: readonly Booking[]): string =>
  waiting.length > MOST_NAMED ? `more than ${MOST_NAMED} wait` : waiting.map(({ ref }) => ref).join(', ');

/** Ends the pause of a whole clinic's bookings. */
const resume = command({
  name: 'resume [clinic]',
  describe: 'Let bookings be sent to a clinic again',
  args: {
    clinic: { type: 'string', describe: 'The clinic, when several are configured' },
    by: { type: 'string', default: actorName(), describe: 'Who decides; logged' },
  },
  examples: { 'bookings resume': 'the clinic has been restored and checked' },
  audit: { action: 'clinic.resume-lane', subject: 'clinic' },
  open: withParts,
  async run(io, given, { config, bookings, store }) {
    const clinic = oneClinic(config, given.clinic, 'name');
    const waiting = await store.bookings.list({ clinic, states: ['queued'], limit: MOST_NAMED + 1 });
    if (!(await store.hasDaemon()))
      throw new Failure({
        kind: 'refused',
        message: `No daemon runs, so nothing is sent to ${clinic}.`,
        hint: 'Start it, look at what is held, then run this again.',
      });
    const isPaused = await bookings.resumeSending(clinic, given.by);
    const sent = waiting.length === 0 ? '.' : `: ${named(waiting)}.`;
    const text = isPaused
      ? `Bookings are sent to ${clinic} again${sent}`
      : `Sending to ${clinic} is not paused.`;
    answer(io, given, { clinic, was_paused: isPaused, waiting: waiting.map(({ ref }) => ref) }, text);
  },
});

const acknowledge = command({
  name: 'acknowledge <ref>',
  describe: 'Accept a difference between what was asked for and what was booked',
  args: common,
  examples: { 'bookings acknowledge CS-7K3Q9F': 'the other time was agreed by phone' },
  audit: { action: 'booking.acknowledge', subject: existingRef },
  open: withParts,
  async run(io, { ref, by }, { bookings }) {
    await bookings.acknowledge(ref, by);
    print(io, `The difference of ${ref} is accepted.`);
  },
});

function decidedLines({ ref, state, reason, message }: Booking): string[] {
  const line = `${ref} is now ${state}${reason ? ` (${reason})` : ''}.`;
  return state === 'held' && message !== null ? [line, message] : [line];
}

const answerDecided = (io: Io, given: CommonArguments, booking: Booking): void =>
  answer(io, given, booking, ...decidedLines(booking));

const decision = (
  verb: 'approve' | 'take' | 'drop' | 'reopen',
  describe: string,
  examples: Record<string, string>,
): Command =>
  command({
    name: `${verb} <refs..>`,
    describe,
    args: {
      by: common.by,
      why: common.why,
      refs: refsArgument('The booking, such as CS-7K3Q9F, or several'),
    },
    examples,
    audit: { action: `booking.${verb}`, subject: existingRef },
    open: withParts,
    async run(io, { refs, by, why, ...given }, { bookings }) {
      const [only = '', ...others] = new Set(refs);
      if (others.length === 0) return answerDecided(io, given, await bookings[verb](only, by, why));
      const decided: (Booking | { ref: string; refused: string })[] = [];
      for (const ref of [only, ...others])
        decided.push(
          await bookings[verb](ref, by, why).catch((error: unknown) => ({
            ref,
            refused: failureText(error),
          })),
        );
      const lines = decided.flatMap((one) =>
        'refused' in one ? `${one.ref}: ${one.refused}` : decidedLines(one),
      );
      answer(io, given, decided, ...lines);
      const failed = decided.filter((one) => 'refused' in one).length;
      if (failed > 0) throw new Exit(exit.needsPerson, `${failed} of ${decided.length} were refused.`);
    },
  });

const text = (describe: string) => ({ type: 'string', describe }) as const;
const number = (describe: string) => ({ type: 'number', describe }) as const;

const edit = command({
  name: 'edit <ref>',
  describe: 'Correct what is going to be sent',
  args: {
    ...common,
    'patient-name': text('The patient’s full name'),
    'patient-phone': text('The patient’s phone number'),
    address: text('The patient’s address'),
    'appointment-date': text('YYYY-MM-DD'),
    'appointment-time': text('HH:MM on the clinic’s wall clock'),
    'doctor-id': number('The clinic’s number of the dentist'),
    doctor: text('The dentist’s name, as the clinic has it'),
    'treatment-id': number('The clinic’s number of the treatment'),
    treatment: text('The treatment’s name, as the clinic has it'),
    note: text('For the front desk'),
  },
  examples: { 'bookings edit CS-7K3Q9F --note "rang back"': 'before it is approved' },
  audit: { action: 'booking.edit', subject: existingRef },
  open: withParts,
  async run(io, { ref, by, ...given }, { bookings }) {
    const values: Record<string, string | number | boolean | undefined> = given;
    const camelCase = (field: string) => field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const fields = submissionFields.flatMap((field) => {
      const value = values[camelCase(field)];
      return value === undefined ? [] : [[field, value]];
    });
    if (fields.length === 0)
      throw new Exit(exit.usage, 'Say what to correct, for example --patient-phone "+880 1712 345678".');
    answerDecided(io, given, await bookings.edit(ref, Object.fromEntries(fields), by));
  },
});

const resolve = command({
  name: 'resolve <ref>',
  describe: 'Say what became of an unknown booking',
  args: {
    ...common,
    as: {
      choices: ['booked', 'booked-no-id', 'not-booked'],
      demandOption: true,
      describe: 'What you found at the clinic',
    },
    appointment: number('Its number, with --as booked'),
    'send-again': flagArgument('With --as not-booked: send it again'),
    confirm: flagArgument('Even though the clinic shows something else'),
  },
  examples: {
    'bookings resolve CS-7K3Q9F --as booked --appointment 1204': 'it is there, with this number',
  },
  needsSecrets: true,
  audit: { action: 'booking.resolve', subject: existingRef },
  open: withParts,
  async run(io, { ref, by, why, as, appointment, sendAgain, confirm, ...given }, { bookings }) {
    if (sendAgain && as !== 'not-booked')
      throw new Exit(exit.usage, '--send-again belongs to --as not-booked.');
    if (appointment !== undefined && as !== 'booked')
      throw new Exit(exit.usage, '--appointment belongs to --as booked.');
    const resolution = {
      booked: () => ({ as: 'booked' as const, appointment_id: requireNumber(appointment), confirm, why }),
      'not-booked': () => ({ as: 'not-booked' as const, send_again: sendAgain, confirm, why }),
      'booked-no-id': () => ({ as: 'booked-no-id' as const, why }),
    }[as]();
    const resolved = await bookings.resolve(ref, resolution, by).catch(nameTheFlag);
    if (resolved.ok) return answerDecided(io, given, resolved.booking);

    const { asked, clinic, appointment_id } = resolved.comparison;
    const lines = [
      `Nothing was changed: appointment ${appointment_id} is not what was asked for.`,
      `  asked for   ${asked.date} ${asked.time}`,
      `  the clinic  ${clinic.date} ${clinic.time} (${clinic.status})`,
      ...resolved.differences.map((difference) => `  ${difference}`),
      'If it is the right one anyway, add --confirm.',
    ];
    throw new Exit(exit.needsPerson, lines.join('\n'));
  },
});

/** The refusals that `confirm` overrules; each surface has a name of its own for it. */
function nameTheFlag(error: unknown): never {
  const { message, hint = '', kind, refusal } = asFailure(error, 'Resolving the booking');
  if (refusal?.name !== 'number_unknown' && refusal?.name !== 'still_working') throw error;
  throw new Failure({ kind, message, refusal, hint: `${clause(hint)} (--confirm).` });
}

function requireNumber(appointment: number | undefined): number {
  if (appointment !== undefined) return appointment;
  throw new Exit(exit.usage, 'Add the appointment’s number: --appointment N, or say --as booked-no-id.');
}

/** Decisions about a booking, each stored with who, when and why. */
export const decisions: readonly Command[] = [
  reconcile,
  resume,
  acknowledge,
  decision('approve', 'Release a held booking', {
    'bookings approve CS-7K3Q9F': 'it is real: send it',
  }),
  decision('take', 'Take a changed submission instead of the first, which was not sent yet', {
    'bookings take CS-7K3Q9F': 'they corrected the time in their form',
  }),
  decision('drop', 'Drop a booking; it will not be sent', {
    'bookings drop CS-7K3Q9F --why "a test"': 'it was never a real lead',
  }),
  decision('reopen', 'Hold a dropped booking again that was never sent', {
    'bookings reopen CS-7K3Q9F': 'the wrong one was dropped',
  }),
  edit,
  resolve,
];
