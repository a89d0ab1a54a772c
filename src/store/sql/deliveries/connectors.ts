import { type Told, toldTogether } from '../../../domain/problem.ts';
import type { ConnectorState, DeliveryVerbs, Teller } from '../../ports/deliveries.ts';
import type { Db, Parts } from '../database.ts';

const unheardOf: ConnectorState = {
  paused: false,
  pause_kind: null,
  paused_reason: null,
  paused_at: null,
  paused_by: null,
  resumed_at: null,
  resumed_by: null,
  forgotten: 0,
  last_success_at: null,
  last_failure_at: null,
  last_error: null,
  failures: 0,
  problems: [],
  asks: [],
};

type ByTeller = Partial<Record<Teller, Told>>;

/** What a run asks again is asked since it first was. */
const sinceBefore = (before: ConnectorState['asks'], ask: ConnectorState['asks'][number]) =>
  before.find(({ sentence, weight }) => sentence === ask.sentence && weight === ask.weight) ?? ask;

export function connectorVerbs({ db, write }: Parts): Pick<DeliveryVerbs, 'connector' | 'report'> {
  const read = async (from: Db, connector: string): Promise<{ state: ConnectorState; by: ByTeller }> => {
    const row = await from
      .selectFrom('connectors')
      .selectAll()
      .where('connector', '=', connector)
      .executeTakeFirst();
    if (row === undefined) return { state: { ...unheardOf }, by: {} };
    const { connector: _name, told_by, ...state } = row;
    return {
      state: {
        ...state,
        paused: row.paused === 1,
        pause_kind: row.pause_kind as ConnectorState['pause_kind'],
        problems: JSON.parse(row.problems),
        asks: JSON.parse(row.asks),
      },
      by: JSON.parse(told_by),
    };
  };

  return {
    connector: async (connector) => (await read(db, connector)).state,

    report: (connector, state, told) =>
      write('connector', async (trx) => {
        const { state: before, by: toldBefore } = await read(trx, connector);
        const isAll = told === undefined && state.problems !== undefined;
        const by = isAll ? {} : { ...toldBefore, ...told };
        const merged = { ...before, ...state, ...(told && toldTogether(Object.values(by))) };
        const row = {
          ...merged,
          paused: Number(merged.paused),
          problems: JSON.stringify(merged.problems),
          asks: JSON.stringify(merged.asks.map((ask) => sinceBefore(before.asks, ask))),
          told_by: JSON.stringify(by),
        };
        await trx
          .insertInto('connectors')
          .values({ connector, ...row })
          .onConflict((conflict) => conflict.column('connector').doUpdateSet(row))
          .execute();
      }),
  };
}
