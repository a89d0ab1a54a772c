import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditEntry } from '../../../domain/audit.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { AuditVerbs } from '../../ports/people.ts';
import {
  deletedBy,
  type StoreParts,
  type Trx,
  type Write,
  type WriteEach,
  type WriteName,
} from '../database.ts';
import { daysAgo, rowsChanged } from '../dialects.ts';

/** Slightly older than what the table's trigger protects: otherwise it would reject the whole batch. */
const UNPROTECTED_DAYS = 31;

/** Removes older rows, or only what was refused: of that, anyone can cause any number. Resolves to their count. */
export function deleteAudit(
  trx: Trx,
  olderThan: Instant,
  portion: number,
  what: 'all' | 'refused',
): Promise<number> {
  const old = trx
    .selectFrom('audit')
    .select('n')
    .where('at', '<', olderThan)
    .where('at', '<', daysAgo(trx, UNPROTECTED_DAYS))
    .$if(what === 'refused', (query) =>
      query.where(({ or, eb }) => or([eb('actor', '=', 'stranger'), eb('action', '=', 'denied')])),
    )
    .limit(portion);
  return deletedBy(trx.deleteFrom('audit').where('n', 'in', old));
}

/** The audit row to write together with its action; undefined once written. */
interface Pending {
  entry: AuditEntry | undefined;
}

/** Writes that are never part of an action: polls, heartbeats, notes of workers. */
const besides: readonly WriteName[] = ['start', 'record', 'observe', 'run', 'incidents', 'health', 'prune'];

/**
 * Writes an action and its audit row in one transaction: the first write of the action that changes a row includes the
 * audit row.
 */
export function auditedWrites({ write, writeEach }: { write: Write; writeEach: WriteEach }) {
  const current = new AsyncLocalStorage<Pending>();

  const audited: Write = async (name, job, when, unit) => {
    const pending = current.getStore();
    const entry = pending?.entry;
    if (pending === undefined || entry === undefined || besides.includes(name))
      return write(name, job, when, unit);
    pending.entry = undefined;
    let written = false;
    try {
      return await write(
        name,
        async (trx) => {
          // A move may change nothing. No unit, because the count would include concurrent jobs.
          const before = await rowsChanged(trx);
          const done = await job(trx);
          written = (await rowsChanged(trx)) > before;
          if (written) await insert(trx, entry);
          return done;
        },
        when,
      );
    } catch (error) {
      written = false;
      throw error;
    } finally {
      if (!written) pending.entry = entry;
    }
  };

  /** An action's item is written separately, because the audit row belongs to it alone. */
  const auditedEach: WriteEach = async (name, run, item) => {
    if (current.getStore()?.entry === undefined) return writeEach(name, run, item);
    const [done] = await audited(name, (trx) => run(trx, [item]), 'soon');
    return done as Awaited<ReturnType<typeof run>>[number];
  };

  const record = (entry: AuditEntry) => write('people', (trx) => insert(trx, entry), 'soon');

  /** See `AuditVerbs.perform`. */
  const perform: AuditVerbs['perform'] = async (entry, work, { refused, lost }) => {
    const pending: Pending = { entry };
    const rest = (row: AuditEntry) => record(row).catch(lost);
    try {
      const value = await current.run(pending, work);
      const { entry: left } = pending;
      // Work that the action left running no longer writes its audit row.
      pending.entry = undefined;
      if (left !== undefined) await rest(left);
      return value;
    } catch (error) {
      pending.entry = undefined;
      await rest({ ...entry, result: refused(error) });
      throw error;
    }
  };

  return { audited, auditedEach, record, perform };
}

const insert = async (trx: Trx, entry: AuditEntry): Promise<void> =>
  void (await trx.insertInto('audit').values(entry).execute());

type Performing = Pick<AuditVerbs, 'record' | 'perform'>;

export function auditVerbs({ db }: Pick<StoreParts, 'db'>, { record, perform }: Performing): AuditVerbs {
  return {
    record,
    perform,

    async list({ since, before, limit }) {
      let query = db.selectFrom('audit').selectAll().orderBy('n', 'desc').limit(limit);
      if (since !== undefined) query = query.where('at', '>=', since);
      if (before !== undefined) query = query.where('n', '<', before);
      const rows = await query.execute();
      return rows.map((row) => ({ ...row, role: row.role as AuditEntry['role'] }));
    },
  };
}
