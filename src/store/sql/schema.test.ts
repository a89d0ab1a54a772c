import { spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import * as wire from '../../clinic/wire.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { isBusy, isStorage } from '../sqlite/storage-failure.ts';
import { createStatements } from './create-schema.ts';
import { migrations } from './migrate.ts';
import { recordFields } from './mirror/record-fields.ts';
import { sqlStore } from './sql.ts';

/** The user without rights, on Linux. */
const NOBODY = 65_534;

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
  const database = openDatabase(':memory:', { create: true });
  for (const statement of statements) database.exec(statement);
  onTestFinished(() => void database.close());
  return database;
}

const migrationsTable =
  'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL) STRICT';

describe('a new database', () => {
  it('is, object by object, what all migrations make of the first one', () => {
    const described = objectsOf(made(createStatements()));

    const migrated = objectsOf(
      made([migrationsTable, ...migrations.flatMap(({ statements }) => statements)]),
    );

    expect(described).toEqual(migrated);
  });

  it('has a key of its own for what is erased, and every step noted', async () => {
    const [one, other] = await Promise.all([newDatabase(), newDatabase()]);

    expect(one.key).toMatch(/^[0-9a-f]{64}$/);
    expect(other.key).not.toBe(one.key);
    expect(one.state).toMatchObject({ current: migrations.at(-1)?.number, pending: [] });
  });
});

async function newDatabase() {
  const database = openDatabase(':memory:', { create: true });
  const { schema, migrate, verbs, close } = sqlStore({
    dialect: sqliteDialect(database, ':memory:'),
    place: ':memory:',
    clock: fakeClock(),
    isBusy,
    isStorage,
  });
  onTestFinished(() => close());
  await migrate(await schema());
  return { key: await verbs.keyValue.get('erasing', 'key'), state: await schema() };
}

describe('the schema for PostgreSQL', () => {
  const [bin] = globSync('/usr/lib/postgresql/*/bin');

  /** Runs statements in a new cluster without a server; resolves to what it says. */
  function inPostgres(statements: readonly string[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-postgres-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // It refuses to run as root.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    const run = (program: string, args: string[], input = '') => {
      const { stdout, stderr } = spawnSync(join(bin ?? '', program), args, {
        encoding: 'utf8',
        input,
        cwd: folder,
        ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      });
      return stdout + stderr;
    };
    run('initdb', ['--no-sync', '--username=test', '--encoding=UTF8', '-D', folder]);
    // With -j a statement ends with an empty line.
    return run(
      'postgres',
      ['--single', '-j', '-F', '-D', folder, 'postgres'],
      `${statements.join(';\n\n')};\n\n`,
    );
  }

  it.skipIf(bin === undefined)('makes the same tables, columns and views there', { timeout: 60_000 }, () => {
    const columns = 'select table_name, column_name from information_schema.columns';
    const counted = `select 'columns: ' || count(*) as found from (${columns} where table_schema = 'public' and table_name not in ('clinic_heads', 'members')) as all_columns`;

    const said = inPostgres([...createStatements('postgres'), counted]);

    const database = made(createStatements());
    const expected = database
      .prepare(
        `select count(*) from sqlite_schema s, pragma_table_xinfo(s.name) where s.type in ('table', 'view') and s.name not like 'sqlite_%'`,
      )
      .pluck()
      .get();
    expect(said).not.toContain('ERROR');
    expect(said).toContain(`columns: ${expected}`);
  });
});

describe('the columns of mirrored records', () => {
  it.each([
    ['organization', wire.Organization, ['statistics']],
    ['website', wire.Website, []],
    ['treatments', wire.Treatment, []],
    ['dentists', wire.Dentist, []],
  ] as const)('%s has a column per field of the specification', (poll, shape, elsewhere) => {
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
