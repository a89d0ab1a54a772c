import type { Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as wire from '../../../sandbox/clinic/wire.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { recordFields } from '../../domain/clinics/record-fields.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { openFile } from '../sqlite/open-database.ts';
import { isFileBusy, isFileStorage } from '../sqlite/storage-failure.ts';
import { createStatements } from './create-schema.ts';
import { migrations } from './migrate.ts';
import { sqlStore } from './sql.ts';

type Named = Record<string, string>;

/** Every object of a database with the statement that made it, without what does not change its meaning. */
function objectsOf(database: Database): Named {
  const rows = database
    .prepare(
      `select type || ' ' || name, sql from sqlite_schema where sql is not null and name <> 'sqlite_sequence'`,
    )
    .raw()
    .all() as [string, string][];
  return Object.fromEntries(rows.map(([name, statement]) => [name, normalised(statement)]));
}

const normalised = (statement: string) =>
  statement
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1');

function made(statements: readonly string[]): Database {
  const database = openFile(':memory:', { create: true });
  for (const statement of statements) database.exec(statement);
  onTestFinished(() => void database.close());
  return database;
}

/** Databases on PostgreSQL were made with these steps at least. */
const LAST_BEFORE_POSTGRES = 71;

const migrationsTable =
  'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL) STRICT';

describe('a new database', () => {
  it('equals, object by object, the first schema after all migrations', () => {
    const described = objectsOf(made(createStatements()));

    const migrated = objectsOf(
      made([migrationsTable, ...migrations.flatMap(({ statements }) => statements)]),
    );

    expect(described).toEqual(migrated);
  });

  it('has a PostgreSQL form of every step since the first version that ran there', () => {
    const missing = migrations.filter(
      ({ number, postgres }) => number > LAST_BEFORE_POSTGRES && postgres === undefined,
    );

    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('has its own erasure key, and a row for every step', async () => {
    const [one, other] = await Promise.all([newDatabase(), newDatabase()]);

    expect(one.key).toMatch(/^[0-9a-f]{64}$/);
    expect(other.key).not.toBe(one.key);
    expect(one.state).toMatchObject({ current: migrations.at(-1)?.number, pending: [] });
  });
});

async function newDatabase() {
  const database = openFile(':memory:', { create: true });
  const { schema, migrate, verbs, close } = sqlStore({
    dialect: sqliteDialect(database, ':memory:'),
    place: ':memory:',
    clock: fakeClock(),
    isBusy: isFileBusy,
    isStorage: isFileStorage,
  });
  onTestFinished(() => close());
  await migrate(await schema());
  return { key: await verbs.keyValue.get('erasing', 'key'), state: await schema() };
}

describe('mirrored records', () => {
  it.each([
    ['organization', wire.Organization, ['statistics']],
    ['website', wire.Website, []],
    ['treatments', wire.Treatment, []],
    ['dentists', wire.Dentist, []],
  ] as const)('%s has every field of the specification, in its order', (poll, shape, elsewhere) => {
    const fields = Object.keys(shape.shape).filter(
      (field) => !(elsewhere as readonly string[]).includes(field),
    );

    expect(Object.keys(recordFields[poll])).toEqual(fields);
  });
});

describe('the audit', () => {
  const add = (database: Database, days: number) =>
    database
      .prepare(
        `insert into audit (at, actor, role, action, result) values (strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?), 'Rima', 'desk', 'sign_in', 'ok')`,
      )
      .run(`-${days} days`);

  it('cannot be changed, nor lose what is younger than 30 days', () => {
    const database = made(createStatements());
    add(database, 29);
    add(database, 31);

    expect(() => database.exec(`update audit set actor = 'Sam'`)).toThrow('append-only');
    expect(() => database.exec('delete from audit')).toThrow('append-only');
    expect(() => database.exec('insert or replace into audit select * from audit')).toThrow('append-only');
    expect(
      database.prepare(`delete from audit where at < strftime('%Y-%m-%d', 'now', '-30 days')`).run().changes,
    ).toBe(1);
  });
});
