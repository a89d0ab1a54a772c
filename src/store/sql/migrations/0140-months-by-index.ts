import type { Migration } from './migration.ts';

const statements = [
  'CREATE INDEX appointments_by_status ON appointments (clinic, status, date)',
  `CREATE INDEX changes_of_visits ON changes (clinic, at) WHERE resource = 'appointment'`,
  `CREATE INDEX changes_booked ON changes (clinic, at) WHERE type = 'booking.booked'`,
];

/** Without these, a month's report and open visits read every appointment and the clinic's whole log. */
export const monthsByIndex: Migration = {
  number: 140,
  name: 'months-by-index',
  statements,
  postgres: statements,
};
