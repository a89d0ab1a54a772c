import type { Generated, GeneratedAlways } from 'kysely';
import { type FieldKind, recordFields } from '../../domain/clinics/record-fields.ts';

/**
 * Columns as data: the one source of types, statements, the DDL of a new database and the data dictionary. `json`: JSON
 * text; `any`: a number that the specification does not call whole (SQLite keeps 30 as 30 and 2.5 as 2.5).
 */
export interface Column {
  type: 'TEXT' | 'INTEGER' | 'ANY';
  json: boolean;
  nullable: boolean;
  /** Set by the database: always, or by default. */
  generated: false | 'always' | 'default';
  /** The whole primary key. `numbered` by the database; `never reused`: not even after deletion. */
  key?: 'given' | 'numbered' | 'never reused';
  unique?: true;
  default?: string | number;
  /** The allowed values. */
  oneOf?: readonly (string | number)[];
  above?: number;
  /** Table and column; a row is deleted with the one it refers to. */
  references?: readonly [table: string, column: string];
  /** Expression of a computed column. */
  is?: string;
}

type Value<C extends Column> = C['type'] extends 'TEXT' ? string : number;
/** The value of a column as read. */
export type ColumnValue<C extends Column> = C['nullable'] extends true ? Value<C> | null : Value<C>;
/** The same for kysely, which must know what the database sets. */
export type Kyselised<C extends Column> = C['generated'] extends 'always'
  ? GeneratedAlways<ColumnValue<C>>
  : C['generated'] extends 'default'
    ? Generated<ColumnValue<C>>
    : ColumnValue<C>;

const given = { json: false, nullable: false, generated: false } as const;
export const textColumn = { ...given, type: 'TEXT' } as const;
export const integer = { ...given, type: 'INTEGER' } as const;
export const json = { ...textColumn, json: true } as const;
export const flagColumn = { ...integer, oneOf: [0, 1] } as const;
export const optional = {
  text: { ...textColumn, nullable: true },
  integer: { ...integer, nullable: true },
  json: { ...json, nullable: true },
} as const;
const any = { ...given, type: 'ANY', nullable: true } as const;
/** A row's own number. */
export const numbered = { ...integer, generated: 'default', key: 'numbered' } as const;
export const neverReused = { ...integer, generated: 'default', key: 'never reused' } as const;
export const counter = { ...integer, generated: 'default', default: 0 } as const;
export const computed = { ...textColumn, nullable: true, generated: 'always' } as const;
export const listColumn = { ...json, default: '[]' } as const;

const columnOf = {
  id: any,
  number: any,
  json: optional.json,
  name: optional.text,
  fee: optional.text,
  text: optional.text,
  date: optional.text,
  decimal: optional.text,
} as const satisfies Record<FieldKind, Column>;

const columnsOf = <F extends Readonly<Record<string, FieldKind>>>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, columnOf[kind]])) as {
    readonly [N in keyof F]: (typeof columnOf)[F[N]];
  };

/** A column for each field of a mirrored record. */
export const recordColumns = {
  organization: columnsOf(recordFields.organization),
  website: columnsOf(recordFields.website),
  treatments: columnsOf(recordFields.treatments),
  dentists: columnsOf(recordFields.dentists),
};
