import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Db, slices } from './database.ts';
import { compiledOnce } from './dialects.ts';
import { execute } from './transaction.ts';

/** Wanted rows per statement. */
const AT_MOST = 64;

/**
 * One query for many keys: `select` takes no values and reads the keys from the table `wanted`, one per row. Compiled
 * once per power of two; rows of nulls, which match nothing, fill the rest. `wanted cross join` comes first, so that
 * SQLite goes from the keys to an index, never the other way.
 */
export function lookUp<W extends Record<keyof W, string>, R>(
  columns: readonly (keyof W & string)[],
  select: (db: Db) => RawBuilder<R>,
): (db: Db, wanted: readonly W[]) => Promise<R[]> {
  const compiledFor = compiledOnce<Map<number, CompiledQuery<R>>>();
  const names = sql.join(columns.map((column) => sql.ref(column)));

  const statement = (db: Db, count: number): CompiledQuery<R> => {
    const compiled = compiledFor(db, () => new Map());
    const known = compiled.get(count);
    if (known !== undefined) return known;
    const row = sql`(${sql.join(columns.map(() => ''))})`;
    const rows = sql.join(Array.from({ length: count }, () => row));
    const fresh = sql<R>`with wanted (${names}) as (values ${rows}) ${select(db)}`.compile(db);
    compiled.set(count, fresh);
    return fresh;
  };

  return async (db, wanted) => {
    const found: R[] = [];
    for (const some of slices(wanted, AT_MOST)) {
      const count = 2 ** Math.ceil(Math.log2(some.length));
      const parameters: (string | null)[] = [];
      for (const row of some) for (const column of columns) parameters.push(row[column]);
      while (parameters.length < count * columns.length) parameters.push(null);
      const { rows } = await execute<R>(db, { ...statement(db, count), parameters });
      found.push(...rows);
    }
    return found;
  };
}
