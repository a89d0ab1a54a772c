import type { Instant } from '../platform/clock.ts';
import type { Json, JsonObject } from '../platform/json.ts';
import { type SentCampaign, type Touches, untouched } from './campaign.ts';

/** The clinic of a booking that names none of several. No clinic can have this key, so it is never sent. */
export const noClinic = '-';

/**
 * A booking is what we were asked to book; it may become an appointment at the clinic. The API has no idempotency key,
 * no list and no cancel, so the states keep apart what surely does not exist there and what might.
 */
export const bookingStates = [
  'received',
  'held',
  'queued',
  'sending',
  'booked',
  'booked_no_id',
  'rejected',
  'unknown',
  'expired',
  'dropped',
] as const;
export type BookingState = (typeof bookingStates)[number];

export const holdReasons = [
  'approval',
  'missing_field',
  'invalid_field',
  'mapping',
  'duplicate_suspect',
  'changed_submission',
  'past_slot',
  'outside_hours',
  'too_far',
  'source_limit',
  'restored_state',
] as const;
export type HoldReason = (typeof holdReasons)[number];

/** What `restored_state` means, as people read it. */
export const restoredMeans =
  'The database is, or may be, an older copy; this may have been booked since that copy was made.';

/** Why the outcome of a send is not known. */
export const unknownCauses = [
  'interrupted',
  'connection_lost',
  'timeout',
  'cut_answer',
  'unreadable_answer',
  'redirect',
  'status_408',
  'status_5xx',
  'unexpected_status',
  'unexpected_answer',
  'accepted_no_id',
  'certificate_or_protocol',
] as const;
export type UnknownCause = (typeof unknownCauses)[number];

/** Only a booking is sent. A cancellation or a move, reported by a form tool, is a task for a person. */
export const bookingKinds = ['booking', 'cancellation', 'move'] as const;
export type BookingKind = (typeof bookingKinds)[number];

export type Actor = 'daemon' | 'person';

/**
 * Every legal move and who may make it; anything else throws. Only a person may move `unknown → queued`: no timer,
 * restart or second daemon may turn "maybe booked" into "send it".
 */
export const legalMoves: Record<
  BookingState,
  Partial<Record<BookingState, 'daemon' | 'person' | 'either'>>
> = {
  received: { queued: 'either', held: 'either', expired: 'daemon', dropped: 'person' },
  held: { held: 'either', queued: 'person', expired: 'daemon', dropped: 'person' },
  queued: { sending: 'daemon', held: 'either', expired: 'daemon', dropped: 'person' },
  // To held: the clinic keeps refusing this one, and no other, before anything is created.
  sending: { queued: 'daemon', held: 'daemon', booked: 'daemon', rejected: 'daemon', unknown: 'daemon' },
  booked: {},
  booked_no_id: { booked: 'either' },
  rejected: { queued: 'person', held: 'person', dropped: 'person' },
  unknown: { booked: 'either', booked_no_id: 'person', queued: 'person', dropped: 'person' },
  expired: { queued: 'person', held: 'person', dropped: 'person' },
  // Within ten seconds, when nothing was sent (`undo`).
  dropped: { held: 'person' },
};

export function mayMove(from: BookingState, to: BookingState, actor: Actor): boolean {
  const who = legalMoves[from][to];
  return who === 'either' || who === actor;
}

/** What the clinic is asked for, by the API's own names (specification 4.7). */
export interface BookingRequest {
  patient_name: string;
  patient_phone: string;
  appointment_date: string;
  appointment_time: string;
  address?: string;
  doctor_id?: number;
  treatment_id?: number;
  note?: string;
}

/** What a source sent, mapped by its connector and not yet checked. Unknown values stay as received. */
export interface Submission {
  /** The connector it came from. */
  source: string;
  /** The clinic's key; required only when several are configured. */
  clinic?: string;
  /** The source's own id of this submission, for deduplication. */
  submission_id?: string;
  fields: Partial<Record<SubmissionField, Json>>;
  /** Where it came from. Never a reason to hold it. */
  campaign?: SentCampaign;
  /** What the connector could not map; each appears in the hold's message. */
  problems?: FieldFault[];
  /** Why it exceeds what its source may send: it is held, and a person may release it unchanged. */
  over_limit?: string;
  /** A signed-in person or somebody with access to the machine handed it over: the limits against floods do not hold it. */
  by_hand?: boolean;
  /** The reference that a visitor is given when it is merged: the booking is found by it, too. */
  visitor_ref?: string;
  /** A task for a person instead of a booking (a cancellation at the form tool): held, never sent. */
  task?: string;
  /** Default: cancellation. */
  task_kind?: Exclude<BookingKind, 'booking'>;
}

export const submissionFields = [
  'patient_name',
  'patient_phone',
  'address',
  'appointment_date',
  'appointment_time',
  'doctor_id',
  'doctor',
  'treatment_id',
  'treatment',
  'note',
] as const;
export type SubmissionField = (typeof submissionFields)[number];

/** What no booking can be sent without. */
export const requiredFields = [
  'patient_name',
  'patient_phone',
  'appointment_date',
  'appointment_time',
] as const satisfies SubmissionField[];
export type RequiredField = (typeof requiredFields)[number];

export type NumberField = 'doctor_id' | 'treatment_id';
/** Fields that hold the clinic's own number for a name; all others are text. */
export const isNumberField = (field: SubmissionField): field is NumberField =>
  field === 'doctor_id' || field === 'treatment_id';

