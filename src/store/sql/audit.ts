import { sql } from 'kysely';
import type { AuditEntry } from '../../model/audit.ts';
import type { Instant } from '../../model/clock.ts';
import type { AuditVerbs } from '../store.ts';
import type { Parts, Trx } from './database.ts';

/** Somewhat more than what the trigger on the table protects, by the same clock: it would refuse the whole portion. */
const YOUNGEST = sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-31 days')`;

/** Removes what is older than the limit. Resolves to how many rows. */
export async function deleteAudit(trx: Trx, olderThan: Instant, portion: number): Promise<number> {
  const old = trx
    .selectFrom('audit')
    .select('n')
    .where('at', '<', olderThan)
    .where('at', '<', YOUNGEST)
    .limit(portion);
  const { numDeletedRows } = await trx.deleteFrom('audit').where('n', 'in', old).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export function auditVerbs({ db, write }: Parts): AuditVerbs {
  return {
    record: (entry) =>
      write('people', async (trx) => void (await trx.insertInto('audit').values(entry).execute()), 'soon'),

    async list({ since, before, limit }) {
      let query = db.selectFrom('audit').selectAll().orderBy('n', 'desc').limit(limit);
      if (since !== undefined) query = query.where('at', '>=', since);
      if (before !== undefined) query = query.where('n', '<', before);
      const rows = await query.execute();
      return rows.map((row) => ({ ...row, role: row.role as AuditEntry['role'] }));
    },
  };
}
