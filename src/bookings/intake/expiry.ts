import type { Booking } from '../../domain/bookings/booking.ts';
import { toMs } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import { slotAt } from '../slot.ts';

/** A lead for a past time is probably a typing error; a user has this long to correct it. */
const LATE_ARRIVAL_MS = 7 * DAY;

/** When an unsent booking becomes `expired`; undefined when it has no slot or may already have been sent. */
export function expiresAt(booking: Booking, zone: string): number | undefined {
  if (booking.state !== 'received' && booking.state !== 'held' && booking.state !== 'queued')
    return undefined;
  const slot = slotAt(booking.appointment_date, booking.appointment_time, zone);
  if (slot === undefined) return undefined;
  // An older copy does not know what was sent since, so "not booked" would be a guess.
  if (booking.reason === 'restored_state') return undefined;
  // In an hour repeated in autumn, the later occurrence counts: the slot may still be ahead.
  const receivedMs = toMs(booking.received_at);
  const cameLate = booking.reason === 'past_slot' || slot.lastMs <= receivedMs;
  return booking.state === 'held' && cameLate ? receivedMs + LATE_ARRIVAL_MS : slot.lastMs;
}
