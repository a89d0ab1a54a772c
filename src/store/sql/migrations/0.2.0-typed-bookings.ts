import type { Migration } from './migration.ts';

const figures = 'total_users, total_patients, total_appointments, total_doctors';

/** Servers omit or vary fields: figures may be missing, and unreadable records are stored here. */
export const unreadable: Migration = {
  number: 2,
  name: 'unreadable',
  statements: [
    `CREATE TABLE unreadable (
      clinic TEXT NOT NULL,
      poll TEXT NOT NULL,
      thing TEXT NOT NULL,
      id TEXT,
      position INTEGER,
      field TEXT,
      problem TEXT NOT NULL,
      tries INTEGER NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL,
      PRIMARY KEY (clinic, poll, thing)
    ) STRICT`,

    `ALTER TABLE polls ADD COLUMN last_idle_at TEXT`,

    `ALTER TABLE guards ADD COLUMN things TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE guards ADD COLUMN approval_only INTEGER NOT NULL DEFAULT 0 CHECK (approval_only IN (0, 1))`,

    // SQLite cannot drop NOT NULL in place.
    `CREATE TABLE organization_statistics_2 (
      clinic TEXT NOT NULL,
      at TEXT NOT NULL,
      total_users INTEGER,
      total_patients INTEGER,
      total_appointments INTEGER,
      total_doctors INTEGER,
      first_seen_at TEXT AS (at),
      changed_at TEXT AS (at),
      seen_at TEXT NOT NULL,
      removed_at TEXT AS (NULL),
      raw TEXT NOT NULL,
      PRIMARY KEY (clinic, at)
    ) STRICT`,
    `INSERT INTO organization_statistics_2 (clinic, at, ${figures}, seen_at, raw)
      SELECT clinic, at, ${figures}, seen_at, raw FROM organization_statistics`,
    `DROP TABLE organization_statistics`,
    `ALTER TABLE organization_statistics_2 RENAME TO organization_statistics`,
  ],
};

/**
 * Facts written as sentences become columns. The sentences below are those of version 0.1.0, repeated here so that the
 * program is free to change its messages.
 */
const TASK = 'A task for a person, not a booking';
const UNREADABLE = 'Something in it cannot be read.';
const RESTORED = 'The database is an older copy; this may have been booked since that copy was made.';
/** Stands in for a field's name, which version 0.1.0 did not store. */
const SOME_FIELD = '["booking"]';

const verdict = `json_extract(evidence, '$.verdict')`;
const mismatch = `coalesce(json_extract(evidence, '$.mismatch[0]'), '')`;

const columns = [
  `ALTER TABLE bookings ADD COLUMN kind TEXT NOT NULL DEFAULT 'booking'
    CHECK (kind IN ('booking', 'cancellation', 'move'))`,
  `ALTER TABLE bookings ADD COLUMN unreadable_fields TEXT NOT NULL DEFAULT '[]'`,
  `ALTER TABLE bookings ADD COLUMN acknowledged_duplicates TEXT NOT NULL DEFAULT '[]'`,
  `ALTER TABLE bookings ADD COLUMN changed_fields TEXT NOT NULL DEFAULT '[]'`,
  `ALTER TABLE bookings ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE bookings ADD COLUMN verified_at TEXT`,
  `ALTER TABLE merged_submissions ADD COLUMN content_hash TEXT`,
];

