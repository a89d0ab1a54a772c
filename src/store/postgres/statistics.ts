import { asFailure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { Statements } from './fleet-verbs.ts';

/** Fewer rows are read quickly by any plan. */
const FEW = 100;

/**
 * Analyzes tables that have no statistics yet. Autovacuum does so only up to a minute after the first rows or a
 * restore; until then, a plan may read all bookings of a clinic for each lead.
 */
async function analyzeUnknown(run: Statements, schema: string): Promise<void> {
  const unknown = await run(
    `select relname as name from pg_catalog.pg_stat_user_tables
      where schemaname = $1 and last_analyze is null and last_autoanalyze is null and n_live_tup > ${FEW}`,
    schema,
  );
  for (const { name } of unknown) await run(`analyze (skip_locked) "${schema}"."${String(name)}"`);
}

/** Like `analyzeUnknown`, for a database that works without it: logs the first of consecutive failures. */
export function startStatistics(run: Statements, schema: string, log: Log) {
  let hasFailed = false;
  return async (): Promise<void> => {
    try {
      await analyzeUnknown(run, schema);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed)
        log.warn('the database could not analyze its tables: leads may be slow until it does so itself', {
          problem: asFailure(error, 'ANALYZE').message,
        });
      hasFailed = true;
    }
  };
}
