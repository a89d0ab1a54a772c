import type { Migration } from './migration.ts';

/** Counts kept instead of computed, so that a lead costs the same however many came within the hour. */
const statements = [
  `CREATE TABLE intake_counts (
    clinic TEXT NOT NULL,
    source TEXT NOT NULL,
    bucket TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (clinic, source, bucket)
  ) STRICT, WITHOUT ROWID`,
  // A day instead of an hour, because the clock may have been set back since.
  `INSERT INTO intake_counts
    SELECT clinic, source, substr(received_at, 1, 18), count(*) FROM bookings
    WHERE received_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day') GROUP BY 1, 2, 3`,
];

export const intakeCounts: Migration = { number: 69, name: 'intake-counts', statements };
