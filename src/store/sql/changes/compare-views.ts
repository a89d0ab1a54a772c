import { sql } from 'kysely';
import type { Difference } from '../../ports/changes.ts';
import { createTheRest } from '../create-schema.ts';
import type { Db } from '../database.ts';
import { isPostgres } from '../dialects.ts';

/**
 * Reports read views, and triggers change what is written. The first one that is not as clinic-sync made it, on SQLite;
 * further views are the clinic's own affair.
 */
export async function firstAlteredView(db: Db): Promise<Difference | null> {
  if (isPostgres(db)) return null;
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema where type in ('view', 'trigger')`.execute(db);
  const found = new Map(rows.map((row) => [row.name, normalised(row.sql)]));
  const made = new Map(
    createTheRest('sqlite').flatMap((statement) => {
      const name = /^CREATE (?:VIEW|TRIGGER) (\w+)/.exec(statement)?.[1];
      return name === undefined ? [] : [[name, normalised(statement)] as const];
    }),
  );
  const triggers = rows.filter(({ type }) => type === 'trigger').map(({ name }) => name);
  for (const id of new Set([...made.keys(), ...triggers])) {
    const [stored = null, logged = null] = [found.get(id), made.get(id)];
    if (stored !== logged) return { ...difference, id, stored, logged };
  }
  return null;
}

const difference = { resource: 'view or trigger', field: 'definition', sequence: null } as const;

/** Without what does not change its meaning. */
const normalised = (statement: string): string =>
  statement
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1');
