import {
  combinedReport,
  isSameProblem,
  type RunReport,
  type SaidBySentence,
} from '../../../domain/texts/problem.ts';
import type { ConnectorState, DeliveryVerbs, Reporter } from '../../ports/deliveries.ts';
import type { Db, StoreParts } from '../database.ts';

const initialState: ConnectorState = {
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
  said: {},
};

type ByReporter = Partial<Record<Reporter, RunReport>>;

/** Keeps the `since` of asks that were there before, even if their numbers differ now. */
function sinceBefore(before: ConnectorState, { asks, said }: ConnectorState): ConnectorState['asks'] {
  const noteOf = (from: SaidBySentence, sentence: string) => ({ sentence, said: from[sentence] });
  return asks.map((ask) => {
    const now = noteOf(said, ask.sentence);
    const same = before.asks.find(
      ({ sentence, weight }) => weight === ask.weight && isSameProblem(noteOf(before.said, sentence), now),
    );
    return same === undefined ? ask : { ...ask, since: same.since };
  });
}

/** The codes of sentences that are still part of the state. */
function stillSaid({ problems, last_error, paused_reason, said }: ConnectorState): SaidBySentence {
  const sentences = new Set([...problems, last_error, paused_reason]);
  return Object.fromEntries(Object.entries(said).filter(([sentence]) => sentences.has(sentence)));
}

export function connectorVerbs({ db, write }: StoreParts): Pick<DeliveryVerbs, 'connector' | 'report'> {
  const read = async (from: Db, connector: string): Promise<{ state: ConnectorState; by: ByReporter }> => {
    const row = await from
      .selectFrom('connectors')
      .selectAll()
      .where('connector', '=', connector)
      .executeTakeFirst();
    if (row === undefined) return { state: { ...initialState }, by: {} };
    const { connector: _name, told_by, ...state } = row;
    return {
      state: {
        ...state,
        paused: row.paused === 1,
        pause_kind: row.pause_kind as ConnectorState['pause_kind'],
        problems: JSON.parse(row.problems),
        asks: JSON.parse(row.asks),
        said: JSON.parse(row.said),
      },
      by: JSON.parse(told_by),
    };
  };

  return {
    connector: async (connector) => (await read(db, connector)).state,

    report: (connector, state, reports) =>
      write('connector', async (trx) => {
        const { state: before, by: reportedBefore } = await read(trx, connector);
        const isAll = reports === undefined && state.problems !== undefined;
        const by = isAll ? {} : { ...reportedBefore, ...reports };
        const together = reports && combinedReport(Object.values(by));
        const merged = {
          ...before,
          ...state,
          ...together,
          said: { ...before.said, ...state.said, ...together?.said },
        };
        const row = {
          ...merged,
          paused: Number(merged.paused),
          problems: JSON.stringify(merged.problems),
          asks: JSON.stringify(sinceBefore(before, merged)),
          said: JSON.stringify(stillSaid(merged)),
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
