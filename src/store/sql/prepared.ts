import type { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';
import { compiledOnce } from './dialects.ts';
import type { BoundValue } from './insert-many.ts';
import { execute } from './transaction.ts';

/**
 * A query compiled once and run with different values, for queries of every booking: compiling costs several times what
 * SQLite needs. `build` gets a placeholder for each value.
 */
export function prepared<V extends Record<keyof V, BoundValue>, R>(
  names: readonly (keyof V & string)[],
  build: (db: Db, values: V) => { compile(): CompiledQuery<R> },
): (db: Db, values: V) => Promise<R[]> {
  const queryFor = compiledOnce<CompiledQuery<R>>();
  const placeholder = (name: string) => `\u0000${name}`;
  const nameOf = new Map<unknown, keyof V>(names.map((name) => [placeholder(name), name]));

  return async (db, values) => {
    const query = queryFor(db, () =>
      build(
        db,
        Object.fromEntries(names.map((name) => [name, placeholder(name)])) as Record<string, string> as V,
      ).compile(),
    );
    const parameters = query.parameters.map((parameter) => {
      const name = nameOf.get(parameter);
      return name === undefined ? parameter : values[name];
    });
    return (await execute<R>(db, { ...query, parameters })).rows;
  };
}
