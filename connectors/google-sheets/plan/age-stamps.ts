import type { MirrorView } from '../../../src/connector.ts';
import { polls } from '../../../src/domain/clinics/resource.ts';
import { instant, toMs } from '../../../src/platform/clock.ts';
import { MINUTE } from '../../../src/platform/duration.ts';
import type { Locale } from '../../../src/platform/text/locale.ts';
import type { TabKey } from '../settings.ts';
import { type Content, instantText, isFormula, wallMinutes } from '../sheet/cells.ts';
import type { RawRequest } from '../sheet/raw.ts';
import { closedAt, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { AS_OF, AS_OF_HEADER } from '../sheet/tab-spec.ts';
import { columnRequests, redWhenStale } from './create-tab.ts';
import type { CellWrite } from './requests.ts';

/** Polls shown in each tab. The age of Bookings is when it was last read for rows to book. */
const sources: Record<Exclude<TabKey, 'bookings'>, readonly string[]> = {
  overview: ['organization'],
  treatments: ['treatments'],
  dentists: ['dentists'],
  clinic: ['organization', 'website'],
  fee_history: ['treatments', 'dentists'],
  price_list: ['treatments', 'dentists'],
  statistics: ['organization'],
  leads: ['appointments'],
  appointments: ['appointments'],
  sync: polls,
};
/** The stamp is written at most this often. */
const STEP_MS = 5 * MINUTE;
const LEAST_GRACE_MS = 20 * MINUTE;
const LOOKED = { stepMs: 15 * MINUTE, graceMs: 45 * MINUTE };

interface Age {
  at: number;
  deadline: number;
  stepMs: number;
  /** The zone of all clinics, whose wall clock is shown; undefined where they differ: the spreadsheet's is. */
  timezone: string | undefined;
}

export type Freshness = Awaited<ReturnType<MirrorView['freshness']>>[number];

/**
 * When each resource of a clinic is overdue, undefined before its first reading: two intervals after the next one is
 * due, and never sooner than the sheet is updated. While there is nothing to read, the others tell.
 */
export function deadlinesOf(read: readonly Freshness[]): (one: Freshness) => number | undefined {
  const own = ({ as_of, next_due_at }: Freshness): number[] => {
    if (as_of === null || next_due_at === null) return [];
    const interval = Math.max(0, toMs(next_due_at) - toMs(as_of));
    return [toMs(as_of) + interval + Math.max(2 * interval, LEAST_GRACE_MS)];
  };
  return (one) => {
    if (one.as_of === null) return undefined;
    const among = one.next_due_at === null ? read.flatMap(own) : own(one);
    return among.length === 0 ? toMs(one.as_of) + LEAST_GRACE_MS : Math.min(...among);
  };
}

/** The age of each tab, of the clinic whose next reading is due first. Undefined before the first reading. */
export async function agesOf(view: MirrorView, nowMs: number): Promise<(key: TabKey) => Age | undefined> {
  const read: (Freshness & { deadline: number | undefined })[] = [];
  for (const { clinic } of view.clinics) {
    const own = await view.freshness(clinic);
    const deadlineOf = deadlinesOf(own);
    read.push(...own.map((one) => ({ ...one, deadline: deadlineOf(one) })));
  }
  const zones = new Set(view.clinics.map((facts) => facts.timezone));
  const [timezone] = zones.size === 1 ? zones : [];
  return (key) => {
    if (key === 'bookings')
      return { at: nowMs, deadline: nowMs + LOOKED.graceMs, stepMs: LOOKED.stepMs, timezone };
    const wanted = sources[key];
    const ages = read.flatMap(({ poll, as_of, deadline }): Age[] =>
      as_of === null || deadline === undefined || !wanted.includes(poll)
        ? []
        : [{ at: toMs(as_of), deadline, stepMs: STEP_MS, timezone }],
    );
    return ages.sort((a, b) => a.deadline - b.deadline)[0];
  };
}

interface StampIn {
  /** The spreadsheet's zone, whose wall clock NOW() is. */
  zone: string;
  locale: Locale;
}

/** Uses whole minutes and semicolons, because commas differ between locales. */
export const ageStamp = ({ at, deadline, timezone }: Age, { zone, locale: { t } }: StampIn): Content => {
  const shown = timezone ?? zone;
  const when = `${instantText(instant(at), shown)} ${shown}`;
  const stale = `STALE: ${t('sheet_stamp', { when })}`;
  return {
    formula: `=IF(NOW()*1440>${wallMinutes(deadline, zone)};"${stale}";"${t('sheet_stamp', { when })}")`,
  };
};

const ours = /^=IF\(NOW\(\)\*1440>(\d+)[;,]"STALE/i;

/**
 * Updates the cell with a tab's age, wherever it is in its column. Once people have emptied or overwritten it, it is
 * theirs.
 */
export function stampWrites(tab: TabSnapshot, age: Age, into: StampIn): CellWrite[] {
  const column = tab.columns.get(AS_OF);
  if (column === undefined) return [];
  const value = ageStamp(age, into);
  const minutes = wallMinutes(age.deadline, into.zone);
  return tab.cells.flatMap((_, row): CellWrite[] => {
    const content = contentAt(tab, row, column);
    const shown = isFormula(content) ? ours.exec(content.formula)?.[1] : undefined;
    const isNew = row === 0 && content === AS_OF_HEADER;
    const isOld =
      shown !== undefined && !(minutes >= Number(shown) && (minutes - Number(shown)) * MINUTE < age.stepMs);
    return (isNew || isOld) && !closedAt(tab, row, column) ? [{ row, column, value }] : [];
  });
}

/** Adds the age column at the right end of a tab made by an earlier version. */
export function stampColumn({ key, sheetId, columnCount: index, rowCount }: TabSnapshot): RawRequest[] {
  const column = { key: AS_OF, header: AS_OF_HEADER, kind: 'mixed', width: 250 } as const;
  const range = { sheetId, dimension: 'COLUMNS', startIndex: index, endIndex: index + 1 };
  return [
    { insertDimension: { range, inheritFromBefore: true } },
    ...columnRequests({ sheetId, key, column, index, rowCount }),
    redWhenStale(sheetId, index),
  ];
}
