import { CompiledQuery } from 'kysely';
import { slices, type Trx } from './database.ts';
import { compiledOnce, isPostgres } from './dialects.ts';
import { atOnce, execute } from './transaction.ts';

/** Below every SQLite build's limit, and large enough to make the statement's own cost negligible. */
const VARIABLES_PER_STATEMENT = 3_000;
/** PostgreSQL caches no statements here, so the longest is the cheapest; only we keep its text. */
const ROWS_ON_SERVER = 32;

export type Cell = string | number | null;

/**
 * Inserts many rows per statement; the first of the columns is never null. Statements are compiled once per number of
 * rows, because compiling costs several times what SQLite needs to run them.
 */
export function insertMany<R extends Record<keyof R, Cell>>(
  columns: readonly (keyof R & string)[],
  build: (trx: Trx, rows: Record<keyof R & string, Cell>[]) => { compile(): CompiledQuery },
): (trx: Trx, rows: readonly R[]) => Promise<void> {
  const compiledFor = compiledOnce<Map<number, CompiledQuery>>();
  const perStatement = Math.max(1, Math.floor(VARIABLES_PER_STATEMENT / columns.length));

  const statement = (trx: Trx, count: number): CompiledQuery => {
    const compiled = compiledFor(trx, () => new Map());
    const known = compiled.get(count);
    if (known !== undefined) return known;
    // Kysely writes omitted values as constants, so every placeholder row has all columns and no null.
    const placeholder = Object.fromEntries(columns.map((column) => [column, ''])) as Record<
      keyof R & string,
      Cell
    >;
    const rows = Array.from({ length: isPostgres(trx) ? count : 1 }, () => placeholder);
    const fresh = build(trx, rows).compile();
    // Drops kysely's own representation, which is many times larger.
    const text = CompiledQuery.raw(isPostgres(trx) ? fresh.sql : withRoom(fresh.sql, count));
    compiled.set(count, text);
    return text;
  };

  return async (trx, rows) => {
    const insert = async (some: readonly R[]) => {
      const room = isPostgres(trx) ? some.length : roomFor(some.length, perStatement);
      const query = statement(trx, room);
      const parameters: Cell[] = [];
      for (const row of some) for (const column of columns) parameters.push(row[column]);
      while (parameters.length < room * columns.length) parameters.push(null);
      await execute(trx, { ...query, parameters });
    };
    const rest = rows.length % perStatement;
    // Sequentially, so that the rows are not all in memory a second time.
    for (const some of slices(rows.slice(0, rows.length - rest), perStatement)) await insert(some);
    const last = rows.slice(rows.length - rest);
    await atOnce(...[...slices(last, isPostgres(trx) ? ROWS_ON_SERVER : perStatement)].map(insert));
  };
}

/** SQLite keeps its statements, so there are few of them: for one row, two, four, … and the most. */
const roomFor = (rows: number, most: number): number => Math.min(most, 2 ** Math.ceil(Math.log2(rows)));

/** The same for so many rows, of which the last may be nulls: those are none. */
function withRoom(text: string, rows: number): string {
  const [one, row = ''] = /values (\([?, ]+\))/.exec(text) ?? [];
  if (one === undefined || rows === 1) return text;
  const all = Array.from({ length: rows }, () => row).join(', ');
  return text.replace(one, `select * from (values ${all}) where column1 is not null`);
}
