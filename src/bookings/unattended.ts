import { z } from 'zod';
import type { AppointmentStatus } from '../clinic/clinic.ts';
import type { Evidence } from '../domain/booking.ts';
import { COUNTERS, counterKey, type Unattended, unattendedKey } from '../domain/counter.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';
import { compare, mayBeSame } from './comparison.ts';
import { waitingInCopy } from './hold-restored.ts';
import { nextProbe } from './probe-plan.ts';

interface Seen {
  value: number | null;
  at: Instant;
}

/** Why bookings that waited without a daemon must not be sent. */
export interface Unexplained {
  /** For a person: the difference between the counters. */
  sentence: string;
  evidence: Evidence;
}

const Kept = z.object({
  at: z.string(),
  counter: z.object({ value: z.number(), at: z.string() }).nullable(),
});

/** Set by the store when it was opened; see decision 0012. Undefined: nothing to compare before a send. */
export async function readUnattended(store: Store, clinic: string): Promise<Unattended | undefined> {
  const kept = await store.keyValue.get(COUNTERS, unattendedKey(clinic));
  return kept === undefined ? undefined : Kept.parse(JSON.parse(kept));
}

export const forgetUnattended = (store: Store, clinic: string): Promise<void> =>
  store.keyValue.set(COUNTERS, { [unattendedKey(clinic)]: undefined });

/** For comparison at the next start; without a value the former one stays. */
export async function keepCounter(store: Store, clinic: string, { value, at }: Seen): Promise<void> {
  if (value === null) return;
  await store.keyValue.set(COUNTERS, { [counterKey(clinic)]: JSON.stringify({ value, at }) });
}

/** Later than any booking: the clock may have been set back since ours were confirmed. */
const END_OF_TIME = instant(Date.parse('9999-12-31T00:00:00Z'));

/**
 * Compares the clinic's counter with the last stored one. Any difference but our own bookings in between may be a booking
 * that this copy forgot. Fewer counts too: deleted appointments may hide new ones.
 */
export async function unexplainedSince(
  store: Store,
  clinic: string,
  { counter }: Unattended,
  now: Seen,
): Promise<Unexplained | undefined> {
  const counter_after = { value: now.value, at: now.at };
  const doubt = { restored: true, absent: false } as const;
  if (counter === null || now.value === null)
    return {
      sentence:
        counter === null
          ? 'It was opened after a while, and has no earlier number of the clinic’s appointments to compare with.'
          : 'It was opened after a while, and the clinic does not say how many appointments it has.',
      evidence: { ...doubt, counter_after, ...(counter === null ? {} : { counter_before: counter }) },
    };
  const own_between = await store.bookings.confirmedBetween(clinic, counter.at, END_OF_TIME);
  if (now.value === counter.value + own_between) return undefined;
  return {
    sentence:
      `When it was last used the clinic had ${counter.value} appointments, now it has ${now.value}, and this database ` +
      `knows of ${own_between === 0 ? 'no booking' : own_between === 1 ? 'one booking' : `${own_between} bookings`} ` +
      'of its own in between. What waited may be among the others.',
    evidence: { ...doubt, counter_before: counter, counter_after, own_between },
  };
}

/** The clinic could not be read. */
export const failed = Symbol('failed');
/** The clinic answers, but not about this. */
export const refused = Symbol('refused');

interface Search {
  store: Store;
  clock: Clock;
  /** The clinic's key. */
  key: string;
  /** Those that came later were not in any copy. */
  receivedUntil: Instant;
  read(id: number): Promise<AppointmentStatus | undefined | typeof failed | typeof refused>;
}

/**
 * An equal number is no proof: a cancellation or a cached figure hides a booking. So the appointments above our highest
 * number are compared with what waited; where they cannot all be, what was about to be sent is doubted. Reads at most 60
 * statuses; `failed` when one of these reads does.
 */
export async function foundSince(search: Search): Promise<Unexplained | undefined | typeof failed> {
  const { store, key, read } = search;
  const waiting = await waitingInCopy(search, ['received', 'queued', 'held']);
  if (waiting.length === 0) return undefined;
  const isAboutToBeSent = waiting.some(({ state }) => state !== 'held');
  const evidence: Evidence = { restored: true, absent: false };
  const above = await store.bookings.highestOwnId(key);
  if (above === undefined)
    return isAboutToBeSent
      ? {
          sentence:
            'It was opened after a while, and knows no appointment number from which to look for what was booked since.',
          evidence,
        }
      : undefined;

  const range = { above, below: null, claimed: new Set<number>() };
  const probed: number[] = [];
  let misses = 0;
  let next = nextProbe(range, probed, misses);
  while (next.id !== undefined) {
    const { id } = next;
    const seen = await read(id);
    if (seen === failed) return failed;
    if (seen === refused)
      return {
        sentence: `It was opened after a while, and the clinic does not answer about its newest appointments (${id}).`,
        evidence: { ...evidence, probed_ids: probed },
      };
    probed.push(id);
    if (seen === undefined) misses += 1;
    else if (waiting.some((booking) => mayBeSame(compare(booking, id, seen))))
      return {
        sentence: `It was opened after a while, and appointment ${id} at the clinic may be one of those that waited.`,
        evidence: { ...evidence, probed_ids: probed, matching_ids: [id] },
      };
    next = nextProbe(range, probed, misses);
  }
  return next.complete || !isAboutToBeSent
    ? undefined
    : {
        sentence:
          'It was opened after a while, and the clinic has too many newer appointments to look for what was booked since.',
        evidence: { ...evidence, probed_ids: probed },
      };
}
