import type { Booking } from '../../domain/bookings/booking.ts';
import { instant } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import { type BookingParts, moveAsDaemon } from '../booking-parts.ts';
import { bookedMessage } from '../messages.ts';
import type { Dispatch } from './dispatch.ts';

/**
 * The clinic confirmed a booking to a process that no longer owns the clinic. Moves nothing: stores the confirmation
 * with the attempt, for the new owner to apply.
 */
export async function storeLateConfirmation(
  { unfenced, clock, log }: Dispatch,
  { ref, clinic, attempt }: Booking,
  { appointment_id }: { appointment_id: number },
): Promise<void> {
  const late_word = { appointment_id, at: instant(clock.now()) };
  const kept = await unfenced.bookings.note({ ref, attempt, evidence: { late_word } });
  log.warn('an answer came after another daemon had taken over', {
    clinic,
    ref,
    attempt,
    kind: kept ? 'kept' : 'too late',
  });
}

/** Applies confirmations that a former owner received for attempts whose outcome is still unknown. */
export async function applyLateConfirmations(
  parts: BookingParts,
  unknown: readonly Booking[],
): Promise<void> {
  for (const booking of unknown) {
    const word = booking.evidence?.late_word;
    if (word == null) continue;
    try {
      const { appointment_id } = word;
      await moveAsDaemon(parts, booking, { to: 'booked', message: bookedMessage, appointment_id });
    } catch (error) {
      // Another booking has that number: a user must compare the two.
      if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
      const { ref, attempt } = booking;
      const matching_ids = [word.appointment_id];
      await parts.store.bookings.note({ ref, attempt, evidence: { late_word: null, matching_ids } });
    }
  }
}
