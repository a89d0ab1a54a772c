import type { Migration } from './migration.ts';

/** Indexes for erasing and pruning, so that neither scans a table while it holds the write lock. */
const statements = [
  'CREATE INDEX deliveries_of_thing ON deliveries (thing, clinic)',
  'CREATE INDEX bookings_changed ON bookings (state, changed_at)',
  'CREATE INDEX appointments_done ON appointments (changed_at) WHERE done = 1',
  'CREATE INDEX observations_old ON observations (to_at)',
  `CREATE INDEX merged_submissions_erased ON merged_submissions (at)
    WHERE submission_id >= 'erased:' AND submission_id < 'erased;'`,
  `INSERT OR IGNORE INTO memory (scope, key, value) VALUES ('erasing', 'key', lower(hex(randomblob(32))))`,
];

export const erasing: Migration = { number: 9, name: 'erasing', statements };
