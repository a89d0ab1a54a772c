import type { Migration } from './migration.ts';

/**
 * A held booking that expires loses its reason and its message, and may be approved again. What it was held for is in its
 * history only: step 3 read the held ones alone. That a date was unreadable counts as well; it has to be corrected anyway.
 */
const lastBefore = `(
    SELECT e.n FROM booking_events e
    WHERE e.ref = bookings.ref AND e.to_state <> 'expired' ORDER BY e.n DESC LIMIT 1)`;

const statements = [
  `UPDATE bookings SET unreadable_fields = '["booking"]'
    WHERE state = 'expired' AND kind = 'booking' AND unreadable_fields = '[]'
      AND EXISTS (
        SELECT 1 FROM booking_events held WHERE held.n = ${lastBefore} AND held.to_state = 'held'
          AND (held.reason = 'invalid_field' OR held.message LIKE '%Something in it cannot be read.%'))`,

  // What differs was flagged beside the booking, in a write of its own.
  `CREATE INDEX bookings_differing ON bookings (ref)
    WHERE json_array_length(evidence, '$.mismatch') > 0`,
  `DELETE FROM memory WHERE scope = 'bookings' AND key LIKE 'mismatch:%'`,

  // Whatever is removed stays in booking_counts, which tells it more finely.
  'DROP TABLE removed_bookings',
];

export const whatOlderRowsSay: Migration = { number: 55, name: 'what-older-rows-say', statements };
