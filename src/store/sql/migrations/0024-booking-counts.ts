import type { Migration } from './migration.ts';

/**
 * Counts kept instead of computed: per quarter of an hour in which bookings were received, and (`bucket` empty) for all
 * time. In every time zone, midnight starts a quarter of an hour.
 */
const quarter = `substr(received_at, 1, 14) || printf('%02d', cast(substr(received_at, 15, 2) AS INTEGER) / 15 * 15)`;

const statements = [
  `CREATE TABLE booking_counts (
    clinic TEXT NOT NULL,
    bucket TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (clinic, bucket, source, state)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO booking_counts
    SELECT clinic, ${quarter}, source, state, count(*) FROM bookings GROUP BY 1, 2, 3, 4`,
  `INSERT INTO booking_counts
    SELECT clinic, '', source, state, sum(n) FROM (
      SELECT clinic, source, state, count AS n FROM booking_counts
      UNION ALL
      SELECT clinic, source, state, count FROM removed_bookings
    ) GROUP BY 1, 3, 4`,
];

export const bookingCounts: Migration = { number: 24, name: 'booking-counts', statements };
