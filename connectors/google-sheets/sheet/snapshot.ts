import { type TabKey, tabKeys } from '../settings.ts';
import { type Content, fromRaw } from './cells.ts';
import type { RawSpreadsheet } from './raw.ts';

/** Key of our developer metadata, which is hidden and moves with the column or tab it marks. */
export const MARK = 'clinic-sync';
export const tabMark = (tab: TabKey): string => `tab:${tab}`;
export const columnMark = (tab: TabKey, column: string): string => `tab:${tab}/col:${column}`;
const OWNER = 'owner:';
export const ownerMark = (owner: string): string => OWNER + owner;

/** A rectangle; a missing side is open. */
interface Area {
  startRowIndex?: number | null;
  endRowIndex?: number | null;
  startColumnIndex?: number | null;
  endColumnIndex?: number | null;
}

/** Cells that must not be written, mostly a protected range that we may not edit. */
export interface Closed {
  area: Area;
  except: readonly Area[];
  description: string | null;
  /** The inner cells of a merged range, which are hidden; Google does not say what happens to a write there. */
  isMerge?: boolean;
}

export interface TabSnapshot {
  readonly key: TabKey;
  readonly sheetId: number;
  readonly title: string;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly frozenRowCount: number;
  /** Current index of our columns by key. */
  readonly columns: ReadonlyMap<string, number>;
  /** Ids of the marks of our columns, by key. */
  readonly markIds?: ReadonlyMap<string, number>;
  readonly cells: readonly (readonly Content[])[];
  /** As the spreadsheet shows them; absent unless results were requested. */
  readonly formatted?: readonly (readonly (string | undefined)[])[];
  readonly closed: readonly Closed[];
}

interface Owner {
  name: string;
  metadataId: number;
}

export interface Snapshot {
  readonly title: string;
  readonly locale: string;
  readonly timeZone: string;
  readonly owners: readonly Owner[];
  readonly tabs: ReadonlyMap<TabKey, TabSnapshot>;
  /** Titles of all tabs, including people's. */
  readonly titles: readonly string[];
  readonly sheetIds: readonly number[];
  /** Copies that people made of our tabs, which carry our marks as well. */
  readonly copies: readonly TabSnapshot[];
}

type RawSheet = NonNullable<RawSpreadsheet['sheets']>[number];
type RawMark = { metadataKey?: string | null; metadataValue?: string | null; metadataId?: number | null };

const marksOf = (list: readonly RawMark[] | undefined): string[] =>
  (list ?? []).flatMap(({ metadataKey, metadataValue }) =>
    metadataKey === MARK && metadataValue ? [metadataValue] : [],
  );

const keyOf = (sheet: RawSheet): TabKey | undefined => {
  const marks = marksOf(sheet.developerMetadata);
  return tabKeys.find((key) => marks.includes(tabMark(key)));
};

/**
 * Reads an answer. Of several tabs with one mark (one was duplicated), the one in `known` is ours, or else the first.
 */
export function snapshotOf(raw: RawSpreadsheet, known: Partial<Record<TabKey, number>>): Snapshot {
  const sheets = raw.sheets ?? [];
  const tabs = new Map<TabKey, TabSnapshot>();
  const copies: TabSnapshot[] = [];
  const own = new Set(Object.values(known));
  const ordered = [...sheets].sort(
    (a, b) => Number(own.has(b.properties?.sheetId ?? 0)) - Number(own.has(a.properties?.sheetId ?? 0)),
  );
  for (const sheet of ordered) {
    const key = keyOf(sheet);
    if (key === undefined) continue;
    if (tabs.has(key)) copies.push(tabOf(key, sheet));
    else tabs.set(key, tabOf(key, sheet));
  }
  const { title, locale, timeZone } = raw.properties ?? {};
  return {
    title: title ?? '',
    locale: locale ?? 'en_US',
    // Google names a custom zone GMT-07:00; everyone else calls it -07:00.
    timeZone: timeZone?.replace(/^GMT(?=[+-])/, '') || 'UTC',
    owners: (raw.developerMetadata ?? []).flatMap(({ metadataKey, metadataValue, metadataId }) =>
      metadataKey === MARK && metadataValue?.startsWith(OWNER)
        ? [{ name: metadataValue.slice(OWNER.length), metadataId: metadataId ?? 0 }]
        : [],
    ),
    tabs,
    titles: sheets.map(({ properties }) => properties?.title ?? ''),
    sheetIds: sheets.map(({ properties }) => properties?.sheetId ?? 0),
    copies,
  };
}

