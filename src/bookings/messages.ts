import {
  type BookingState,
  type HoldReason,
  type ProbeVerdict,
  restoredMeans,
  type UnknownCause,
  type Verification,
} from '../domain/bookings/booking.ts';
import { sentences } from '../platform/text/sentences.ts';

/** What a state means and what to do about it. docs/bookings.md shows exactly these sentences. */
export interface Explained {
  means: string;
  todo: string;
}

export const nothingTodo = 'Nothing.';

export const states: Record<BookingState, Explained> = {
  received: {
    means: 'Stored. It is checked as soon as the clinic’s lists of dentists and treatments are known.',
    todo: nothingTodo,
  },
  held: {
    means: 'Waits for you. Nothing is booked at the clinic.',
    todo: 'Correct it, approve it or drop it.',
  },
  queued: { means: 'Ready to be sent to the clinic.', todo: nothingTodo },
  sending: { means: 'Being sent to the clinic right now.', todo: nothingTodo },
  booked: { means: 'Booked: the clinic confirmed it and gave its appointment number.', todo: nothingTodo },
  booked_no_id: {
    means: 'Booked, according to a person. Without the appointment number, its status cannot be tracked.',
    todo: 'Nothing. If you learn the number, enter it.',
  },
  rejected: {
    means: 'The clinic refused it. It is not booked.',
    todo: 'Read the clinic’s message; correct and approve it, or call the patient and drop it.',
  },
  unknown: {
    means: 'It was sent, but it is not known whether it is booked. It may exist at the clinic.',
    todo: 'Look for its reference at the front desk, then choose one of the four ways out.',
  },
  expired: {
    means: 'Its time passed before it was sent. It is not booked.',
    todo: 'Call the patient; correct the date and approve it, or drop it.',
  },
  dropped: { means: 'Dropped by a person. It will not be sent.', todo: nothingTodo },
};

/** Ready to send, but unsent for so long that a user should know. */
export const overdue: Explained = {
  means: 'It could not be sent to the clinic yet.',
  todo: 'It is sent when the clinic can be reached again. To book it by phone instead, drop it here first.',
};

export const holds: Record<HoldReason, Explained> = {
  approval: { means: 'Waits for your approval.', todo: 'Approve it or drop it.' },
  missing_field: { means: 'Something the clinic needs is missing.', todo: 'Fill it in, or drop it.' },
  invalid_field: { means: 'Something in it is wrong or cannot be read.', todo: 'Correct it, or drop it.' },
  mapping: {
    means: 'The dentist or treatment does not match exactly one of the clinic’s.',
    todo: 'Choose the right one, or drop it.',
  },
  duplicate_suspect: {
    means: 'The same phone number or name already has a booking for this date and time.',
    todo:
      'Compare both. Families share phones, and people correct their number: approve it if it is for ' +
      'another person, take it if it corrects the first, drop it if it is the same booking.',
  },
  changed_submission: {
    means: 'The same request came again with other details.',
    todo: 'Compare both. Take this one instead of the first, approve it beside the first, or drop it.',
  },
  past_slot: { means: 'Its time has already passed.', todo: 'Correct the date, or drop it.' },
  outside_hours: {
    means: 'According to its website, the clinic is closed at that time.',
    todo: 'Approve it if the clinic accepts it anyway; else correct the time, or drop it.',
  },
  too_far: {
    means: 'It is further ahead than the clinic takes bookings.',
    todo: 'Approve it, correct the date, or drop it.',
  },
  source_limit: {
    means: 'More bookings came from this source, this phone number or this public form than usual.',
    todo: 'Approve it if it is a real patient; drop it if it is not.',
  },
  restored_state: {
    means: restoredMeans,
    todo: 'Look for it at the front desk. Approve it only if it is not there; else drop it.',
  },
};

