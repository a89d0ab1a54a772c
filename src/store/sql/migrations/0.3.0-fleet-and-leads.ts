import { recordFeesOfBefore } from '../changes/fees-of-before.ts';
import { textsFor } from '../people/texts-with-numbers.ts';
import { feeViews } from '../schema-objects.ts';
import type { Migration } from './migration.ts';

/** Counts kept instead of computed, so that a lead costs the same however many came within the hour. */
const intakeCountsStatements = [
  `CREATE TABLE intake_counts (
    clinic TEXT NOT NULL,
    source TEXT NOT NULL,
    bucket TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (clinic, source, bucket)
  ) STRICT, WITHOUT ROWID`,
  // A day instead of an hour, because the clock may have been set back since.
  `INSERT INTO intake_counts
    SELECT clinic, source, substr(received_at, 1, 18), count(*) FROM bookings
    WHERE received_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day') GROUP BY 1, 2, 3`,
];

export const intakeCounts: Migration = {
  number: 69,
  name: 'intake-counts',
  statements: intakeCountsStatements,
};

/** Lets the owners of clinics see at a glance which of them changed. */
export const headsInTime = [
  'ALTER TABLE clinic_heads ADD COLUMN changed_at timestamptz NOT NULL DEFAULT clock_timestamp()',
  'CREATE INDEX clinic_heads_in_time ON clinic_heads (changed_at)',
];

/** `role`: a command that does a daemon's work is not a member, and no member takes a unit while it lives. */
export const severalMembers = [
  `ALTER TABLE members
    ADD COLUMN role text NOT NULL DEFAULT 'daemon' CHECK (role IN ('daemon', 'command')),
    ADD COLUMN schema bigint NOT NULL DEFAULT 72,
    ADD COLUMN config_hash text NOT NULL DEFAULT '',
    ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp()`,
  `CREATE TABLE units (
    unit text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    owner text COLLATE "C",
    fence bigint NOT NULL DEFAULT 0,
    since timestamptz,
    sends_from timestamptz NOT NULL DEFAULT '-infinity')`,
  'CREATE INDEX units_of ON units (owner)',
];

/** A database file has a single process, which owns everything. */
export const migrateFleet: Migration = {
  number: 72,
  name: 'fleet',
  statements: [],
  postgres: ['DROP INDEX members_one', ...headsInTime, ...severalMembers],
};

/** Each clinic's deliveries in order, because due ones are taken from the clinics in turn. */
const deliveriesByClinicStatements = [
  'DROP INDEX deliveries_pending',
  `CREATE INDEX deliveries_pending ON deliveries (connector, clinic, sequence, n, next_attempt_at)
    WHERE state = 'pending'`,
];

export const deliveriesByClinic: Migration = {
  number: 75,
  name: 'deliveries-by-clinic',
  statements: deliveriesByClinicStatements,
  postgres: deliveriesByClinicStatements,
};

/** The former condition compared each character of a booking's texts with some fifty ranges at every write. */
const numbersIndexStatements = [
  'DROP INDEX bookings_numbers',
  `CREATE INDEX bookings_numbers ON bookings (ref) WHERE ${textsFor.sqlite.withNumbers}`,
];

// On PostgreSQL, the condition stays.
export const numbersIndex: Migration = {
  number: 76,
  name: 'numbers-index',
  statements: numbersIndexStatements,
  postgres: [],
};

/** `left_at`: when it signed off. `skew_ms`: lower bound of its clock's lead over the server's. */
export const membersWatched = [
  `ALTER TABLE members
    ADD COLUMN left_at timestamptz,
    ADD COLUMN skew_ms bigint NOT NULL DEFAULT 0`,
];

export const fleetAlarms: Migration = {
  number: 82,
  name: 'fleet-alarms',
  statements: [],
  postgres: membersWatched,
};

const undosColumns = (text: string) => `
    ref ${text} NOT NULL PRIMARY KEY REFERENCES bookings (ref) ON DELETE CASCADE,
    seen ${text} NOT NULL,
    until_at ${text} NOT NULL,
    booking ${text} NOT NULL`;

export const undos: Migration = {
  number: 93,
  name: 'undos',
  statements: [`CREATE TABLE undos (${undosColumns('TEXT')}) STRICT`],
  postgres: [`CREATE TABLE undos (${undosColumns('text COLLATE "C"')})`],
};

const indexes = [
  'CREATE INDEX activity_in_time ON activity (at)',
  'CREATE INDEX incidents_of_clinic ON incidents (clinic, n)',
  'CREATE INDEX changes_of_resource ON changes (clinic, resource, sequence)',
];

