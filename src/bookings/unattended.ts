import { z } from 'zod';
import type { AppointmentStatus } from '../clinic/clinic.ts';
import type { Booking, Evidence } from '../domain/bookings/booking.ts';
import { COUNTERS, counterKey, type Unattended, unattendedKey } from '../domain/bookings/counter.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import { sentences } from '../platform/text/sentences.ts';
import type { Store } from '../store/store.ts';
import { compare, isOther, isSame, mayBeSame } from './comparison.ts';
import { waitingInCopy } from './hold-restored.ts';

interface Seen {
  value: number | null;
  at: Instant;
}

/** Why bookings that waited without a daemon must not be sent. */
export interface Unexplained {
  /** The difference between the counters, as a sentence for the user. */
  sentence: string;
  evidence: Evidence;
}

const Kept = z.object({
  at: z.string(),
  counter: z.object({ value: z.number(), at: z.string() }).nullable(),
  clock_set_back: z.boolean().default(false),
  copied: z.boolean().default(false),
  leapt: z.boolean().default(false),
  until: z.string().optional(),
});

/** Set by the store when it was opened; see decision 0012. Undefined: nothing to compare before a send. */
export async function readUnattended(store: Store, clinic: string): Promise<Unattended | undefined> {
  return parsed(await store.keyValue.get(COUNTERS, unattendedKey(clinic)));
}

/** Those of all clinics in one query. */
export async function readAllUnattended(store: Store): Promise<(clinic: string) => Unattended | undefined> {
  const kept = await store.keyValue.list(COUNTERS, unattendedKey(''));
  return (clinic) => parsed(kept[unattendedKey(clinic)]);
}

const parsed = (kept: string | undefined): Unattended | undefined =>
  kept === undefined ? undefined : Kept.parse(JSON.parse(kept));

export const keepUnattended = (store: Store, clinic: string, unattended: Unattended): Promise<void> =>
  store.keyValue.set(COUNTERS, { [unattendedKey(clinic)]: JSON.stringify(unattended) });

export const forgetUnattended = (store: Store, clinic: string): Promise<void> =>
  store.keyValue.set(COUNTERS, { [unattendedKey(clinic)]: undefined });

/** Stores the counter for comparison at the next start; keeps the former one when there is no value. */
export async function keepCounter(store: Store, clinic: string, { value, at }: Seen): Promise<void> {
  if (value === null) return;
  await store.keyValue.set(COUNTERS, { [counterKey(clinic)]: JSON.stringify({ value, at }) });
}

const opened = (
  { clock_set_back = false, copied = false, leapt = false }: Unattended,
  what: string,
): string => {
  if (leapt) return `The clock leapt while it was open, and ${what}.`;
  if (copied) return `Its files were copied, moved or given another owner, and ${what}.`;
  return clock_set_back
    ? `The clock was set back while it was closed, and ${what}.`
    : `It was opened after some time, and ${what}.`;
};

/** No upper bound in time: the clock may have been set back since our bookings were confirmed. */
const END_OF_TIME = instant(Date.parse('9999-12-31T00:00:00Z'));

/** What the counters tell: a doubt, unless the search accounts for so many appointments. */
interface Difference {
  toExplain: number;
  doubt: Unexplained | undefined;
  now: Seen;
}

/**
 * Compares the clinic's counter with the last stored one. Any difference beyond our own bookings in between may be a
 * booking that this copy forgot. So may a smaller count: deleted appointments can hide new ones. A greater one can
 * still be accounted for by the search.
 */
export async function differenceSince(
  store: Store,
  clinic: string,
  unattended: Unattended,
  now: Seen,
): Promise<Difference> {
  const { counter } = unattended;
  const counter_after = { value: now.value, at: now.at };
  const evidence = { restored: true, absent: false, counter_after } as const;
  if (counter === null || now.value === null) {
    const sentence = opened(
      unattended,
      counter === null
        ? 'it has no earlier number of the clinic’s appointments to compare with'
        : 'the clinic does not say how many appointments it has',
    );
    const counter_before = counter === null ? {} : { counter_before: counter };
    return { toExplain: Infinity, doubt: { sentence, evidence: { ...evidence, ...counter_before } }, now };
  }
  const own_between = await ownSince(store, clinic, counter.at);
  const toExplain = now.value - counter.value - own_between;
  if (toExplain === 0) return { toExplain, doubt: undefined, now };
  const sentence =
    `When it was last used the clinic had ${counter.value} appointments, now it has ${now.value}, and this database ` +
    `has ${own_between === 0 ? 'no booking' : own_between === 1 ? 'one booking' : `${own_between} bookings`} ` +
    'of its own in between that the clinic confirmed. Waiting bookings may be among the others.';
  return {
    toExplain: toExplain < 0 ? Infinity : toExplain,
    doubt: { sentence, evidence: { ...evidence, counter_before: counter, own_between } },
    now,
  };
}

