import type { Booking } from '../../model/booking.ts';
import { type Instant, toMs } from '../../model/clock.ts';
import type { Store } from '../../store/store.ts';

/** An unknown outcome is left alone this long: the clinic may still be working on it. Twice the 60 s for an answer is less. */
export const SETTLE_MS = 10 * 60_000;

/** When an unknown outcome may be looked into. */
export function settledAtMs(booking: Booking): number {
  const sent = booking.evidence?.sent_at;
  return Math.max(sent === undefined ? 0 : toMs(sent), toMs(booking.changed_at)) + SETTLE_MS;
}

/** True when the counter was read again after this send (and not after an earlier one). */
export function isCounted({ evidence }: Booking): boolean {
  if (evidence?.counter_after === undefined) return false;
  return evidence.sent_at === undefined || evidence.counter_after.at > evidence.sent_at;
}

export const isSettled = (booking: Booking, nowMs: number): boolean =>
  isCounted(booking) || settledAtMs(booking) <= nowMs;

/** The unknown bookings whose counter is to be read now, and in how many milliseconds the next one is. */
export function uncounted(unknown: readonly Booking[], nowMs: number): { due: Booking[]; inMs: number } {
  const waiting = unknown.filter((booking) => !isCounted(booking));
  const due = waiting.filter((booking) => settledAtMs(booking) <= nowMs);
  const later = waiting.map((booking) => settledAtMs(booking) - nowMs).filter((ms) => ms > 0);
  return { due, inMs: Math.min(Infinity, ...later) };
}

/** Stores the second reading, and how many of our own bookings were confirmed between the two. */
export async function countAfter(count: {
  store: Store;
  clinic: string;
  bookings: readonly Booking[];
  after: { value: number | null; at: Instant };
}): Promise<void> {
  const { store, clinic, bookings, after } = count;
  const own = await store.bookings.ownIds(clinic);
  for (const { ref, evidence } of bookings) {
    const from = evidence?.counter_before?.at ?? after.at;
    const own_between = own.filter(({ at }) => at > from && at <= after.at).length;
    await store.bookings.note(ref, { counter_after: after, own_between });
  }
}

/** Appointments that appeared at the clinic between the two readings and are not ours; undefined when not counted. */
export function unexplained(booking: Booking): number | undefined {
  const { counter_before: before, counter_after: after, own_between: own = 0 } = booking.evidence ?? {};
  if (before == null || after == null || !isCounted(booking)) return undefined;
  return before.value === null || after.value === null ? undefined : after.value - before.value - own;
}
