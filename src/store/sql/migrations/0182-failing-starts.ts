import type { Migration } from './migration.ts';

/** `failing`: JSON of a `FailingStart`, its time in seconds; null once a start succeeds. */
export const unitsFailing = ['ALTER TABLE units ADD COLUMN failing text'];

/** Any member can then say which units do not start, and where. */
export const failingStarts: Migration = {
  number: 182,
  name: 'failing-starts',
  statements: [],
  postgres: unitsFailing,
};
