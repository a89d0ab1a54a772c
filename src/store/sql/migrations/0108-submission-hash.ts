import type { Migration } from './migration.ts';

/** The content hash leaves out note and address, so that a second click merges; a resent form may differ in these. */
const statements = [
  'ALTER TABLE bookings ADD COLUMN submission_hash TEXT',
  'ALTER TABLE merged_submissions ADD COLUMN submission_hash TEXT',
  'DROP INDEX bookings_submission',
  'CREATE UNIQUE INDEX bookings_submission ON bookings (source, submission_id, submission_hash)',
];

export const submissionHash: Migration = {
  number: 108,
  name: 'submission-hash',
  statements,
  postgres: statements,
};
