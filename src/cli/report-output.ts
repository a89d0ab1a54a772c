import { stringify } from 'csv-stringify/sync';
import { guardTyped } from '../platform/formula-guard.ts';
import { flag } from './command.ts';
import { type Asked, Exit, exit, type Io } from './io.ts';
import { answerList, type Columns } from './list.ts';

/** Of every report, beside `--json`. */
export const csvArgument = flag('Print CSV (UTF-8, comma, names of the JSON fields)');

type Cell = string | number | null;

interface Report<T> {
  rows: readonly T[];
  /** Printed instead of an empty table. */
  none: string;
  /** Of the table; JSON and CSV have every field of a row. */
  columns: Columns<T>;
  /** The fields of a row in their order: the heading of a CSV without rows. */
  fields: readonly (keyof T & string)[];
}

/** Prints a report: a table, one JSON array for `--json`, or CSV, in which no cell is a formula. */
export async function answerReport<T extends { [K in keyof T]: Cell }>(
  io: Io,
  { json, csv }: Asked & { csv: boolean },
  { rows, fields, ...table }: Report<T>,
): Promise<void> {
  if (json && csv) throw new Exit(exit.usage, 'Say --json or --csv, not both.');
  if (!csv) return answerList(io, { json }, { rows, ...table });
  const cell = (value: Cell) => (typeof value === 'string' ? guardTyped(value) : value);
  io.out(stringify([fields, ...rows.map((row) => fields.map((field) => cell(row[field])))]));
}
