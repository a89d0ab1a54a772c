import { sql } from 'kysely';
import type { DeliveryOutcome, DeliveryVerbs } from '../../ports/deliveries.ts';
import { type Db, type StoreParts, slices, type Trx, type Write } from '../database.ts';
import { insertMany } from '../insert-many.ts';
import { type Stored, tables } from '../schema.ts';
import { connectorVerbs } from './connectors.ts';
import { cursorVerbs, replaysOf, setCursor } from './cursors.ts';
import { dueDeliveries, toDelivery } from './due.ts';
import { leftBehind, waitingCounts } from './left-behind.ts';

export const deliveryVerbs = ({ db, write }: StoreParts): DeliveryVerbs => ({
  ...cursorVerbs({ db, write }),
  ...connectorVerbs({ db, write }),
  ...deliveryReads(db),
  ...dueDeliveries(db),
  ...deliveryWrites(write),
  leftBehind: leftBehind(db),
});

type Row = Stored<'deliveries'>;

type Reads = Pick<DeliveryVerbs, 'of' | 'list' | 'get' | 'counts'>;

const deliveryReads = (db: Db): Reads => ({
  async of(clinic, thing) {
    const rows = await db
      .selectFrom('deliveries')
      .selectAll()
      .where((row) => row.and({ thing, clinic }))
      .orderBy('n')
      .execute();
    return rows.map(toDelivery);
  },

  async list({ connector, state, before, limit }) {
    let query = db.selectFrom('deliveries').selectAll().orderBy('n', 'desc');
    if (connector !== undefined) query = query.where('connector', '=', connector);
    // A literal, so that the partial indexes can be used.
    if (state !== undefined) query = query.where(sql<boolean>`state = ${sql.lit(state)}`);
    if (before !== undefined) query = query.where('n', '<', before);
    if (limit !== undefined) query = query.limit(limit);
    return (await query.execute()).map((row) => ({ ...toDelivery(row), n: row.n }));
  },

  async get(which) {
    const query = db.selectFrom('deliveries').selectAll();
    const row = await ('n' in which
      ? query.where('n', '=', which.n)
      : query.where('id', '=', which.id)
    ).executeTakeFirst();
    return row && { ...toDelivery(row), n: row.n };
  },

  counts: (connector) => waitingCounts(db, connector),
});

type Writes = Pick<DeliveryVerbs, 'enqueue' | 'settle' | 'decide' | 'hasten'>;

/** `n` is assigned by the database. */
const columns = Object.keys(tables.deliveries).filter((name) => name !== 'n') as Exclude<keyof Row, 'n'>[];

function deliveryWrites(write: Write): Writes {
  const insert = insertMany<Omit<Row, 'n'>>(columns, (trx, rows) =>
    trx
      .insertInto('deliveries')
      .values(rows as unknown as Omit<Row, 'n'>[])
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );

  return {
    enqueue: (connector, clinic, upTo, deliveries, at, replays) =>
      write('enqueue', async (trx) => {
        if (replays !== undefined && (await replaysOf(trx, connector, clinic)) > replays) return;
        const fresh = {
          connector,
          clinic,
          state: 'pending',
          attempts: 0,
          created_at: at,
          next_attempt_at: at,
        };
        const rows = deliveries.map(({ id, sequence, type, thing, body }) => ({
          ...{ id, sequence, type, thing, body },
          ...fresh,
          last_error: null,
          delivered_at: null,
        }));
        await insert(trx, rows);
        if (upTo !== null) await setCursor(trx, connector, clinic, upTo);
      }),

    settle: (outcomes) =>
      write(
        'settle',
        async (trx) => {
          const isDelivered = ({ state }: DeliveryOutcome) => state === 'delivered';
          const arrived = Map.groupBy(outcomes.filter(isDelivered), ({ at }) => at);
          for (const [at, some] of arrived) await markDelivered(trx, at, some);
          for (const outcome of outcomes) if (!isDelivered(outcome)) await settleFailed(trx, outcome);
        },
        'soon',
      ),

    decide: (connector, decision, at, id) =>
      write('decide', async (trx) => {
        let query = trx
          .updateTable('deliveries')
          .where('connector', '=', connector)
          .where('state', 'in', decision === 'abandon' ? ['pending', 'dead'] : ['dead'])
          .set(
            decision === 'retry'
              ? // Resets the attempts, or it would be dead again after the first failure.
                { state: 'pending', attempts: 0, next_attempt_at: at }
              : { state: 'skipped' },
          );
        if (id !== undefined) query = query.where('id', '=', id);
        return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows);
      }),

    hasten: (connector, at) =>
      write('settle', async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('deliveries')
          .set({ next_attempt_at: at })
          .where('connector', '=', connector)
          .where(sql<boolean>`state = 'pending'`)
          .where('next_attempt_at', '>', at)
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      }),
  };
}

/** The usual outcome, by the thousand after an outage. Also if a user skipped it in flight: it has arrived. */
async function markDelivered(trx: Trx, at: string, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  for (const some of slices(outcomes, MOST_IDS))
    await trx
      .updateTable('deliveries')
      .set((delivery) => ({
        state: 'delivered',
        delivered_at: at,
        last_error: null,
        attempts: delivery('attempts', '+', 1),
      }))
      .where('id', 'in', padded(some.map(({ id }) => id)))
      .execute();
}

/** A delivery that a user skipped in flight stays skipped. */
async function settleFailed(
  trx: Trx,
  { id, at, state, next_attempt_at, error }: DeliveryOutcome,
): Promise<void> {
  const next = state === 'pending' ? { next_attempt_at: next_attempt_at ?? at } : {};
  await trx
    .updateTable('deliveries')
    .set((delivery) => ({
      state,
      ...next,
      last_error: error ?? null,
      attempts: delivery('attempts', '+', 1),
    }))
    .where((row) => row.and({ id, state: 'pending' }))
    .execute();
}

const MOST_IDS = 128;

/** Repeats the last id until their number is a power of two, so that few statements serve all sizes. */
function padded(ids: readonly string[]): string[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length: size }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? '');
}