/** The four ways out of `unknown`. */
export const unknownChoices = {
  booked: {
    way: 'It is there, and I have its number.',
    command: 'clinic-sync bookings resolve REF --as booked --appointment N',
  },
  booked_no_id: {
    way: 'It is there, and I do not know its number.',
    command: 'clinic-sync bookings resolve REF --as booked-no-id',
  },
  send_again: {
    way: 'It is not there: send it again.',
    command: 'clinic-sync bookings resolve REF --as not-booked --send-again',
  },
  drop: { way: 'Drop it.', command: 'clinic-sync bookings drop REF' },
} as const;

export const bookedMessage = 'The clinic confirmed it.';
export const rejectedMessage = 'The clinic refused it and gave no reason.';
export const unknownMessage = (answer: string): string =>
  `It was sent; what came back was ${answer}. It may exist at the clinic.`;
export const expiredMessage = 'Its time passed before it was sent.';
export const lostTodo =
  'Ask at the front desk: enter the visit’s number if it has another one, or add ' +
  'the booking again if it is wanted; then acknowledge this.';
export const expiredAheadMessage = 'It had expired by a clock that was ahead.';
export const taskPrefix = 'A task for a person, not a booking';
export const withoutClinicTodo = 'Choose its clinic, or drop it.';
export const taskTodo = 'Do it, then drop it.';

const lookAndResume = 'Nothing is sent until someone has checked and resumes sending.';
export const restoredMessage = `This database is an older copy. ${lookAndResume}`;
export const comparingMessage =
  'After a time without a daemon, the clinic’s newest appointments are checked first, so that nothing is booked twice.';
export const unattendedMessage = (found: string): string =>
  `This database may be an older copy: ${found} ${lookAndResume}`;

export function heldMessage(reason: HoldReason, faults: readonly { message: string }[]): string {
  const details = [...new Set(faults.map(({ message }) => message))];
  return sentences(holds[reason].means, ...details.filter((detail) => detail !== holds[reason].means));
}

export const probeSentences: Record<ProbeVerdict, string> = {
  found: 'Exactly one appointment has the name, date and time.',
  several: 'Several appointments have the name, date and time.',
  shared: 'One appointment has the name, date and time, and another unknown booking asks for the same.',
  none: 'No appointment among them has the name, date and time. That is evidence, not proof.',
  partly: 'No appointment among those checked has the name, date and time, and not all could be checked.',
  nowhere: 'No earlier appointment number is known from which to start looking.',
};

export const verificationSentences: Record<Verification, string> = {
  matches: 'The clinic shows the same name, date and time.',
  partly: 'The clinic’s record leaves out what should be compared.',
  differs: 'The clinic shows something other than we asked for.',
  not_found: 'The clinic does not show an appointment with the number that it gave.',
  unread: 'The clinic could not be asked what it has under this number.',
  linked: 'A person entered its number.',
  acknowledged: 'A person has seen the difference.',
  asked_again: 'A later read showed that the visit was cancelled or moved.',
  missing: 'The clinic showed this visit before, and no longer does.',
  someone_else: 'The clinic showed this visit before, and now has another patient under its number.',
  number_moved: 'A person gave its number to another booking.',
  twice: 'The clinic has two equal appointments for it.',
};

/** What came back, as a clause of the sentence shown to the user. */
export const answers: Record<UnknownCause, string> = {
  interrupted: 'nothing, because clinic-sync was stopped before an answer came',
  connection_lost: 'nothing, because the connection was lost',
  timeout: 'nothing within the time allowed',
  cut_answer: 'an answer that was cut off',
  unreadable_answer: 'an answer that could not be read',
  redirect: 'a redirect to another address',
  status_408: 'a timeout of the clinic’s server',
  status_5xx: 'an error of the clinic’s server',
  unexpected_status: 'an answer of an unexpected kind',
  unexpected_answer: 'an answer that breaks the API’s contract',
  accepted_no_id: 'a confirmation without a usable appointment number',
  certificate_or_protocol: 'a connection that was not safe to use, or not HTTP',
  refused_but_there: 'a refusal, although the clinic has had more appointments since',
};
