import type { ClinicFacts, MirrorView, Row } from '../../../src/connector.ts';
import { dayAfter, readDate, startOfDay, wallClockAt } from '../../../src/domain/date-time.ts';
import { instant } from '../../../src/platform/clock.ts';
import type { Locale } from '../../../src/platform/text/locale.ts';
import { rowsByKey } from '../plan/rows.ts';
import { dateSerial, instantSerial, isFormula, money, serialDate, textCell } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { type DesiredRow, rowKey } from '../sheet/tab-spec.ts';

/** The row and the column in which people write a day. */
const DATE_ROW = 'date';
export const DAY_COLUMN = 'on';

interface Day {
  day: string;
  /** States the day, and what is wrong with the one people wrote. */
  words: string;
}

/** The prices of the day that people wrote into the tab, on the clinic's calendar; today's while the cell is empty. */
export async function priceRows(
  view: MirrorView,
  facts: ClinicFacts,
  { tab, nowMs, locale }: { tab: TabSnapshot | undefined; nowMs: number; locale: Locale },
): Promise<DesiredRow[]> {
  const { clinic, timezone } = facts;
  const { day, words } = dayOf(tab, facts, view, { today: wallClockAt(nowMs, timezone).date, locale });
  const end = instant(startOfDay(dayAfter(day), timezone));
  const first: DesiredRow = { clinic, id: DATE_ROW, cells: { name: words } };
  const treatments = pricesOf(await view.rows('fees', clinic), 'treatment', facts, { end, locale });
  const dentists = pricesOf(await view.rows('consultation_fees', clinic), 'dentist', facts, { end, locale });
  return [first, ...treatments, ...dentists];
}

function dayOf(
  tab: TabSnapshot | undefined,
  { clinic, timezone }: ClinicFacts,
  view: MirrorView,
  { today, locale: { t } }: { today: string; locale: Locale },
): Day {
  const of = (day: string) => t('sheet_prices_at', { day, zone: timezone });
  const column = tab?.columns.get(DAY_COLUMN);
  const clinics = view.clinics.map((one) => one.clinic);
  const row = tab && rowsByKey(tab, { clinics })?.get(rowKey(clinic, DATE_ROW))?.[0];
  const written =
    tab === undefined || column === undefined || row === undefined ? null : contentAt(tab, row, column);
  if (written === null) return { day: today, words: of(today) };
  const day = isFormula(written)
    ? undefined
    : typeof written === 'number'
      ? serialDate(written)
      : readDate(String(written));
  if (day === undefined)
    return { day: today, words: t('sheet_no_day', { prices: of(today), example: '2026-03-31' }) };
  if (day > today) return { day: today, words: t('sheet_future', { prices: of(today), day }) };
  return { day, words: of(day) };
}

/** Everything that ever had a price, so that rows stay when the day changes. */
function pricesOf(
  rows: readonly Row[],
  kind: 'treatment' | 'dentist',
  facts: ClinicFacts,
  { end, locale: { t } }: { end: string; locale: Locale },
): DesiredRow[] {
  const [id, name] = kind === 'treatment' ? ['treatment_id', 'treatment_name'] : ['doctor_id', 'doctor_name'];
  const byThing = Map.groupBy(rows, (row) => String(row[id]));
  return [...byThing].map(([number, periods]): DesiredRow => {
    const holds = periods.find(
      ({ valid_from, valid_to }) =>
        String(valid_from) < end && (valid_to === null || String(valid_to) >= end),
    );
    const known = holds ?? periods.at(-1);
    return {
      clinic: facts.clinic,
      id: `${kind} ${number}`,
      cells: {
        kind: kind === 'treatment' ? 'Treatment' : 'Consultation',
        name: textCell(known?.[name]),
        ...(holds === undefined ? { currency: t('sheet_not_listed') } : priceCells(holds, facts)),
      },
    };
  });
}

function priceCells(
  { fee, currency, valid_from }: Row,
  { currency: now, timezone }: ClinicFacts,
): DesiredRow['cells'] {
  const noticed = instantSerial(valid_from, timezone);
  const since = typeof noticed === 'number' ? Math.floor(noticed) : dateSerial(valid_from);
  // The column's format shows the current currency.
  const isOther = currency !== null && String(currency) !== now?.trim().toUpperCase();
  return isOther && fee !== null
    ? { currency: `${fee} ${currency}`, since }
    : { fee: money(fee), currency: textCell(currency), since };
}
