import { TASKS } from '../dialects.ts';
import { leadViews } from '../leads/lead-views.ts';
import type { Migration } from './migration.ts';

/** `not_run`: a JSON list of the units that this member cannot run. Null from versions that do not say. */
export const membersLimited = ['ALTER TABLE members ADD COLUMN not_run text'];

/** Members share a unit only among those that can run it. */
export const unitsNotRun: Migration = {
  number: 181,
  name: 'units-not-run',
  statements: [],
  postgres: membersLimited,
};

/** `failing`: JSON of a `FailingStart`, its time in seconds; null once a start succeeds. */
export const unitsFailing = ['ALTER TABLE units ADD COLUMN failing text'];

/** Any member can then say which units do not start, and where. */
export const failingStarts: Migration = {
  number: 182,
  name: 'failing-starts',
  statements: [],
  postgres: unitsFailing,
};

const statements = ['CREATE INDEX appointments_at_time ON appointments (clinic, date, time)'];

/** Every lead is compared with the visits that the clinic moved to its time. */
export const visitsAtATime: Migration = {
  number: 185,
  name: 'visits-at-a-time',
  statements,
  postgres: statements,
};

const create = (columns: string) =>
  `CREATE INDEX bookings_tasks ON bookings (${columns}) WHERE kind <> 'booking'`;

/** A lead asks whether its predecessor was cancelled: without this, all later leads of the phone number were read. */
export const tasksByPhone: Migration = {
  number: 186,
  name: 'tasks-by-phone',
  statements: [create(TASKS.sqlite)],
  postgres: [create(TASKS.postgres)],
};

const after = [
  'CREATE INDEX appointments_ended ON appointments (clinic, followed_until) WHERE followed_until IS NOT NULL',
];

const columns = (text: string, number: string) => [
  `ALTER TABLE appointments ADD COLUMN missed_at ${text}`,
  `ALTER TABLE appointments ADD COLUMN misses ${number} NOT NULL DEFAULT 0`,
  `ALTER TABLE appointments ADD COLUMN followed_until ${text}`,
  `ALTER TABLE bookings ADD COLUMN lost_at ${text}`,
];

/** What becomes of a visit after it was confirmed: it may disappear, and its number may become another patient's. */
export const visitsAfterBooked: Migration = {
  number: 210,
  name: 'visits-after-booked',
  statements: [
    ...columns('TEXT', 'INTEGER'),
    ...after,
    ...leadViews('sqlite').flatMap(({ name, select }) => [
      `DROP VIEW IF EXISTS ${name}`,
      `CREATE VIEW ${name} AS ${select}`,
    ]),
  ],
  // Keeps views that users built on these.
  postgres: [
    ...columns('text COLLATE "C"', 'bigint'),
    ...after,
    ...leadViews('postgres').map(({ name, select }) => `CREATE OR REPLACE VIEW ${name} AS ${select}`),
  ],
};

/** Why a poll failed, for other languages than English. */
export const faultsOfPolls: Migration = {
  number: 211,
  name: 'faults-of-polls',
  statements: ['ALTER TABLE polls ADD COLUMN said TEXT'],
  postgres: ['ALTER TABLE polls ADD COLUMN said text COLLATE "C"'],
};
