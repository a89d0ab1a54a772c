import type { AcceptedBooking, BookingPort } from '../../connector.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import { seenOf } from '../../domain/bookings/booking-seen.ts';
import type { RehearsalPort } from '../../domain/bookings/probe.ts';
import { instant } from '../../platform/clock.ts';
import type { BookingParts } from '../booking-parts.ts';
import { type Intake, submissionId } from './intake.ts';

interface BookingPortOptions extends BookingParts {
  intake: Intake;
  /** Aborted when the daemon stops: nothing more is accepted. */
  stopping: AbortSignal;
}

/** What connectors see of bookings. */
export function createBookingPort(options: BookingPortOptions): BookingPort & RehearsalPort {
  const { store, intake, clock, log, onBookingChanged, stopping } = options;
  return {
    async accept(submission) {
      if (stopping.aborted) throw stopping.reason;
      const { booking, result } = await intake.accept(submission);
      if (result === 'new') {
        log.info('booking accepted', {
          clinic: booking.clinic,
          connector: booking.source,
          ref: booking.ref,
          state: booking.state,
          reason: booking.reason ?? '',
        });
        onBookingChanged(booking);
      }
      const isSame =
        booking.source === submission.source && booking.submission_id === submissionId(submission);
      return answer(booking, {
        created: result === 'new',
        own: result === 'new' || (result === 'same' && isSame),
      });
    },
    async validate(submission) {
      const faults = await intake.validate(submission);
      return faults.map(({ field, message }) => ({ field, message }));
    },
    rehearse: async (submission) => ({
      ...(await intake.rehearse(submission)),
      faults: await intake.validate(submission),
    }),
    async find(source, ref) {
      const booking = await store.bookings.get(ref);
      const isTheirs = booking !== undefined && (await store.bookings.cameFrom(ref, source));
      return isTheirs ? answer(booking, { created: false, own: false }) : undefined;
    },
    async withdraw(source, ref, why) {
      const booking = await store.bookings.get(ref);
      if (booking?.source !== source) return false;
      if (booking.state !== 'held') return booking.state === 'dropped' && booking.message === why;
      const isDecided = (await store.bookings.events(ref)).some(({ actor }) => actor === 'person');
      if (isDecided || booking.attempt > 0 || booking.merged > 0) return false;
      const dropped = await store.bookings.move({
        ...{ ref, attempt: booking.attempt, from: ['held'], seen: seenOf(booking), to: 'dropped' },
        // Whoever may write at the source counts as a person deciding.
        ...{ actor: 'person', by: source, at: instant(clock.now()), message: why },
      });
      if (dropped !== undefined) onBookingChanged(dropped);
      return dropped !== undefined;
    },
  };
}

const answer = (booking: Booking, how: Pick<AcceptedBooking, 'created' | 'own'>): AcceptedBooking => ({
  ref: booking.ref,
  state: booking.state,
  reason: booking.reason,
  message: booking.message,
  appointment_id: booking.appointment_id,
  duplicate_of: booking.duplicate_of,
  changed_at: booking.changed_at,
  ...how,
});