export const activity: Migration = {
  number: 96,
  name: 'activity',
  statements: [
    `CREATE TABLE activity (
      series TEXT NOT NULL,
      at TEXT NOT NULL,
      answered INTEGER NOT NULL,
      refused INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      total_ms INTEGER NOT NULL,
      most INTEGER NOT NULL,
      PRIMARY KEY (series, at)
    ) STRICT, WITHOUT ROWID`,
    ...indexes,
  ],
  postgres: [
    `CREATE TABLE activity (
      series text COLLATE "C" NOT NULL,
      at text COLLATE "C" NOT NULL,
      answered bigint NOT NULL,
      refused bigint NOT NULL,
      failed bigint NOT NULL,
      total_ms bigint NOT NULL,
      most bigint NOT NULL,
      PRIMARY KEY (series, at)
    )`,
    ...indexes,
  ],
};

const campaignColumns = [
  ...[
    'utm_source',
    'utm_medium',
    'campaign',
    'utm_term',
    'utm_content',
    'channel',
    'click_id',
    'click_id_kind',
  ],
  ...['landing_page', 'referrer', 'first_campaign', 'first_channel', 'first_touch_at'],
];
const adding = (type: string) =>
  campaignColumns.map((column) => `ALTER TABLE bookings ADD COLUMN ${column} ${type}`);

/** The campaign of a lead. Older leads have none. */
export const campaign: Migration = {
  number: 100,
  name: 'campaign',
  statements: adding('TEXT'),
  postgres: adding('text COLLATE "C"'),
};

const COLUMNS = ['completed_at', 'retracted_at', 'fee', 'currency'];
const archived = (text: string, number: string, numbered: string) => `CREATE TABLE archived_leads (
    n ${numbered},
    clinic ${text} NOT NULL,
    source ${text} NOT NULL,
    campaign ${text},
    channel ${text},
    first_campaign ${text},
    first_channel ${text},
    state ${text} NOT NULL,
    outcome ${text} NOT NULL,
    lost_reason ${text},
    received_at ${text} NOT NULL,
    booked_at ${text},
    completed_at ${text},
    treatment_id ${number},
    doctor_id ${number},
    fee ${text},
    currency ${text},
    days_to_visit ${number}
  )`;
const statuses = (text: string) => `CREATE TABLE status_outcomes (
    clinic ${text} NOT NULL,
    status ${text} NOT NULL,
    outcome ${text},
    PRIMARY KEY (clinic, status)
  )`;
const after = [
  // Their meaning is filled in once the daemon has read its configuration.
  'INSERT INTO status_outcomes (clinic, status) SELECT DISTINCT clinic, ' +
    'status FROM appointments WHERE status IS NOT NULL',
  'CREATE INDEX archived_leads_in_time ON archived_leads (clinic, received_at)',
  'CREATE INDEX bookings_converted ON bookings (clinic, completed_at) WHERE completed_at IS NOT NULL',
  // The views are created by the last migration that changes their tables.
];

const leadsStatements = [
  ...COLUMNS.map((column) => `ALTER TABLE bookings ADD COLUMN ${column} TEXT`),
  `${archived('TEXT', 'INTEGER', 'INTEGER PRIMARY KEY')} STRICT`,
  `${statuses('TEXT')} STRICT, WITHOUT ROWID`,
  ...after,
];

const TEXT = 'text COLLATE "C"';
const leadsPostgres = [
  ...COLUMNS.map((column) => `ALTER TABLE bookings ADD COLUMN ${column} ${TEXT}`),
  archived(TEXT, 'bigint', 'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY'),
  statuses(TEXT),
  ...after,
];

/** The outcome of each lead. */
export const migrateLeads: Migration = {
  number: 101,
  name: 'leads',
  statements: leadsStatements,
  postgres: leadsPostgres,
};

/** Existing changes get their hashes while the daemon runs. */
const pendingHeads = `INSERT INTO chain_heads (clinic, sequence, hash, pending)
  SELECT clinic, min(sequence) - 1, '', 1 FROM changes GROUP BY clinic`;
const endPoints = 'ALTER TABLE removed_changes ADD COLUMN hash';

const chainStatements = [
  `CREATE TABLE change_hashes (
    clinic TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    salt TEXT,
    personal TEXT,
    PRIMARY KEY (clinic, sequence)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE chain_heads (
    clinic TEXT NOT NULL PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    pending INTEGER NOT NULL CHECK (pending IN (0, 1))
  ) STRICT, WITHOUT ROWID`,
  `${endPoints} TEXT`,
  pendingHeads,
];

