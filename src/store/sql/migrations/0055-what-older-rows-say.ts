import type { Migration } from './migration.ts';

/**
 * A held booking that expires loses its reason and message, and may be approved again. Its hold is only in its history,
 * and step 3 covered only held ones. An unreadable date counts as well, since it must be corrected anyway.
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

  // Differences were recorded beside the booking, in a separate write.
  `CREATE INDEX bookings_differing ON bookings (ref)
    WHERE json_array_length(evidence, '$.mismatch') > 0`,
  `DELETE FROM memory WHERE scope = 'bookings' AND key LIKE 'mismatch:%'`,

  // Removed bookings stay in booking_counts, which is more detailed.
  'DROP TABLE removed_bookings',
];

export const whatOlderRowsSay: Migration = { number: 55, name: 'what-older-rows-say', statements };
