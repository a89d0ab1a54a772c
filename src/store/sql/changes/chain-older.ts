import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Parts, Trx } from '../database.ts';
import { isPostgres, tableIn } from '../dialects.ts';
import { appendToChain, type ChainHead, chainHead } from './chain.ts';

/** Takes some milliseconds, so that a lead never waits long. */
const PORTION = 250;

/**
 * Gives the changes of versions without a chain their hashes, oldest first, in short transactions. New changes join the
 * chain once it has reached them, and none writes any more that does not know of it. Resolves to their number; 0 for ever
 * after.
 */
export async function chainOlder({ db, write }: Parts, signal?: AbortSignal): Promise<number> {
  if (await isOlderBeside(db, CHAIN)) return 0;
  const pending = await db.selectFrom('chain_heads').select('clinic').where('pending', '=', 1).execute();
  let total = 0;
  for (const { clinic } of pending)
    for (let count = PORTION; count === PORTION; total += count) {
      signal?.throwIfAborted();
      await turn();
      count = await write('prune', (trx) => chainPortion(trx, clinic), 'soon');
    }
  return total;
}

/** The step of the schema that brought the chain. */
const CHAIN = 104;

/** During an upgrade a daemon of a version before this step goes on beside the new ones, and knows nothing of it. */
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

/** Whoever adds changes waits until this transaction ends. SQLite has one writer anyway. */
async function lockHead(trx: Trx, clinic: string): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select 1 from ${tableIn(trx, 'clinic_heads')} where clinic = ${clinic} for update`.execute(trx);
}