const chainPostgres = [
  `CREATE TABLE change_hashes (
    clinic text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    salt text COLLATE "C",
    personal text COLLATE "C",
    PRIMARY KEY (clinic, sequence))`,
  `CREATE TABLE chain_heads (
    clinic text COLLATE "C" PRIMARY KEY,
    sequence bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    pending bigint NOT NULL CHECK (pending IN (0, 1)))`,
  `${endPoints} text COLLATE "C"`,
  pendingHeads,
];

export const chain: Migration = {
  number: 104,
  name: 'chain',
  statements: chainStatements,
  postgres: chainPostgres,
};

const around = (dialect: 'sqlite' | 'postgres') => [
  'CREATE UNIQUE INDEX fee_periods_open ON fee_periods (clinic, kind, id) WHERE valid_to IS NULL',
  ...feeViews(dialect).map(({ name, select }) => `CREATE VIEW ${name} AS ${select}`),
];

const feesStatements = [
  `CREATE TABLE fee_periods (
    clinic TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('treatment', 'dentist')),
    id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    name TEXT,
    fee TEXT,
    currency TEXT,
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    PRIMARY KEY (clinic, kind, id, sequence)
  ) STRICT, WITHOUT ROWID`,
  ...around('sqlite'),
];

const feesPostgres = [
  `CREATE TABLE fee_periods (
    clinic text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('treatment', 'dentist')),
    id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    name text COLLATE "C",
    fee text COLLATE "C",
    currency text COLLATE "C",
    valid_from text COLLATE "C" NOT NULL,
    valid_to text COLLATE "C",
    PRIMARY KEY (clinic, kind, id, sequence))`,
  ...around('postgres'),
];

export const migrateFees: Migration = {
  number: 105,
  name: 'fees',
  statements: feesStatements,
  postgres: feesPostgres,
  fill: recordFeesOfBefore,
};

const pollGapsStatements = [
  `CREATE TABLE poll_gaps (
    clinic TEXT NOT NULL,
    poll TEXT NOT NULL,
    from_at TEXT NOT NULL,
    to_at TEXT NOT NULL,
    PRIMARY KEY (clinic, poll, to_at)
  ) STRICT, WITHOUT ROWID`,
];

const pollGapsPostgres = [
  `CREATE TABLE poll_gaps (
    clinic text COLLATE "C" NOT NULL,
    poll text COLLATE "C" NOT NULL,
    from_at text COLLATE "C" NOT NULL,
    to_at text COLLATE "C" NOT NULL,
    PRIMARY KEY (clinic, poll, to_at))`,
];

export const pollGaps: Migration = {
  number: 106,
  name: 'poll-gaps',
  statements: pollGapsStatements,
  postgres: pollGapsPostgres,
};

/** The content hash leaves out note and address, so that a second click merges; a resent form may differ in these. */
const submissionHashStatements = [
  'ALTER TABLE bookings ADD COLUMN submission_hash TEXT',
  'ALTER TABLE merged_submissions ADD COLUMN submission_hash TEXT',
  'DROP INDEX bookings_submission',
  'CREATE UNIQUE INDEX bookings_submission ON bookings (source, submission_id, submission_hash)',
];

export const migrateSubmissionHash: Migration = {
  number: 108,
  name: 'submission-hash',
  statements: submissionHashStatements,
  postgres: submissionHashStatements,
};

const visits = (text: string, number: string) => `CREATE TABLE archived_visits (
    clinic ${text} NOT NULL,
    date ${text} NOT NULL,
    status ${text} NOT NULL,
    visits ${number} NOT NULL,
    PRIMARY KEY (clinic, date, status)
  )`;

const archivedFiguresStatements = [
  'ALTER TABLE archived_leads ADD COLUMN minutes_to_booking INTEGER',
  `UPDATE archived_leads SET minutes_to_booking =
    CAST(round((julianday(booked_at) - julianday(received_at)) * 1440) AS INTEGER)`,
  `${visits('TEXT', 'INTEGER')} STRICT, WITHOUT ROWID`,
];

const archivedFiguresPostgres = [
  'ALTER TABLE archived_leads ADD COLUMN minutes_to_booking bigint',
  `UPDATE archived_leads SET minutes_to_booking = CAST(
    extract(epoch FROM CAST(booked_at AS timestamptz) - CAST(received_at AS timestamptz)) / 60 AS bigint)`,
  visits('text COLLATE "C"', 'bigint'),
];

/**
 * Keeps reports unchanged when retention removes the rows they count. The views are created by the last migration that
 * changes their tables.
 */
export const archivedFigures: Migration = {
  number: 110,
  name: 'archived-figures',
  statements: archivedFiguresStatements,
  postgres: archivedFiguresPostgres,
};
