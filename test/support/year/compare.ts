import { mirrorView } from '../../../src/deliveries/view.ts';
import type { MonthPack } from '../../../src/domain/clinics/month.ts';
import { leadGroups, openVisitGroups } from '../../../src/domain/clinics/report-columns.ts';
import { changesOfFees, priceList } from '../../../src/reports/fee-report.ts';
import { leadsReport } from '../../../src/reports/leads.ts';
import { readMonth } from '../../../src/reports/month-pack.ts';
import { openVisits } from '../../../src/reports/visits.ts';
import type { Store } from '../../../src/store/store.ts';
import { expectedCorrections, expectedNotes } from './corrections.ts';
import {
  endOfDay,
  expectedConversionRows,
  expectedFeeChanges,
  expectedFeeRows,
  expectedLeadRows,
  expectedLeads,
  expectedMonth,
  expectedOpen,
  expectedPrices,
  expectedRetractionRows,
} from './expected.ts';
import type { Truth } from './truth.ts';
import { dateAfter, lastDayOf, momentOf } from './wall-clock.ts';

/** Counts the figures that were compared, and names those that differ. */
export interface Comparison {
  figures: number;
  differences: string[];
  /** Rows may come in any order; a row is compared field by field with the one that has the same key. */
  rows(where: string, is: readonly object[], shouldBe: readonly object[], key: readonly string[]): void;
  value(where: string, is: unknown, shouldBe: unknown): void;
}

export function comparison(): Comparison {
  const result: Comparison = {
    figures: 0,
    differences: [],
    rows(where, is, shouldBe, key) {
      const keyOf = (row: object) =>
        JSON.stringify(key.map((name) => (row as Record<string, unknown>)[name]));
      const found = new Map(is.map((row) => [keyOf(row), row as Record<string, unknown>]));
      if (found.size !== is.length)
        result.differences.push(`${where}: ${is.length} rows, ${found.size} keys`);
      for (const row of shouldBe) {
        const one = found.get(keyOf(row));
        found.delete(keyOf(row));
        if (one === undefined) {
          result.figures += 1;
          result.differences.push(`${where}: missing ${JSON.stringify(row)}`);
          continue;
        }
        for (const [name, value] of Object.entries(row))
          result.value(`${where} ${keyOf(row)} ${name}`, one[name], value);
      }
      for (const row of found.values()) result.differences.push(`${where}: too much ${JSON.stringify(row)}`);
      result.figures += 1;
    },
    value(where, is, shouldBe) {
      result.figures += 1;
      const [a, b] = [JSON.stringify(is ?? null), JSON.stringify(shouldBe ?? null)];
      if (a !== b) result.differences.push(`${where}: ${a} instead of ${b}`);
    },
  };
  return result;
}

const months = Array.from({ length: 12 }, (_, i) => `2026-${String(i + 1).padStart(2, '0')}`);

/** Visits whose booking was removed are on no list. */
export async function presentRefs(store: Store, { clinic }: Truth): Promise<ReadonlySet<string>> {
  const refs = new Set<string>();
  for (const { ref } of await store.mirror.rows('bookings', clinic)) refs.add(String(ref));
  return refs;
}

/** Every report of a clinic at this moment against what really was. */
export async function compareReports(
  to: Comparison,
  { store, truth, now, isWhole }: { store: Store; truth: Truth; now: number; isWhole: boolean },
): Promise<void> {
  const present = await presentRefs(store, truth);
  await compareLeads(to, store, truth);
  for (const by of openVisitGroups)
    to.rows(
      `open by ${by}`,
      await openVisits(store, truth.clinic, by, now),
      expectedOpen(truth, { by, now, present }),
      ['group'],
    );
  await compareFees(to, store, truth, now);
  for (const month of months) await compareMonth(to, { store, truth, month, now, isWhole });
}

async function compareLeads(to: Comparison, store: Store, truth: Truth): Promise<void> {
  const { clinic, zone } = truth;
  const periods = [
    { from: '2026-01-01', to: '2026-12-31' },
    { from: '2026-03-20', to: '2026-04-02' },
    ...months.map((month) => ({ from: `${month}-01`, to: lastDayOf(month) })),
  ];
  for (const [i, period] of periods.entries())
    for (const by of leadGroups) {
      // Months read every day: for the year and a week around a change of the clocks.
      if (i > 1 && by === 'month') continue;
      for (const touch of ['last', 'first'] as const) {
        if (touch === 'first' && by !== 'campaign' && by !== 'channel') continue;
        to.rows(
          `leads by ${by} ${period.from}–${period.to}, ${touch} touch`,
          await leadsReport(store, { clinic, zone, by, period, touch }),
          expectedLeads(truth, { by, ...period, touch }),
          ['group'],
        );
      }
    }
}

