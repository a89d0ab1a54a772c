import { textsFor } from '../people/texts-with-numbers.ts';
import type { Migration } from './migration.ts';

/** Indexes for reads that slowed down with history. */
const growthStatements = [
  // A clinic's bookings in display order, page by page.
  'CREATE INDEX bookings_of_clinic ON bookings (clinic, received_at, ref)',
];

export const growth: Migration = { number: 4, name: 'growth', statements: growthStatements };

/**
 * The kind of a pause and the number of replays become columns; the former version kept them in a sentence and a note.
 * Erasures get their own log, so that every connector can remove a person from what it wrote.
 */
const connectorsAndErasuresStatements = [
  `ALTER TABLE connectors ADD COLUMN pause_kind TEXT CHECK (pause_kind IN ('automatic', 'person', 'gone'))`,
  'ALTER TABLE connectors ADD COLUMN paused_at TEXT',
  'ALTER TABLE connectors ADD COLUMN paused_by TEXT',
  'ALTER TABLE connectors ADD COLUMN resumed_at TEXT',
  'ALTER TABLE connectors ADD COLUMN resumed_by TEXT',
  'ALTER TABLE connectors ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0',
  `UPDATE connectors SET pause_kind = iif(paused_reason LIKE 'Paused by itself: %', 'automatic', 'person')
    WHERE paused = 1`,

  'ALTER TABLE cursors ADD COLUMN replays INTEGER NOT NULL DEFAULT 0',
  // The note was "HIGHEST REPLAYS"; a cursor below the highest is a replay that was requested but not begun.
  `UPDATE cursors SET replays = coalesce((
      SELECT CAST(substr(value, instr(value, ' ') + 1) AS INTEGER)
        + (cursors.sequence < CAST(substr(value, 1, instr(value, ' ') - 1) AS INTEGER))
      FROM memory
      WHERE scope = 'deliveries' AND key = 'taken:' || cursors.connector || ':' || cursors.clinic
    ), 0)`,
  `DELETE FROM memory WHERE scope = 'deliveries' AND key LIKE 'taken:%'`,

  `CREATE TABLE erasures (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    refs TEXT NOT NULL,
    appointments TEXT NOT NULL
  ) STRICT`,

  // The newest deliveries of one connector.
  'CREATE INDEX deliveries_of_connector ON deliveries (connector, n)',
];

export const connectorsAndErasures: Migration = {
  number: 5,
  name: 'connectors-and-erasures',
  statements: connectorsAndErasuresStatements,
};

/** Columns for since when a resource fails and when it last changed, so that no page has to scan the log. */
const healthStatements = [
  'ALTER TABLE polls ADD COLUMN failing_since TEXT',
  'ALTER TABLE polls ADD COLUMN last_change_at TEXT',
  `UPDATE polls SET last_change_at = (
      SELECT max(changes.at) FROM changes
      WHERE changes.clinic = polls.clinic AND changes.resource = CASE polls.poll
        WHEN 'treatments' THEN 'treatment'
        WHEN 'dentists' THEN 'dentist'
        WHEN 'appointments' THEN 'appointment'
        ELSE polls.poll END)`,
  `UPDATE polls SET rows = (SELECT count(*) FROM appointments WHERE appointments.clinic = polls.clinic)
    WHERE poll = 'appointments'`,
  // Their number is stored, because counting takes longer each year.
  `CREATE TRIGGER appointments_added AFTER INSERT ON appointments BEGIN
    INSERT INTO polls (clinic, poll, failures, rows) VALUES (NEW.clinic, 'appointments', 0, 1)
      ON CONFLICT (clinic, poll) DO UPDATE SET rows = rows + 1;
  END`,
  `CREATE TRIGGER appointments_gone AFTER DELETE ON appointments BEGIN
    UPDATE polls SET rows = rows - 1 WHERE clinic = OLD.clinic AND poll = 'appointments';
  END`,

  `CREATE TABLE incidents (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    clinic TEXT,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    health TEXT NOT NULL,
    sentence TEXT NOT NULL,
    since TEXT NOT NULL,
    ended_at TEXT
  ) STRICT`,
  'CREATE INDEX incidents_ended ON incidents (ended_at)',
];

export const migrateHealth: Migration = { number: 6, name: 'health', statements: healthStatements };

/** Younger rows cannot be deleted at all, independent of retention. */
const PROTECTED = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days')";

export const migratePeople: Migration = {
  number: 8,
  name: 'people',
  statements: [
    `CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      person TEXT NOT NULL,
      "by" TEXT NOT NULL,
      proof TEXT NOT NULL,
      address TEXT NOT NULL,
      started_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      ends_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE audit (
      n INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      role TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT,
      result TEXT NOT NULL,
      address TEXT
    ) STRICT`,
    `CREATE INDEX audit_in_time ON audit (at)`,
    `CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
    `CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit WHEN OLD.at > ${PROTECTED}
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
  ],
};

/** Indexes for erasing and pruning, so that neither scans a table while it holds the write lock. */
const erasingStatements = [
  'CREATE INDEX deliveries_of_thing ON deliveries (thing, clinic)',
  'CREATE INDEX bookings_changed ON bookings (state, changed_at)',
  'CREATE INDEX appointments_done ON appointments (changed_at) WHERE done = 1',
  'CREATE INDEX observations_old ON observations (to_at)',
  `CREATE INDEX merged_submissions_erased ON merged_submissions (at)
    WHERE submission_id >= 'erased:' AND submission_id < 'erased;'`,
  `INSERT OR IGNORE INTO memory (scope, key, value) VALUES ('erasing', 'key', lower(hex(randomblob(32))))`,
];

