import type { Instant } from '../../model/clock.ts';
import type { Trx, Write } from './database.ts';
import { deleteForgotten } from './forgotten-submissions.ts';

/** Rows per transaction, so that a booking never waits long for its own. */
const PORTION = 2_000;

/** Deletes what is settled and older than the limit, in portions. Resolves to how many rows. */
export async function prune(write: Write, olderThan: Instant): Promise<number> {
  const portions: ((trx: Trx) => Promise<bigint>)[] = [
    (trx) => deleteDeliveries(trx, 'delivered', 'delivered_at', olderThan),
    (trx) => deleteDeliveries(trx, 'skipped', 'created_at', olderThan),
    (trx) => deleteGuards(trx, olderThan),
    async (trx) => BigInt(await deleteForgotten(trx, olderThan, PORTION)),
  ];
  let total = 0;
  for (const portion of portions) {
    let count: number;
    do {
      count = Number(await write('prune', portion));
      total += count;
    } while (count === PORTION);
  }
  return total;
}

async function deleteDeliveries(
  trx: Trx,
  state: 'delivered' | 'skipped',
  when: 'delivered_at' | 'created_at',
  olderThan: Instant,
): Promise<bigint> {
  const old = trx
    .selectFrom('deliveries')
    .select('n')
    .where('state', '=', state)
    .where(when, '<', olderThan)
    .limit(PORTION);
  return (await trx.deleteFrom('deliveries').where('n', 'in', old).executeTakeFirstOrThrow()).numDeletedRows;
}

async function deleteGuards(trx: Trx, olderThan: Instant): Promise<bigint> {
  const old = trx
    .selectFrom('guards')
    .select('n')
    .where('state', 'in', ['passed', 'withdrawn'])
    .where('last_at', '<', olderThan)
    .limit(PORTION);
  return (await trx.deleteFrom('guards').where('n', 'in', old).executeTakeFirstOrThrow()).numDeletedRows;
}
