import {
  COUNTERS,
  type Counter,
  counterKey,
  type Unattended,
  unattendedKey,
} from '../../../domain/counter.ts';
import { type Instant, instant, toMs } from '../../../platform/clock.ts';
import { fromJson, type Trx } from '../database.ts';
import { readMemory, writeMemory } from './key-value.ts';

/** A restart takes no longer; putting a snapshot of the volume back does. */
const RESTART_MS = 60_000;
/** Later than every instant. */
const LAST = '9999';

/**
 * Database and marker that were put back together look like a daemon that was stopped. What waited may have been sent
 * since, and only the clinic's counter can say so: it is noted, per clinic, that the lane has to ask before a send.
 * `checkedAt`: when a daemon last wrote that it works. Commands that ran since, on the copy, are no sign of life.
 */
export async function noteUnattended(trx: Trx, at: Instant, checkedAt: Instant | null): Promise<void> {
  // Also when the clock was set back: the length of the gap is then unknown.
  if (checkedAt !== null && Math.abs(toMs(at) - toMs(checkedAt)) <= RESTART_MS) return;
  const waiting = await trx
    .selectFrom('bookings')
    .select('clinic')
    .distinct()
    .where('state', 'in', ['received', 'queued'])
    .execute();
  for (const { clinic } of waiting) {
    const counter = await lastCounter(trx, clinic, checkedAt);
    const known = await readMemory(trx, COUNTERS, unattendedKey(clinic));
    // Of two starts in a row the first knew what had been read before either.
    const before = known === undefined ? counter : (fromJson<Unattended>(known)?.counter ?? null);
    const value = JSON.stringify({ at, counter: before } satisfies Unattended);
    await writeMemory(trx, COUNTERS, unattendedKey(clinic), value);
  }
}

/**
 * The later one of what the bookings' lane and the poll of the organization have read. What a command polled after the
 * last daemon may have the forgotten bookings in it.
 */
async function lastCounter(trx: Trx, clinic: string, checkedAt: Instant | null): Promise<Counter | null> {
  const kept = await readMemory(trx, COUNTERS, counterKey(clinic));
  const ofLane = fromJson<Counter>(kept ?? null);
  const until = checkedAt === null ? LAST : instant(toMs(checkedAt) + RESTART_MS);
  const polled = await trx
    .selectFrom('organization_statistics')
    .select(['total_appointments', 'seen_at'])
    .where('clinic', '=', clinic)
    .where('at', '<=', until)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (polled === undefined || polled.total_appointments === null) return ofLane;
  const ofPoll = { value: polled.total_appointments, at: polled.seen_at < until ? polled.seen_at : until };
  return ofLane !== null && ofLane.at >= ofPoll.at ? ofLane : ofPoll;
}
