import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Db, slices } from './database.ts';
import { compiledOnce, isPostgres } from './dialects.ts';
import { rowsAsJson } from './rows-as-json.ts';
import { execute } from './transaction.ts';

/** Wanted rows per statement. */
const AT_MOST = 64;

/**
 * One query for many keys: `select` takes no values and reads the keys from the table `wanted`, one per row. PostgreSQL
 * gets them as JSON. For SQLite it is compiled once per power of two; rows of nulls, which match nothing, fill the
 * rest. `wanted cross join` comes first, so that SQLite goes from the keys to an index, never the other way.
 */
export function lookUp<W extends Record<keyof W, string>, R>(
  columns: readonly (keyof W & string)[],
  select: (db: Db) => RawBuilder<R>,
): (db: Db, wanted: readonly W[]) => Promise<R[]> {
  const compiledFor = compiledOnce<Map<number, CompiledQuery<R>>>();
  const names = sql.join(columns.map((column) => sql.ref(column)));

  const row = sql`(${sql.join(columns.map(() => ''))})`;
  const ofValues = (count: number) => sql`values ${sql.join(Array.from({ length: count }, () => row))}`;
  const texts = sql.join(columns.map((column) => sql`${sql.ref(column)} text`));
  // The limit tells the planner how many there are.
  const ofJson = sql`select * from pg_catalog.json_to_recordset(${''}::json) as r (${texts}) limit ${0}::integer`;

  const statement = (db: Db, count: number): CompiledQuery<R> => {
    const compiled = compiledFor(db, () => new Map());
    const known = compiled.get(count);
    if (known !== undefined) return known;
    const fresh = sql<R>`with wanted (${names}) as (${isPostgres(db) ? ofJson : ofValues(count)}) ${select(db)}`;
    const query = fresh.compile(db);
    compiled.set(count, query);
    return query;
  };

  return async (db, wanted) => {
    if (wanted.length === 0) return [];
    if (isPostgres(db)) {
      const parameters = [rowsAsJson(columns, wanted), wanted.length];
      return (await execute<R>(db, { ...statement(db, 0), parameters })).rows;
    }
    const found: R[] = [];
    for (const some of slices(wanted, AT_MOST)) {
      const count = 2 ** Math.ceil(Math.log2(some.length));
      const given: (string | null)[] = some.flatMap((one) => columns.map((column) => one[column]));
      const rest = Array.from({ length: (count - some.length) * columns.length }, () => null);
      const { rows } = await execute<R>(db, { ...statement(db, count), parameters: [...given, ...rest] });
      found.push(...rows);
    }
    return found;
  };
}
