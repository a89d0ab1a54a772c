import { type Booking, type Evidence, noClinic } from '../../domain/bookings/booking.ts';
import type { ActionName, AvailableAction } from '../../domain/bookings/booking-actions.ts';
import { fieldWords } from '../../domain/bookings/booking-content.ts';
import { wrongFields } from '../../domain/bookings/faulty-fields.ts';
import { wallClockAt } from '../../domain/date-time.ts';
import { toMs } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import { sentences } from '../../platform/text/sentences.ts';
import { isCounted, SETTLE_MS, unexplained } from '../clinic-counter.ts';
import {
  answers,
  bookedMessage,
  type Explained,
  holds,
  nothingTodo,
  probeSentences,
  states,
  taskPrefix,
  taskTodo,
  unknownChoices,
  verificationSentences,
  withoutClinicTodo,
} from '../messages.ts';

/** A booking in words, for the user who has to decide. No patient data. */
export interface Description {
  /** One plain sentence. */
  sentence: string;
  evidence: string[];
  /** What can be done, each with the command that does it. */
  ways: { way: string; command: string }[];
  actions: AvailableAction[];
}

export function describe(booking: Booking, zone: string, actions: AvailableAction[]): Description {
  return {
    ...inWords(booking, zone, actions),
    ways: actions.map(({ action }) => wayOf(booking, action)),
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
  // "Booked" already says that the clinic confirmed it, and a message may repeat the state's meaning.
  const message = state === 'booked' && booking.message === bookedMessage ? null : booking.message;
  const more = message?.replace(means, '');
  const sentence = sentences(means, more, booking.clinic === noClinic && withoutClinicTodo);
  const mismatch = booking.evidence?.mismatch ?? [];
  const asksPerson = actions.length > 0 && todo !== nothingTodo;
  return {
    sentence: mismatch.length > 0 ? `${sentence} ${butOf(booking, zone)} ${mismatch.join(' ')}` : sentence,
    evidence: [...(asksPerson ? [todo] : []), ...evidenceLines(booking, zone)],
  };
}

const butOf = (booking: Booking, zone: string): string => {
  const when = checkedOn(booking, zone);
  return when === undefined ? 'But:' : `But ${when}:`;
};

/** When the clinic showed what differs, which may be days ago: what it shows now is said beside it. */
export function checkedOn({ evidence, verified_at }: Booking, zone: string): string | undefined {
  const at = evidence?.asked_at ?? verified_at;
  return at === null ? undefined : `on ${clinicTime(at, zone)}`;
}

function wayOf(booking: Booking, action: ActionName): Description['ways'][number] {
  const { way, command } =
    booking.state === 'unknown' && action in unknownChoices
      ? unknownChoices[action as keyof typeof unknownChoices]
      : ways[action];
  return {
    way,
    command: command.replace('REF', booking.ref).replace('CORRECTION', () => correction(booking)),
  };
}

const ways: Record<ActionName, { way: string; command: string }> = {
  ...unknownChoices,
  approve: { way: 'Approve it.', command: 'clinic-sync bookings approve REF' },
  take: { way: 'Take it instead of the first.', command: 'clinic-sync bookings take REF' },
  edit: { way: 'Correct it first.', command: 'clinic-sync bookings edit REF CORRECTION' },
  acknowledge: { way: 'I have seen the difference.', command: 'clinic-sync bookings acknowledge REF' },
  reconcile: { way: 'Let clinic-sync look for it.', command: 'clinic-sync bookings reconcile REF' },
  booked: { way: 'I know its number now.', command: unknownChoices.booked.command },
  reopen: { way: 'Reopen it.', command: 'clinic-sync bookings reopen REF' },
  drop: { way: 'Drop it.', command: unknownChoices.drop.command },
};

/** The command-line option for the field that most likely needs correction. */
function correction(booking: Booking): string {
  const { clinic, reason, doctor, doctor_id, treatment, treatment_id, unreadable_fields } = booking;
  if (clinic === noClinic) return '--clinic KEY';
  const missing = Object.entries(required).find(
    ([field]) => booking[field as keyof typeof required] === null,
  );
  if (missing !== undefined) return missing[1];
  const unreadable = unreadable_fields.find((field) => field !== 'booking');
  if (unreadable !== undefined) return `--${unreadable.replaceAll('_', '-')} …`;
  const [wrong] = wrongFields(booking);
  if (wrong !== undefined) return required[wrong.field];
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

/** Of a restored booking not even "Nothing is booked" (`held`) is known; the remedy is that of the hold reason. */
function explained({ clinic, state, reason }: Booking): Explained {
  if (state !== 'held') return states[state];
  if (clinic === noClinic) return { means: states.held.means, todo: nothingTodo };
  const hold = holds[reason as keyof typeof holds];
  return {
    means: reason === 'restored_state' ? hold.means : states.held.means,
    todo: (hold ?? states.held).todo,
  };
}

/** One sentence: when it was sent, what came back, the counter before and after, the numbers probed. */
function unknownSentence(booking: Booking, zone: string): string {
  const { evidence, reason } = booking;
  const sent = evidence?.sent_at ?? booking.sending_since;
  const when = sent === null || sent === undefined ? 'at an unknown time' : `on ${clinicTime(sent, zone)}`;
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
    return `the clinic had ${before} appointments before, and is counted again ${SETTLE_MS / MINUTE} minutes later`;
  const own = evidence?.own_between;
  if (own === undefined) return `the clinic had ${before} appointments before and ${after} after`;
  const ours = own === 0 ? 'none of them ours' : `${own} of them ours`;
  return `the clinic had ${before} appointments before and ${after} after, ${ours}`;
}

function probeWords({ evidence }: Booking): string {
  const ids = evidence?.probed_ids ?? [];
  if (ids.length === 0) return 'no appointment numbers were checked';
  const range = ids.length === 1 ? `${ids[0]}` : `${ids[0]} to ${ids.at(-1)}`;
  return `${ids.length} appointment numbers were checked (${range})`;
}

function evidenceLines(booking: Booking, zone: string): string[] {
  const { state, attempt } = booking;
  const evidence: Evidence = booking.evidence ?? {};
  const {
    sent_at,
    probed_ids = [],
    matching_ids = [],
    verdict,
    verification,
    left_out = [],
    changed_back,
  } = evidence;
  const isBooked = state === 'booked' || state === 'booked_no_id';
  const lines = [
    sent_at !== undefined && `Sent on ${clinicTime(sent_at, zone)}, attempt ${attempt}.`,
    evidence.answered_id !== undefined && `The clinic answered with number ${evidence.answered_id}.`,
    counterLine('before', evidence.counter_before, zone),
    counterLine('after', evidence.counter_after, zone),
    state === 'unknown' && appearedLine(unexplained(booking)),
    probed_ids.length > 0 && `Looked at appointments ${probed_ids.join(', ')}.`,
    matching_ids.length > 0 && `Matching appointments: ${matching_ids.join(', ')}.`,
    verdict !== undefined && probeSentences[verdict],
    isBooked && verification !== undefined && verificationSentences[verification],
    state === 'held' &&
      changed_back !== undefined &&
      `What it changes came again on ${clinicTime(changed_back, zone)}: a late retry of the form, or a change of mind.`,
    state === 'held' &&
      evidence.released_beside !== undefined &&
      `Another booking made of the same submission was released on ${clinicTime(evidence.released_beside, zone)}.`,
    isBooked && left_out.length > 0 && `Left out: ${fieldWords(left_out)}.`,
    ...differencesSeen(booking, zone),
  ];
  return lines.filter((line) => typeof line === 'string');
}

function differencesSeen(booking: Booking, zone: string): string[] {
  const { mismatch = [] } = booking.evidence ?? {};
  const when = checkedOn(booking, zone);
  return when === undefined ? mismatch : mismatch.map((sentence) => `${sentence} (${when})`);
}

const counterLine = (when: string, counter: Evidence['counter_before'], zone: string) =>
  counter !== undefined &&
  `Appointments at the clinic ${when}: ${counter.value ?? 'not given'} (${clinicTime(counter.at, zone)}).`;

function appearedLine(more: number | undefined): string | undefined {
  if (more === undefined) return undefined;
  if (more <= 0) return 'No appointment appeared that is not ours: it is probably not there.';
  return `${more} appeared that ${more === 1 ? 'is' : 'are'} not known to be ours: it may be there.`;
}

/** In the clinic's local time, for comparison with the front desk's screen. */
function clinicTime(at: string, zone: string): string {
  const { date, time } = wallClockAt(toMs(at), zone);
  return `${date} at ${time}`;
}
