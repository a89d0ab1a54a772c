import { TASKS } from '../dialects.ts';
import type { Migration } from './migration.ts';

const create = (columns: string) =>
  `CREATE INDEX bookings_tasks ON bookings (${columns}) WHERE kind <> 'booking'`;

/** A lead asks whether its predecessor was cancelled: without this, all later leads of the phone number were read. */
export const tasksByPhone: Migration = {
  number: 186,
  name: 'tasks-by-phone',
  statements: [create(TASKS.sqlite)],
  postgres: [create(TASKS.postgres)],
};
