import {
  COUNTERS,
  type Counter,
  counterKey,
  type Unattended,
  unattendedKey,
} from '../../../domain/bookings/counter.ts';
import { type Instant, instant, toMs } from '../../../platform/clock.ts';
import { fromJson, type Trx } from '../database.ts';
import { readMemory, writeMemory } from './key-value.ts';

/** A restart is faster than this, and heartbeats come every ten seconds; rolling back an upgrade takes longer. */
const RESTART_MS = 20_000;
/** Sorts after every instant. */
const LAST = '9999';

/**
 * A database restored together with its marker looks like a stopped daemon. What waited, also for a user, may have been
 * sent since, and only the clinic's counter can tell, so each clinic's dispatcher must compare it before the next send.
 * `checkedAt`: the daemon's last heartbeat; commands on the copy do not count. `copied`: the files were put in place,
 * so even a short time proves nothing.
 */
export async function noteUnattended(
  trx: Trx,
  at: Instant,
  checkedAt: Instant | null,
  copied: boolean,
): Promise<void> {
  // A negative gap means the clock was set back, so its length is unknown.
  if (!copied && checkedAt !== null && Math.abs(toMs(at) - toMs(checkedAt)) <= RESTART_MS) return;
  const waiting = await trx
    .selectFrom('bookings')
    .select('clinic')
    .distinct()
    .where('state', 'in', ['received', 'queued', 'held', 'rejected', 'expired'])
    .execute();
  for (const { clinic } of waiting) await noteClinicUnattended(trx, clinic, { at, checkedAt, copied });
}

/**
 * At a start, or when the clock leapt: a virtual machine put back to a snapshot with its memory starts nothing anew.
 */
export async function noteClinicUnattended(
  trx: Trx,
  clinic: string,
  { at, checkedAt, ...how }: Pick<Unattended, 'at' | 'copied' | 'leapt'> & { checkedAt: Instant | null },
): Promise<void> {
  const counter = await lastCounter(trx, clinic, checkedAt);
  const known = await readMemory(trx, COUNTERS, unattendedKey(clinic));
  // After two starts in a row, the first recorded the reading from before both.
  const before = known === undefined ? counter : (fromJson<Unattended>(known)?.counter ?? null);
  const clock_set_back = checkedAt !== null && checkedAt > at;
  const value = JSON.stringify({ at, counter: before, clock_set_back, ...how } satisfies Unattended);
  await writeMemory(trx, COUNTERS, unattendedKey(clinic), value);
}

/**
 * The later one of the dispatcher's and the organization poll's readings. Polls by commands after the daemon stopped do
 * not count, because they may include the forgotten bookings.
 */
async function lastCounter(trx: Trx, clinic: string, checkedAt: Instant | null): Promise<Counter | null> {
  const kept = await readMemory(trx, COUNTERS, counterKey(clinic));
  const ofDispatcher = fromJson<Counter>(kept ?? null);
  const until = checkedAt === null ? LAST : instant(toMs(checkedAt) + RESTART_MS);
  const polled = await trx
    .selectFrom('organization_statistics')
    .select(['total_appointments', 'seen_at'])
    .where('clinic', '=', clinic)
    .where('at', '<=', until)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (polled === undefined || polled.total_appointments === null) return ofDispatcher;
  const ofPoll = { value: polled.total_appointments, at: polled.seen_at < until ? polled.seen_at : until };
  return ofDispatcher !== null && ofDispatcher.at >= ofPoll.at ? ofDispatcher : ofPoll;
}
