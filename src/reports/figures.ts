import { stringify } from 'csv-stringify/sync';
import { moneyText } from '../domain/clinics/money.ts';
import type { ReportColumn, ReportColumns, RowOf } from '../domain/clinics/report-columns.ts';
import type { Row } from '../domain/clinics/tables.ts';
import { wallClockText } from '../domain/date-time.ts';
import { toMs } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import { guardTyped } from '../platform/text/formula-guard.ts';
import type { Locale } from '../platform/text/locale.ts';

/** A figure of a row, or of several rows together, for people: an amount for each currency. */
interface ShownFigure {
  parts: string[];
  /** Of the period before. */
  before?: string[];
}

export const NOTHING = '–';

/** A row with the fields of a report. */
export const asRow = (row: object): Row => row as Row;

/** Names of a report's fields, in CSV, JSON and the API. */
export const reportFields = (columns: ReportColumns): string[] => [
  ...Object.keys(columns),
  ...Object.entries(columns).flatMap(([name, { before }]) => (before ? [`${name}_before`] : [])),
];

/** The heading of a column. */
export const columnTitle = (name: string, { label }: ReportColumn, { t }: Pick<Locale, 't'>): string =>
  label === undefined ? name : t(label);

/** The columns that people see. */
export const shownOf = (columns: ReportColumns): [string, ReportColumn][] =>
  Object.entries(columns).filter(([, { isData }]) => !isData);

export function figureOf(
  name: string,
  column: ReportColumn,
  rows: readonly Row[],
  locale: Locale,
): ShownFigure {
  const parts = partsOf(name, column, rows, locale);
  const before = `${name}_before`;
  if (!column.before || rows.some((row) => row[before] === undefined)) return { parts };
  const former = partsOf(before, column, rows, locale);
  return parts[0] === NOTHING && former[0] === NOTHING ? { parts } : { parts, before: former };
}

/** The same as a text: `12 (8)` */
export function figureText({ parts, before }: ShownFigure): string {
  const text = parts.join(' + ');
  return before === undefined ? text : `${text} (${before.join(' + ')})`;
}

function partsOf(name: string, column: ReportColumn, rows: readonly Row[], locale: Locale): string[] {
  const { type, total, currency = 'currency' } = column;
  const { t, number, days, duration, zone } = locale;
  const [only] = rows;
  if (type === 'worth') return worthOf(rows, name, currency, locale);
  const values = rows.flatMap((row) => row[name] ?? []);
  const value = rows.length > 1 ? together(type, total, values) : values[0];
  if (value === undefined) return [type === 'money' ? NOTHING : column.missing ? t(column.missing) : ''];
  switch (type) {
    case 'count':
    case 'number':
      return [number(Number(value))];
    case 'money': {
      const code = only?.[currency];
      return [moneyText(String(value), typeof code === 'string' ? code : null, locale)];
    }
    case 'days':
      return [days(Number(value))];
    case 'hours':
      return [duration(Number(value) * HOUR)];
    case 'instant':
      return [wallClockText(toMs(String(value)), zone)];
    default: {
      const word = column.words?.[String(value)];
      return [word === undefined ? String(value) : t(word)];
    }
  }
}

/** Averages of several rows cannot be combined into one, nor can amounts without their currencies. */
function together(
  type: ReportColumn['type'],
  total: ReportColumn['total'],
  values: readonly (string | number)[],
) {
  if (total === 'largest') return values.length === 0 ? undefined : Math.max(...values.map(Number));
  return type === 'count' ? added(values) : undefined;
}

const added = (values: readonly (string | number)[]): number =>
  // To the smallest part of any currency, without the noise of binary fractions.
  Number(values.reduce<number>((sum, value) => sum + Number(value), 0).toFixed(4));

/** Amounts in different currencies are never added. */
function worthByCurrency(rows: readonly Row[], name: string, currency: string): Map<string | null, number> {
  const paid = rows.filter((row) => row[name]);
  const groups = Map.groupBy(paid, (row) => row[currency] as string | null);
  return new Map([...groups].map(([code, some]) => [code, added(some.map((row) => row[name] ?? 0))]));
}

function worthOf(rows: readonly Row[], name: string, currency: string, locale: Locale): string[] {
  const amounts = [...worthByCurrency(rows, name, currency)]
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .map(([code, amount]) => moneyText(String(amount), code, locale));
  if (rows.some((row) => row[name] === null)) amounts.push(locale.t('several_currencies'));
  return amounts.length === 0 ? [NOTHING] : amounts;
}

/** The figures of several rows together, as a row of its own; null where there is no total. */
export function totalOf<Columns extends ReportColumns>(
  columns: Columns,
  rows: readonly object[],
): Pick<RowOf<Columns>, keyof Columns> {
  const all = rows.map(asRow);
  const total: Row = {};
  for (const [name, { type, total: kind }] of Object.entries(columns))
    total[name] =
      together(
        type,
        kind,
        all.flatMap((row) => row[name] ?? []),
      ) ?? null;
  for (const [name, { type, currency = 'currency' }] of Object.entries(columns)) {
    if (type !== 'worth') continue;
    const [[code, amount] = [null, 0], ...others] = worthByCurrency(all, name, currency);
    const isOne = others.length === 0 && all.every((row) => row[name] !== null);
    Object.assign(total, isOne ? { [name]: amount, [currency]: code } : { [name]: null });
  }
  return total as Pick<RowOf<Columns>, keyof Columns>;
}

/** CSV for programs: UTF-8, commas, and no formula in a cell. */
export const csvOf = (fields: readonly string[], rows: readonly object[], heading = true): string =>
  stringify([
    ...(heading ? [fields] : []),
    ...rows.map((row) =>
      fields.map((field) => {
        const cell = asRow(row)[field] ?? null;
        return typeof cell === 'string' ? guardTyped(cell) : cell;
      }),
    ),
  ]);
