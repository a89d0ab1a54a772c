import type { Migration } from './migration.ts';

/** Each clinic's deliveries in order, because due ones are taken from the clinics in turn. */
const statements = [
  'DROP INDEX deliveries_pending',
  `CREATE INDEX deliveries_pending ON deliveries (connector, clinic, sequence, n, next_attempt_at)
    WHERE state = 'pending'`,
];

export const deliveriesByClinic: Migration = {
  number: 75,
  name: 'deliveries-by-clinic',
  statements,
  postgres: statements,
};
