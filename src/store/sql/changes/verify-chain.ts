import { setImmediate as turn } from 'node:timers/promises';
import type { ChainFault, ChainReport, VerifyOptions } from '../../ports/changes.ts';
import type { Db } from '../database.ts';
import {
  BEGINNING,
  type ChainHead,
  chainHead,
  type Link,
  linkHash,
  personalHash,
  withoutPerson,
} from './chain.ts';
import { isChainWhole } from './chain-older.ts';
import { clinicsWithRows, compareRows } from './compare-rows.ts';
import { latestSequence } from './log-changes.ts';

const PAGE = 500;

interface Row extends Link {
  hash: string | null;
  salt: string | null;
  personal: string | null;
}

/** How far the chain was found intact, and the hash before that. */
interface Reached {
  sequence: number;
  hash: string;
  before: string;
}

interface Walk {
  db: Db;
  clinic: string;
  head: ChainHead | undefined;
  reached: Reached;
  /** The end point of removed changes, if any. */
  removed: { through: number; hash: string | null; at: string } | undefined;
}

const latest = latestSequence();

/**
 * Recalculates every hash, page by page, beside a running daemon. Reports the first place where the log is not as
 * written; see `ChangeVerbs.verify`.
 */
export async function verifyChain(db: Db, clinic: string, options: VerifyOptions): Promise<ChainReport> {
  const head = await chainHead(db, clinic);
  const removed = await endPoint(db, clinic);
  const walk: Walk = { db, clinic, head, removed, reached: startAt(removed) };
  const report: ChainReport = {
    clinic,
    checked: 0,
    erased: 0,
    pending: 0,
    removed: removed === undefined ? null : { through: removed.through, at: removed.at },
    head: null,
    noted: options.noted === undefined ? null : 'unknown',
    broken: null,
    differs: null,
  };
  compareNoted(report, options, walk.reached);
  report.broken = (await walkThrough(walk, report, options)) ?? (await checkEnd(walk));
  const { sequence, hash } = walk.reached;
  if (sequence > 0) report.head = { sequence, hash };
  if (head?.pending === 1) report.pending = Math.max(0, (await latest(db, clinic)) - head.sequence);
  report.broken ??= notedFault(report, options);
  if (report.broken === null && report.pending === 0) report.differs = await settledDifference(walk, options);
  return report;
}

/** Looks again when the daemon wrote meanwhile. */
async function settledDifference({ db, clinic, removed }: Walk, { signal }: VerifyOptions) {
  for (;;) {
    const before = await latest(db, clinic);
    const found = await compareRows(db, clinic, { through: removed?.through ?? 0, signal });
    if (found === null || (await latest(db, clinic)) === before) return found;
  }
}

async function walkThrough(
  walk: Walk,
  report: ChainReport,
  options: VerifyOptions,
): Promise<ChainFault | undefined> {
  const { db, clinic, head } = walk;
  const until = head?.sequence ?? Number.MAX_SAFE_INTEGER;
  const of = Math.max(0, (head?.sequence ?? 0) - walk.reached.sequence);
  for (;;) {
    options.signal?.throwIfAborted();
    const rows = await page(db, clinic, walk.reached.sequence, until);
    const fault = await walkPage(walk, rows, report, options);
    if (fault !== undefined) return fault;
    options.onProgress?.({ clinic, checked: report.checked, of });
    if (rows.length === 0 || walk.reached.sequence >= until) return undefined;
    await turn();
  }
}

async function walkPage(
  walk: Walk,
  rows: readonly Row[],
  report: ChainReport,
  options: VerifyOptions,
): Promise<ChainFault | undefined> {
  for (const row of rows) {
    const fault = await check(walk, row);
    if (fault === 'again') return undefined;
    if (fault !== undefined) return fault;
    report.checked += 1;
    if (row.personal !== null && row.salt === null) report.erased += 1;
    compareNoted(report, options, walk.reached);
  }
  return undefined;
}

function compareNoted(
  report: ChainReport,
  { noted }: VerifyOptions,
  { sequence, hash }: Pick<Reached, 'sequence' | 'hash'>,
): void {
  if (noted?.sequence === sequence && sequence > 0) report.noted = hash === noted.hash ? 'same' : 'differs';
}

function notedFault({ noted, head, removed }: ChainReport, options: VerifyOptions): ChainFault | null {
  const sequence = options.noted?.sequence ?? 0;
  // Whoever can write the database can also write that retention removed what they deleted.
  if (noted === 'unknown' && sequence <= (removed?.through ?? 0)) return { sequence, kind: 'gone' };
  if (noted === 'differs') return { sequence, kind: 'noted' };
  return sequence > (head?.sequence ?? 0) ? { sequence, kind: 'shorter' } : null;
}

const startAt = (removed: Walk['removed']): Reached => ({
  sequence: removed?.through ?? 0,
  hash: removed?.hash ?? BEGINNING,
  before: BEGINNING,
});

