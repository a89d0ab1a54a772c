import { integer, listColumn, numbered, optional, textColumn } from './column.ts';

const ref = { ...textColumn, key: 'given' } as const;
export const ofBooking = { ...textColumn, references: ['bookings', 'ref'] } as const;

/** The tables of bookings and leads; see `schema.ts`. */
export const bookingTables = {
  bookings: {
    ref,
    clinic: textColumn,
    source: textColumn,
    submission_id: optional.text,
    state: textColumn,
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
    received_at: textColumn,
    changed_at: textColumn,
    booked_at: optional.text,
    content_hash: optional.text,
    kind: { ...textColumn, default: 'booking', oneOf: ['booking', 'cancellation', 'move'] },
    unreadable_fields: listColumn,
    acknowledged_duplicates: listColumn,
    changed_fields: listColumn,
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
  booking_terms: { term: textColumn, received_at: textColumn, ref: ofBooking },
  /** Bookings that still wait for their terms. */
  terms_due: { received_at: textColumn, ref: textColumn },
  /** `bucket`: the quarter of an hour of receipt, `2026-03-02T09:15`; empty for all time. */
  booking_counts: {
    clinic: textColumn,
    bucket: textColumn,
    source: textColumn,
    state: textColumn,
    count: integer,
  },
  /** Meaning of a status; null: seen by an older version, and not compared with the configuration yet. */
  status_outcomes: { clinic: textColumn, status: textColumn, outcome: optional.text },
  /** Each conversion that the clinic retracted. `outcome`: why; `fee`: the value it had counted. */
  retractions: {
    ref: ofBooking,
    n: integer,
    clinic: textColumn,
    converted_at: textColumn,
    retracted_at: textColumn,
    outcome: optional.text,
    fee: optional.text,
    currency: optional.text,
  },
  /** Seconds by which the clinic's clock is ahead of UTC from `since` on; empty in the first row. */
  clinic_clocks: { clinic: textColumn, since: textColumn, ahead: integer },
  /** Leads whose booking was removed, without anything that identifies a person. Times are quarters of an hour. */
  archived_leads: {
    n: numbered,
    clinic: textColumn,
    source: textColumn,
    campaign: optional.text,
    channel: optional.text,
    first_campaign: optional.text,
    first_channel: optional.text,
    state: textColumn,
    outcome: textColumn,
    lost_reason: optional.text,
    received_at: textColumn,
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
  archived_visits: { clinic: textColumn, date: textColumn, status: textColumn, visits: integer },
  /** New bookings of a source per ten seconds (`bucket`: `2026-03-02T09:15:3`), for the hourly limit. */
  intake_counts: { clinic: textColumn, source: textColumn, bucket: textColumn, count: integer },
  merged_submissions: {
    source: textColumn,
    submission_id: textColumn,
    ref: ofBooking,
    at: textColumn,
    content_hash: optional.text,
    submission_hash: optional.text,
  },
} as const;
