import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Db, powers } from './database.ts';
import { compiledOnce } from './dialects.ts';

/** Wanted rows per statement. */
const AT_MOST = 64;

/**
 * One query about many things: `select`, without values of its own, reads them from the table `wanted`, a row each.
 * Compiled once per number of rows.
 * Its own tables come after `wanted cross join`: SQLite then goes from what is wanted to an index, never the other way.
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
    for (const some of powers(wanted, AT_MOST)) {
      const parameters: string[] = [];
      for (const row of some) for (const column of columns) parameters.push(row[column]);
      const { rows } = await db.executeQuery<R>({ ...statement(db, some.length), parameters });
      found.push(...rows);
    }
    return found;
  };
}