/** Advances `walk` by one change; 'again': retention removed this place meanwhile, and the walk continues behind it. */
async function check(walk: Walk, row: Row): Promise<ChainFault | 'again' | undefined> {
  const { reached, head } = walk;
  const sequence = reached.sequence + 1;
  if (row.sequence !== sequence) return (await movedOn(walk)) ? 'again' : { sequence, kind: 'removed' };
  if (head === undefined) return { sequence, kind: 'head' };
  if (row.hash === null) return (await movedOn(walk)) ? 'again' : { sequence, kind: 'unchained' };
  const found = recalculate(reached.hash, row);
  if (found === 'unreadable' || found === 'personal') return { sequence, kind: 'altered' };
  if (found !== row.hash) return (await movedOn(walk)) ? 'again' : classify(walk, row);
  walk.reached = { sequence, hash: row.hash, before: reached.hash };
  return undefined;
}

/** The hash of a change after another one; or which part is wrong, whatever precedes it. */
function recalculate(before: string, row: Row, sequence = row.sequence): string {
  const { salt, personal: committed } = row;
  // Hashed as a whole, as conversions also were before their campaign and click counted as personal.
  if (committed === null) return linkHash(before, { ...row, sequence }, null);
  let parted: ReturnType<typeof withoutPerson>;
  try {
    parted = withoutPerson({ ...row, sequence });
  } catch {
    return 'unreadable';
  }
  const { personal } = parted;
  const isWhole =
    personal === null ? salt === null : salt !== null && personalHash(salt, personal) === committed;
  return isWhole ? linkHash(before, parted.link, committed) : 'personal';
}

/** Whether retention has removed the present position; if so, moves on behind it. */
async function movedOn(walk: Walk): Promise<boolean> {
  const removed = await endPoint(walk.db, walk.clinic);
  if (removed === undefined || removed.through <= walk.reached.sequence) return false;
  walk.removed = removed;
  walk.reached = startAt(removed);
  return true;
}

/** Which kind of tampering explains that a change does not follow the previous one. */
async function classify({ db, clinic, reached, removed, head }: Walk, row: Row): Promise<ChainFault> {
  const { sequence } = row;
  const [next] = await page(db, clinic, sequence, Number.MAX_SAFE_INTEGER, 1);
  // The rest was renumbered: this row once had the number before, or after.
  if (reached.before !== BEGINNING && recalculate(reached.before, row, sequence - 1) === row.hash)
    return { sequence: sequence - 1, kind: 'inserted' };
  if (next !== undefined && recalculate(reached.hash, next, sequence) === next.hash)
    return { sequence, kind: 'inserted' };
  const follows =
    next === undefined
      ? head?.sequence === sequence + 1 && head.hash === row.hash
      : recalculate(row.hash ?? '', next, next.sequence + 1) === next.hash;
  if (follows) return { sequence, kind: 'removed' };
  return { sequence, kind: sequence === (removed?.through ?? -1) + 1 ? 'beginning' : 'altered' };
}

async function checkEnd(walk: Walk): Promise<ChainFault | null> {
  const { db, clinic, head, reached } = walk;
  if (head !== undefined && reached.sequence < head.sequence)
    return { sequence: reached.sequence + 1, kind: 'removed' };
  if (head !== undefined && reached.hash !== head.hash) return { sequence: head.sequence, kind: 'head' };
  // In this order, because the daemon keeps writing.
  const last = await latest(db, clinic);
  const isWhole = await isChainWhole(db);
  const now = await chainHead(db, clinic);
  if (now === undefined) return last > 0 ? { sequence: 1, kind: 'head' } : checkNone(walk);
  const sequence = now.sequence + 1;
  if (last <= now.sequence)
    return isWhole && now.pending === 1 ? { sequence: now.sequence, kind: 'head' } : null;
  if (now.pending === 0) return { sequence, kind: 'inserted' };
  return isWhole ? { sequence, kind: 'unchained' } : null;
}

/** Without a change and a head: right only if nothing was ever logged. */
async function checkNone({ db, clinic, removed }: Walk): Promise<ChainFault | null> {
  if (removed !== undefined)
    return removed.hash === null ? null : { sequence: removed.through, kind: 'head' };
  return (await clinicsWithRows(db)).includes(clinic) ? { sequence: 1, kind: 'removed' } : null;
}

const endPoint = (db: Db, clinic: string) =>
  db
    .selectFrom('removed_changes')
    .select(['through', 'hash', 'at'])
    .where('clinic', '=', clinic)
    .executeTakeFirst();

async function page(db: Db, clinic: string, after: number, until: number, limit = PAGE): Promise<Row[]> {
  return db
    .selectFrom('changes')
    .leftJoin('change_hashes', (join) =>
      join
        .onRef('change_hashes.clinic', '=', 'changes.clinic')
        .onRef('change_hashes.sequence', '=', 'changes.sequence'),
    )
    .select(['changes.clinic', 'changes.sequence', 'at', 'type', 'resource', 'id', 'data', 'previous'])
    .select(['hash', 'salt', 'personal'])
    .where('changes.clinic', '=', clinic)
    .where('changes.sequence', '>', after)
    .where('changes.sequence', '<=', until)
    .orderBy('changes.sequence')
    .limit(limit)
    .execute();
}
