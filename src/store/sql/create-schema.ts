import type { Column } from './column.ts';
import { tables } from './schema.ts';
import { type Index, indexes, keys, views, withoutRowid } from './schema-objects.ts';

type TableName = keyof typeof tables;

/** The statements that make a new SQLite database what all migrations make of an old one. */
export const createStatements = (): string[] => [
  ...(Object.keys(tables) as TableName[]).map(createTable),
  ...indexes.map(createIndex),
  ...views.map(({ name, select }) => `CREATE VIEW ${name} AS ${select}`),
  ...triggers,
];

function createTable(name: TableName): string {
  const columns: [string, Column][] = Object.entries(tables[name]);
  const key = keys[name] === undefined ? [] : [`PRIMARY KEY (${keys[name]})`];
  const parts = [...columns.map(([column, about]) => createColumn(column, about)), ...key];
  const options = withoutRowid.has(name) ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  return `CREATE TABLE ${name} (${parts.join(', ')}) ${options}`;
}

const keywords = {
  given: 'PRIMARY KEY',
  numbered: 'PRIMARY KEY',
  'never reused': 'PRIMARY KEY AUTOINCREMENT',
} as const;

function createColumn(name: string, about: Column): string {
  const isRowid = about.key !== undefined && about.key !== 'given';
  return [
    `"${name}" ${about.type}`,
    about.is === undefined ? '' : `AS (${about.is})`,
    about.nullable || isRowid ? '' : 'NOT NULL',
    about.key === undefined ? '' : keywords[about.key],
    about.unique ? 'UNIQUE' : '',
    about.default === undefined ? '' : `DEFAULT ${literal(about.default)}`,
    check(name, about),
    about.references === undefined
      ? ''
      : `REFERENCES ${about.references[0]} (${about.references[1]}) ON DELETE CASCADE`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function check(name: string, { oneOf, above }: Column): string {
  if (above !== undefined) return `CHECK (${name} > ${above})`;
  if (oneOf === undefined) return '';
  const values = oneOf.map(literal).join(', ');
  return oneOf.length === 1 ? `CHECK (${name} = ${values})` : `CHECK (${name} IN (${values}))`;
}

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

const createIndex = ({ name, table, columns, unique, where }: Index): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${table} (${columns})${where === undefined ? '' : ` WHERE ${where}`}`;

const triggers = [
  // Their number is kept, because counting takes longer each year.
  `CREATE TRIGGER appointments_added AFTER INSERT ON appointments BEGIN
    INSERT INTO polls (clinic, poll, failures, rows) VALUES (NEW.clinic, 'appointments', 0, 1)
      ON CONFLICT (clinic, poll) DO UPDATE SET rows = rows + 1;
  END`,
  `CREATE TRIGGER appointments_gone AFTER DELETE ON appointments BEGIN
    UPDATE polls SET rows = rows - 1 WHERE clinic = OLD.clinic AND poll = 'appointments';
  END`,
  `CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
  // INSERT OR REPLACE deletes without asking the trigger for deletions.
  `CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE n = NEW.n)
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
  // Whatever retention says.
  `CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
    WHEN OLD.at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days')
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
];
