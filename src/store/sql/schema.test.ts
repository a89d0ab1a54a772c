import { describe, expect, it } from 'vitest';
import * as wire from '../../clinic/wire.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { migrations } from './migrate.ts';
import { type Column, thingFields } from './mirror/columns.ts';
import { tables } from './schema.ts';

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  hidden: number;
}

function migrated() {
  const database = openDatabase(':memory:', { create: true });
  for (const { statements } of migrations) for (const statement of statements) database.exec(statement);
  return database;
}

const database = migrated();
const columnsOf = (table: string) =>
  database.prepare('select * from pragma_table_xinfo(?)').all(table) as ColumnInfo[];

describe('the types of the tables', () => {
  it.each(Object.entries(tables).filter(([name]) => name !== 'migrations'))(
    '%s is as it was migrated',
    (name, columns) => {
      const declared = Object.entries(columns as Record<string, Column>).map(
        ([column, { type, nullable, generated }]) => ({
          column,
          type,
          nullable,
          computed: generated === 'always',
        }),
      );

      const found = columnsOf(name).map((column) => ({
        column: column.name,
        type: column.type,
        nullable: column.notnull === 0 && !(column.pk > 0 && column.type === 'INTEGER'),
        computed: column.hidden !== 0,
      }));

      const byName = (a: { column: string }, b: { column: string }) => a.column.localeCompare(b.column);
      expect(found.sort(byName)).toEqual(declared.sort(byName));
    },
  );

  it('has no table beside them', () => {
    const names = database
      .prepare(
        `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`,
      )
      .pluck()
      .all();

    expect(names).toEqual(
      Object.keys(tables)
        .filter((name) => name !== 'migrations')
        .sort(),
    );
  });
});

describe('the columns of mirrored things', () => {
  it.each([
    ['organization', wire.Organization, ['statistics']],
    ['website', wire.Website, []],
    ['treatments', wire.Treatment, []],
    ['dentists', wire.Dentist, []],
  ] as const)('%s has a column per field of the specification', (poll, shape, elsewhere) => {
    const fields = Object.keys(shape.shape).filter(
      (field) => !(elsewhere as readonly string[]).includes(field),
    );

    expect(Object.keys(thingFields[poll])).toEqual(fields);
  });
});

describe('the audit', () => {
  const add = (days: number) =>
    database
      .prepare(
        `insert into audit (at, actor, role, action, result) values (strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?), 'Rima', 'desk', 'sign_in', 'ok')`,
      )
      .run(`-${days} days`);

  it('cannot be changed, nor lose what is younger than 30 days', () => {
    add(29);
    add(31);

    expect(() => database.exec(`update audit set actor = 'Sam'`)).toThrow('append-only');
    expect(() => database.exec('delete from audit')).toThrow('append-only');
    expect(
      database.prepare(`delete from audit where at < strftime('%Y-%m-%d', 'now', '-30 days')`).run().changes,
    ).toBe(1);
  });
});
