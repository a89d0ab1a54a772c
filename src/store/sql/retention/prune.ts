import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Instant } from '../../../platform/clock.ts';
import type { Keep, Removed } from '../../ports/removal.ts';
import { deleteForgotten } from '../bookings/forgotten-submissions.ts';
import { deleteIntakeCounts } from '../bookings/limit-counts.ts';
import { deleteUndos } from '../bookings/undo.ts';
import { deletedBy, type StoreParts, type Trx, type Write } from '../database.ts';
import { deleteErasures } from '../erasure/erasures.ts';
import { deleteAudit } from '../people/audit-log.ts';
import { forgetConnectors } from './forget-connectors.ts';
import { removeAppointments, removeBookings } from './prune-bookings.ts';
import { removeChanges, thinStatistics } from './prune-changes.ts';

/** Rows per transaction: a few milliseconds of work, so that bookings never wait long. */
const PORTION = 500;

/** Deletes what is settled and older than the limits, in portions. */
export async function prune(parts: StoreParts, keep: Keep, signal?: AbortSignal): Promise<Removed> {
  const { db } = parts;
  // SQLite is synchronous: without this pause, nothing else would run until everything is removed.
  const write: Write = async (...job) => {
    await turn();
    return parts.write(...job);
  };
  const removed: Removed = { bookings: 0, appointments: 0, changes: 0, deliveries: 0, other: 0 };
  const portions: [keyof Removed | undefined, (trx: Trx) => Promise<number>][] = [
    ['deliveries', (trx) => deleteDeliveries(trx, 'delivered', 'delivered_at', keep.deliveries)],
    ['deliveries', (trx) => deleteDeliveries(trx, 'skipped', 'created_at', keep.deliveries)],
    ['other', (trx) => deleteGuards(trx, keep.deliveries)],
    ['other', (trx) => deleteForgotten(trx, keep.deliveries, PORTION)],
    ['other', (trx) => deleteErasures(trx, keep, PORTION)],
    ['other', (trx) => deleteObservations(trx, keep.observations)],
    ['other', (trx) => deleteAudit(trx, keep.observations, PORTION, 'refused')],
    // Derived data: nothing is lost with it, so its removal is not reported.
    [undefined, (trx) => deleteIntakeCounts(trx, keep.now, PORTION)],
    [undefined, (trx) => deleteUndos(trx, keep.now)],
  ];
  const { changes } = keep;
  if (changes !== undefined) portions.push(['other', (trx) => deleteAudit(trx, changes, PORTION, 'all')]);
  for (const [what, portion] of portions)
    for (let count = PORTION; count === PORTION; ) {
      signal?.throwIfAborted();
      count = await write('prune', portion);
      if (what !== undefined) removed[what] += count;
    }

  const rest = { db, write, keep, signal };
  const forgotten = await forgetConnectors(rest);
  removed.deliveries += forgotten.deliveries;
  removed.other += forgotten.notes;
  removed.bookings = await removeBookings(rest);
  removed.appointments = await removeAppointments(rest);
  removed.changes = await removeChanges(rest);
  removed.other += await thinStatistics(rest);
  return removed;
}

async function deleteDeliveries(
  trx: Trx,
  state: 'delivered' | 'skipped',
  when: 'delivered_at' | 'created_at',
  olderThan: Instant,
): Promise<number> {
  const old = trx
    .selectFrom('deliveries')
    .select('n')
    // Repeats the index's condition, because SQLite does not see that the next one implies it.
    .where(sql<boolean>`state in ('delivered', 'skipped')`)
    .where(sql<boolean>`state = ${sql.lit(state)}`)
    .where(when, '<', olderThan)
    .limit(PORTION);
  return deletedBy(trx.deleteFrom('deliveries').where('n', 'in', old));
}

async function deleteGuards(trx: Trx, olderThan: Instant): Promise<number> {
  const old = trx
    .selectFrom('guards')
    .select('n')
    .where('state', 'in', ['passed', 'withdrawn'])
    .where('last_at', '<', olderThan)
    .limit(PORTION);
  return deletedBy(trx.deleteFrom('guards').where('n', 'in', old));
}

async function deleteObservations(trx: Trx, olderThan: Instant): Promise<number> {
  const old = trx.selectFrom('observations').select('n').where('to_at', '<', olderThan).limit(PORTION);
  return deletedBy(trx.deleteFrom('observations').where('n', 'in', old));
}
