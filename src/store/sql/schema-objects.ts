import { recordFields } from '../../domain/clinics/record-fields.ts';
import type { ListPoll } from '../../domain/clinics/resource.ts';
import { DIFFERING, TASKS } from './dialects.ts';
import { leadViews, type ViewDialect } from './leads/lead-views.ts';
import { textsFor } from './people/texts-with-numbers.ts';
import type { tables } from './schema.ts';

export type TableName = keyof typeof tables;

const polls = Object.keys(recordFields) as ListPoll[];

/** Composite primary keys. */
export const keys: Partial<Record<TableName, string>> = {
  polls: 'clinic, poll',
  organization_things: 'clinic, id',
  website_things: 'clinic, id',
  treatments_things: 'clinic, id',
  dentists_things: 'clinic, id',
  organization_statistics: 'clinic, at',
  appointments: 'clinic, appointment_id',
  changes: 'clinic, sequence',
  change_hashes: 'clinic, sequence',
  fee_periods: 'clinic, kind, id, sequence',
  poll_gaps: 'clinic, poll, to_at',
  status_outcomes: 'clinic, status',
  retractions: 'ref, n',
  clinic_clocks: 'clinic, since',
  booking_terms: 'term, received_at, ref',
  terms_due: 'received_at, ref',
  archived_visits: 'clinic, date, status',
  booking_counts: 'clinic, bucket, source, state',
  intake_counts: 'clinic, source, bucket',
  merged_submissions: 'source, submission_id',
  activity: 'series, at',
  cursors: 'connector, clinic',
  unreadable: 'clinic, poll, thing',
  memory: 'scope, key',
};

/** Tables with little more than a key; SQLite stores these rows in the index itself. */
export const withoutRowid: ReadonlySet<TableName> = new Set([
  'status_outcomes',
  'retractions',
  'clinic_clocks',
  'booking_terms',
  'terms_due',
  'archived_visits',
  'booking_counts',
  'intake_counts',
  'activity',
  'removed_changes',
  'change_hashes',
  'chain_heads',
  'fee_periods',
  'poll_gaps',
  'sessions',
  'memory',
]);

export interface Index {
  table: TableName;
  name: string;
  columns: string;
  unique?: true;
  where?: string;
  /** For expressions that the other dialect does not have. */
  only?: ViewDialect;
}

const index = (
  table: TableName,
  name: string,
  columns: string,
  more: Pick<Index, 'unique' | 'where' | 'only'> = {},
): Index => ({ table, name, columns, ...more });

