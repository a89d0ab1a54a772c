import { type Booking, noClinic } from '../../domain/booking.ts';
import type { AvailableAction } from '../../domain/booking-actions.ts';
import { fieldWords } from '../../domain/booking-content.ts';
import { wallClockAt } from '../../domain/date-time.ts';
import { toMs } from '../../platform/clock.ts';
import { sentences } from '../../platform/sentences.ts';
import { isCounted, SETTLE_MS, unexplained } from '../clinic-counter.ts';
import {
  answers,
  bookedMessage,
  type Explained,
  holds,
  homelessTodo,
  lookSentences,
  nothingTodo,
  states,
  taskPrefix,
  taskTodo,
  unknownChoices,
  verificationSentences,
} from '../messages.ts';

/** A booking in words, for the person who has to decide. No patient data. */
export interface Description {
  /** One plain sentence. */
  sentence: string;
  evidence: string[];
  /** What can be done, each with the command that does it. */
  ways: { way: string; command: string }[];
  actions: AvailableAction[];
}

/** `actions`: what is available now. */
export function describe(booking: Booking, zone: string, actions: AvailableAction[]): Description {
  return {
    ...inWords(booking, zone, actions),
    ways: actions.flatMap((action) => wayOf(booking, action)),
    actions,
  };
}

function inWords(
  booking: Booking,
  zone: string,
  actions: readonly AvailableAction[],
): Pick<Description, 'sentence' | 'evidence'> {
  const { state } = booking;
  if (state === 'unknown')
    return { sentence: unknownSentence(booking, zone), evidence: evidenceLines(booking, zone) };
  if (state === 'held' && booking.kind !== 'booking')
    return { sentence: booking.message ?? taskPrefix, evidence: [taskTodo] };
  const { means, todo } = explained(booking);
  // That it is booked says already that the clinic confirmed it.
  const message = state === 'booked' && booking.message === bookedMessage ? null : booking.message;
  const sentence = sentences(means, message, booking.clinic === noClinic && homelessTodo);
  const mismatch = booking.evidence?.mismatch ?? [];
  const asksPerson = actions.length > 0 && todo !== nothingTodo;
  return {
    sentence: mismatch.length > 0 ? `${sentence} But: ${mismatch.join(' ')}` : sentence,
    evidence: [...(asksPerson ? [todo] : []), ...evidenceLines(booking, zone)],
  };
}

function wayOf(booking: Booking, { action }: AvailableAction): Description['ways'] {
  const { ref } = booking;
  const command = (words: string) => `clinic-sync bookings ${words.replace('REF', ref)}`;
  switch (action) {
    case 'approve':
      return [{ way: 'Approve it.', command: command('approve REF') }];
    case 'take':
      return [{ way: 'Take it instead of the first.', command: command('take REF') }];
    case 'edit':
      return [{ way: 'Correct it first.', command: command(`edit REF ${correction(booking)}`) }];
    case 'acknowledge':
      return [{ way: 'I have seen the difference.', command: command('acknowledge REF') }];
    case 'reconcile':
      return [{ way: 'Let clinic-sync look for it.', command: command('reconcile REF') }];
    case 'booked':
      return booking.state === 'unknown'
        ? [wayOut('booked', ref)]
        : [{ way: 'I know its number now.', command: command('resolve REF --as booked --appointment N') }];
    case 'drop':
      return booking.state === 'unknown'
        ? [wayOut('drop', ref)]
        : [{ way: 'Drop it.', command: command('drop REF') }];
    default:
      return [wayOut(action, ref)];
  }
}

const wayOut = (action: keyof typeof unknownChoices, ref: string) => {
  const { way, command } = unknownChoices[action];
  return { way, command: command.replace('REF', ref) };
};

/** What most likely has to be corrected. */
function correction(booking: Booking): string {
  const { reason, doctor, doctor_id, treatment, treatment_id, unreadable_fields } = booking;
  const missing = Object.entries(required).find(
    ([field]) => booking[field as keyof typeof required] === null,
  );
  if (missing !== undefined) return missing[1];
  const unreadable = unreadable_fields.find((field) => field !== 'booking');
  if (unreadable !== undefined) return `--${unreadable.replaceAll('_', '-')} …`;
  const isTreatment = treatment === null ? treatment_id !== null : treatment_id === null;
  const isDoctor = doctor === null ? doctor_id !== null : doctor_id === null;
  if (reason === 'mapping') return isTreatment && !isDoctor ? '--treatment-id N' : '--doctor-id N';
  return required.appointment_date;
}

