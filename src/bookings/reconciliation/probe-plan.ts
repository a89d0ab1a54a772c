import type { Booking } from '../../domain/bookings/booking.ts';
import type { Store } from '../../store/store.ts';

/** Where the number of an unknown appointment may lie, both ends exclusive. */
export interface ProbeRange {
  /** Our highest appointment number before the send. */
  above: number;
  /** Our first number after the send; null when we have none yet. */
  below: number | null;
  /** Numbers linked to a booking: never probed. */
  claimed: ReadonlySet<number>;
}

const AT_MOST = 60;
const MISSES_AT_MOST = 20;
/** Far more than are ever probed. */
const CLAIMED_AT_MOST = 1_000;

/** The clinic numbers appointments in booking order, so an unknown one lies between ours before and after it. */
export async function probeRange(
  store: Store,
  { clinic, evidence }: Booking,
): Promise<ProbeRange | undefined> {
  const { highest_own_id: above, sent_at } = evidence ?? {};
  // Without an earlier number of our own there is no start; guessing one would prove nothing.
  if (above === undefined || above <= 0 || sent_at === undefined) return undefined;
  const below = (await store.bookings.firstOwnIdAfter(clinic, above, sent_at)) ?? null;
  const claimed = await store.bookings.ownIdsBetween(clinic, above, below, CLAIMED_AT_MOST);
  return { above, below, claimed: new Set(claimed) };
}

/** The next number to probe; undefined when done. `complete`: the whole range was probed. */
export function nextProbe(
  range: ProbeRange,
  probed: readonly number[],
  misses: number,
): { id: number } | { id: undefined; complete: boolean } {
  let id = (probed.at(-1) ?? range.above) + 1;
  while (range.claimed.has(id) && (range.below === null || id < range.below)) id += 1;
  if (range.below !== null && id >= range.below) return { id: undefined, complete: true };
  if (range.below === null && misses >= MISSES_AT_MOST) return { id: undefined, complete: true };
  if (probed.length >= AT_MOST) return { id: undefined, complete: false };
  return { id };
}