/** Conditions and expressions must match the queries verbatim, or SQLite does not use the index. */
export const indexes: readonly Index[] = [
  // Cover what every poll asks. SQLite covers a query only with a column of its condition among the columns, and for
  // one that is not covered prefers the index in order of numbers, which reads every record.
  ...polls.map((poll) =>
    index(`${poll}_things`, `${poll}_present`, 'clinic, id, hash, removed_at', {
      where: 'removed_at IS NULL',
    }),
  ),
  ...polls.map((poll) =>
    index(`${poll}_things`, `${poll}_unseen`, 'clinic, id, last_seen_at, removed_at', {
      where: 'last_seen_at IS NOT NULL',
    }),
  ),

  index('appointments', 'appointments_followed', 'clinic, appointment_id', { where: 'done = 0' }),
  index('appointments', 'appointments_pending', 'clinic, done, next_due_at'),
  index('appointments', 'appointments_done', 'changed_at', { where: 'done = 1' }),
  index('appointments', 'appointments_ended', 'clinic, followed_until', {
    where: 'followed_until IS NOT NULL',
  }),
  index('appointments', 'appointments_unbooked', 'clinic, appointment_id', { where: 'ref IS NULL' }),
  index('appointments', 'appointments_by_status', 'clinic, status, date'),
  index('appointments', 'appointments_at_time', 'clinic, date, time'),
  index('observations', 'observations_in_time', 'clinic, to_at'),
  index('observations', 'observations_of_appointment', 'clinic, appointment_id, to_at'),
  index('observations', 'observations_old', 'to_at'),

  index('changes', 'changes_of_thing', 'clinic, resource, id, sequence'),
  index('changes', 'changes_of_resource', 'clinic, resource, sequence'),
  index('changes', 'changes_in_time', 'at DESC, clinic, sequence DESC'),
  // What a month learned about visits and leads.
  index('changes', 'changes_of_visits', 'clinic, at', { where: "resource = 'appointment'" }),
  index('changes', 'changes_booked', 'clinic, at', { where: "type = 'booking.booked'" }),

  // A submission id may be repeated with different content, but never twice with the same.
  index('bookings', 'bookings_submission', 'source, submission_id, submission_hash', { unique: true }),
  // Enforced whatever the program does: one send at a time, one booking per appointment.
  index('bookings', 'bookings_one_sending', 'clinic', { unique: true, where: "state = 'sending'" }),
  index('bookings', 'bookings_appointment', 'clinic, appointment_id', {
    unique: true,
    where: 'appointment_id IS NOT NULL',
  }),
  index('bookings', 'bookings_state', 'state, clinic, received_at'),
  index('bookings', 'bookings_changed', 'state, changed_at'),
  index('bookings', 'bookings_content', 'clinic, source, content_hash, received_at', {
    where: 'content_hash IS NOT NULL',
  }),
  index('bookings', 'bookings_slot', 'clinic, appointment_date, appointment_time, phone_e164'),
  index('bookings', 'bookings_phone', 'clinic, phone_e164, received_at', { where: 'phone_e164 IS NOT NULL' }),
  ...(['sqlite', 'postgres'] as const).map((only) =>
    index('bookings', 'bookings_tasks', TASKS[only], { where: "kind <> 'booking'", only }),
  ),
  index('bookings', 'bookings_in_time', 'received_at'),
  // For pages over all clinics.
  index('bookings', 'bookings_state_in_time', 'state, received_at'),
  // The clinic too, by which the limits of a lead's source are counted.
  index('bookings', 'bookings_source_in_time', 'source, received_at, clinic'),
  // Only for pages: an expression index serves only queries with the same expression.
  index('bookings', 'bookings_pages', "clinic, (received_at || ''), ref"),
  index('bookings', 'bookings_sendable', 'clinic, (refusals > 0), received_at, ref', {
    where: "state = 'queued'",
  }),
  index('bookings', 'bookings_not_before', 'clinic, not_before', { where: "state = 'queued'" }),
  // With `verified_at` among its columns, because SQLite otherwise prefers the unique index of appointments.
  index('bookings', 'bookings_unverified', 'clinic, verified_at, appointment_id', {
    where: "state = 'booked' AND appointment_id IS NOT NULL AND verified_at IS NULL",
  }),
  index('bookings', 'bookings_confirmed', 'clinic, booked_at', { where: 'appointment_id IS NOT NULL' }),
  index('bookings', 'bookings_ended', 'clinic, changed_at', { where: "state IN ('rejected', 'expired')" }),
  index('bookings', 'bookings_waiting', 'clinic, appointment_date', {
    where: "state IN ('received', 'held', 'queued') AND coalesce(reason, '') <> 'restored_state'",
  }),
  index('bookings', 'bookings_differing', 'ref', { where: DIFFERING.sqlite, only: 'sqlite' }),
  index('bookings', 'bookings_differing', 'ref', { where: DIFFERING.postgres, only: 'postgres' }),
  index('bookings', 'bookings_numbers', 'ref', { where: textsFor.sqlite.withNumbers, only: 'sqlite' }),
  index('bookings', 'bookings_numbers', 'ref', { where: textsFor.postgres.withNumbers, only: 'postgres' }),
  index('bookings', 'bookings_converted', 'clinic, completed_at, ref', { where: 'completed_at IS NOT NULL' }),
  index('retractions', 'retractions_in_order', 'clinic, retracted_at, ref, n'),
  index('archived_leads', 'archived_leads_in_time', 'clinic, received_at'),
  index('merged_submissions', 'merged_submissions_of', 'ref'),
  index('merged_submissions', 'merged_submissions_from', 'source, ref'),
  index('merged_submissions', 'merged_submissions_erased', 'at', {
    where: "submission_id >= 'erased:' AND submission_id < 'erased;'",
  }),
  index('booking_terms', 'booking_terms_of', 'ref, term'),
  index('booking_events', 'booking_events_of', 'ref, n'),

  index('deliveries', 'deliveries_pending', 'connector, clinic, sequence, n, next_attempt_at', {
    where: "state = 'pending'",
  }),
  index('deliveries', 'deliveries_next', 'connector, next_attempt_at', { where: "state = 'pending'" }),
  index('deliveries', 'deliveries_in_front', 'connector, clinic, thing, sequence, n', {
    where: "state IN ('pending', 'dead')",
  }),
  index('deliveries', 'deliveries_dead', 'connector', { where: "state = 'dead'" }),
  index('deliveries', 'deliveries_dead_newest', 'n', { where: "state = 'dead'" }),
  index('deliveries', 'deliveries_settled', 'state, delivered_at', {
    where: "state IN ('delivered', 'skipped')",
  }),
  index('deliveries', 'deliveries_of_connector', 'connector, n'),
  index('deliveries', 'deliveries_of_thing', 'thing, clinic'),

  index('guards', 'guards_current', 'clinic, poll', { unique: true, where: "state IN ('open', 'approved')" }),
  index('incidents', 'incidents_ended', 'ended_at'),
  index('incidents', 'incidents_of_clinic', 'clinic, n'),
  index('activity', 'activity_in_time', 'at'),
  index('audit', 'audit_in_time', 'at'),
  index('fee_periods', 'fee_periods_open', 'clinic, kind, id', { unique: true, where: 'valid_to IS NULL' }),
  index('fee_periods', 'fee_periods_listed', 'clinic, kind, (length(id)), id, valid_from, valid_to'),
  index('treatments_things', 'treatments_in_order', 'clinic, treatment_id'),
  index('dentists_things', 'dentists_in_order', 'clinic, doctor_id'),
];

