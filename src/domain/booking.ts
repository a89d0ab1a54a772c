import type { Instant } from '../platform/clock.ts';
import type { Json, JsonObject } from '../platform/json.ts';

/** The clinic of a booking that names none of several. No clinic can have this key, so nothing of it is ever sent. */
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

/** A booking is sent; a cancellation or a move, reported by a form tool, is a task for a person and never sent. */
export const bookingKinds = ['booking', 'cancellation', 'move'] as const;
export type BookingKind = (typeof bookingKinds)[number];

export type Actor = 'daemon' | 'person';

/**
 * Every legal move and who may make it; anything else throws. `unknown → queued` belongs to a person alone: no timer,
 * restart or second daemon may turn "maybe booked" into "send it".
 */
export const legalMoves: Record<
  BookingState,
  Partial<Record<BookingState, 'daemon' | 'person' | 'either'>>
> = {
  received: { queued: 'either', held: 'either', expired: 'daemon', dropped: 'person' },
  held: { held: 'either', queued: 'person', expired: 'daemon', dropped: 'person' },
  queued: { sending: 'daemon', held: 'either', expired: 'daemon', dropped: 'person' },
  // Held: the clinic keeps refusing this one alone, before anything is created.
  sending: { queued: 'daemon', held: 'daemon', booked: 'daemon', rejected: 'daemon', unknown: 'daemon' },
  booked: {},
  booked_no_id: { booked: 'either' },
  rejected: { queued: 'person', held: 'person', dropped: 'person' },
  unknown: { booked: 'either', booked_no_id: 'person', queued: 'person', dropped: 'person' },
  expired: { queued: 'person', held: 'person', dropped: 'person' },
  dropped: {},
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

/** What a source sent, after its connector mapped it and before anything was checked. Unknown values stay as received. */
export interface Submission {
  /** The connector it came from. */
  source: string;
  /** The clinic's key; required only when several are configured. */
  clinic?: string;
  /** The source's own id of this submission, for deduplication. */
  submission_id?: string;
  fields: Partial<Record<SubmissionField, Json>>;
  /** What the connector could not map; each becomes part of the hold's message. */
  problems?: FieldFault[];
  /** Why it comes on top of what its source may send: held, and a person may release it as it is. */
  over_limit?: string;
  /** Something other than a booking a person has to do (a cancellation at the form tool): held, never sent. */
  task?: string;
  /** What kind of task; a cancellation when it does not say. */
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

export type NumberField = 'doctor_id' | 'treatment_id';
/** The clinic's own number where a name stands for one; all others are text. */
export const isNumberField = (field: SubmissionField): field is NumberField =>
  field === 'doctor_id' || field === 'treatment_id';

export interface FieldFault {
  field: string;
  message: string;
}

/** A booking as stored. Text fields are as the source sent them (well-formed), null where it sent none. */
export interface Booking {
  /** `CS-7K3Q9F`: what people say on the phone and search for at the front desk. Unique. */
  ref: string;
  clinic: string;
  source: string;
  submission_id: string | null;
  kind: BookingKind;
  state: BookingState;
  /** A HoldReason, an UnknownCause or null. */
  reason: string | null;
  /** One plain sentence for a person: what the hold is about, what the clinic answered. No decision reads it. */
  message: string | null;
  patient_name: string | null;
  patient_phone: string | null;
  /** For comparison only; its digits when no country is known or has such a number, null when it has too few. */
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
  /** Queued: not to be sent before. */
  not_before: Instant | null;
  sending_since: Instant | null;
  /** Submissions with the same content that were merged into this one. */
  merged: number;
  /** The ref of an earlier booking this one resembles. */
  duplicate_of: string | null;
  /** Fields that its source could not read: only a correction clears them, never an approval. */
  unreadable_fields: string[];
  /** Others for the same phone, date and time that whoever releases this one has been shown. */
  acknowledged_duplicates: string[];
  /** Sent again under the same submission id: the fields that differ from the first, which `duplicate_of` names. */
  changed_fields: string[];
  /** How often in a row the clinic refused this very booking without looking at it (403, 404, 405, 415). */
  refusals: number;
  /** When the clinic's record of the appointment was compared, or a person answered for it. */
  verified_at: Instant | null;
  /** Facts gathered about an unknown outcome; nobody's data. */
  evidence: Evidence | null;
  received_at: Instant;
  changed_at: Instant;
}

/** Of a look: one match that is ours; several; one that another may claim; none; none among those looked at; no start. */
export const lookVerdicts = ['found', 'several', 'shared', 'none', 'partly', 'nowhere'] as const;
export type LookVerdict = (typeof lookVerdicts)[number];

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
  body_hash?: string;
  /** `statistics.total_appointments` before and after, with when each was read; null: the clinic did not say. */
  counter_before?: { value: number | null; at: Instant };
  counter_after?: { value: number | null; at: Instant };
  /** Our own confirmed bookings between the two readings. */
  own_between?: number;
  highest_own_id?: number;
  probed_ids?: number[];
  matching_ids?: number[];
  /** What a look through the clinic's appointment numbers came to. */
  verdict?: LookVerdict;
  /** What the clinic shows for the linked appointment. */
  verification?: Verification;
  /** Fields that the clinic's record of the linked appointment does not have. */
  left_out?: string[];
  /** Who has seen the difference, or gave the number. */
  seen_by?: string;
  /** Surely not at the clinic: what came back proves it, or a person has looked. */
  absent?: boolean;
  /** It waited in a database that is, or may be, an older copy: it may have been sent since that copy was made. */
  restored?: boolean;
  /** Differences between what we asked for and what the clinic shows for the linked appointment. */
  mismatch?: string[];
}

/** One move in a booking's life. */
export interface BookingEvent {
  ref: string;
  at: Instant;
  from: BookingState | null;
  to: BookingState;
  actor: Actor;
  /** Who: the connector, the daemon, the person's name. */
  by: string;
  reason: string | null;
  message: string | null;
}

/** What a booking looks like in the change log, in events and in exports. */
export function bookingFields(booking: Booking): JsonObject {
  const {
    evidence: _evidence,
    phone_e164: _phone,
    not_before: _notBefore,
    sending_since: _since,
    unreadable_fields: _unreadable,
    acknowledged_duplicates: _acknowledged,
    changed_fields: _changed,
    refusals: _refusals,
    verified_at: _verified,
    ...shown
  } = booking;
  return shown as JsonObject;
}