const ownSince = (store: Store, clinic: string, at: Instant): Promise<number> =>
  store.bookings.confirmedBetween(clinic, at, END_OF_TIME);

/** The clinic could not be read. */
export const failed = Symbol('failed');
/** The clinic answered, but not about this appointment. */
export const refusedRead = Symbol('refused');

interface Search {
  store: Store;
  clock: Clock;
  /** The clinic's key. */
  key: string;
  unattended: Unattended;
  difference: Difference;
  read(id: number): Promise<AppointmentStatus | undefined | typeof failed | typeof refusedRead>;
}

/**
 * An equal counter is no proof: a cancellation or a cached figure can hide a booking. So the appointments above our
 * highest number are compared with the bookings that waited; if that is not possible for all, the result is a doubt.
 * One that is surely a send of unknown outcome, as the one interrupted by a power failure, explains itself. Those of
 * the front desk do if they are surely none of ours, and are exactly as many as the counter rose since our highest.
 * Reads at most 147 statuses; `failed` when one of these reads fails.
 */
export async function foundSince(search: Search): Promise<Unexplained | undefined | typeof failed> {
  const { store, key, difference } = search;
  const { toExplain } = difference;
  if (toExplain > ABOVE_AT_MOST) return difference.doubt;
  const unknown = await store.bookings.list({ clinic: key, states: ['unknown'] });
  const copied = await releasable(search);
  if (copied.length === 0) return toExplain > unknown.length ? difference.doubt : undefined;
  const anchor = await findAnchor(search, unknown);
  if (anchor === failed) return failed;
  if (anchor === undefined)
    return doubtOf(search, 'it has no appointment number from which to search for later bookings');
  const known: Known = { unknown, explained: new Set(anchor.sent && [anchor.sent]), copied };
  const looked = await lookThrough(search, anchor.id, known);
  if (looked === failed) return failed;
  if (looked.doubt !== undefined) return looked.doubt;
  const explained = known.explained.size;
  const isExplained =
    explained >= toExplain || (await isAccounted(search, anchor, explained + looked.others));
  return isExplained ? undefined : difference.doubt;
}

/** With what the counter says, if it says anything. */
const doubtOf = (
  { unattended, difference: { doubt } }: Search,
  what: string,
  more: Evidence = {},
): Unexplained => ({
  sentence: sentences(doubt?.sentence, opened(unattended, what)),
  evidence: { restored: true, absent: false, ...doubt?.evidence, ...more },
});

interface Looked {
  doubt: Unexplained | undefined;
  /** Newer appointments that are surely nobody's of ours. */
  others: number;
}

/** Compares the appointments above this number. */
async function lookThrough(search: Search, highest: number, known: Known): Promise<Looked | typeof failed> {
  const { store, key, read } = search;
  const own = await store.bookings.ownIdsBetween(key, highest - BELOW_AT_MOST, highest, BELOW_AT_MOST);
  const plan = lookAround(highest, new Set(own));
  const probed_ids: number[] = [];
  const doubt = (what: string, more: Evidence = {}) => doubtOf(search, what, { probed_ids, ...more });
  let others = 0;
  let next = plan.next();
  while (!next.done) {
    const id = next.value;
    const seen = await read(id);
    if (seen === failed) return failed;
    if (seen === refusedRead)
      return { doubt: doubt(`the clinic does not show its newest appointments (${id})`), others };
    probed_ids.push(id);
    const whose = id > highest && seen !== undefined ? whoseIs(known, id, seen) : undefined;
    const what = `appointment ${id} at the clinic may be one of the waiting bookings`;
    if (whose === 'waiting') return { doubt: doubt(what, { matching_ids: [id] }), others };
    if (whose === 'other') others += 1;
    next = plan.next(seen !== undefined);
  }
  return { doubt: next.value === undefined ? undefined : doubt(next.value), others };
}

/** From which appointment the search goes upward. */
interface Anchor {
  id: number;
  /** The reading before it was sent, if known. */
  counter: Evidence['counter_before'];
  /** Our booking of unknown outcome that it surely is. */
  sent?: string;
}

