import type { Instant } from '../../../platform/clock.ts';
import type { Erasure, Keep } from '../../ports/removal.ts';
import type { Store } from '../../store.ts';
import type { Db, Trx } from '../database.ts';

/** Runs in the erasure's transaction, so that no connector can miss it. Resolves to its number. */
export async function logErasure(
  trx: Trx,
  at: Instant,
  { refs, appointments }: Omit<Erasure, 'n'>,
): Promise<number> {
  if (refs.length === 0 && appointments.length === 0) return 0;
  const { n } = await trx
    .insertInto('erasures')
    .values({ at, refs: JSON.stringify(refs), appointments: JSON.stringify(appointments) })
    .returning('n')
    .executeTakeFirstOrThrow();
  return n;
}

/** Removes old erasures that all these connectors have applied. Resolves to their count. */
export async function deleteErasures(
  trx: Trx,
  { deliveries: before, forgetting }: Pick<Keep, 'deliveries' | 'forgetting'>,
  limit: number,
): Promise<number> {
  const settled = await trx
    .selectFrom('connectors')
    .select('forgotten')
    .where('connector', 'in', [...forgetting, ''])
    .execute();
  // A connector that never ran has applied none.
  if (settled.length < forgetting.length) return 0;
  const rows = await trx
    .selectFrom('erasures')
    .select('n')
    .where('at', '<', before)
    .where('n', '<=', Math.min(Number.MAX_SAFE_INTEGER, ...settled.map(({ forgotten }) => forgotten)))
    .orderBy('n')
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  if (last !== undefined) await trx.deleteFrom('erasures').where('n', '<=', last.n).execute();
  return rows.length;
}

export const erasuresVerb =
  (db: Db): Store['erasures'] =>
  async (n) => {
    const rows = await db
      .selectFrom('erasures')
      .select(['n', 'refs', 'appointments'])
      .where('n', '>', n)
      .orderBy('n')
      .execute();
    return rows.map((row) => ({
      n: row.n,
      refs: JSON.parse(row.refs),
      appointments: JSON.parse(row.appointments),
    }));
  };
