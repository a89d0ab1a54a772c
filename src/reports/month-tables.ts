import { type MonthPack, monthLeadColumns } from '../domain/clinics/month.ts';
import {
  feeChangeColumns,
  leadFigures,
  priceColumns,
  type ReportColumns,
} from '../domain/clinics/report-columns.ts';
import type { Row } from '../domain/clinics/tables.ts';
import type { Locale } from '../platform/text/locale.ts';
import type { PlainText } from '../texts/texts.ts';
import { asRow, columnTitle, figureOf, figureText, shownOf } from './figures.ts';
import type { MonthSum } from './month-pack.ts';

/** One part of a month as a table, for a workbook, a page or a terminal. */
export interface MonthTable {
  key: 'fees' | 'changes' | 'visits' | 'leads' | 'figures' | 'corrections';
  title: PlainText;
  columns: ReportColumns;
  rows: Row[];
  /** What people see of all rows together. */
  total?: 'sum' | 'count';
}

const monthVisitColumns = {
  status: { type: 'text', label: 'state', missing: 'not_read_yet' },
  visits: { type: 'count', label: 'visits' },
} as const satisfies ReportColumns;

const figureColumns = {
  figure: {
    ...{ type: 'key', label: 'figure' },
    words: {
      ...{ total_users: 'total_users', total_patients: 'total_patients' },
      ...{ total_appointments: 'total_appointments', total_doctors: 'total_doctors' },
    },
  },
  at_start: { type: 'count', label: 'at_start' },
  at_end: { type: 'count', label: 'at_end' },
  difference: { type: 'count', label: 'difference' },
} as const satisfies ReportColumns;

const correctionColumns = {
  noticed_at: { type: 'instant', label: 'noticed' },
  month: { type: 'key', label: 'by_month' },
  about: { type: 'key', label: 'about', words: { visit: 'visit', fee: 'fee', leads: 'leads' } },
  item: { type: 'key', label: 'item' },
  campaign: { type: 'text', label: 'by_campaign' },
  what: {
    ...{ type: 'key', label: 'what' },
    words: {
      ...{ status: 'state', date: 'date', fee: 'fee' },
      ...{ booked: 'lead_booked', completed: 'lead_completed' },
    },
  },
  before: { type: 'text', label: 'fee_before' },
  after: { type: 'text', label: 'fee_after' },
} as const satisfies ReportColumns;

/** The tables that several clinics can share. */
export const sumTables = (sum: MonthSum | MonthPack): MonthTable[] => [
  {
    ...{ key: 'visits', title: 'month_visits', columns: monthVisitColumns, total: 'sum' },
    rows: sum.visits.map(asRow),
  },
  {
    ...{ key: 'leads', title: 'month_leads', columns: monthLeadColumns, total: 'sum' },
    rows: sum.leads.map(asRow),
  },
  { key: 'figures', title: 'month_figures', columns: figureColumns, rows: sum.figures.map(asRow) },
];

/** All tables of one clinic. */
export function monthTables(pack: MonthPack): MonthTable[] {
  const { clinic: _of, until: _until, ...fees } = priceColumns;
  const { clinic: _clinic, ...changes } = feeChangeColumns;
  const { corrections } = pack;
  return [
    { key: 'fees', title: 'month_fees', columns: fees, total: 'count', rows: pack.fees.map(asRow) },
    {
      key: 'changes',
      title: 'month_changes',
      columns: changes,
      total: 'count',
      rows: pack.changes.map(asRow),
    },
    ...sumTables(pack),
    {
      ...{ key: 'corrections', title: 'month_corrections', total: 'count' },
      ...{ columns: correctionColumns, rows: corrections.map(asRow) },
    },
  ];
}

/** A table as text in a language: its title, headings and lines, the last of them the total. */
export function monthTexts({ title, columns, rows, total }: MonthTable, locale: Locale) {
  const { t, number } = locale;
  const shown = shownOf(columns);
  const lines = rows.map((row) =>
    shown.map(([name, column]) => figureText(figureOf(name, column, [row], locale))),
  );
  const sums = shown.map(([name, column], at) =>
    at === 0 ? t('total') : column.type === 'text' ? '' : figureText(figureOf(name, column, rows, locale)),
  );
  return {
    title: total === 'count' && rows.length > 0 ? `${t(title)} (${number(rows.length)})` : t(title),
    headings: shown.map(([name, column]) => columnTitle(name, column, locale)),
    lines,
    total: total === 'sum' && rows.length > 0 ? sums : undefined,
    isFigure: shown.map(([, { type }]) => !['key', 'text', 'instant'].includes(type)),
    names: shown.map(([name]) => name),
  };
}

/** Columns of the flat form that count. */
export const flatFigures = [
  'count',
  ...Object.keys(leadFigures).filter((name) => !['leads', 'value', 'currency'].includes(name)),
  'change',
];

/** Columns of the flat form: one line per row of any part, totals marked as such. */
export const flatColumns = [
  ...['clinic', 'month', 'part', 'item', 'name', 'before', 'currency_before', 'amount', 'currency'],
  ...flatFigures.slice(0, -1),
  ...['difference', 'at', 'poll', 'change'],
];

/** The whole pack as lines that a program can filter and sum. `part`: `fees`, `fees total`, … */
export function flatRows(pack: MonthPack): Row[] {
  const { clinic, month } = pack;
  const of = (part: string, row: Row): Row => ({
    ...{ clinic, month, part, ...Object.fromEntries(flatColumns.slice(3).map((name) => [name, null])) },
    ...row,
  });
  const total = (part: string, row: Row) => of(`${part} total`, row);
  const ofLeads = ({ leads: count, value: amount, ...figures }: MonthPack['leads_total']): Row => ({
    ...{ count, amount, ...figures },
  });
  return [
    ...pack.fees.map(({ kind, id, name, fee, currency, since }) =>
      of('fees', { item: `${kind} ${id}`, name, amount: fee, currency, at: since }),
    ),
    total('fees', { count: pack.fees.length }),
    ...pack.changes.map((change) =>
      of('changes', {
        ...{ item: `${change.kind} ${change.id} ${change.what}`, name: change.name },
        ...{ before: change.before, currency_before: change.currency_before, amount: change.after },
        ...{ currency: change.currency, difference: change.difference, at: change.noticed_at },
        ...{ poll: change.poll, change: change.sequence },
      }),
    ),
    total('changes', { count: pack.changes.length }),
    ...pack.visits.map(({ status, visits }) => of('visits', { item: status, count: visits })),
    total('visits', { count: pack.visits_total }),
    ...pack.leads.map(({ source: item, campaign: name, ...figures }) =>
      of('leads', { item, name, ...ofLeads(figures) }),
    ),
    total('leads', ofLeads(pack.leads_total)),
    ...pack.figures.map(({ figure, at_start, at_end, difference }) =>
      of('figures', { item: figure, before: at_start, count: at_end, difference }),
    ),
    ...pack.corrections.map(({ item, campaign, what, month: closed, noticed_at, before, after }) =>
      of('corrections', {
        item: [item, campaign, what].filter((one) => one !== null).join(' '),
        name: closed,
        before,
        // A spreadsheet program would interpret `+3` as a formula.
        amount: after?.replace(/^\+/, '') ?? null,
        at: noticed_at,
      }),
    ),
    total('corrections', { count: pack.corrections.length }),
    ...(pack.head === null
      ? []
      : [of('head', { item: `${clinic}:${pack.head.sequence}:${pack.head.hash}`, at: pack.taken_at })]),
    ...pack.notes.map(({ sentence: name }) => of('notes', { name })),
  ];
}
