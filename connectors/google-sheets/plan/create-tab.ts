import type { TabKey } from '../settings.ts';
import type { Content } from '../sheet/cells.ts';
import type { RawRequest } from '../sheet/raw.ts';
import { columnMark, MARK, type Snapshot, tabMark } from '../sheet/snapshot.ts';
import {
  AS_OF,
  CLINIC,
  type ColumnKind,
  type DesiredRow,
  ID,
  type TabColumn,
  type TabSpec,
} from '../sheet/tab-spec.ts';
import { cellRequests } from './requests.ts';

const formats: Partial<Record<ColumnKind, { type: string; pattern?: string }>> = {
  text: { type: 'TEXT' },
  number: { type: 'NUMBER', pattern: '0' },
  date: { type: 'DATE', pattern: 'yyyy-mm-dd' },
  time: { type: 'TIME', pattern: 'hh:mm' },
  instant: { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm' },
};

/** What people type is shown as their spreadsheet shows it. */
export const columnFormatOf = ({ kind, input }: Pick<TabColumn, 'kind' | 'input'>) =>
  input && (kind === 'date' || kind === 'time') ? { type: kind.toUpperCase() } : formats[kind];

const grey = { rgbColor: { red: 0.55, green: 0.55, blue: 0.55 } };
const red = { rgbColor: { red: 0.96, green: 0.6, blue: 0.6 } };

interface NewTab {
  sheetId: number;
  requests: RawRequest[];
  /** Rows that are already in it. */
  rows: readonly DesiredRow[];
}

interface CreateOptions {
  /** Cells to write at once; later runs write the rest. */
  budget: number;
  /** Blank rows below, for tabs that people fill in. */
  blankRows?: number;
  /** The content of its age cell. */
  stamp: Content;
  random: () => number;
}

/** A whole tab: grid, header, formats, marks and first rows. Formats are set only here. */
export function createTab(spec: TabSpec, snapshot: Snapshot, options: CreateOptions): NewTab {
  const { budget, blankRows = 1, stamp, random } = options;
  const { columns } = spec;
  const sheetId = freeId(snapshot.sheetIds, random);
  const present = spec.rows.filter(({ gone }) => gone !== true);
  const rows = present.slice(0, Math.max(0, Math.floor(budget / columns.length)));
  const rowCount = 1 + rows.length + blankRows;
  const requests: RawRequest[] = [
    {
      addSheet: {
        properties: {
          sheetId,
          title: freeTitle(snapshot.titles, spec.title),
          gridProperties: { rowCount, columnCount: columns.length, frozenRowCount: 1 },
        },
      },
    },
    mark({ sheetId }, tabMark(spec.key)),
  ];
  for (const [index, column] of columns.entries())
    requests.push(
      ...columnRequests({ sheetId, key: spec.key, column, index, rowCount, currency: currencyOf(spec) }),
    );
  const writes = rows.flatMap((row, at) =>
    columns.map((column, index) => ({ row: at + 1, column: index, value: cellOf(row, column) })),
  );
  const age = columns.findIndex(({ key }) => key === AS_OF);
  if (stamp !== null) writes.unshift({ row: 0, column: age, value: stamp });
  requests.push(...cellRequests(sheetId, writes), redWhenStale(sheetId, age));
  const [ref, updated] = ['ref', 'updated'].map((name) => columns.findIndex(({ key }) => key === name));
  if (spec.key === 'bookings') requests.push(warnBeforeAnswers(sheetId, ref ?? 0, updated));
  const places = spec.columns.flatMap(({ kind }, index) => (kind === 'money' ? [index] : []));
  requests.push(...rowCurrencies(spec, rows, { sheetId, at: 1, columns: places }));
  const state = columns.findIndex(({ key }) => key === 'state');
  if (state >= 0 && spec.key !== 'bookings' && spec.key !== 'sync')
    requests.push(greyWhenRemoved(sheetId, state, columns.length));
  return { sheetId, requests, rows };
}

interface ColumnPlace {
  sheetId: number;
  key: TabKey;
  column: Omit<TabColumn, 'headers'>;
  index: number;
  rowCount: number;
  /** Currency of money columns. */
  currency?: string | null;
}

/** People are asked before they change our answers, and may. */
export const warnBeforeAnswers = (sheetId: number, from: number, to = from): RawRequest => ({
  addProtectedRange: {
    protectedRange: {
      range: { sheetId, startColumnIndex: from, endColumnIndex: to + 1 },
      description: 'clinic-sync writes here',
      warningOnly: true,
    },
  },
});

/** Header, mark, format and width of one column, new or restored. */
export function columnRequests(place: ColumnPlace): RawRequest[] {
  const { sheetId, key, column, index, rowCount, currency = null } = place;
  const range = { sheetId, dimension: 'COLUMNS', startIndex: index, endIndex: index + 1 };
  const requests: RawRequest[] = [
    {
      updateCells: {
        start: { sheetId, rowIndex: 0, columnIndex: index },
        rows: [
          {
            values: [
              {
                userEnteredValue: { stringValue: column.header },
                userEnteredFormat: { textFormat: { bold: true } },
              },
            ],
          },
        ],
        fields: 'userEnteredValue,userEnteredFormat.textFormat',
      },
    },
    mark({ dimensionRange: range }, columnMark(key, column.key)),
  ];
  requests.push(...formatRequest({ sheetId, column: index, from: 1, to: rowCount }, column, currency));
  const { width, hidden } = column;
  if (width !== undefined || hidden)
    requests.push({
      updateDimensionProperties: {
        range,
        properties: {
          ...(width !== undefined && { pixelSize: width }),
          ...(hidden && { hiddenByUser: true }),
        },
        fields: [width !== undefined && 'pixelSize', hidden && 'hiddenByUser'].filter(Boolean).join(','),
      },
    });
  return requests;
}

/** The format of one column's rows; nothing for a column that has none. */
export function formatRequest(
  { sheetId, column, from, to }: Record<'sheetId' | 'column' | 'from' | 'to', number>,
  of: Pick<TabColumn, 'kind' | 'input'>,
  currency: string | null = null,
): RawRequest[] {
  const format = of.kind === 'money' ? moneyFormat(currency) : columnFormatOf(of);
  if (format === undefined) return [];
  const rows = { startRowIndex: from, endRowIndex: to };
  return [
    {
      repeatCell: {
        range: { sheetId, ...rows, startColumnIndex: column, endColumnIndex: column + 1 },
        cell: { userEnteredFormat: { numberFormat: format } },
        fields: 'userEnteredFormat.numberFormat',
      },
    },
  ];
}

/** The currency of all clinics; null where they differ. */
function currencyOf({ currencies }: TabSpec): string | null {
  const all = [...new Set(currencies.values())];
  return all.length === 1 ? (all[0] ?? null) : null;
}

/** Formats new rows by their clinic's currency, where clinics differ. */
export function rowCurrencies(
  { currencies }: TabSpec,
  rows: readonly Pick<DesiredRow, 'clinic'>[],
  { sheetId, at, columns }: { sheetId: number; at: number; columns: readonly number[] },
): RawRequest[] {
  if (new Set(currencies.values()).size < 2) return [];
  const runs: { clinic: string; start: number; end: number }[] = [];
  for (const [index, { clinic }] of rows.entries()) {
    const last = runs.at(-1);
    if (last?.clinic === clinic) last.end = at + index + 1;
    else runs.push({ clinic, start: at + index, end: at + index + 1 });
  }
  return runs.flatMap(({ clinic, start: from, end: to }) =>
    columns.flatMap((column) =>
      formatRequest({ sheetId, column, from, to }, { kind: 'money' }, currencies.get(clinic) ?? null),
    ),
  );
}

export const mark = (location: object, value: string): RawRequest => ({
  createDeveloperMetadata: {
    developerMetadata: { metadataKey: MARK, metadataValue: value, location, visibility: 'DOCUMENT' },
  },
});

const cellOf = ({ clinic, id, cells }: DesiredRow, { key }: TabColumn): Content =>
  key === ID ? id : key === CLINIC ? clinic : (cells[key] ?? null);

function greyWhenRemoved(sheetId: number, state: number, columnCount: number): RawRequest {
  const letter = String.fromCharCode(65 + state);
  return {
    addConditionalFormatRule: {
      rule: {
        ranges: [{ sheetId, startRowIndex: 1, startColumnIndex: 0, endColumnIndex: columnCount }],
        booleanRule: {
          condition: { type: 'CUSTOM_FORMULA', values: [{ userEnteredValue: `=$${letter}2="Removed"` }] },
          format: { textFormat: { foregroundColorStyle: grey } },
        },
      },
      index: 0,
    },
  };
}

/** Makes Google recalculate NOW() every minute. */
export const recalculated: RawRequest = {
  updateSpreadsheetProperties: { properties: { autoRecalc: 'MINUTE' }, fields: 'autoRecalc' },
};

/** Colours STALE cells of a column red. */
export const redWhenStale = (sheetId: number, column: number): RawRequest => ({
  addConditionalFormatRule: {
    rule: {
      ranges: [{ sheetId, startColumnIndex: column, endColumnIndex: column + 1 }],
      booleanRule: {
        condition: { type: 'TEXT_STARTS_WITH', values: [{ userEnteredValue: 'STALE' }] },
        format: { backgroundColorStyle: red, textFormat: { bold: true } },
      },
    },
    index: 0,
  },
});

function freeTitle(titles: readonly string[], wanted: string): string {
  const taken = new Set(titles.map((title) => title.toLowerCase()));
  let title = wanted;
  for (let n = 2; taken.has(title.toLowerCase()); n += 1) title = `${wanted} ${n}`;
  return title;
}

function freeId(taken: readonly number[], random: () => number): number {
  let id = 0;
  do id = 1 + Math.floor(random() * (2 ** 31 - 2));
  while (taken.includes(id));
  return id;
}

/** `#,##0.000" KWD"`: the number, with the currency's decimals (ISO 4217), and the currency. */
function moneyFormat(currency: string | null): { type: 'NUMBER'; pattern: string } {
  if (currency === null || !/^[A-Z]{3}$/i.test(currency)) return { type: 'NUMBER', pattern: '#,##0.00' };
  const { maximumFractionDigits: decimals = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const places = decimals === 0 ? '' : `.${'0'.repeat(decimals)}`;
  return { type: 'NUMBER', pattern: `#,##0${places}" ${currency.toUpperCase()}"` };
}