export const erasing: Migration = { number: 9, name: 'erasing', statements: erasingStatements };

/** How far sending got, so that the marker beside the file reveals an older copy. */
const progressStatements = ['ALTER TABLE identity ADD COLUMN claims INTEGER NOT NULL DEFAULT 0'];

export const progress: Migration = { number: 14, name: 'progress', statements: progressStatements };

/** Removed bookings stay counted, and a change log that begins late says where. */
const retentionStatements = [
  `CREATE TABLE removed_bookings (
    clinic TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (clinic, source, state, day)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE removed_changes (
    clinic TEXT NOT NULL PRIMARY KEY,
    through INTEGER NOT NULL,
    at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export const retention: Migration = { number: 19, name: 'retention', statements: retentionStatements };

/**
 * Counts kept instead of computed: per quarter of an hour in which bookings were received, and (`bucket` empty) for all
 * time. In every time zone, midnight starts a quarter of an hour.
 */
const quarter = `substr(received_at, 1, 14) || printf('%02d', cast(substr(received_at, 15, 2) AS INTEGER) / 15 * 15)`;

const bookingCountsStatements = [
  `CREATE TABLE booking_counts (
    clinic TEXT NOT NULL,
    bucket TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (clinic, bucket, source, state)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO booking_counts
    SELECT clinic, ${quarter}, source, state, count(*) FROM bookings GROUP BY 1, 2, 3, 4`,
  `INSERT INTO booking_counts
    SELECT clinic, '', source, state, sum(n) FROM (
      SELECT clinic, source, state, count AS n FROM booking_counts
      UNION ALL
      SELECT clinic, source, state, count FROM removed_bookings
    ) GROUP BY 1, 3, 4`,
];

export const bookingCounts: Migration = {
  number: 24,
  name: 'booking-counts',
  statements: bookingCountsStatements,
};

const narrowIndexesStatements = [
  // Its order matches that of "the next queued one", so SQLite used it and read every booking of the clinic.
  'DROP INDEX bookings_of_clinic',
  // Only for pages: only a query that contains the expression can use it.
  `CREATE INDEX bookings_pages ON bookings (clinic, (received_at || ''), ref)`,
  `CREATE INDEX deliveries_dead_newest ON deliveries (n) WHERE state = 'dead'`,
];

export const narrowIndexes: Migration = {
  number: 34,
  name: 'narrow-indexes',
  statements: narrowIndexesStatements,
};

const unverifiedIndexStatements = [
  // Without `verified_at` among its columns, SQLite preferred the unique index of appointments and read all of them.
  'DROP INDEX bookings_unverified',
  `CREATE INDEX bookings_unverified ON bookings (clinic, verified_at, appointment_id)
    WHERE state = 'booked' AND appointment_id IS NOT NULL AND verified_at IS NULL`,
];

export const unverifiedIndex: Migration = {
  number: 44,
  name: 'unverified-index',
  statements: unverifiedIndexStatements,
};

const waitingIndexStatements = [
  // For bookings that may expire, which are read every half minute.
  `CREATE INDEX bookings_waiting ON bookings (clinic, appointment_date)
    WHERE state IN ('received', 'held', 'queued') AND coalesce(reason, '') <> 'restored_state'`,
];

export const waitingIndex: Migration = {
  number: 54,
  name: 'waiting-index',
  statements: waitingIndexStatements,
};

/**
 * A held booking that expires loses its reason and message, and may be approved again. Its hold is only in its history,
 * and step 3 covered only held ones. An unreadable date counts as well, since it must be corrected anyway.
 */
const lastBefore = `(
    SELECT e.n FROM booking_events e
    WHERE e.ref = bookings.ref AND e.to_state <> 'expired' ORDER BY e.n DESC LIMIT 1)`;

const whatOlderRowsSayStatements = [
  `UPDATE bookings SET unreadable_fields = '["booking"]'
    WHERE state = 'expired' AND kind = 'booking' AND unreadable_fields = '[]'
      AND EXISTS (
        SELECT 1 FROM booking_events held WHERE held.n = ${lastBefore} AND held.to_state = 'held'
          AND (held.reason = 'invalid_field' OR held.message LIKE '%Something in it cannot be read.%'))`,

  // Differences were recorded beside the booking, in a separate write.
  `CREATE INDEX bookings_differing ON bookings (ref)
    WHERE json_array_length(evidence, '$.mismatch') > 0`,
  `DELETE FROM memory WHERE scope = 'bookings' AND key LIKE 'mismatch:%'`,

  // Removed bookings stay in booking_counts, which is more detailed.
  'DROP TABLE removed_bookings',
];

export const whatOlderRowsSay: Migration = {
  number: 55,
  name: 'what-older-rows-say',
  statements: whatOlderRowsSayStatements,
};

const peopleByIndexStatements = [
  // Without these, finding a person read every booking and every appointment.
  `CREATE INDEX bookings_numbers ON bookings (ref) WHERE ${textsFor.sqlite.withNumbers}`,
  'CREATE INDEX appointments_unbooked ON appointments (clinic, appointment_id) WHERE ref IS NULL',
  // INSERT OR REPLACE deletes without firing the delete trigger.
  `CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE n = NEW.n)
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
];

export const peopleByIndex: Migration = {
  number: 61,
  name: 'people-by-index',
  statements: peopleByIndexStatements,
};

const followedIndexStatements = [
  // A round reads pending appointments page by page, and none that are done.
  'CREATE INDEX appointments_followed ON appointments (clinic, appointment_id) WHERE done = 0',
];

export const followedIndex: Migration = {
  number: 65,
  name: 'followed-index',
  statements: followedIndexStatements,
};
