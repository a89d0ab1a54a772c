import type { Migration } from './migration.ts';

/**
 * The first schema. Frozen: later changes are migrations of their own.
 *
 * Records of the clinic live in `…_things`; users read the views without the suffix. `seen_at` of a record in the
 * latest answer is the time of that answer, stored once per poll.
 */
const thingColumns = `
  clinic TEXT NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  raw TEXT NOT NULL,
  first_seen_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  removed_at TEXT,
  last_seen_at TEXT,
  PRIMARY KEY (clinic, id)`;

const things = (poll: string, fields: string): string[] => {
  const names = [...fields.matchAll(/^ *(\w+) (?:TEXT|ANY),$/gm)].map(([, name]) => `t.${name}`);
  return [
    `CREATE TABLE ${poll}_things (${fields}${thingColumns}) STRICT`,
    // Covers the comparison of a poll's hashes without reading the records themselves.
    `CREATE INDEX ${poll}_present ON ${poll}_things (clinic, id, hash) WHERE removed_at IS NULL`,
    `CREATE INDEX ${poll}_unseen ON ${poll}_things (clinic) WHERE last_seen_at IS NOT NULL`,
    `CREATE VIEW ${poll} AS
      SELECT t.clinic, ${names.join(', ')}, t.first_seen_at, t.changed_at,
        coalesce(t.last_seen_at, p.recorded_at) AS seen_at, t.removed_at, t.raw
      FROM ${poll}_things t LEFT JOIN polls p ON p.clinic = t.clinic AND p.poll = '${poll}'`,
  ];
};

const organization = `
  care_id ANY,
  name TEXT,
  short_name TEXT,
  tooth_system TEXT,
  currency TEXT,
  currency_symbol TEXT,
  logo TEXT,
  address TEXT,
  city TEXT,
  state TEXT,
  region TEXT,
  postal_code TEXT,
  country TEXT,
  phone TEXT,
  email TEXT,
  website TEXT,
  fax TEXT,
  established_date TEXT,`;

const website = `
  care_id ANY,
  clinic_name TEXT,
  theme_primary TEXT,
  theme_secondary TEXT,
  theme_dark TEXT,
  hero_title TEXT,
  hero_subtitle TEXT,
  hero_badge TEXT,
  hero_bg_image TEXT,
  stat_years TEXT,
  stat_support TEXT,
  stat_success TEXT,
  about_title TEXT,
  about_description TEXT,
  about_image TEXT,
  contact_phone TEXT,
  contact_email TEXT,
  contact_address TEXT,
  whatsapp_number TEXT,
  map_url TEXT,
  opening_hours TEXT,
  team_members TEXT,
  testimonials TEXT,
  faqs TEXT,
  services TEXT,
  cta_text TEXT,
  appointment_title TEXT,
  appointment_subtitle TEXT,
  about_label TEXT,
  footer_description TEXT,
  social_facebook TEXT,
  social_instagram TEXT,
  social_twitter TEXT,
  social_linkedin TEXT,
  section_labels TEXT,
  seo_title TEXT,
  seo_description TEXT,
  seo_keywords TEXT,`;

const treatments = `
  treatment_id ANY,
  treatment_name TEXT,
  description TEXT,
  base_fee TEXT,
  duration_minutes ANY,
  image_url TEXT,`;

const dentists = `
  doctor_id ANY,
  doctor_name TEXT,
  specialization TEXT,
  qualification TEXT,
  experience_years ANY,
  consultation_fee TEXT,
  signature_image_url TEXT,`;