const required = {
  patient_name: '--patient-name NAME',
  patient_phone: '--patient-phone NUMBER',
  appointment_date: '--appointment-date YYYY-MM-DD',
  appointment_time: '--appointment-time HH:MM',
} as const;

/** What a held one is held for says more than that it is held; of a restored one not even "not booked" is known. */
function explained({ clinic, state, reason }: Booking): Explained {
  if (state !== 'held') return states[state];
  if (clinic === noClinic) return { means: states.held.means, todo: nothingTodo };
  const hold = holds[reason as keyof typeof holds];
  return {
    means: reason === 'restored_state' ? hold.means : states.held.means,
    todo: (hold ?? states.held).todo,
  };
}

/** When it was sent, what came back, the counter before and after, the numbers looked at: in one sentence. */
function unknownSentence(booking: Booking, zone: string): string {
  const { evidence, reason } = booking;
  const sent = evidence?.sent_at ?? booking.sending_since;
  const when = sent === null || sent === undefined ? 'at a time not known' : `on ${clinicTime(sent, zone)}`;
  const kept = evidence?.answer ?? '';
  const answer = kept !== '' ? kept : (answers[reason as keyof typeof answers] ?? 'an unclear answer');
  return `It was sent ${when}; what came back was ${answer}; ${counterWords(booking)}; ${probeWords(booking)}.`;
}

function counterWords(booking: Booking): string {
  const { evidence } = booking;
  const before = evidence?.counter_before?.value;
  const after = evidence?.counter_after?.value;
  if (before == null) return 'the clinic’s number of appointments before is not known';
  if (after == null || !isCounted(booking))
    return `the clinic had ${before} appointments before, and is counted again ${SETTLE_MS / 60_000} minutes later`;
  const own = evidence?.own_between;
  if (own === undefined) return `the clinic had ${before} appointments before and ${after} after`;
  const ours = own === 0 ? 'none of them ours' : `${own} of them ours`;
  return `the clinic had ${before} appointments before and ${after} after, ${ours}`;
}

function probeWords({ evidence }: Booking): string {
  const ids = evidence?.probed_ids ?? [];
  if (ids.length === 0) return 'no appointment numbers were looked at';
  const range = ids.length === 1 ? `${ids[0]}` : `${ids[0]} to ${ids.at(-1)}`;
  return `${ids.length} appointment numbers were looked at (${range})`;
}

function evidenceLines(booking: Booking, zone: string): string[] {
  const { evidence } = booking;
  if (evidence === null) return [];
  const lines: string[] = [];
  if (evidence.sent_at !== undefined)
    lines.push(`Sent on ${clinicTime(evidence.sent_at, zone)}, attempt ${booking.attempt}.`);
  for (const [when, counter] of [
    ['before', evidence.counter_before],
    ['after', isCounted(booking) ? evidence.counter_after : undefined],
  ] as const)
    if (counter !== undefined)
      lines.push(
        `Appointments at the clinic ${when}: ${counter.value ?? 'not given'} (${clinicTime(counter.at, zone)}).`,
      );
  const more = unexplained(booking);
  if (more !== undefined && booking.state === 'unknown')
    lines.push(
      more <= 0
        ? 'No appointment appeared that is not ours: it is probably not there.'
        : `${more} appeared that ${more === 1 ? 'is' : 'are'} not known to be ours: it may be there.`,
    );
  if ((evidence.probed_ids ?? []).length > 0)
    lines.push(`Looked at appointments ${(evidence.probed_ids ?? []).join(', ')}.`);
  if ((evidence.matching_ids ?? []).length > 0)
    lines.push(`Matching appointments: ${(evidence.matching_ids ?? []).join(', ')}.`);
  if (evidence.verdict) lines.push(lookSentences[evidence.verdict]);
  if (booking.state === 'booked' && evidence.verification)
    lines.push(verificationSentences[evidence.verification]);
  const leftOut = evidence.left_out ?? [];
  if (booking.state === 'booked' && leftOut.length > 0) lines.push(`Left out: ${fieldWords(leftOut)}.`);
  return [...lines, ...(evidence.mismatch ?? [])];
}

/** On the clinic's wall clock: the front desk compares it with its own screen. */
function clinicTime(at: string, zone: string): string {
  const { date, time } = wallClockAt(toMs(at), zone);
  return `${date} at ${time}`;
}
