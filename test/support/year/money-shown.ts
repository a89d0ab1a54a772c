import { type expectedLeads, inPlaces, sum } from './expected.ts';
import { currencyAt, outcomeOf, receivedOn, type Truth } from './truth.ts';

/** Amounts as pages and tabs show them. */

type LeadsShown = ReturnType<typeof expectedLeads>;

/** One line of a table: amounts in different currencies are never added. */
export function cellsOf(label: string, rows: LeadsShown): string[] {
  const total = (name: 'to_come' | 'cancelled' | 'no_show' | 'unknown' | 'open' | 'lost') =>
    String(sum(rows.map((row) => row[name])));
  const compared = (name: 'leads' | 'booked' | 'completed') =>
    `${sum(rows.map((row) => row[name]))} (${sum(rows.map((row) => row[`${name}_before`]))})`;
  return [
    ...[label, compared('leads'), compared('booked'), total('to_come'), compared('completed')],
    ...(['cancelled', 'no_show', 'unknown', 'open', 'lost'] as const).map(total),
    worthShown(rows),
  ];
}

function worthShown(rows: LeadsShown): string {
  const now = amountsShown(rows.map(({ value, currency }) => ({ value, currency })));
  const before = amountsShown(rows.map(({ value_before: value, currency }) => ({ value, currency })));
  return now === '–' && before === '–' ? now : `${now} ( ${before} )`;
}

function amountsShown(rows: readonly { value: number | null; currency: string | null }[]): string {
  const paid = rows.filter(({ value }) => value !== null && value !== 0);
  const amounts = [...Map.groupBy(paid, ({ currency }) => currency)]
    .map(([currency, some]) => ({ currency, amount: sum(some.map(({ value }) => value ?? 0)) }))
    .sort(byCurrency)
    .map(({ currency, amount }) => amountShown(amount, currency));
  if (rows.some(({ value }) => value === null)) amounts.push('several currencies');
  return amounts.length === 0 ? '–' : amounts.join(' ');
}

/** `1 day`, `-2.5 days` */
export const daysShown = (days: number | null): string => {
  if (days === null) return '';
  return `${days} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
};

/** `12,500.00 BDT`, `1,500 CLP` */
function amountShown(amount: number, currency: string | null): string {
  const text = inPlaces(String(Number(amount.toFixed(4))), currency) ?? '';
  const [whole = '', places] = text.split('.');
  const grouped = Number(whole).toLocaleString('en-GB');
  return `${places === undefined ? grouped : `${grouped}.${places}`} ${currency ?? ''}`.trim();
}

/** Makes a line of the tab Overview. */
export type Line = (
  ID: string,
  name: string,
  cells: (number | string | null)[],
  value: number | string | null,
) => object;

/** A number in the present currency; with others among them a text that names each. */
export function worthByMonth(truth: Truth, months: readonly string[], now: number, line: Line) {
  const present = currencyAt(truth, now);
  const worth = (some: readonly string[]): number | string => {
    const paid = truth.leads.filter(
      (lead) =>
        outcomeOf(lead) === 'completed' &&
        Number(lead.conversion?.fee ?? 0) !== 0 &&
        some.includes(receivedOn(truth, lead).slice(0, 7)),
    );
    const amounts = [...Map.groupBy(paid, ({ conversion }) => conversion?.currency ?? null)]
      .map(([currency, all]) => ({
        currency,
        amount: Number(sum(all.map(({ conversion }) => Number(conversion?.fee))).toFixed(4)),
      }))
      .sort(byCurrency);
    if (amounts.every(({ currency }) => currency === present)) return amounts[0]?.amount ?? 0;
    return amounts.map(({ currency, amount }) => amountShown(amount, currency)).join(' + ');
  };
  return line(
    'value by month',
    `Value in ${present}`,
    months.map((month) => worth([month])),
    worth(months),
  );
}

const byCurrency = (one: { currency: string | null }, other: { currency: string | null }) =>
  String(one.currency) < String(other.currency) ? -1 : 1;