const statements = [
  `CREATE TABLE polls (
    clinic TEXT NOT NULL,
    poll TEXT NOT NULL,
    next_due_at TEXT,
    last_started_at TEXT,
    last_success_at TEXT,
    last_error TEXT,
    failures INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    recorded_at TEXT,
    PRIMARY KEY (clinic, poll)
  ) STRICT`,
  ...things('organization', organization),
  ...things('website', website),
  ...things('treatments', treatments),
  ...things('dentists', dentists),

  `CREATE TABLE organization_statistics (
    clinic TEXT NOT NULL,
    at TEXT NOT NULL,
    total_users INTEGER NOT NULL,
    total_patients INTEGER NOT NULL,
    total_appointments INTEGER NOT NULL,
    total_doctors INTEGER NOT NULL,
    first_seen_at TEXT AS (at),
    changed_at TEXT AS (at),
    seen_at TEXT NOT NULL,
    removed_at TEXT AS (NULL),
    raw TEXT NOT NULL,
    PRIMARY KEY (clinic, at)
  ) STRICT`,

  `CREATE TABLE appointments (
    clinic TEXT NOT NULL,
    appointment_id INTEGER NOT NULL,
    status TEXT,
    name TEXT,
    date TEXT,
    time TEXT,
    ref TEXT,
    status_changed_at TEXT,
    next_due_at TEXT,
    done INTEGER NOT NULL CHECK (done IN (0, 1)),
    first_seen_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    seen_at TEXT,
    removed_at TEXT,
    raw TEXT,
    PRIMARY KEY (clinic, appointment_id)
  ) STRICT`,
  `CREATE INDEX appointments_pending ON appointments (clinic, done, next_due_at)`,

  `CREATE TABLE observations (
    n INTEGER PRIMARY KEY,
    clinic TEXT NOT NULL,
    appointment_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    date TEXT NOT NULL,
    time TEXT NOT NULL,
    from_at TEXT NOT NULL,
    to_at TEXT NOT NULL,
    changed INTEGER NOT NULL CHECK (changed IN (0, 1))
  ) STRICT`,
  `CREATE INDEX observations_in_time ON observations (clinic, to_at)`,
  `CREATE INDEX observations_of_appointment ON observations (clinic, appointment_id, to_at)`,

  `CREATE TABLE changes (
    clinic TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    resource TEXT NOT NULL,
    id TEXT NOT NULL,
    data TEXT NOT NULL,
    previous TEXT,
    PRIMARY KEY (clinic, sequence)
  ) STRICT`,
  `CREATE INDEX changes_of_thing ON changes (clinic, resource, id, sequence)`,
  `CREATE INDEX changes_in_time ON changes (at DESC, clinic, sequence DESC)`,

  `CREATE TABLE bookings (
    ref TEXT NOT NULL PRIMARY KEY,
    clinic TEXT NOT NULL,
    source TEXT NOT NULL,
    submission_id TEXT,
    state TEXT NOT NULL,
    reason TEXT,
    message TEXT,
    patient_name TEXT,
    patient_phone TEXT,
    phone_e164 TEXT,
    address TEXT,
    appointment_date TEXT,
    appointment_time TEXT,
    doctor_id INTEGER,
    doctor TEXT,
    treatment_id INTEGER,
    treatment TEXT,
    note TEXT,
    appointment_id INTEGER,
    attempt INTEGER NOT NULL,
    not_before TEXT,
    sending_since TEXT,
    merged INTEGER NOT NULL,
    duplicate_of TEXT,
    evidence TEXT,
    received_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    booked_at TEXT,
    content_hash TEXT
  ) STRICT`,
  `CREATE UNIQUE INDEX bookings_submission ON bookings (source, submission_id)`,
  // Must never happen, whatever the program does: two bookings on the wire, or one appointment for two bookings.
  `CREATE UNIQUE INDEX bookings_one_sending ON bookings (clinic) WHERE state = 'sending'`,
  `CREATE UNIQUE INDEX bookings_appointment ON bookings (clinic, appointment_id)
    WHERE appointment_id IS NOT NULL`,
  `CREATE INDEX bookings_state ON bookings (state, clinic, received_at)`,
  `CREATE INDEX bookings_content ON bookings (clinic, source, content_hash, received_at)
    WHERE content_hash IS NOT NULL`,
  `CREATE INDEX bookings_slot ON bookings (clinic, appointment_date, appointment_time, phone_e164)`,
  `CREATE INDEX bookings_phone ON bookings (clinic, phone_e164, received_at) WHERE phone_e164 IS NOT NULL`,
  `CREATE INDEX bookings_source ON bookings (clinic, source, received_at)`,
  `CREATE INDEX bookings_in_time ON bookings (received_at)`,

  `CREATE TABLE merged_submissions (
    source TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    ref TEXT NOT NULL REFERENCES bookings (ref) ON DELETE CASCADE,
    at TEXT NOT NULL,
    PRIMARY KEY (source, submission_id)
  ) STRICT`,
  `CREATE INDEX merged_submissions_of ON merged_submissions (ref)`,

  `CREATE TABLE booking_events (
    n INTEGER PRIMARY KEY,
    ref TEXT NOT NULL REFERENCES bookings (ref) ON DELETE CASCADE,
    at TEXT NOT NULL,
    from_state TEXT,
    to_state TEXT NOT NULL,
    actor TEXT NOT NULL,
    "by" TEXT NOT NULL,
    reason TEXT,
    message TEXT,
    evidence TEXT
  ) STRICT`,
  `CREATE INDEX booking_events_of ON booking_events (ref, n)`,

  `CREATE TABLE deliveries (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    connector TEXT NOT NULL,
    clinic TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    type TEXT NOT NULL,
    thing TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    next_attempt_at TEXT NOT NULL,
    last_error TEXT,
    delivered_at TEXT
  ) STRICT`,
  `CREATE INDEX deliveries_pending ON deliveries (connector, sequence, n, next_attempt_at)
    WHERE state = 'pending'`,
  `CREATE INDEX deliveries_next ON deliveries (connector, next_attempt_at) WHERE state = 'pending'`,
  `CREATE INDEX deliveries_in_front ON deliveries (connector, clinic, thing, sequence, n)
    WHERE state IN ('pending', 'dead')`,
  `CREATE INDEX deliveries_dead ON deliveries (connector) WHERE state = 'dead'`,
  `CREATE INDEX deliveries_settled ON deliveries (state, delivered_at)
    WHERE state IN ('delivered', 'skipped')`,

  `CREATE TABLE cursors (
    connector TEXT NOT NULL,
    clinic TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (connector, clinic)
  ) STRICT`,
  `CREATE TABLE connectors (
    connector TEXT NOT NULL PRIMARY KEY,
    paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
    paused_reason TEXT,
    last_success_at TEXT,
    last_failure_at TEXT,
    last_error TEXT,
    failures INTEGER NOT NULL,
    problems TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE guards (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    clinic TEXT NOT NULL,
    poll TEXT NOT NULL,
    kind TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    seen INTEGER NOT NULL,
    count INTEGER NOT NULL,
    "of" INTEGER NOT NULL,
    sentence TEXT NOT NULL,
    state TEXT NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    approved_by TEXT
  ) STRICT`,
  `CREATE UNIQUE INDEX guards_current ON guards (clinic, poll) WHERE state IN ('open', 'approved')`,
  `CREATE TABLE memory (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, key)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE identity (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    instance TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    copied_at TEXT,
    restored_at TEXT,
    checked_at TEXT
  ) STRICT`,
];

export const start: Migration = { number: 1, name: 'start', statements };
