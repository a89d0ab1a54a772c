import type { Migration } from './migration.ts';

/** `left_at`: it said that it went. `skew_ms`: how far its clock is ahead of the server's, for sure. */
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
