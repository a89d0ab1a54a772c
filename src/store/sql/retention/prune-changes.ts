import { type Instant, toMs } from '../../../platform/clock.ts';
import { HOUR } from '../../../platform/duration.ts';
import type { Keep } from '../../ports/removal.ts';
import { chainHead } from '../changes/chain.ts';
import { clinicsWithChanges } from '../changes/log-changes.ts';
import type { Db, StoreParts, Trx } from '../database.ts';
import { stateCursor } from '../deliveries/left-behind.ts';

export interface PruneParts extends StoreParts {
  keep: Keep;
  signal: AbortSignal | undefined;
}

const PORTION = 500;

/** Per clinic, how far all configured connectors have read the change log; no entry if none has begun. */
export async function cursorsNeeded(db: Db, connectors: readonly string[]): Promise<Map<string, number>> {
  if (connectors.length === 0) return new Map();
  const rows = await db
    .selectFrom('cursors')
    .select((cursor) => ['clinic', cursor.fn.min<number>('sequence').as('sequence')])
    .where('connector', 'in', [...connectors, ...connectors.map(stateCursor)])
    .groupBy('clinic')
    .execute();
  return new Map(rows.map(({ clinic, sequence }) => [clinic, Number(sequence)]));
}

/**
 * Removes the beginning of each clinic's change log if it is older than the limit and read by every connector. Keeps
 * the last change, from which numbering continues, and records where the log begins.
 */
export async function removeChanges({ db, write, keep, signal }: PruneParts): Promise<number> {
  if (keep.changes === undefined) return 0;
  const olderThan = keep.changes;
  const cursors = await cursorsNeeded(db, keep.connectors);
  let total = 0;
  for (const clinic of await clinicsWithChanges(db))
    for (let count = PORTION; count === PORTION; ) {
      signal?.throwIfAborted();
      const head = await chainHead(db, clinic);
      // A change without a hash yet cannot be the end point.
      const chained = head?.pending === 1 ? head.sequence : Number.MAX_SAFE_INTEGER;
      const upTo = Math.min(cursors.get(clinic) ?? chained, chained);
      count = await write('prune', (trx) => removeBeginning(trx, { clinic, upTo, olderThan, at: keep.now }));
      total += count;
    }
  return total;
}

interface Beginning {
  clinic: string;
  upTo: number;
  olderThan: Instant;
  at: Instant;
}

async function removeBeginning(trx: Trx, { clinic, upTo, olderThan, at }: Beginning): Promise<number> {
  const first = await trx
    .selectFrom('changes')
    .select(['sequence', 'at'])
    .where('clinic', '=', clinic)
    .orderBy('sequence')
    .limit(PORTION + 1)
    .execute();
  // Stops at the first newer change, even if older ones follow because a clock was set back.
  const newer = first.findIndex(
    (change, i) => change.at >= olderThan || change.sequence > upTo || i === first.length - 1,
  );
  const last = first[newer - 1];
  if (last === undefined) return 0;
  const { sequence: through } = last;
  const end = await trx
    .selectFrom('change_hashes')
    .select('hash')
    .where((row) => row.and({ clinic, sequence: through }))
    .executeTakeFirst();
  for (const table of ['changes', 'change_hashes'] as const)
    await trx.deleteFrom(table).where('clinic', '=', clinic).where('sequence', '<=', through).execute();
  const removed = { through, at, hash: end?.hash ?? null };
  await trx
    .insertInto('removed_changes')
    .values({ clinic, ...removed })
    .onConflict((conflict) => conflict.column('clinic').doUpdateSet(removed))
    .execute();
  return newer;
}

/** Largest difference between UTC and local time anywhere. */
const ZONES_MS = 14 * HOUR;

/** Keeps the organization's last figures of each month in any time zone: those of a day around each new month. */
export async function thinStatistics({ db, write, keep }: PruneParts): Promise<number> {
  if (keep.changes === undefined) return 0;
  const rows = await db
    .selectFrom('organization_statistics')
    .select(['clinic', 'at'])
    .where('at', '<', keep.changes)
    .orderBy('clinic')
    .orderBy('at')
    .execute();
  const spare = rows.filter(({ clinic, at }, i) => {
    const next = rows[i + 1];
    return next?.clinic === clinic && !mayEndMonth(toMs(at), toMs(next.at));
  });
  for (let start = 0; start < spare.length; start += PORTION)
    await write('prune', async (trx) => {
      for (const { clinic, at } of spare.slice(start, start + PORTION))
        await trx
          .deleteFrom('organization_statistics')
          .where((row) => row.and({ clinic, at }))
          .execute();
    });
  return spare.length;
}

/** Whether a month begins somewhere on earth between the two times. */
function mayEndMonth(from: number, to: number): boolean {
  const earliest = new Date(from + ZONES_MS);
  const next = Date.UTC(earliest.getUTCFullYear(), earliest.getUTCMonth() + 1, 1);
  const begun = Date.UTC(earliest.getUTCFullYear(), earliest.getUTCMonth(), 1);
  return [begun, next].some((month) => month - ZONES_MS <= to && month + ZONES_MS > from);
}
