import type { Instant } from '../../../platform/clock.ts';
import { clinicsWithChanges, latestSequence } from '../changes/log-changes.ts';
import type { Db, Trx } from '../database.ts';
import { noteUnattended } from './note-unattended.ts';

/** What the marker beside the file knows about the database. */
export interface Remembered {
  instance: string;
  epoch: number;
  /** See `Progress`; not in markers of older versions. */
  changes?: number | undefined;
  claims?: number | undefined;
}

/** The database's progress; a copy with less than the marker is older. Neither number ever decreases. */
export interface Progress {
  /** Rows ever written to the change logs. */
  changes: number;
  /** Bookings ever claimed for sending. */
  claims: number;
}

interface Begin {
  at: Instant;
  /** Undefined: an existing database without a marker. `itself`: there is nowhere else to remember anything. */
  remembered: Remembered | 'itself' | undefined;
  /** Used if the database has no instance id yet. */
  newInstance: string;
  /** The marker was put in place, so the database probably was, too. */
  copied?: boolean;
  /** Another daemon runs on it, whatever the last heartbeat says. */
  attended?: boolean;
}

const NEW: Remembered = { instance: '', epoch: 0 };

/**
 * Begins a new epoch. A database behind its marker was restored from a copy. Bookings that wait in it may have been
 * sent since, so the same transaction holds them.
 */
export async function beginEpoch(
  trx: Trx,
  holdWaiting: (trx: Trx, at: Instant) => Promise<number>,
  { at, newInstance, copied = false, attended = false, ...begin }: Begin,
) {
  const row = await trx.selectFrom('identity').selectAll().executeTakeFirst();
  const remembered = begin.remembered === 'itself' ? (row ?? NEW) : begin.remembered;
  const restored =
    row === undefined
      ? (remembered?.epoch ?? 0) > 0
      : row.restored_at !== null || row.copied_at !== null || (await isOlderCopy(trx, row, remembered));
  const instance = row?.instance ?? newInstance;
  const epoch = Math.max(row?.epoch ?? 0, remembered?.epoch ?? 0) + 1;
  // Survives restarts until sending is durably paused.
  const restored_at = restored ? at : null;
  const claims = Math.max(row?.claims ?? 0, remembered?.claims ?? 0);
  const identity = { instance, epoch, copied_at: null, restored_at, claims, checked_at: at };
  await trx
    .insertInto('identity')
    .values({ only: 1, ...identity })
    .onConflict((conflict) => conflict.column('only').doUpdateSet(identity))
    .execute();
  const held = restored ? await holdWaiting(trx, at) : 0;
  if (!restored && row !== undefined && !attended) await noteUnattended(trx, at, row.checked_at, copied);
  return { instance, epoch, restored, held, seen_at: row?.checked_at ?? null };
}

/** True unless the database is the one its marker knows, and as far. */
export async function isOlderCopy(
  db: Db,
  { instance, epoch }: { instance: string; epoch: number },
  remembered: Remembered | undefined,
): Promise<boolean> {
  return (
    remembered === undefined ||
    remembered.instance !== instance ||
    remembered.epoch > epoch ||
    isBehind(await readProgress(db), remembered)
  );
}

const isBehind = (progress: Progress, remembered: Remembered): boolean =>
  (remembered.changes ?? 0) > progress.changes || (remembered.claims ?? 0) > progress.claims;

export async function readIdentity(db: Db): Promise<{ instance: string; epoch: number } | undefined> {
  return db.selectFrom('identity').select(['instance', 'epoch']).executeTakeFirst();
}

export async function readProgress(db: Db): Promise<Progress> {
  const row = await db.selectFrom('identity').select('claims').executeTakeFirst();
  return { claims: row?.claims ?? 0, changes: await changesEver(db) };
}

/** Runs in the claim's transaction, so that every send is counted. */
export async function countClaim(trx: Trx): Promise<void> {
  await trx
    .updateTable('identity')
    .set((row) => ({ claims: row('claims', '+', 1) }))
    .where('only', '=', 1)
    .execute();
}

/** The sum of the ends of all change logs. */
async function changesEver(db: Db): Promise<number> {
  const latest = latestSequence();
  let changes = 0;
  for (const clinic of await clinicsWithChanges(db)) changes += await latest(db, clinic);
  return changes;
}
