import { sql } from 'kysely';
import { type Clock, instant } from '../../model/clock.ts';
import { Failure } from '../../model/failure.ts';
import type { Db } from './database.ts';
import { start } from './migrations/0001-start.ts';

/** One step forward; there is no way back but a backup. Each runs in a transaction of its own with its row here. */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
}

export const migrations: readonly Migration[] = [start];

export interface SchemaState {
  /** The newest migration the database has; 0 for an empty one. */
  current: number;
  pending: readonly Migration[];
}

/** Throws `Failure` refused for a database that a newer version wrote, or that is another program's. */
export async function schemaState(db: Db): Promise<SchemaState> {
  const tables = await db.introspection.getTables();
  if (tables.length === 0) return { current: 0, pending: migrations };
  if (!tables.some(({ name }) => name === 'migrations'))
    throw new Failure({
      kind: 'refused',
      message: 'The database belongs to another program.',
      hint: 'Check the path under store.sqlite.',
    });
  const applied = await db.selectFrom('migrations').select('number').orderBy('number').execute();
  const current = applied.at(-1)?.number ?? 0;
  const known = migrations.at(-1)?.number ?? 0;
  if (current > known)
    throw new Failure({
      kind: 'refused',
      message: `The database was written by a newer version (schema ${current}, this one knows ${known}).`,
      hint: 'Run that version again, or restore the backup it made before it changed the schema.',
    });
  return { current, pending: migrations.filter(({ number }) => number > current) };
}

export async function migrate(db: Db, { pending }: SchemaState, clock: Clock): Promise<void> {
  for (const { number, name, statements } of pending)
    await db.transaction().execute(async (trx) => {
      if (number === 1)
        await sql`CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL) STRICT`.execute(
          trx,
        );
      for (const statement of statements) await sql.raw(statement).execute(trx);
      await trx
        .insertInto('migrations')
        .values({ number, name, at: instant(clock.now()) })
        .execute();
    });
}