export interface FieldFault {
  field: string;
  message: string;
}

/** A booking as stored. Text fields are as the source sent them (well-formed), null where it sent none. */
export interface Booking extends Touches {
  /** `CS-7K3Q9F`: what people say on the phone and search for at the front desk. Unique. */
  ref: string;
  clinic: string;
  source: string;
  submission_id: string | null;
  kind: BookingKind;
  state: BookingState;
  /** A HoldReason, an UnknownCause or null. */
  reason: string | null;
  /** One sentence for a person: the reason of a hold, the clinic's answer. No decision reads it. */
  message: string | null;
  patient_name: string | null;
  patient_phone: string | null;
  /** For comparison only: the bare digits when no country fits, null when there are too few. */
  phone_e164: string | null;
  address: string | null;
  appointment_date: string | null;
  appointment_time: string | null;
  doctor_id: number | null;
  doctor: string | null;
  treatment_id: number | null;
  treatment: string | null;
  note: string | null;
  appointment_id: number | null;
  /** Sends so far, this one included while sending. */
  attempt: number;
  /** While queued: not sent before. */
  not_before: Instant | null;
  sending_since: Instant | null;
  /** Submissions with the same content that were merged into this one. */
  merged: number;
  /** The ref of an earlier booking this one resembles. */
  duplicate_of: string | null;
  /** Fields that its source could not read: only a correction clears them, not an approval. */
  unreadable_fields: string[];
  /** Bookings for the same phone, date and time that were shown to the user who releases this one. */
  acknowledged_duplicates: string[];
  /** For a submission id that came again: the fields that differ from the first, `duplicate_of`. */
  changed_fields: string[];
  /** Consecutive refusals of this booking without looking at it (403, 404, 405, 415). */
  refusals: number;
  /** When the clinic's record of the appointment was compared, or a person vouched for it. */
  verified_at: Instant | null;
  /** Facts about an unknown outcome; no patient data. */
  evidence: Evidence | null;
  received_at: Instant;
  changed_at: Instant;
}

/** Result of a probe: our match; several; one that another may claim; none; none in the part probed; no start. */
export const probeVerdicts = ['found', 'several', 'shared', 'none', 'partly', 'nowhere'] as const;
export type ProbeVerdict = (typeof probeVerdicts)[number];

/**
 * `partly`: no difference, but the clinic's record leaves something out. `not_found`, `unread`: the clinic did not show
 * it for ten minutes. `linked`, `acknowledged`: a person said so.
 */
export const verifications = [
  'matches',
  'partly',
  'differs',
  'not_found',
  'unread',
  'linked',
  'acknowledged',
] as const;
export type Verification = (typeof verifications)[number];

/** Facts about one send whose outcome is in doubt. Ids and counters only. */
export interface Evidence {
  sent_at?: Instant;
  answer?: string;
  /** The answer to this attempt that reached a daemon which no longer owned the clinic; null once it was of no use. */
  late_word?: { appointment_id: number; at: Instant } | null;
  body_hash?: string;
  /** `statistics.total_appointments` before and after, with when each was read; null: the clinic did not say. */
  counter_before?: { value: number | null; at: Instant };
  counter_after?: { value: number | null; at: Instant };
  /** Our own confirmed bookings between the two readings. */
  own_between?: number;
  highest_own_id?: number;
  probed_ids?: number[];
  matching_ids?: number[];
  verdict?: ProbeVerdict;
  verification?: Verification;
  /** Fields that the clinic's record of the linked appointment does not have. */
  left_out?: string[];
  /** Who acknowledged the difference or gave the number. */
  seen_by?: string;
  /** Surely not at the clinic: the answer proves it, or a person has checked. */
  absent?: boolean;
  /** It waited in what is, or may be, an older copy of the database: it may have been sent since. */
  restored?: boolean;
  /** The doubt about the database (its `at`) that a person was asked about. */
  doubted_at?: Instant;
  /** Differences between our request and the clinic's record of the linked appointment. */
  mismatch?: string[];
  /** What the clinic's record shows, where it differs; of the name only whether it is the same. */
  shows?: ClinicShows;
}

export interface ClinicShows {
  date: string | null;
  time: string | null;
  name_matches: boolean | null;
}

export interface BookingEvent {
  ref: string;
  at: Instant;
  from: BookingState | null;
  to: BookingState;
  actor: Actor;
  /** The connector, the daemon or the person's name. */
  by: string;
  reason: string | null;
  message: string | null;
}

/** A booking as shown in the change log, in events and in exports. */
export function bookingFields(booking: Booking): JsonObject {
  const fields: JsonObject = {};
  // Field by field, because an object that fields are deleted from is slow from then on, and each step of a booking has one.
  // Most bookings come without a campaign, and each step is stored with all its fields.
  for (const [name, value] of Object.entries(booking) as [string, JsonObject[string]][])
    if (!notShown.has(name) && !(value === null && campaignColumns.has(name))) fields[name] = value;
  return fields;
}

const notShown: ReadonlySet<string> = new Set<keyof Booking>([
  ...(['evidence', 'phone_e164', 'not_before', 'sending_since', 'unreadable_fields'] as const),
  ...(['acknowledged_duplicates', 'changed_fields', 'refusals', 'verified_at'] as const),
]);
const campaignColumns: ReadonlySet<string> = new Set(Object.keys(untouched));
