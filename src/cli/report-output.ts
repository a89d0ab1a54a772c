import { stringify } from 'csv-stringify/sync';
import { guardTyped } from '../platform/formula-guard.ts';
import { flag } from './command.ts';
import { type Asked, Exit, exit, type Io } from './io.ts';
import { answerList, type Columns } from './list.ts';

/** An option of every report, beside `--json`. */
export const csvArgument = flag('Print CSV (UTF-8, comma, names of the JSON fields)');

type Cell = string | number | null;

interface Report<T> {
  rows: readonly T[];
  /** Printed instead of an empty table. */
  none: string;
  /** Columns of the table; JSON and CSV have every field of a row. */
  columns: Columns<T>;
  /** The fields of a row in order, for the heading of an empty CSV. */
  fields: readonly (keyof T & string)[];
}

/** Prints a report: a table, one JSON array for `--json`, or CSV without formulas in cells. */
export async function answerReport<T extends { [K in keyof T]: Cell }>(
  io: Io,
  { json, csv }: Asked & { csv: boolean },
  { rows, fields, ...table }: Report<T>,
): Promise<void> {
  if (json && csv) throw new Exit(exit.usage, 'Give --json or --csv, not both.');
  if (!csv) return answerList(io, { json }, { rows, ...table });
  const cell = (value: Cell) => (typeof value === 'string' ? guardTyped(value) : value);
  io.out(stringify([fields, ...rows.map((row) => fields.map((field) => cell(row[field])))]));
}