const readings = [
  `UPDATE bookings SET kind = CASE
      WHEN EXISTS (SELECT 1 FROM booking_events e WHERE e.ref = bookings.ref AND e.message LIKE '${TASK}: Moved%')
      THEN 'move' ELSE 'cancellation' END
    WHERE EXISTS (SELECT 1 FROM booking_events e WHERE e.ref = bookings.ref AND e.message LIKE '${TASK}%')`,
  `UPDATE bookings SET unreadable_fields = '${SOME_FIELD}'
    WHERE state = 'held' AND kind = 'booking' AND (reason = 'invalid_field' OR message LIKE '%${UNREADABLE}%'
      OR (reason = 'restored_state' AND message LIKE '%${RESTORED} %'))`,
  // The listed bookings are for the same time, unless one was corrected since; then it no longer counts.
  `UPDATE bookings SET acknowledged_duplicates = (
      SELECT json_group_array(o.ref) FROM bookings o
      WHERE o.clinic = bookings.clinic AND o.appointment_date = bookings.appointment_date
        AND o.appointment_time = bookings.appointment_time AND o.ref <> bookings.ref
        AND instr(bookings.message, o.ref) > 0)
    WHERE state = 'held' AND reason = 'duplicate_suspect'`,
  `UPDATE bookings SET acknowledged_duplicates = json_extract(evidence, '$.told_of')
    WHERE state = 'unknown' AND json_array_length(evidence, '$.told_of') > 0`,
  `UPDATE bookings SET evidence = CASE
      WHEN ${verdict} LIKE 'The difference was seen by %' THEN
        json_set(evidence, '$.verification', 'acknowledged', '$.seen_by', trim(substr(${verdict}, 28), '.'))
      WHEN ${verdict} LIKE 'Linked by a person%' THEN json_set(evidence, '$.verification', 'linked')
      WHEN ${verdict} LIKE 'The clinic shows the same%' OR ${verdict} LIKE 'Exactly one%' THEN
        json_set(evidence, '$.verification', 'matches')
      WHEN ${mismatch} LIKE 'The clinic could not be asked%' THEN json_set(evidence, '$.verification', 'unread')
      WHEN ${mismatch} LIKE 'The clinic does not know%' THEN json_set(evidence, '$.verification', 'not_found')
      WHEN ${verdict} LIKE 'The clinic shows something else%' THEN
        json_set(evidence, '$.verification', 'differs')
      ELSE evidence END
    WHERE evidence IS NOT NULL AND state = 'booked'`,
  `UPDATE bookings SET verified_at = changed_at
    WHERE state = 'booked' AND json_extract(evidence, '$.verification') IN
      ('matches', 'differs', 'linked', 'acknowledged')`,
  `UPDATE bookings SET evidence = json_remove(CASE
      WHEN ${verdict} LIKE 'Exactly one%' THEN json_set(evidence, '$.verdict', 'found')
      WHEN ${verdict} LIKE 'Several appointments%' THEN json_set(evidence, '$.verdict', 'several')
      WHEN ${verdict} LIKE 'One appointment has%' THEN json_set(evidence, '$.verdict', 'shared')
      WHEN ${verdict} LIKE 'No appointment among them%' THEN json_set(evidence, '$.verdict', 'none')
      WHEN ${verdict} LIKE 'No appointment among those%' THEN json_set(evidence, '$.verdict', 'partly')
      WHEN ${verdict} LIKE 'There is no appointment number%' THEN json_set(evidence, '$.verdict', 'nowhere')
      ELSE json_remove(evidence, '$.verdict') END, '$.told_of')
    WHERE evidence IS NOT NULL`,
  `UPDATE bookings SET booked_at = changed_at WHERE appointment_id IS NOT NULL AND booked_at IS NULL`,
  `UPDATE memory SET value = json_object(
      'at', substr(value, 1, instr(value, ' by ') - 1), 'by', substr(value, instr(value, ' by ') + 4))
    WHERE scope = 'bookings' AND key LIKE 'resume:%' AND instr(value, ' by ') > 0`,
];

const indexes = [
  // One id may come with a submission and later with another content, but never twice with the same.
  `DROP INDEX bookings_submission`,
  `CREATE UNIQUE INDEX bookings_submission ON bookings (source, submission_id, content_hash)`,
  `CREATE INDEX bookings_sendable ON bookings (clinic, (refusals > 0), received_at, ref) WHERE state = 'queued'`,
  `CREATE INDEX bookings_not_before ON bookings (clinic, not_before) WHERE state = 'queued'`,
  `CREATE INDEX bookings_unverified ON bookings (clinic, ref)
    WHERE state = 'booked' AND appointment_id IS NOT NULL AND verified_at IS NULL`,
  `CREATE INDEX bookings_confirmed ON bookings (clinic, booked_at) WHERE appointment_id IS NOT NULL`,
  `CREATE INDEX bookings_ended ON bookings (clinic, changed_at) WHERE state IN ('rejected', 'expired')`,
  `CREATE INDEX merged_submissions_from ON merged_submissions (source, ref)`,
];

export const typedBookings: Migration = {
  number: 3,
  name: 'typed bookings',
  statements: [...columns, ...readings, ...indexes],
};
