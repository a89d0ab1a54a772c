import { sql } from 'kysely';
import type { DeliveryVerbs } from '../../ports/deliveries.ts';
import type { Db } from '../database.ts';

/** Holds, per connector, since when it is not configured. */
export const UNCONFIGURED = 'unconfigured';
/** A connector that takes both events and state has a second cursor. */
export const stateCursor = (connector: string): string => `${connector}:state`;

/** Names of connectors that have ever taken anything, apart from these. */
export async function unconfiguredNames(db: Db, configured: readonly string[]): Promise<string[]> {
  const cursors = await db.selectFrom('cursors').select('connector').distinct().execute();
  const states = await db.selectFrom('connectors').select('connector').execute();
  const names = [...cursors, ...states].map(({ connector }) => connector.replace(/:state$/, ''));
  return [...new Set(names)].filter((name) => !configured.includes(name)).sort();
}

export const leftBehind =
  (db: Db): DeliveryVerbs['leftBehind'] =>
  async (configured) => {
    const names = await unconfiguredNames(db, configured);
    const notes = await db
      .selectFrom('memory')
      .select(['key', 'value'])
      .where('scope', '=', UNCONFIGURED)
      .execute();
    const all = await Promise.all(
      names.map(async (connector) => {
        const since = notes.find(({ key }) => key === connector)?.value ?? null;
        return { connector, since, ...(await waitingCounts(db, connector)) };
      }),
    );
    return all.filter(({ pending, dead }) => pending + dead > 0);
  };

export async function waitingCounts(db: Db, connector: string): Promise<{ pending: number; dead: number }> {
  const count = async (state: 'pending' | 'dead') => {
    const row = await db
      .selectFrom('deliveries')
      .select((delivery) => delivery.fn.countAll<number>().as('count'))
      .where('connector', '=', connector)
      .where(sql<boolean>`state = ${sql.lit(state)}`)
      .executeTakeFirstOrThrow();
    return row.count;
  };
  return { pending: await count('pending'), dead: await count('dead') };
}
