import type { Booking, Evidence } from '../domain/bookings/booking.ts';
import { COUNTERS, type Doubt, doubtKey } from '../domain/bookings/counter.ts';
import type { Instant } from '../platform/clock.ts';
import { sentences } from '../platform/text/sentences.ts';
import type { Store } from '../store/store.ts';
import { holds } from './messages.ts';

/**
 * Set when a comparison could not account for all of the clinic's appointments. Held bookings stay as they are, because
 * most are never sent: a user has to confirm each one before it is.
 */
export async function readDoubt(store: Store, clinic: string): Promise<Doubt | undefined> {
  const kept = await store.keyValue.get(COUNTERS, doubtKey(clinic));
  return kept === undefined ? undefined : (JSON.parse(kept) as Doubt);
}

export const keepDoubt = (store: Store, clinic: string, doubt: Doubt): Promise<void> =>
  store.keyValue.set(COUNTERS, { [doubtKey(clinic)]: JSON.stringify(doubt) });

/** The doubt, if the forgotten period may include a send of this booking and no user has confirmed it yet. */
export function doubtAbout(
  { state, reason, received_at, evidence }: Booking,
  doubt: Doubt | undefined,
  now: Instant,
): Doubt | undefined {
  if (doubt === undefined || state === 'unknown' || reason === 'restored_state') return undefined;
  // A time in the future means that it was received before the clock was set back.
  if (received_at > doubt.at && received_at <= now) return undefined;
  const { doubted_at, sent_at = '' } = evidence ?? {};
  return doubted_at !== doubt.at && sent_at <= doubt.at ? doubt : undefined;
}

/** The move that holds the booking for that confirmation. */
export const askedAbout = ({ at, sentence }: Doubt) => ({
  reason: 'restored_state' as const,
  message: sentences(holds.restored_state.means, sentence),
  evidence: { restored: true, absent: false, doubted_at: at } satisfies Evidence,
});
