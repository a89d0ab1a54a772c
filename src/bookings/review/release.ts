import type { Booking } from '../../domain/booking.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Fault } from '../intake/read-fields.ts';
import { heldMessage } from '../messages.ts';
import { createMoves, type Decided, movedMeanwhile, refuse } from './transitions.ts';

/** Nobody compares two bookings faster than this; a second click does come so fast. */
const DOUBLE_CLICK_MS = 3_000;

export interface Release {
  /**
   * To be sent, unless the patient may have come another way since and nobody has been told: then it is held (an unknown
   * one stays so, and the call is refused), the others are named, and a second word releases it. Another that is held
   * does not count: it names this one, or waits for a person as this one does. The store judges it in the move itself:
   * two may be released at once.
   */
  release(booking: Booking, by: string, more: Decided): Promise<Booking>;
  /** Others for the same phone at the same time, that are or may become an appointment. */
  twinsOf(booking: Booking): Promise<{ ref: string; state: Booking['state'] }[]>;
}

export function createRelease({ store, clock }: { store: Store; clock: Clock }): Release {
  const { attempt: tryMove, decide } = createMoves({ store, clock });
  /** When somebody here was answered with another booking to compare with, on the monotonic clock. */
  const justTold = new Map<string, number>();

  const twinsOf = async (booking: Booking) =>
    (await store.bookings.sameSlot(booking)).filter(({ ref }) => ref !== booking.ref);

  const release = async (booking: Booking, by: string, more: Decided) => {
    const toldMs = clock.monotonic() - (justTold.get(booking.ref) ?? -Infinity);
    const beside = toldMs < DOUBLE_CLICK_MS ? [] : booking.acknowledged_duplicates;
    const moved = await tryMove(booking, 'queued', by, {
      reason: null,
      not_before: null,
      refusals: 0,
      ...more,
      beside,
    });
    if (moved !== undefined) return moved;
    const others = (await twinsOf(booking)).filter(({ state }) => state !== 'held').map(({ ref }) => ref);
    const news = others.find((ref) => !beside.includes(ref));
    if (news === undefined) throw movedMeanwhile(booking);
    justTold.set(booking.ref, clock.monotonic());
    if (booking.state === 'unknown') {
      const { ref, attempt } = booking;
      await store.bookings.note({ ref, attempt, evidence: {}, acknowledged_duplicates: others });
      throw refuse(sameAs(others).message, 'Compare both. If it is a different patient, do it again.');
    }
    const reason = 'duplicate_suspect';
    const message = heldMessage(reason, [sameAs(others)]);
    return await decide(booking, 'held', by, {
      reason,
      message,
      acknowledged_duplicates: others,
      edit: { duplicate_of: news },
    });
  };

  return { release, twinsOf };
}

export const sameAs = (refs: readonly string[]): Fault => ({
  field: 'booking',
  message: `${refs.join(' and ')} ${refs.length === 1 ? 'has' : 'have'} the same phone number, date and time.`,
  reason: 'duplicate_suspect',
});
