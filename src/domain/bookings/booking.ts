import * as z from 'zod';
import type { Json, JsonObject } from '../../platform/json.ts';
import { type SentCampaign, touchFields, untouched } from '../campaign.ts';
import { field, namesWith, schemasOf } from '../fields.ts';
import { countSchema, instantSchema, maybe, orNull, textSchema } from '../outward.ts';

/** Clinic key of a booking that names none of several clinics. No clinic can have it, so the booking is never sent. */
export const noClinic = '-';

/**
 * What we were asked to book; it may become an appointment at the clinic. The API has no idempotency key, no list and
 * no cancel, so the states separate what certainly does not exist at the clinic from what might.
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

/** What `restored_state` means, as shown to users. */
export const restoredMeans =
  'The database is, or may be, an older copy; this may have been booked since that copy was made.';

/** Why the outcome of a send is unknown. */
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
  'refused_but_there',
] as const;
export type UnknownCause = (typeof unknownCauses)[number];

/** Only a booking is sent. A cancellation or move reported by a form tool is a task for a user. */
export const bookingKinds = ['booking', 'cancellation', 'move'] as const;
export type BookingKind = (typeof bookingKinds)[number];

/**
 * Every legal move and who may make it; any other throws. Only a user may move `unknown → queued`: no timer, restart or
 * second daemon may turn "maybe booked" into "send it".
 */
const legalMoves: Record<BookingState, Partial<Record<BookingState, 'daemon' | 'person' | 'either'>>> = {
  received: { queued: 'either', held: 'either', expired: 'daemon', dropped: 'person' },
  held: { held: 'either', queued: 'person', expired: 'daemon', dropped: 'person' },
  // To queued: its dentist or treatment has another number by now. To unknown: the clinic refused it, and has an
  // appointment that may be it.
  queued: {
    queued: 'daemon',
    sending: 'daemon',
    unknown: 'daemon',
    held: 'either',
    expired: 'daemon',
    dropped: 'person',
  },
  // To held: the clinic keeps refusing this booking, and no other, before creating anything.
  sending: { queued: 'daemon', held: 'daemon', booked: 'daemon', rejected: 'daemon', unknown: 'daemon' },
  // The number of a visit that the clinic no longer shows under it: entered anew, or moved to another booking.
  booked: { booked: 'person', booked_no_id: 'person' },
  booked_no_id: { booked: 'either' },
  rejected: { queued: 'person', held: 'person', dropped: 'person' },
  unknown: { booked: 'either', booked_no_id: 'person', queued: 'person', dropped: 'person' },
  // By the daemon only if the clock was ahead when it expired.
  expired: { queued: 'person', held: 'either', dropped: 'person' },
  // Undone within ten seconds, or reopened; only if nothing was sent.
  dropped: { held: 'person' },
};

export function mayMove(from: BookingState, to: BookingState, actor: Actor): boolean {
  const who = legalMoves[from][to];
  return who === 'either' || who === actor;
}

/** What is sent to the clinic, by the API's own names (specification 4.7). */
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
  /** The source's own id for the submission, for deduplication. */
  submission_id?: string;
  fields: Partial<Record<SubmissionField, Json>>;
  /** Its origin. Never a reason to hold it. */
  campaign?: SentCampaign;
  /** What the connector could not map; each problem appears in the hold's message. */
  problems?: FieldFault[];
  /** Why it exceeds its source's limit: it is held, and a user may release it unchanged. */
  over_limit?: string;
  /** Why a person should look at it first, in English: it is held, and a user may release it unchanged. */
  ask?: string;
  /**
   * Of a changed row of a file, in English: where it is, and where its earlier version is (`row 2 of leads.csv`). Its
   * id is that of the earlier one.
   */
  version?: { here: string; there: string };
  /** Submitted by a signed-in user or someone with access to the machine: exempt from the limits against floods. */
  by_hand?: boolean;
  /** The reference given to the visitor if it is merged; it also finds the booking. */
  visitor_ref?: string;
  /** A task for a user instead of a booking (such as a cancellation at the form tool): held, never sent. */
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

/** Fields without which no booking can be sent. */
export const requiredFields = [
  'patient_name',
  'patient_phone',
  'appointment_date',
  'appointment_time',
] as const satisfies SubmissionField[];
export type RequiredField = (typeof requiredFields)[number];

export type NumberField = 'doctor_id' | 'treatment_id';
/** Fields with the clinic's number for a name; all others are text. */
export const isNumberField = (field: SubmissionField): field is NumberField =>
  field === 'doctor_id' || field === 'treatment_id';

export interface FieldFault {
  field: string;
  message: string;
}

