import { sql } from 'kysely';
import type { DeliveryVerbs } from '../../ports/deliveries.ts';
import type { Db, StoreParts, Trx } from '../database.ts';

export function cursorVerbs({
  db,
  write,
}: StoreParts): Pick<DeliveryVerbs, 'cursor' | 'positions' | 'replay' | 'replays'> {
  return {
    async cursor(connector, clinic) {
      const row = await db
        .selectFrom('cursors')
        .select('sequence')
        .where((row) => row.and({ connector, clinic }))
        .executeTakeFirst();
      return row?.sequence;
    },

    async positions(connector) {
      const rows = await db
        .selectFrom('cursors as c')
        .select((position) => [
          'c.clinic',
          'c.sequence',
          position
            .selectFrom('changes')
            .select((change) => change.fn.max('sequence').as('latest'))
            .whereRef('changes.clinic', '=', 'c.clinic')
            .as('latest'),
          position
            .selectFrom('deliveries as d')
            .select('d.n')
            .whereRef('d.connector', '=', 'c.connector')
            .whereRef('d.clinic', '=', 'c.clinic')
            .where(sql<boolean>`d.state = 'pending'`)
            .limit(1)
            .as('waiting'),
        ])
        .where('c.connector', '=', connector)
        .execute();
      return new Map(
        rows.map(({ clinic, sequence, latest, waiting }) => [
          clinic,
          { cursor: sequence, latest: latest ?? 0, isWaiting: waiting !== null },
        ]),
      );
    },

    replay: (connector, clinic, sequence) =>
      write('replay', async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('cursors')
          .set((cursor) => ({ sequence: sequence - 1, replays: cursor('replays', '+', 1) }))
          .where((row) => row.and({ connector, clinic }))
          .where('sequence', '>=', sequence)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),

    replays: (connector, clinic) => replaysOf(db, connector, clinic),
  };
}

export async function replaysOf(db: Db, connector: string, clinic: string): Promise<number> {
  const row = await db
    .selectFrom('cursors')
    .select('replays')
    .where((row) => row.and({ connector, clinic }))
    .executeTakeFirst();
  return row?.replays ?? 0;
}

export const setCursor = (trx: Trx, connector: string, clinic: string, sequence: number) =>
  trx
    .insertInto('cursors')
    .values({ connector, clinic, sequence })
    .onConflict((conflict) => conflict.columns(['connector', 'clinic']).doUpdateSet({ sequence }))
    .execute();