function tabOf(key: TabKey, sheet: RawSheet): TabSnapshot {
  const { properties, protectedRanges = [], merges = [] } = sheet;
  const { sheetId, title, gridProperties } = properties ?? {};
  const data = sheet.data?.[0];
  return {
    key,
    sheetId: sheetId ?? 0,
    title: title ?? '',
    rowCount: gridProperties?.rowCount ?? 0,
    columnCount: gridProperties?.columnCount ?? 0,
    frozenRowCount: gridProperties?.frozenRowCount ?? 0,
    ...columnsOf(key, data?.columnMetadata ?? []),
    cells: (data?.rowData ?? []).map(({ values }) =>
      (values ?? []).map((cell) => fromRaw(cell.userEnteredValue, cell.effectiveValue)),
    ),
    formatted: (data?.rowData ?? []).map(({ values }) =>
      (values ?? []).map(({ formattedValue }) => formattedValue ?? undefined),
    ),
    closed: [
      ...merges.map(innerCells),
      ...protectedRanges.flatMap(
        ({ range, unprotectedRanges, warningOnly, requestingUserCanEdit, description }) =>
          warningOnly || requestingUserCanEdit
            ? []
            : [{ area: range ?? {}, except: unprotectedRanges ?? [], description: description ?? null }],
      ),
    ],
  };
}

function innerCells(area: Area): Closed {
  const { startRowIndex, startColumnIndex } = area;
  const [row, column] = [startRowIndex ?? 0, startColumnIndex ?? 0];
  const first = {
    startRowIndex: row,
    endRowIndex: row + 1,
    startColumnIndex: column,
    endColumnIndex: column + 1,
  };
  return { area, except: [first], description: 'merged cells', isMerge: true };
}

/** When several columns have one mark (one was copied), the first counts. */
function columnsOf(key: TabKey, metadata: readonly { developerMetadata?: RawMark[] }[]) {
  const columns = new Map<string, number>();
  const markIds = new Map<string, number>();
  const prefix = columnMark(key, '');
  for (const [index, { developerMetadata = [] }] of metadata.entries())
    for (const mark of developerMetadata) {
      const [value] = marksOf([mark]);
      const name = value?.slice(prefix.length);
      if (!value?.startsWith(prefix) || name === undefined || columns.has(name)) continue;
      columns.set(name, index);
      if (mark.metadataId != null) markIds.set(name, mark.metadataId);
    }
  return { columns, markIds };
}

export const contentAt = (tab: TabSnapshot, row: number, column: number): Content =>
  tab.cells[row]?.[column] ?? null;

export const formattedAt = (tab: TabSnapshot, row: number, column: number): string | undefined =>
  tab.formatted?.[row]?.[column];

const inside = (area: Area, row: number, column: number): boolean =>
  row >= (area.startRowIndex ?? 0) &&
  row < (area.endRowIndex ?? Infinity) &&
  column >= (area.startColumnIndex ?? 0) &&
  column < (area.endColumnIndex ?? Infinity);

/** The protection that covers this cell. */
export const closedAt = (tab: TabSnapshot, row: number, column: number): Closed | undefined =>
  tab.closed.find(
    ({ area, except }) => inside(area, row, column) && !except.some((open) => inside(open, row, column)),
  );

/** In A1 notation: `B2:B9`, `C:C`, `5:5`; undefined for the whole tab. */
export function placeOf({
  startRowIndex,
  endRowIndex,
  startColumnIndex,
  endColumnIndex,
}: Area): string | undefined {
  const from = [
    startColumnIndex == null ? '' : letters(startColumnIndex),
    startRowIndex == null ? '' : startRowIndex + 1,
  ].join('');
  const to = `${endColumnIndex == null ? '' : letters(endColumnIndex - 1)}${endRowIndex ?? ''}`;
  return from === '' && to === '' ? undefined : `${from}:${to}`;
}

const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

/** `B2` */
export const cellName = (row: number, column: number): string => `${letters(column)}${row + 1}`;

/** Number of cells in our columns that are hidden by merges reaching into one of these rows. */
export function hiddenByMerges(tab: TabSnapshot, rows: ReadonlySet<number>): number {
  let hidden = 0;
  for (const { area } of tab.closed.filter(({ isMerge }) => isMerge)) {
    const [first, end] = [area.startRowIndex ?? 0, Math.min(area.endRowIndex ?? Infinity, tab.rowCount)];
    const ours = [...tab.columns.values()].filter((column) => inside(area, first, column));
    const lines = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
    if (!lines.some((row) => rows.has(row))) continue;
    hidden += lines.length * ours.length - Number(ours.includes(area.startColumnIndex ?? 0));
  }
  return hidden;
}

/** The protection that keeps us from inserting rows before `row`. */
export const closedRows = (tab: TabSnapshot, row: number): Closed | undefined =>
  tab.closed.find(({ area }) => row > (area.startRowIndex ?? -1) && row < (area.endRowIndex ?? Infinity));
