import type { Column } from './column.ts';
import { createTables, createTheRest } from './create-schema.ts';
import { tables } from './schema.ts';
import { keys, type TableName } from './schema-objects.ts';

/** A table as copied from one database to another. */
export interface StoredTable {
  name: string;
  /** Without computed columns. */
  columns: readonly string[];
  /** Primary key columns. Rows are read in their order, which is the same in every database. */
  key: readonly string[];
  /** The column numbered by the database, if any. */
  numbered: string | undefined;
}

/** The statements before and after copying rows, for a database on a server. */
export const aroundRows = (): { before: string[]; after: string[] } => ({
  before: createTables('postgres'),
  // Change numbers continue after the newest one.
  after: [
    ...createTheRest('postgres'),
    'insert into clinic_heads (clinic, sequence) select clinic, max(sequence) from changes group by clinic',
  ],
});

/** In an order in which rows come after those that they refer to. */
export const storedTables: readonly StoredTable[] = Object.entries(tables).map(([name, described]) => {
  const columns: [string, Column][] = Object.entries(described);
  const [own] = columns.find(([, { key }]) => key !== undefined) ?? [];
  const numbered = columns.find(([, { key }]) => key === 'numbered' || key === 'never reused')?.[0];
  const several = keys[name as TableName]?.split(', ');
  return {
    name,
    columns: columns.filter(([, { is }]) => is === undefined).map(([column]) => column),
    key: several ?? [own ?? ''],
    numbered,
  };
});
