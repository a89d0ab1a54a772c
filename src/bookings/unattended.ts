import { z } from 'zod';
import type { Evidence } from '../domain/booking.ts';
import { COUNTERS, counterKey, type Unattended, unattendedKey } from '../domain/counter.ts';
import type { Instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';

interface Seen {
  value: number | null;
  at: Instant;
}

/** Why bookings that waited while no daemon ran must not be sent. */
export interface Unexplained {
  /** For a person: what the clinic's counter says. */
  sentence: string;
  evidence: Evidence;
}

const Kept = z.object({
  at: z.string(),
  counter: z.object({ value: z.number(), at: z.string() }).nullable(),
});

/** Set by the store when it was opened; see decision 0012. Undefined: nothing has to be asked before a send. */
export async function readUnattended(store: Store, clinic: string): Promise<Unattended | undefined> {
  const kept = await store.keyValue.get(COUNTERS, unattendedKey(clinic));
  return kept === undefined ? undefined : Kept.parse(JSON.parse(kept));
}

export const forgetUnattended = (store: Store, clinic: string): Promise<void> =>
  store.keyValue.set(COUNTERS, { [unattendedKey(clinic)]: undefined });

/** The next start compares with it; a clinic that does not say leaves what was known before. */
export async function keepCounter(store: Store, clinic: string, { value, at }: Seen): Promise<void> {
  if (value === null) return;
  await store.keyValue.set(COUNTERS, { [counterKey(clinic)]: JSON.stringify({ value, at }) });
}

/**
 * Compares the clinic's counter with the last one that the database knew. Anything but exactly our own bookings in
 * between may be a booking that this copy has forgotten. Also fewer: where some were deleted others may hide.
 */
export async function unexplainedSince(
  store: Store,
  clinic: string,
  { counter }: Unattended,
  now: Seen,
): Promise<Unexplained | undefined> {
  const counter_after = { value: now.value, at: now.at };
  const doubt = { restored: true, absent: false } as const;
  if (counter === null || now.value === null || counter.at > now.at)
    return {
      sentence: 'It was opened after a while, and the clinic’s number of appointments cannot be compared.',
      evidence: { ...doubt, counter_after, ...(counter === null ? {} : { counter_before: counter }) },
    };
  const own_between = await store.bookings.confirmedBetween(clinic, counter.at, now.at);
  if (now.value === counter.value + own_between) return undefined;
  return {
    sentence:
      `When it was last used the clinic had ${counter.value} appointments, now it has ${now.value}, ` +
      (own_between === 0
        ? 'and none of the difference is ours.'
        : `and the ${own_between} that we booked explain only part of the difference.`),
    evidence: { ...doubt, counter_before: counter, counter_after, own_between },
  };
}