async function compareFees(to: Comparison, store: Store, truth: Truth, now: number): Promise<void> {
  const { clinic, zone } = truth;
  const about = { clinic, timezone: zone };
  for (let day = '2026-01-01'; endOfDay(day, zone) < now; day = dateAfter(day, 9)) {
    const list = await priceList(store, about, day, now);
    to.rows(`prices on ${day}`, list?.prices ?? [], expectedPrices(truth, endOfDay(day, zone)), [
      'kind',
      'id',
    ]);
  }
  const asked = { from: '2026-02-01', to: '2026-11-30' };
  const [from, until] = [momentOf(asked.from, '00:00', zone), endOfDay(asked.to, zone)];
  const key = ['kind', 'id', 'noticed_at', 'what'];
  to.rows(
    'fee changes',
    await changesOfFees(store, about, asked, now),
    expectedFeeChanges(truth, from, until),
    key,
  );
}

/** What tells the rows of each part apart. */
export const monthKeys = {
  fees: ['kind', 'id'],
  changes: ['kind', 'id', 'noticed_at', 'what'],
  visits: ['status'],
  leads: ['source', 'campaign'],
  figures: ['figure'],
} as const;

export async function compareMonth(
  to: Comparison,
  {
    store,
    truth,
    month,
    now,
    isWhole,
  }: {
    store: Store;
    truth: Truth;
    month: string;
    now: number;
    /** Nothing was removed of what tells about corrections. */
    isWhole: boolean;
  },
): Promise<MonthPack['corrections']> {
  const { clinic, zone } = truth;
  const pack = await readMonth(store.reports, { clinic, name: null, timezone: zone, month, now, head: null });
  if (pack === undefined) throw new Error(`${month} has not begun in ${zone}`);
  const shouldBe = expectedMonth(truth, month);
  for (const [part, key] of Object.entries(monthKeys) as [keyof typeof monthKeys, readonly string[]][])
    to.rows(`month ${month}, ${part}`, pack[part], shouldBe[part] as object[], key);
  for (const name of ['from', 'to', 'visits_total'] as const)
    to.value(`month ${month}, ${name}`, pack[name], shouldBe[name]);
  to.rows(`month ${month}, all leads`, [pack.leads_total], [shouldBe.leads_total], []);
  if (!isWhole) return [];
  const span = { first: `${month}-01`, from: Date.parse(shouldBe.from), to: Date.parse(shouldBe.to) };
  const key = ['about', 'item', 'campaign', 'month', 'noticed_at', 'what'];
  to.rows(`month ${month}, corrections`, pack.corrections, expectedCorrections(truth, span), key);
  to.value(`month ${month}, notes`, pack.notes.length, expectedNotes(truth, span, now));
  return pack.corrections;
}

/** What connectors read, and files and tabs show: of leads, those whose booking is there. */
export async function compareTables(to: Comparison, store: Store, truth: Truth): Promise<void> {
  const { clinic, zone } = truth;
  const clinics = [{ clinic, timezone: zone }];
  const view = await mirrorView({ store, connector: 'reports', includePatient: false, clinics });
  const present = await presentRefs(store, truth);
  const here = <T extends { ref: string }>(rows: T[]) => rows.filter(({ ref }) => present.has(ref));
  for (const [table, kind, id] of [
    ['fees', 'treatment', 'treatment_id'],
    ['consultation_fees', 'dentist', 'doctor_id'],
  ] as const)
    to.rows(table, await view.rows(table, clinic), expectedFeeRows(truth, kind), [id, 'valid_from']);
  to.rows('leads', await view.rows('leads', clinic), here(expectedLeadRows(truth)), ['ref']);
  const conversions = await view.rows('conversions', clinic);
  to.rows('conversions', conversions, here(expectedConversionRows(truth)), ['ref']);
  const takenBack = await view.rows('retractions', clinic);
  to.rows('retractions', takenBack, here(expectedRetractionRows(truth)), ['order_id']);
  const { broken, differs } = await store.changes.verify(clinic, {});
  to.value(`${clinic} chain`, broken ?? differs, null);
}
