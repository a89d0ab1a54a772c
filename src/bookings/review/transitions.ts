import type { Booking, BookingState } from '../../domain/booking.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import type { BookingMove } from '../../store/ports/bookings.ts';
import type { Store } from '../../store/store.ts';

export type Decided = Omit<Partial<BookingMove>, 'to' | 'ref' | 'attempt' | 'from' | 'actor' | 'by' | 'at'>;

/** A person's moves, each stored with who and when. */
export interface Moves {
  /** The booking as it was looked at; undefined when it moved in between, or another one stands beside it. */
  attempt(booking: Booking, to: BookingState, by: string, more: Decided): Promise<Booking | undefined>;
  /** The same; throws when it moved in between. */
  decide(booking: Booking, to: BookingState, by: string, more: Decided): Promise<Booking>;
}

export function createMoves({ store, clock }: { store: Store; clock: Clock }): Moves {
  const attempt: Moves['attempt'] = async (booking, to, by, more) => {
    failpoint('bookings.before_decision');
    const moved = await store.bookings.move({
      ref: booking.ref,
      attempt: booking.attempt,
      from: [booking.state],
      as_of: booking.changed_at,
      to,
      actor: 'person',
      by,
      at: instant(clock.now()),
      ...more,
    });
    failpoint('bookings.after_decision');
    return moved;
  };
  return {
    attempt,
    async decide(booking, ...rest) {
      const moved = await attempt(booking, ...rest);
      if (moved === undefined) throw movedMeanwhile(booking);
      return moved;
    },
  };
}

export const refuse = (message: string, hint?: string) =>
  new Failure({ kind: 'refused', message, ...(hint === undefined ? {} : { hint }) });

export const movedMeanwhile = ({ ref }: Booking) =>
  refuse(`${ref} has moved in the meantime.`, 'Look at it again.');
