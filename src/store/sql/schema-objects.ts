import type { ListPoll } from '../../domain/resource.ts';
import { recordFields } from './mirror/record-fields.ts';
import { textsWithNumbers } from './people/texts-with-numbers.ts';
import type { tables } from './schema.ts';

type TableName = keyof typeof tables;

const polls = Object.keys(recordFields) as ListPoll[];

/** Primary keys of several columns. */
export const keys: Partial<Record<TableName, string>> = {
  polls: 'clinic, poll',
  organization_things: 'clinic, id',
  website_things: 'clinic, id',
  treatments_things: 'clinic, id',
  dentists_things: 'clinic, id',
  organization_statistics: 'clinic, at',
  appointments: 'clinic, appointment_id',
  changes: 'clinic, sequence',
  booking_counts: 'clinic, bucket, source, state',
  merged_submissions: 'source, submission_id',
  cursors: 'connector, clinic',
  unreadable: 'clinic, poll, thing',
  memory: 'scope, key',
};

/** Tables that are little more than their key: SQLite keeps such rows in the index itself. */
export const withoutRowid: ReadonlySet<TableName> = new Set([
  'booking_counts',
  'removed_changes',
  'sessions',
  'memory',
]);

export interface Index {
  name: string;
  table: TableName;
  columns: string;
  unique?: true;
  where?: string;
  /** Its columns or its condition mean nothing elsewhere. */
  only?: 'sqlite';
}

