import type { Migration } from './migration.ts';

const statements = ['CREATE INDEX appointments_at_time ON appointments (clinic, date, time)'];

/** Every lead is compared with the visits that the clinic moved to its time. */
export const visitsAtATime: Migration = {
  number: 185,
  name: 'visits-at-a-time',
  statements,
  postgres: statements,
};
