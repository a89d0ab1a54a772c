import type { Booking } from '../domain/bookings/booking.ts';
import { type Clock, instant } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { BookingMove } from '../store/ports/bookings.ts';
import type { Store } from '../store/store.ts';

/** What every part of the bookings module works with. */
export interface BookingParts {
  store: Store;
  clock: Clock;
  log: Log;
  /** Called after every move of a booking. Must not throw. */
  onBookingChanged: (booking: Booking) => void;
}

/** The actor recorded for the daemon's moves. */
export const DAEMON = 'clinic-sync';

type DaemonMove = Omit<BookingMove, 'ref' | 'attempt' | 'from' | 'actor' | 'by' | 'at'>;

/** Moves a booking from the state it was read in, and announces it. Undefined when it has moved meanwhile. */
export async function moveAsDaemon(
  { store, clock, onBookingChanged }: BookingParts,
  { ref, attempt, state }: Pick<Booking, 'ref' | 'attempt' | 'state'>,
  move: DaemonMove,
): Promise<Booking | undefined> {
  const at = instant(clock.now());
  const made = { ref, attempt, from: [state], actor: 'daemon', by: DAEMON, at } as const;
  const moved = await store.bookings.move({ ...made, ...move });
  if (moved !== undefined) onBookingChanged(moved);
  return moved;
}