/** Result of a probe: one match; several; one that another booking may claim; none; none so far; no start. */
export const probeVerdicts = ['found', 'several', 'shared', 'none', 'partly', 'nowhere'] as const;
export type ProbeVerdict = (typeof probeVerdicts)[number];

/**
 * `partly`: no difference, but the clinic's record lacks something. `not_found`, `unread`: the clinic did not show it
 * for ten minutes. `linked`, `acknowledged`: a user confirmed it. After that, `missing`: the clinic no longer knows the
 * number; `someone_else`: it has another patient under it; `number_moved`: a user gave the number to another booking;
 * `twice`: an equal appointment stands next to it.
 */
export const verifications = [
  'matches',
  'partly',
  'differs',
  'not_found',
  'unread',
  'linked',
  'acknowledged',
  'asked_again',
  'missing',
  'someone_else',
  'number_moved',
  'twice',
] as const;
export type Verification = (typeof verifications)[number];

const id = z.int();
const state = z.enum(bookingStates);

const shows = z.strictObject({
  date: orNull(textSchema),
  time: orNull(textSchema),
  name_matches: orNull(z.boolean()),
});
export type ClinicShows = z.infer<typeof shows>;

const reading = z.strictObject({ value: orNull(z.number()), at: instantSchema });

const evidence = z
  .strictObject({
    sent_at: maybe(instantSchema),
    answer: maybe(textSchema),
    /**
     * Status with which the clinic refused it: before it is sent again, the clinic's appointments are compared, then
     * null.
     */
    refused: maybe(orNull(z.int())),
    /** The number in the answer, if it could not be used because another booking has it. */
    answered_id: maybe(id),
    /** The answer to this attempt that reached a daemon after it had lost the clinic; null once found unusable. */
    late_word: maybe(orNull(z.strictObject({ appointment_id: id, at: instantSchema }))),
    body_hash: maybe(textSchema),
    /** `statistics.total_appointments` before and after, each with the time of the read; null: the clinic gave none. */
    counter_before: maybe(reading),
    counter_after: maybe(reading),
    /** Our own confirmed bookings between the two readings. */
    own_between: maybe(z.number()),
    highest_own_id: maybe(id),
    probed_ids: maybe(z.array(id)),
    matching_ids: maybe(z.array(id)),
    verdict: maybe(z.enum(probeVerdicts)),
    verification: maybe(z.enum(verifications)),
    /** When the clinic's record was first seen to differ after it had been verified. */
    asked_at: maybe(instantSchema),
    /** What was known before, to return to if the record is as verified again. */
    before_asked: maybe(
      z.strictObject({
        verification: maybe(z.enum(verifications)),
        mismatch: maybe(z.array(textSchema)),
        shows: maybe(shows),
      }),
    ),
    /** Fields missing from the clinic's record of the linked appointment. */
    left_out: maybe(z.array(textSchema)),
    /** Who acknowledged the difference or entered the number. */
    seen_by: maybe(textSchema),
    /** Certainly not at the clinic: proven by the answer, or checked by a user. */
    absent: maybe(z.boolean()),
    /** It waited in what is, or may be, an older copy of the database, so it may have been sent since. */
    restored: maybe(z.boolean()),
    /** `at` of the doubt about the database that a user was asked to confirm. */
    doubted_at: maybe(instantSchema),
    /** When a user was last shown why a release needs a second one: its duplicates, or the doubt about the database. */
    shown_at: maybe(instantSchema),
    /** When the lead came about which a user was asked, because its visit was cancelled or moved around that time. */
    asked_again: maybe(instantSchema),
    /** When the content that this held change replaces came again: a late retry of the form, or a change of mind. */
    changed_back: maybe(instantSchema),
    /** When another booking made of the same submission was released while this one was held. */
    released_beside: maybe(instantSchema),
    /** Differences between our request and the clinic's record of the linked appointment. */
    mismatch: maybe(z.array(textSchema)),
    /** What the clinic's record shows where it differs; of the name, only whether it matches. */
    shows: maybe(shows),
  })
  .meta({ id: 'Evidence', description: 'Facts about a send whose outcome is in doubt.' });
/** Facts about one send with an unknown outcome. Ids and counters only. */
export type Evidence = z.infer<typeof evidence>;

/**
 * Each field of a booking once. From it follow the type, the outward JSON, OpenAPI, the change log, columns of files,
 * what is a patient's, and what stays when a person is erased. The database's columns are in `booking-tables.ts`.
 */
