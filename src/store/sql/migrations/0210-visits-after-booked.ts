import { leadViews } from '../leads/lead-views.ts';
import type { Migration } from './migration.ts';

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