/** The conditions and expressions are those of the queries, word for word: an index serves no other wording. */
export const indexes: readonly Index[] = [
  // Covers the comparison of a poll's hashes without reading the records themselves.
  ...polls.map(
    (poll): Index => ({
      name: `${poll}_present`,
      table: `${poll}_things`,
      columns: 'clinic, id, hash',
      where: 'removed_at IS NULL',
    }),
  ),
  ...polls.map(
    (poll): Index => ({
      name: `${poll}_unseen`,
      table: `${poll}_things`,
      columns: 'clinic',
      where: 'last_seen_at IS NOT NULL',
    }),
  ),

  {
    name: 'appointments_followed',
    table: 'appointments',
    columns: 'clinic, appointment_id',
    where: 'done = 0',
  },
  { name: 'appointments_pending', table: 'appointments', columns: 'clinic, done, next_due_at' },
  { name: 'appointments_done', table: 'appointments', columns: 'changed_at', where: 'done = 1' },
  {
    name: 'appointments_unbooked',
    table: 'appointments',
    columns: 'clinic, appointment_id',
    where: 'ref IS NULL',
  },
  { name: 'observations_in_time', table: 'observations', columns: 'clinic, to_at' },
  { name: 'observations_of_appointment', table: 'observations', columns: 'clinic, appointment_id, to_at' },
  { name: 'observations_old', table: 'observations', columns: 'to_at' },

  { name: 'changes_of_thing', table: 'changes', columns: 'clinic, resource, id, sequence' },
  { name: 'changes_in_time', table: 'changes', columns: 'at DESC, clinic, sequence DESC' },

  // One id may bring a submission, and another content of it later; never the same content twice.
  {
    name: 'bookings_submission',
    table: 'bookings',
    columns: 'source, submission_id, content_hash',
    unique: true,
  },
  // What must never happen, whatever the program does: two being sent at once, one appointment for two bookings.
  {
    name: 'bookings_one_sending',
    table: 'bookings',
    columns: 'clinic',
    unique: true,
    where: "state = 'sending'",
  },
  {
    name: 'bookings_appointment',
    table: 'bookings',
    columns: 'clinic, appointment_id',
    unique: true,
    where: 'appointment_id IS NOT NULL',
  },
  { name: 'bookings_state', table: 'bookings', columns: 'state, clinic, received_at' },
  { name: 'bookings_changed', table: 'bookings', columns: 'state, changed_at' },
  {
    name: 'bookings_content',
    table: 'bookings',
    columns: 'clinic, source, content_hash, received_at',
    where: 'content_hash IS NOT NULL',
  },
  {
    name: 'bookings_slot',
    table: 'bookings',
    columns: 'clinic, appointment_date, appointment_time, phone_e164',
  },
  {
    name: 'bookings_phone',
    table: 'bookings',
    columns: 'clinic, phone_e164, received_at',
    where: 'phone_e164 IS NOT NULL',
  },
  { name: 'bookings_source', table: 'bookings', columns: 'clinic, source, received_at' },
  { name: 'bookings_in_time', table: 'bookings', columns: 'received_at' },
  // For pages alone: only a query that writes the expression itself can use it.
  { name: 'bookings_pages', table: 'bookings', columns: "clinic, (received_at || ''), ref" },
  {
    name: 'bookings_sendable',
    table: 'bookings',
    columns: 'clinic, (refusals > 0), received_at, ref',
    where: "state = 'queued'",
  },
  {
    name: 'bookings_not_before',
    table: 'bookings',
    columns: 'clinic, not_before',
    where: "state = 'queued'",
  },
  // `verified_at` is among its columns because SQLite otherwise prefers the unique index of appointments.
  {
    name: 'bookings_unverified',
    table: 'bookings',
    columns: 'clinic, verified_at, appointment_id',
    where: "state = 'booked' AND appointment_id IS NOT NULL AND verified_at IS NULL",
  },
  {
    name: 'bookings_confirmed',
    table: 'bookings',
    columns: 'clinic, booked_at',
    where: 'appointment_id IS NOT NULL',
  },
  {
    name: 'bookings_ended',
    table: 'bookings',
    columns: 'clinic, changed_at',
    where: "state IN ('rejected', 'expired')",
  },
  {
    name: 'bookings_waiting',
    table: 'bookings',
    columns: 'clinic, appointment_date',
    where: "state IN ('received', 'held', 'queued') AND coalesce(reason, '') <> 'restored_state'",
  },
  {
    name: 'bookings_differing',
    table: 'bookings',
    columns: 'ref',
    where: "json_array_length(evidence, '$.mismatch') > 0",
    only: 'sqlite',
  },
  { name: 'bookings_numbers', table: 'bookings', columns: 'ref', where: textsWithNumbers, only: 'sqlite' },
  { name: 'merged_submissions_of', table: 'merged_submissions', columns: 'ref' },
  { name: 'merged_submissions_from', table: 'merged_submissions', columns: 'source, ref' },
  {
    name: 'merged_submissions_erased',
    table: 'merged_submissions',
    columns: 'at',
    where: "submission_id >= 'erased:' AND submission_id < 'erased;'",
  },
  { name: 'booking_events_of', table: 'booking_events', columns: 'ref, n' },

  {
    name: 'deliveries_pending',
    table: 'deliveries',
    columns: 'connector, sequence, n, next_attempt_at',
    where: "state = 'pending'",
  },
  {
    name: 'deliveries_next',
    table: 'deliveries',
    columns: 'connector, next_attempt_at',
    where: "state = 'pending'",
  },
  {
    name: 'deliveries_in_front',
    table: 'deliveries',
    columns: 'connector, clinic, thing, sequence, n',
    where: "state IN ('pending', 'dead')",
  },
  { name: 'deliveries_dead', table: 'deliveries', columns: 'connector', where: "state = 'dead'" },
  { name: 'deliveries_dead_newest', table: 'deliveries', columns: 'n', where: "state = 'dead'" },
  {
    name: 'deliveries_settled',
    table: 'deliveries',
    columns: 'state, delivered_at',
    where: "state IN ('delivered', 'skipped')",
  },
  { name: 'deliveries_of_connector', table: 'deliveries', columns: 'connector, n' },
  { name: 'deliveries_of_thing', table: 'deliveries', columns: 'thing, clinic' },

  {
    name: 'guards_current',
    table: 'guards',
    columns: 'clinic, poll',
    unique: true,
    where: "state IN ('open', 'approved')",
  },
  { name: 'incidents_ended', table: 'incidents', columns: 'ended_at' },
  { name: 'audit_in_time', table: 'audit', columns: 'at' },
];

/** What people read of the mirrored records. `seen_at` of one that the newest answer had is kept once per poll. */
export const views: readonly { name: string; select: string }[] = polls.map((poll) => ({
  name: poll,
  select: `SELECT t.clinic, ${Object.keys(recordFields[poll])
    .map((field) => `t.${field}`)
    .join(', ')}, t.first_seen_at, t.changed_at,
    coalesce(t.last_seen_at, p.recorded_at) AS seen_at, t.removed_at, t.raw
    FROM ${poll}_things t LEFT JOIN polls p ON p.clinic = t.clinic AND p.poll = '${poll}'`,
}));