export const bookingEntity = {
  /** `CS-7K3Q9F`: read out on the phone and searched for at the front desk. Unique. */
  ref: field(textSchema.meta({ example: 'CS-7K3Q9F' }), { stays: true }),
  clinic: field(textSchema, { stays: true }),
  source: field(textSchema, { stays: true }),
  submission_id: field(orNull(textSchema), { from: 'visitor' }),
  kind: field(z.enum(bookingKinds)),
  state: field(state, { stays: true }),
  /** A HoldReason, an UnknownCause or null. */
  reason: field(orNull(textSchema), { stays: true }),
  /** One sentence for users: why it is held, or the clinic's answer. Never used for decisions. */
  message: field(orNull(textSchema), { from: 'visitor' }),
  patient_name: field(orNull(textSchema), { from: 'patient' }),
  patient_phone: field(orNull(textSchema), { from: 'patient' }),
  /** For comparison only: plain digits when no country fits, null when there are too few. */
  phone_e164: field(orNull(textSchema), { from: 'patient', isInternal: true }),
  address: field(orNull(textSchema), { from: 'patient' }),
  appointment_date: field(orNull(textSchema), { kind: 'date', from: 'visitor', stays: true }),
  appointment_time: field(orNull(textSchema), { kind: 'time', from: 'visitor', stays: true }),
  doctor_id: field(orNull(id), { kind: 'number', stays: true }),
  doctor: field(orNull(textSchema), { from: 'visitor' }),
  treatment_id: field(orNull(id), { kind: 'number', stays: true }),
  treatment: field(orNull(textSchema), { from: 'visitor' }),
  note: field(orNull(textSchema), { from: 'patient' }),
  appointment_id: field(orNull(id), { kind: 'number', stays: true }),
  /** Number of sends, including the one in progress. */
  attempt: field(countSchema, { kind: 'number', stays: true }),
  /** Earliest time of the send while queued. */
  not_before: field(orNull(instantSchema), { isInternal: true, stays: true }),
  sending_since: field(orNull(instantSchema), { isInternal: true, stays: true }),
  /** Submissions with the same content that were merged into this one. */
  merged: field(countSchema, { kind: 'number', stays: true }),
  /** The ref of an earlier booking that this one resembles. */
  duplicate_of: field(orNull(textSchema), { stays: true }),
  /** Fields that the source sent unreadably: cleared only by a correction, not by approval. */
  unreadable_fields: field(z.array(textSchema), { isInternal: true }),
  /** Bookings for the same phone, date and time that were shown to the user releasing this one. */
  acknowledged_duplicates: field(z.array(textSchema), { isInternal: true }),
  /** For a repeated submission id: the fields that differ from the first submission, `duplicate_of`. */
  changed_fields: field(z.array(textSchema), { isInternal: true }),
  /** Consecutive refusals of this booking before it was processed (403, 404, 405, 415). */
  refusals: field(countSchema, { isInternal: true }),
  /** When the clinic's record of the appointment was compared, or a user vouched for it. */
  verified_at: field(orNull(instantSchema), { isInternal: true }),
  /** Facts about an unknown outcome; no patient data. */
  evidence: field(orNull(evidence), { isInternal: true }),
  ...touchFields,
  received_at: field(instantSchema, { kind: 'instant', stays: true }),
  changed_at: field(instantSchema, { kind: 'instant', stays: true }),
};

export const bookingShape = z.strictObject(schemasOf(bookingEntity));
/** A booking as stored. Text fields are as sent by the source (well-formed), null where it sent none. */
export type Booking = z.infer<typeof bookingShape>;

export const bookingEvent = z.strictObject({
  ref: textSchema,
  at: instantSchema,
  from: orNull(state),
  to: state,
  actor: z.enum(['daemon', 'person']),
  /** The connector, the daemon or the user's name. */
  by: textSchema,
  reason: orNull(textSchema),
  message: orNull(textSchema),
});
export type BookingEvent = z.infer<typeof bookingEvent>;
export type Actor = BookingEvent['actor'];

/** A booking as it appears in the change log, events and exports. */
export function bookingFields(booking: Booking): JsonObject {
  // Neither deleted from nor filled field by field: V8 turns such an object into a dictionary, which is slow to list
  // and to write, and every move needs one. Empty campaign columns are left out, because every move is stored with all
  // its fields.
  const all = Object.entries(booking) as [string, Json][];
  return Object.fromEntries(
    all.filter(([name, value]) => !notShown.has(name) && !(value === null && campaignColumns.has(name))),
  );
}

const notShown: ReadonlySet<string> = new Set(namesWith(bookingEntity, ({ isInternal }) => isInternal));
const campaignColumns: ReadonlySet<string> = new Set(Object.keys(untouched));
