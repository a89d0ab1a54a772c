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
