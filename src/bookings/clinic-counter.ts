import type { Booking } from '../domain/bookings/booking.ts';
import { type Clock, type Instant, toMs } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import type { Store } from '../store/store.ts';

/** For how long the clinic may still be processing an unknown send: well over two 60 s response timeouts. */
export const SETTLE_MS = 10 * MINUTE;

export interface Settling {
  /** Milliseconds until an unknown outcome may be examined; 0 when it may be now, or was counted. */
  inMs(booking: Booking): number;
}

/**
 * The wall clock says how much of the wait is left when a process first sees it, across restarts. From then on setting
 * it neither shortens nor lengthens the wait: the clinic may still be working on a booking that looks hours old.
 */
export function createSettling(clock: Clock): Settling {
  /** The uptime at which each wait ends. */
  const ends = new Map<string, number>();
  return {
    inMs(booking) {
      const key = `${booking.ref}/${booking.attempt}`;
      if (isCounted(booking)) {
        ends.delete(key);
        return 0;
      }
      const sent = booking.evidence?.sent_at;
      const since = Math.max(sent === undefined ? 0 : toMs(sent), toMs(booking.changed_at));
      const left = Math.min(SETTLE_MS, since + SETTLE_MS - clock.now());
      const end = ends.get(key) ?? clock.uptime() + left;
      ends.set(key, end);
      return Math.max(0, end - clock.uptime());
    },
  };
}

/** True when the counter was read again after this send; each attempt begins without evidence. */
export const isCounted = ({ evidence }: Booking): boolean => evidence?.counter_after !== undefined;

/** The unknown bookings whose counter is due, and the milliseconds until the next one is. */
export function uncounted(unknown: readonly Booking[], settling: Settling): { due: Booking[]; inMs: number } {
  const waiting = unknown.filter((booking) => !isCounted(booking));
  const waits = waiting.map((booking) => settling.inMs(booking));
  return {
    due: waiting.filter((_, index) => waits[index] === 0),
    inMs: Math.min(Infinity, ...waits.filter((ms) => ms > 0)),
  };
}

/** Stores the second reading, and how many of our own bookings were confirmed between the two. */
export async function countAfter(count: {
  store: Store;
  clinic: string;
  bookings: readonly Booking[];
  after: { value: number | null; at: Instant };
}): Promise<void> {
  const { store, clinic, bookings, after } = count;
  for (const { ref, attempt, evidence } of bookings) {
    const from = evidence?.counter_before?.at ?? after.at;
    // If the clock was set back, we cannot tell which of our bookings fall between the two readings.
    const own = from > after.at ? undefined : await store.bookings.confirmedBetween(clinic, from, after.at);
    const own_between = own === undefined ? {} : { own_between: own };
    await store.bookings.note({ ref, attempt, evidence: { counter_after: after, ...own_between } });
  }
}

/** Appointments not ours that appeared between the two readings; undefined when not counted. */
export function unexplained({ evidence }: Booking): number | undefined {
  const { counter_before: before, counter_after: after, own_between: own } = evidence ?? {};
  if (before?.value == null || after?.value == null || own === undefined) return undefined;
  return after.value - before.value - own;
}
