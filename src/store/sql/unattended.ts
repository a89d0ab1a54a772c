import { type Instant, toMs } from '../../model/clock.ts';
import { COUNTERS, type Counter, counterKey, type Unattended, unattendedKey } from '../../model/counter.ts';
import { fromJson, type Trx } from './database.ts';

/** Nobody makes a snapshot of a volume, goes on, and puts it back within a minute; a restart takes no longer. */
const RESTART_MS = 60_000;

/**
 * Database and marker that were put back together look like a daemon that was stopped. What waited may have been sent
 * since, and only the clinic's counter can say so: it is noted, per clinic, that somebody has to ask before a send.
 */
export async function noteUnattended(trx: Trx, at: Instant, checkedAt: Instant | null): Promise<void> {
  const waiting = await trx
    .selectFrom('bookings')
    .select((row) => ['clinic', row.fn.max('changed_at').as('changed_at')])
    .where('state', 'in', ['received', 'queued'])
    .groupBy('clinic')
    .execute();
  for (const { clinic, changed_at } of waiting) {
    const counter = await lastCounter(trx, clinic);
    const signs = [checkedAt, changed_at, counter?.at].filter((sign) => typeof sign === 'string');
    // Also when the clock was set back: how long it was cannot be told then.
    if (signs.some((sign) => Math.abs(toMs(at) - toMs(sign)) <= RESTART_MS)) continue;
    const known = await remembered(trx, unattendedKey(clinic));
    // Of two starts in a row the first knew what had been read before either.
    const before = known === undefined ? counter : (fromJson<Unattended>(known)?.counter ?? null);
    const value = JSON.stringify({ at, counter: before } satisfies Unattended);
    await trx
      .insertInto('memory')
      .values({ scope: COUNTERS, key: unattendedKey(clinic), value })
      .onConflict((conflict) => conflict.columns(['scope', 'key']).doUpdateSet({ value }))
      .execute();
  }
}

/** The later one of what the bookings' lane and the poll of the organization have read. */
async function lastCounter(trx: Trx, clinic: string): Promise<Counter | null> {
  const kept = await remembered(trx, counterKey(clinic));
  const ofLane = fromJson<Counter>(kept ?? null);
  const polled = await trx
    .selectFrom('organization_statistics')
    .select(['total_appointments', 'seen_at'])
    .where('clinic', '=', clinic)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (polled === undefined || polled.total_appointments === null) return ofLane;
  const ofPoll = { value: polled.total_appointments, at: polled.seen_at };
  return ofLane !== null && ofLane.at >= ofPoll.at ? ofLane : ofPoll;
}

async function remembered(trx: Trx, key: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('memory')
    .select('value')
    .where('scope', '=', COUNTERS)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value;
}
