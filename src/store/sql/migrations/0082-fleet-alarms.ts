import type { Migration } from './migration.ts';

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
