import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, StoreParts, Trx } from '../database.ts';
import { isPostgres, tableIn } from '../dialects.ts';
import { appendToChain, type ChainHead, chainHead } from './chain.ts';

/** Takes a few milliseconds, so that leads never wait long. */
const PORTION = 250;

/**
 * Adds the missing hashes to changes of older versions, oldest first, in short transactions, once no daemon that does
 * not know the chain can write any more. New changes join the chain after that. Resolves to their number.
 */
export async function chainOlder({ db, write }: StoreParts, signal?: AbortSignal): Promise<number> {
  if (await isOlderBeside(db, CHAIN)) return 0;
  // What is marked as older again was altered: `verify` reports it, and it gets no hash that would hide that.
  if (await isChainWhole(db)) return 0;
  const pending = await db.selectFrom('chain_heads').select('clinic').where('pending', '=', 1).execute();
  let total = 0;
  for (const { clinic } of pending)
    for (let count = PORTION; count === PORTION; total += count) {
      signal?.throwIfAborted();
      await turn();
      count = await write('prune', (trx) => chainPortion(trx, clinic), 'soon');
    }
  await write(
    'prune',
    (trx) =>
      trx
        .insertInto('memory')
        .values({ ...WHOLE, value: 'yes' })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    'soon',
  );
  return total;
}

const WHOLE = { scope: 'chain', key: 'whole' };

/** Whether no change can wait for a hash: all older ones have theirs, or the database was created with the chain. */
export async function isChainWhole(db: Db): Promise<boolean> {
  const steps = tableIn(db, 'migrations');
  const { rows } = await sql`
    select 1 from ${tableIn(db, 'memory')} where scope = ${WHOLE.scope} and key = ${WHOLE.key}
    union all
    select 1 from ${steps} where number = ${CHAIN} and at = (select at from ${steps} order by number limit 1)`.execute(
    db,
  );
  return rows.length > 0;
}

/** The migration that introduced the chain. */
const CHAIN = 104;

/** Whether a daemon from before this migration still runs beside the new ones, during an upgrade. */
export async function isOlderBeside(db: Db, step: number): Promise<boolean> {
  if (!isPostgres(db)) return false;
  const { rows } = await sql`select 1 from ${tableIn(db, 'members')}
    where role = 'daemon' and expires_at > clock_timestamp() and schema < ${step} limit 1`.execute(db);
  return rows.length > 0;
}

async function chainPortion(trx: Trx, clinic: string): Promise<number> {
  await lockHead(trx, clinic);
  const head = await chainHead(trx, clinic);
  if (head?.pending !== 1) return 0;
  const rows = await changesAfter(trx, clinic, head, PORTION);
  const pending = rows.length === PORTION ? 1 : 0;
  if (rows.length > 0) await appendToChain(trx, rows, new Map([[clinic, { hash: head.hash, pending }]]));
  else await trx.updateTable('chain_heads').set({ pending }).where('clinic', '=', clinic).execute();
  return rows.length;
}

const changesAfter = (db: Db, clinic: string, { sequence }: Pick<ChainHead, 'sequence'>, limit: number) =>
  db
    .selectFrom('changes')
    .select(['clinic', 'sequence', 'at', 'type', 'resource', 'id', 'data', 'previous'])
    .where('clinic', '=', clinic)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(limit)
    .execute();

/** Makes other writers of changes wait until this transaction ends. SQLite has a single writer anyway. */
async function lockHead(trx: Trx, clinic: string): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select 1 from ${tableIn(trx, 'clinic_heads')} where clinic = ${clinic} for update`.execute(trx);
}
