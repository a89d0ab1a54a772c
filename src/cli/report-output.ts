import { stringify } from 'csv-stringify/sync';
import { guardTyped } from '../platform/text/formula-guard.ts';
import { flagArgument } from './command.ts';
import { Exit, exit, type Io, type OutputOptions } from './io.ts';
import { answerList, type Columns } from './list.ts';
import { whileWorking } from './progress.ts';

/** An option of every report, beside `--json`. */
export const csvArgument = flagArgument('Print CSV (UTF-8, comma, names of the JSON fields)');

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

/** Reads a report's part of each clinic in turn, and says on a terminal which. */
export async function ofEach<C extends { key: string }, T>(
  io: Io,
  clinics: readonly C[],
  read: (clinic: C) => Promise<T>,
): Promise<T[]> {
  const parts: T[] = [];
  for (const clinic of clinics)
    parts.push(await whileWorking(io, `Adding up ${clinic.key}`, () => read(clinic)));
  return parts;
}

/** A month as an argument; any other text is a usage error. */
export function monthOnly(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new Exit(exit.usage, `${text} is not a month; write 2026-03.`);
}

/** Prints a report: a table, one JSON array for `--json`, or CSV without formulas in cells. */
export async function answerReport<T extends { [K in keyof T]: Cell }>(
  io: Io,
  { json, csv }: OutputOptions & { csv: boolean },
  { rows, fields, ...table }: Report<T>,
): Promise<void> {
  if (json && csv) throw new Exit(exit.usage, 'Give --json or --csv, not both.');
  if (!csv) return answerList(io, { json }, { rows, ...table });
  const cell = (value: Cell) => (typeof value === 'string' ? guardTyped(value) : value);
  io.out(stringify([fields, ...rows.map((row) => fields.map((field) => cell(row[field])))]));
}

export function refuseContradictions({
  month,
  from,
  to,
}: Record<'month' | 'from' | 'to', string | undefined>) {
  if (month !== undefined && (from ?? to) !== undefined)
    throw new Exit(exit.usage, 'Give either --month or days with --from and --to.');
  if (from !== undefined && to !== undefined && from > to)
    throw new Exit(exit.usage, `--from ${from} is after --to ${to}.`);
}
