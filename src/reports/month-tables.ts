import { amountForPeople } from '../domain/clinics/money.ts';
import type { MonthPack } from '../domain/clinics/month.ts';
import type { Row } from '../domain/clinics/tables.ts';
import { wallClockText } from '../domain/date-time.ts';
import type { MonthSum } from './month-pack.ts';

type Kind = 'text' | 'number' | 'decimal' | 'instant';

/** One part of a month as a table, for a workbook, a page or a terminal. */
export interface MonthTable {
  key: 'fees' | 'changes' | 'visits' | 'leads' | 'figures' | 'corrections';
  title: string;
  columns: readonly { name: string; label: string; kind: Kind }[];
  rows: Row[];
  /** Keyed by column name. */
  totals: Row[];
}

const column = (kind: Kind) => (name: string, label: string) => ({ name, label, kind });
const text = column('text');
const count = column('number');
const amount = column('decimal');
const moment = column('instant');

const figureNames = {
  total_users: 'Users',
  total_patients: 'Patients',
  total_appointments: 'Appointments',
  total_doctors: 'Doctors',
} as const;

const plain = (all: readonly object[]): Row[] => all.map((one) => ({ ...one }) as Row);

/** The tables that several clinics can share. */
export function sumTables(sum: MonthSum | MonthPack): MonthTable[] {
  return [
    {
      key: 'visits',
      title: 'Visits by status',
      columns: [text('status', 'Status'), count('visits', 'Visits')],
      rows: sum.visits.map(({ status, visits }) => ({ status: status ?? '(not read yet)', visits })),
      totals: [{ status: 'Total', visits: sum.visits_total }],
    },
    {
      key: 'leads',
      title: 'Leads by source and campaign',
      columns: [
        ...[text('source', 'Source'), text('campaign', 'Campaign'), count('leads', 'Leads')],
        ...[count('booked', 'Booked'), count('completed', 'Completed')],
      ],
      rows: plain(sum.leads),
      totals: [{ source: 'Total', campaign: null, ...sum.leads_total }],
    },
    {
      key: 'figures',
      title: 'Figures of the organization',
      columns: [
        ...[text('figure', 'Figure'), count('at_start', 'At the start'), count('at_end', 'At the end')],
        count('difference', 'Difference'),
      ],
      rows: sum.figures.map(({ figure, ...values }) => ({ figure: figureNames[figure], ...values })),
      totals: [],
    },
  ];
}

/** All tables of one clinic. */
export function monthTables(pack: MonthPack): MonthTable[] {
  return [
    {
      key: 'fees',
      title: 'Fees at the end of the month',
      columns: [
        ...[text('kind', 'Kind'), text('id', 'ID'), text('name', 'Name'), amount('fee', 'Fee')],
        ...[text('currency', 'Currency'), moment('since', 'Since')],
      ],
      rows: plain(pack.fees),
      totals: feeTotals(pack),
    },
    {
      key: 'changes',
      title: 'Fees changed in the month',
      columns: [
        ...[moment('noticed_at', 'Noticed'), text('poll', 'By the poll of'), count('sequence', 'Change')],
        ...[text('what', 'What'), text('id', 'ID'), text('name', 'Name'), amount('before', 'Before')],
        ...[text('currency_before', 'in'), amount('after', 'After'), text('currency', 'in')],
        amount('difference', 'Difference'),
      ],
      rows: plain(pack.changes),
      totals: [{ what: 'Total', name: counted(pack.changes.length, 'change') }],
    },
    ...sumTables(pack),
    {
      key: 'corrections',
      title: 'Changed in this month about closed months',
      columns: [
        ...[moment('noticed_at', 'Noticed'), text('month', 'Month'), text('about', 'About')],
        ...[text('item', 'Item'), text('campaign', 'Campaign'), text('what', 'What')],
        ...[text('before', 'Before'), text('after', 'After')],
      ],
      rows: plain(pack.corrections),
      totals: [{ month: 'Total', what: counted(pack.corrections.length, 'change') }],
    },
  ];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export const feeTotals = ({ fee_totals }: Pick<MonthPack, 'fee_totals'>): Row[] =>
  fee_totals.map(({ currency, prices, sum }) => ({
    ...{ kind: 'Total', name: counted(prices, 'price'), fee: sum, currency },
  }));

/** A cell for display: amounts with the decimal places of the row's currency, times in the clinic's time zone. */
export function cellForPeople(
  row: Row,
  { name, kind }: MonthTable['columns'][number],
  timezone: string,
): string {
  const value = row[name] ?? null;
  if (value === null) return '';
  const currency = row[name === 'before' ? 'currency_before' : 'currency'];
  if (kind === 'decimal')
    return amountForPeople(String(value), typeof currency === 'string' ? currency : null);
  if (kind === 'number') return new Intl.NumberFormat('en-GB').format(Number(value));
  return kind === 'instant' ? wallClockText(Date.parse(String(value)), timezone) : String(value);
}

/** Columns of the flat form: one line per row of any part, totals marked as such. */
export const flatColumns = [
  ...([
    'clinic',
    'month',
    'part',
    'item',
    'name',
    'before',
    'currency_before',
    'amount',
    'currency',
  ] as const),
  ...(['count', 'booked', 'completed', 'difference', 'at', 'poll', 'change'] as const),
];

/** The whole pack as lines that a program can filter and sum. `part`: `fees`, `fees total`, … */
export function flatRows(pack: MonthPack): Row[] {
  const { clinic, month } = pack;
  const of = (part: string, row: Row): Row => ({
    ...{ clinic, month, part, ...Object.fromEntries(flatColumns.slice(3).map((name) => [name, null])) },
    ...row,
  });
  const total = (part: string, row: Row) => of(`${part} total`, row);
  return [
    ...pack.fees.map(({ kind, id, name, fee, currency, since }) =>
      of('fees', { item: `${kind} ${id}`, name, amount: fee, currency, at: since }),
    ),
    ...pack.fee_totals.map(({ currency, prices, sum }) =>
      total('fees', { amount: sum, currency, count: prices }),
    ),
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
    ...pack.leads.map(({ source, campaign, leads, booked, completed }) =>
      of('leads', { item: source, name: campaign, count: leads, booked, completed }),
    ),
    total('leads', {
      count: pack.leads_total.leads,
      booked: pack.leads_total.booked,
      completed: pack.leads_total.completed,
    }),
    ...pack.figures.map(({ figure, at_start, at_end, difference }) =>
      of('figures', { item: figure, before: at_start, count: at_end, difference }),
    ),
    ...pack.corrections.map(({ item, campaign, month: closed, noticed_at, what, before, after }) =>
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
    ...pack.notes.map((name) => of('notes', { name })),
  ];
}