/** A view for users. */
interface View {
  name: string;
  select: string;
}

/** `seen_at` of present records is stored once per poll. */
const recordViews = polls.map(
  (poll): View => ({
    name: poll,
    select: `SELECT t.clinic, ${Object.keys(recordFields[poll])
      .map((field) => `t.${field}`)
      .join(', ')}, t.first_seen_at, t.changed_at,
    coalesce(t.last_seen_at, p.recorded_at) AS seen_at, t.removed_at, t.raw
    FROM ${poll}_things t LEFT JOIN polls p ON p.clinic = t.clinic AND p.poll = '${poll}'`,
  }),
);

/** Exact on PostgreSQL; SQLite calculates with 15 digits. */
const AS_NUMBER = { sqlite: 'CAST(fee AS REAL)', postgres: 'CAST(fee AS numeric)' };

export const feeViews = (dialect: ViewDialect): View[] =>
  (
    [
      ['fees', 'treatment'],
      ['consultation_fees', 'dentist'],
    ] as const
  ).map(([name, kind]) => {
    const [id, named] =
      kind === 'treatment' ? ['treatment_id', 'treatment_name'] : ['doctor_id', 'doctor_name'];
    return {
      name,
      select: `SELECT clinic, CAST(id AS bigint) AS ${id}, name AS ${named}, ${AS_NUMBER[dialect]} AS fee, currency,
    valid_from, valid_to, fee AS fee_as_sent FROM fee_periods WHERE kind = '${kind}'`,
    };
  });

export const views = (dialect: ViewDialect): View[] => [
  ...recordViews,
  ...feeViews(dialect),
  ...leadViews(dialect),
];
