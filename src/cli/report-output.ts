import type { ReportColumn, ReportColumns } from '../domain/clinics/report-columns.ts';
import type { Row } from '../domain/clinics/tables.ts';
import { localeOf } from '../platform/text/locale.ts';
import {
  asRow,
  columnTitle,
  csvOf,
  figureOf,
  figureText,
  reportFields,
  shownOf,
} from '../reports/figures.ts';
import { flagArgument } from './command.ts';
import { Exit, exit, type Io, type OutputOptions } from './io.ts';
import { answerList } from './list.ts';
import { whileWorking } from './progress-line.ts';

/** An option of every report, beside `--json`. */
export const csvArgument = flagArgument('Print CSV (UTF-8, comma, names of the JSON fields)');

interface Report<T> {
  columns: ReportColumns;
  rows: readonly T[];
  /** Printed instead of an empty table. */
  none: string;
  /** The heading of the groups; default: the column's own. */
  by?: string;
  /** For people: the rows of each clinic that has several, and of all clinics, added up. */
  totals?: 'with before' | 'alone';
  clinics: readonly { key: string; timezone: string }[];
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
export async function answerReport<T extends { clinic: string }>(
  io: Io,
  { json, csv }: OutputOptions & { csv: boolean },
  { columns, rows, none, by, totals, clinics }: Report<T>,
): Promise<void> {
  if (json && csv) throw new Exit(exit.usage, 'Give --json or --csv, not both.');
  if (csv) return io.out(csvOf(reportFields(columns), rows));
  if (json) return answerList(io, { json }, { rows, none, columns: {} });
  const zoneOf = new Map(clinics.map(({ key, timezone }) => [key, timezone]));
  const lines: Line[] = [
    ...rows.map((row) => ({ clinic: row.clinic, rows: [asRow(row)] })),
    ...(totals === undefined ? [] : totalsOf(rows)),
  ];
  const shown = shownOf(columns).map(([name, column]): [string, (line: Line) => string] => {
    const heading = name === 'group' && by !== undefined ? by : columnTitle(name, column, english);
    return [heading.toUpperCase(), (line) => cellOf(line, name, column, zoneOf.get(line.clinic))];
  });
  await answerList(io, { json }, { rows: lines, none, columns: Object.fromEntries(shown) });

  function cellOf({ clinic, rows: own, isTotal }: Line, name: string, column: ReportColumn, zone?: string) {
    if (name === 'clinic') return clinic;
    if (isTotal && (column.type === 'key' || column.type === 'text'))
      return name === 'group' ? english.t('total') : '';
    const { before: _before, ...alone } = column;
    return figureText(
      figureOf(name, isTotal && totals === 'alone' ? alone : column, own, localeOf('en', zone)),
    );
  }
}

const english = localeOf('en');

interface Line {
  clinic: string;
  rows: Row[];
  isTotal?: true;
}

function totalsOf(rows: readonly { clinic: string }[]): Line[] {
  const clinics = [...Map.groupBy(rows, ({ clinic }) => clinic)].map(([clinic, own]) => ({ clinic, own }));
  const several = clinics.filter(({ own }) => own.length > 1);
  const all = clinics.length > 1 ? [{ clinic: `all ${clinics.length}`, own: rows }] : [];
  return [...several, ...all].map(({ clinic, own }) => ({ clinic, rows: own.map(asRow), isTotal: true }));
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
