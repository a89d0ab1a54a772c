import { CompiledQuery } from 'kysely';
import { slices, type Trx } from './database.ts';
import { compiledOnce, isPostgres } from './dialects.ts';
import { rowsAsJson } from './rows-as-json.ts';
import { execute } from './transaction.ts';

/** Below every SQLite build's limit, and large enough to make the statement's own cost negligible. */
const VALUES_PER_STATEMENT = 3_000;

export type BoundValue = string | number | null;

export interface InsertMany<R> {
  (trx: Trx, rows: readonly R[]): Promise<void>;
  /** More rows take several statements, of which the first alone is issued at once. */
  readonly perStatement: number;
}

/**
 * Inserts many rows per statement; the first of the columns is never null. Statements are compiled once per number of
 * rows, because compiling costs several times what SQLite needs to run them.
 */
export function insertMany<R extends Record<keyof R, BoundValue>>(
  columns: readonly (keyof R & string)[],
  build: (trx: Trx, rows: Record<keyof R & string, BoundValue>[]) => { compile(): CompiledQuery },
): InsertMany<R> {
  const compiledFor = compiledOnce<Map<number, CompiledQuery>>();
  const perStatement = Math.max(1, Math.floor(VALUES_PER_STATEMENT / columns.length));

  const statement = (trx: Trx, count: number): CompiledQuery => {
    const compiled = compiledFor(trx, () => new Map());
    const known = compiled.get(count);
    if (known !== undefined) return known;
    // Kysely writes omitted values as constants, so the placeholder row has all columns and no null.
    const placeholder = Object.fromEntries(columns.map((column) => [column, '']));
    const { sql } = build(trx, [placeholder as Record<keyof R & string, BoundValue>]).compile();
    // Drops kysely's own representation, which is many times larger.
    const text = CompiledQuery.raw(isPostgres(trx) ? fromJson(sql) : withRoom(sql, count));
    compiled.set(count, text);
    return text;
  };

  const insert = async (trx: Trx, rows: readonly R[]) => {
    if (isPostgres(trx)) {
      await execute(trx, { ...statement(trx, 0), parameters: [rowsAsJson(columns, rows)] });
      return;
    }
    const room = roomFor(rows.length, perStatement);
    const parameters: BoundValue[] = [];
    for (const row of rows) for (const column of columns) parameters.push(row[column]);
    while (parameters.length < room * columns.length) parameters.push(null);
    await execute(trx, { ...statement(trx, room), parameters });
  };

  const insertAll = async (trx: Trx, rows: readonly R[]) => {
    // Sequentially, so that the rows are not all in memory a second time.
    for (const some of slices(rows, perStatement)) await insert(trx, some);
  };
  return Object.assign(insertAll, { perStatement });
}

/** One text for any number of rows: a server takes longer to parse hundreds of parameters than to store them. */
function fromJson(text: string): string {
  const [one, table, columns] = /^insert into (\S+) \(([^)]+)\) values \([$\d, ]+\)/.exec(text) ?? [];
  if (one === undefined) throw new Error(`no rows to replace in ${text}`);
  const rows = `select ${columns} from pg_catalog.json_populate_recordset(null::${table}, $1::json)`;
  return text.replace(one, () => `insert into ${table} (${columns}) ${rows}`);
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
