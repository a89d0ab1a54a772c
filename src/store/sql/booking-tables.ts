import { integer, list, numbered, optional, text } from './column.ts';

const ref = { ...text, key: 'given' } as const;
export const ofBooking = { ...text, references: ['bookings', 'ref'] } as const;

/** The tables of bookings and leads; see `schema.ts`. */
export const bookingTables = {
  bookings: {
    ref,
    clinic: text,
    source: text,
    submission_id: optional.text,
    state: text,
    reason: optional.text,
    message: optional.text,
    patient_name: optional.text,
    patient_phone: optional.text,
    phone_e164: optional.text,
    address: optional.text,
    appointment_date: optional.text,
    appointment_time: optional.text,
    doctor_id: optional.integer,
    doctor: optional.text,
    treatment_id: optional.integer,
    treatment: optional.text,
    note: optional.text,
    appointment_id: optional.integer,
    attempt: integer,
    not_before: optional.text,
    sending_since: optional.text,
    merged: integer,
    duplicate_of: optional.text,
    evidence: optional.json,
    received_at: text,
    changed_at: text,
    booked_at: optional.text,
    content_hash: optional.text,
    kind: { ...text, default: 'booking', oneOf: ['booking', 'cancellation', 'move'] },
    unreadable_fields: list,
    acknowledged_duplicates: list,
    changed_fields: list,
    refusals: { ...integer, default: 0 },
    verified_at: optional.text,
    utm_source: optional.text,
    utm_medium: optional.text,
    campaign: optional.text,
    utm_term: optional.text,
    utm_content: optional.text,
    channel: optional.text,
    click_id: optional.text,
    click_id_kind: optional.text,
    landing_page: optional.text,
    referrer: optional.text,
    first_campaign: optional.text,
    first_channel: optional.text,
    first_touch_at: optional.text,
    /** When its visit was first seen completed, and when the clinic retracted that. */
    completed_at: optional.text,
    retracted_at: optional.text,
    /** The treatment's fee at the time of the completed visit. */
    fee: optional.text,
    currency: optional.text,
    submission_hash: optional.text,
    /** When its visit disappeared from the clinic, or its number went to another booking. */
    lost_at: optional.text,
  },
  /** The terms by which a booking is found, folded; see `search-terms.ts`. */
  booking_terms: { term: text, received_at: text, ref: ofBooking },
  /** Bookings that still wait for their terms. */
  terms_due: { received_at: text, ref: text },
  /** `bucket`: the quarter of an hour of receipt, `2026-03-02T09:15`; empty for all time. */
  booking_counts: { clinic: text, bucket: text, source: text, state: text, count: integer },
  /** Meaning of a status; null: seen by an older version, and not compared with the configuration yet. */
  status_outcomes: { clinic: text, status: text, outcome: optional.text },
  /** Each conversion that the clinic retracted. `outcome`: why; `fee`: the value it had counted. */
  retractions: {
    ref: ofBooking,
    n: integer,
    clinic: text,
    converted_at: text,
    retracted_at: text,
    outcome: optional.text,
    fee: optional.text,
    currency: optional.text,
  },
  /** Seconds by which the clinic's clock is ahead of UTC from `since` on; empty in the first row. */
  clinic_clocks: { clinic: text, since: text, ahead: integer },
  /** Leads whose booking was removed, without anything that identifies a person. Times are quarters of an hour. */
  archived_leads: {
    n: numbered,
    clinic: text,
    source: text,
    campaign: optional.text,
    channel: optional.text,
    first_campaign: optional.text,
    first_channel: optional.text,
    state: text,
    outcome: text,
    lost_reason: optional.text,
    received_at: text,
    booked_at: optional.text,
    completed_at: optional.text,
    treatment_id: optional.integer,
    doctor_id: optional.integer,
    fee: optional.text,
    currency: optional.text,
    days_to_visit: optional.integer,
    minutes_to_booking: optional.integer,
  },
  /** Removed visits, counted by day and last status; empty if none was ever read. */
  archived_visits: { clinic: text, date: text, status: text, visits: integer },
  /** New bookings of a source per ten seconds (`bucket`: `2026-03-02T09:15:3`), for the hourly limit. */
  intake_counts: { clinic: text, source: text, bucket: text, count: integer },
  merged_submissions: {
    source: text,
    submission_id: text,
    ref: ofBooking,
    at: text,
    content_hash: optional.text,
    submission_hash: optional.text,
  },
} as const;
