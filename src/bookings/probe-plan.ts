import type { Booking } from '../domain/booking.ts';
import type { Store } from '../store/store.ts';

/** What is known about where an appointment's number may lie. */
export interface ProbeRange {
  /** Our highest number before the send. */
  above: number;
  /** Our first number after it; null when we have none yet. */
  below: number | null;
  /** Numbers that are linked to a booking: never looked at. */
  claimed: ReadonlySet<number>;
}

const AT_MOST = 60;
const MISSES_AT_MOST = 20;
/** Far more than is looked at; those above are never reached. */
const CLAIMED_AT_MOST = 1_000;

/** Numbers grow in the order of booking, so an unknown one lies between ours before and ours after. */
export async function probeRange(
  store: Store,
  { clinic, evidence }: Booking,
): Promise<ProbeRange | undefined> {
  const { highest_own_id: above, sent_at } = evidence ?? {};
  // Without a number of ours from before there is nowhere to start; a guessed start would be no evidence.
  if (above === undefined || above <= 0 || sent_at === undefined) return undefined;
  const below = (await store.bookings.firstOwnIdAfter(clinic, above, sent_at)) ?? null;
  const claimed = await store.bookings.ownIdsBetween(clinic, above, below, CLAIMED_AT_MOST);
  return { above, below, claimed: new Set(claimed) };
}

/** The next number to look at; undefined when enough was looked at. `complete`: every number in the range was. */
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