/**
 * Our highest number. An installation without one may find its first booking, interrupted, near the clinic's number of
 * appointments.
 */
async function findAnchor(
  { store, key, difference, read }: Search,
  unknown: readonly Booking[],
): Promise<Anchor | undefined | typeof failed> {
  const highest = await store.bookings.highestOwnId(key);
  if (highest !== undefined) {
    const counter = (await store.bookings.linked(key, highest))?.evidence?.counter_before;
    return { id: highest, counter };
  }
  const { value } = difference.now;
  if (value === null || unknown.length === 0) return undefined;
  for (let id = Math.max(1, value - BELOW_AT_MOST); id <= value + MISSES; id += 1) {
    const seen = await read(id);
    if (seen === failed) return failed;
    if (seen === refusedRead) return undefined;
    const sent = seen && unknown.find((one) => isSame(compare(one, id, seen)));
    if (sent !== undefined) return { id, counter: sent.evidence?.counter_before, sent: sent.ref };
  }
  return undefined;
}

/** Whether the newer appointments found are all that the clinic has more than before the anchor was sent. */
async function isAccounted(
  { store, key, difference: { toExplain, now } }: Search,
  { counter }: Anchor,
  found: number,
): Promise<boolean> {
  if (counter?.value == null || now.value === null || found < toExplain) return false;
  return found === now.value - counter.value - (await ownSince(store, key, counter.at));
}

interface Known {
  unknown: readonly Booking[];
  /** Those of them whose appointment was found; each explains one. */
  explained: Set<string>;
  copied: readonly Booking[];
}

/** `other`: surely nobody's of those. Undefined: perhaps of one that was renamed and moved, or sent twice. */
function whoseIs(
  { unknown, explained, copied }: Known,
  id: number,
  seen: AppointmentStatus,
): 'sent' | 'waiting' | 'other' | undefined {
  const sent = unknown.find((one) => !explained.has(one.ref) && isSame(compare(one, id, seen)));
  if (sent !== undefined) {
    explained.add(sent.ref);
    return 'sent';
  }
  if (copied.some((booking) => mayBeSame(compare(booking, id, seen)))) return 'waiting';
  return [...copied, ...unknown].every((booking) => isOther(booking, id, seen)) ? 'other' : undefined;
}

/** More than database servers skip after a crash: PostgreSQL 32, Oracle 20. */
const MISSES = 40;
const ABOVE_AT_MOST = 60;
/** After a crash, SQL Server skips to the next multiple of one of these instead. */
const BLOCKS = [1_000, 10_000];
const BELOW_AT_MOST = 20;
const NEIGHBOURS = 3;

/** Yields the numbers above one and receives whether each exists; returns whether it came to their end. */
export function* upward(highest: number): Generator<number, boolean, boolean> {
  let misses = 0;
  for (let id = highest + 1; misses < MISSES; id += 1) {
    if (id > highest + ABOVE_AT_MOST) return false;
    if (!(yield id)) misses += 1;
  }
  return true;
}

/**
 * Yields the numbers to read and receives whether each exists; returns why the result is inconclusive, if it is. A gap
 * above proves something only where numbers are consecutive, which the ones just below must show.
 */
function* lookAround(
  highest: number,
  own: ReadonlySet<number>,
): Generator<number, string | undefined, boolean> {
  if (!(yield* upward(highest)))
    return 'the clinic has too many newer appointments to search for later bookings';
  for (const block of BLOCKS) {
    const landing = Math.ceil((highest + 1) / block) * block;
    for (const id of [landing, landing + 1, landing + 2]) yield id;
  }
  let neighbours = 0;
  for (let id = highest - 1; neighbours < NEIGHBOURS; id -= 1) {
    if (id < Math.max(1, highest - BELOW_AT_MOST))
      return 'the clinic’s appointment numbers have gaps, in which later bookings may lie';
    if (own.has(id) || (yield id)) neighbours += 1;
  }
  return undefined;
}

/** For how long users still correct and approve rejected and expired bookings. */
const RECENT_MS = 8 * DAY;

/** Bookings that may have been sent after the copy was made. */
async function releasable({ store, clock, key, unattended: { at } }: Search): Promise<Booking[]> {
  const waiting = await waitingInCopy({ store, clock, key, receivedUntil: at }, [
    'received',
    'queued',
    'held',
  ]);
  const since = instant(clock.now() - RECENT_MS);
  const ended = await store.bookings.changedSince(['rejected', 'expired'], since);
  return [...waiting, ...ended.filter(({ clinic }) => clinic === key)];
}
