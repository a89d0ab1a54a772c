import type { ConnectorState, DeliveryVerbs } from '../../ports/deliveries.ts';
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

/** What a run asks again is asked since it first was. */
const sinceBefore = (before: ConnectorState['asks'], ask: ConnectorState['asks'][number]) =>
  before.find(({ sentence, weight }) => sentence === ask.sentence && weight === ask.weight) ?? ask;

export function connectorVerbs({ db, write }: Parts): Pick<DeliveryVerbs, 'connector' | 'report'> {
  const read = async (from: Db, connector: string): Promise<ConnectorState> => {
    const row = await from
      .selectFrom('connectors')
      .selectAll()
      .where('connector', '=', connector)
      .executeTakeFirst();
    if (row === undefined) return { ...unheardOf };
    const { connector: _name, ...state } = row;
    return {
      ...state,
      paused: row.paused === 1,
      pause_kind: row.pause_kind as ConnectorState['pause_kind'],
      problems: JSON.parse(row.problems),
      asks: JSON.parse(row.asks),
    };
  };

  return {
    connector: (connector) => read(db, connector),

    report: (connector, state) =>
      write('connector', async (trx) => {
        const before = await read(trx, connector);
        const merged = { ...before, ...state };
        const row = {
          ...merged,
          paused: Number(merged.paused),
          problems: JSON.stringify(merged.problems),
          asks: JSON.stringify(merged.asks.map((ask) => sinceBefore(before.asks, ask))),
        };
        await trx
          .insertInto('connectors')
          .values({ connector, ...row })
          .onConflict((conflict) => conflict.column('connector').doUpdateSet(row))
          .execute();
      }),
  };
}
