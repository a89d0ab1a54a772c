import type { Booking } from '../../model/booking.ts';
import { bookingRefPattern } from '../../model/booking-ref.ts';
import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../store/store.ts';
import { blocking, type Verdict } from '../accepting/check.ts';
import type { Fault } from '../accepting/read-fields.ts';
import { heldMessage } from '../sentences.ts';
import { createMoves, type Decided, movedMeanwhile, refuse } from './moves.ts';

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
  const { attempt, decide } = createMoves({ store, clock });
  /** When somebody here was answered with another booking to compare with, on the monotonic clock. */
  const justTold = new Map<string, number>();

  const twinsOf = async (booking: Booking) =>
    (await store.bookings.sameSlot(booking)).filter(({ ref }) => ref !== booking.ref);

  const release = async (booking: Booking, by: string, more: Decided) => {
    const toldMs = clock.monotonic() - (justTold.get(booking.ref) ?? -Infinity);
    const beside = toldMs < DOUBLE_CLICK_MS ? [] : namedIn(booking);
    const moved = await attempt(booking, 'queued', by, { reason: null, not_before: null, ...more, beside });
    if (moved !== undefined) return moved;
    const others = (await twinsOf(booking)).filter(({ state }) => state !== 'held').map(({ ref }) => ref);
    const news = others.find((ref) => !beside.includes(ref));
    if (news === undefined) throw movedMeanwhile(booking);
    justTold.set(booking.ref, clock.monotonic());
    if (booking.state === 'unknown') {
      await store.bookings.note(booking.ref, { told_of: others });
      throw refuse(sameAs(others).message, 'Compare both. If it is somebody else, say it once more.');
    }
    const reason = 'duplicate_suspect';
    const message = heldMessage(reason, [sameAs(others)]);
    return await decide(booking, 'held', by, { reason, message, edit: { duplicate_of: news } });
  };

  return { release, twinsOf };
}

/** Throws `Failure` refused, with what to do, when there would be nothing right to send. */
export function assertSendable(booking: Booking, { faults, waits }: Verdict): void {
  const isHomeless = faults.some(({ field }) => field === 'clinic');
  const anew = 'Drop it, and add it anew.';
  const correct = isHomeless
    ? `Put its clinic back into the configuration. Or: ${anew}`
    : 'Correct it first, or drop it.';
  if (faults.some(({ reason }) => blocking.has(reason)))
    throw refuse(
      `${booking.ref} cannot be sent as it is. ${faults.map(({ message }) => message).join(' ')}`,
      booking.state === 'unknown' ? anew : correct,
    );
  if (waits) throw refuse('The clinic’s lists are not known yet.', 'Wait until they have been read once.');
}

export const sameAs = (refs: readonly string[]): Fault => ({
  field: 'booking',
  message: `${refs.join(' and ')} ${refs.length === 1 ? 'has' : 'have'} the same phone number, date and time.`,
  reason: 'duplicate_suspect',
});

/** The others that whoever releases it has been told of. */
const namedIn = ({ reason, message, evidence }: Booking): readonly string[] =>
  reason === 'duplicate_suspect'
    ? (message?.match(new RegExp(bookingRefPattern, 'g')) ?? [])
    : (evidence?.told_of ?? []);
