import type { Booking, BookingState, Evidence } from '../domain/bookings/booking.ts';
import { type Instant, instant } from '../platform/clock.ts';
import { sentences } from '../platform/text/sentences.ts';
import { type BookingParts, moveAsDaemon } from './booking-parts.ts';
import { holds } from './messages.ts';

interface Restored {
  clinic: string;
  states: readonly BookingState[];
  /** Bookings received later are new leads. */
  receivedUntil: Instant;
  evidence?: Evidence;
  /** Skips bookings that a user has released since. */
  exceptReleased?: boolean;
}

/** Holds what waited in an older copy: it may have been sent since. Resolves to the number held. */
export async function holdRestored(
  parts: BookingParts,
  { clinic, states, receivedUntil, evidence, exceptReleased = false }: Restored,
): Promise<number> {
  const waiting = await waitingInCopy({ ...parts, key: clinic, receivedUntil }, states);
  const old = waiting.filter(
    (booking) => booking.reason !== 'restored_state' && !(exceptReleased && isReleased(booking)),
  );
  for (const booking of old)
    await moveAsDaemon(parts, booking, {
      to: 'held',
      reason: 'restored_state',
      message: sentences(booking.state === 'held' && booking.message, holds.restored_state.means),
      evidence: evidence ?? { restored: true, absent: false },
    });
  return old.length;
}

/** Bookings that an older copy can contain. A time in the future means that the clock was set back since. */
export async function waitingInCopy(
  copy: Pick<BookingParts, 'store' | 'clock'> & { key: string; receivedUntil: Instant },
  states: readonly BookingState[],
): Promise<Booking[]> {
  const { store, clock, key, receivedUntil } = copy;
  const waiting = await store.bookings.list({ clinic: key, states });
  const now = instant(clock.now());
  return waiting.filter(({ received_at }) => received_at <= receivedUntil || received_at > now);
}

const isReleased = ({ state, evidence }: Booking): boolean =>
  state === 'queued' && evidence?.restored === true && evidence.absent === true;
