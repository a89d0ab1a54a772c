import type { Instant } from '../../model/clock.ts';
import type { Erasure, Store } from '../store.ts';
import type { Db, Trx } from './database.ts';

/** Written with the erasure itself: no connector misses one, however late it looks. Resolves to its number. */
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
