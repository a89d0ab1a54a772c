import type { RawRequest } from '../api/client.ts';
import type { TabKey } from '../settings.ts';
import type { Content } from '../sheet/cells.ts';
import { columnMark, MARK, type Snapshot, tabMark } from '../sheet/snapshot.ts';
import { CLINIC, type Column, type ColumnKind, type DesiredRow, ID, type TabSpec } from '../tabs/tab-spec.ts';
import { cellRequests } from './requests.ts';

const formats: Partial<Record<ColumnKind, { type: string; pattern?: string }>> = {
  text: { type: 'TEXT' },
  number: { type: 'NUMBER', pattern: '0' },
  date: { type: 'DATE', pattern: 'yyyy-mm-dd' },
  time: { type: 'TIME', pattern: 'hh:mm' },
  instant: { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm' },
};

const grey = { rgbColor: { red: 0.55, green: 0.55, blue: 0.55 } };

const red = { rgbColor: { red: 0.96, green: 0.6, blue: 0.6 } };

interface NewTab {
  sheetId: number;
  requests: RawRequest[];
  /** Those that are in it already. */
  rows: readonly DesiredRow[];
}

interface CreateOptions {
  /** Cells to write at once; the rest comes with later runs. */
  budget: number;
  /** Blank rows below, for tabs that people fill in. */
  blankRows?: number;
  random: () => number;
}

/** A whole tab: grid, header, formats, marks and first rows. Formats are set here and never again. */
export function createTab(spec: TabSpec, snapshot: Snapshot, options: CreateOptions): NewTab {
  const { budget, blankRows = 1, random } = options;
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
      ...columnRequests({ sheetId, key: spec.key, column, index, rowCount, decimals: spec.decimals }),
    );
  const writes = rows.flatMap((row, at) =>
    columns.map((column, index) => ({ row: at + 1, column: index, value: cellOf(row, column) })),
  );
  requests.push(...cellRequests(sheetId, writes));
  const state = columns.findIndex(({ key }) => key === 'state');
  if (state >= 0 && spec.key !== 'bookings' && spec.key !== 'sync')
    requests.push(greyWhenRemoved(sheetId, state, columns.length));
  return { sheetId, requests, rows };
}

interface ColumnPlace {
  sheetId: number;
  key: TabKey;
  column: Column;
  index: number;
  rowCount: number;
  /** Of amounts of money; default 2. */
  decimals?: number;
}

/** Header, mark, format and width of one column, new or restored. */
export function columnRequests(place: ColumnPlace): RawRequest[] {
  const { sheetId, key, column, index, rowCount, decimals = 2 } = place;
  const range = { sheetId, dimension: 'COLUMNS', startIndex: index, endIndex: index + 1 };
  const format =
    column.kind === 'money'
      ? { type: 'NUMBER', pattern: decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}` }
      : formats[column.kind];
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
  if (format)
    requests.push({
      repeatCell: {
        range: {
          sheetId,
          startRowIndex: 1,
          endRowIndex: rowCount,
          startColumnIndex: index,
          endColumnIndex: index + 1,
        },
        cell: { userEnteredFormat: { numberFormat: format } },
        fields: 'userEnteredFormat.numberFormat',
      },
    });
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

export const mark = (location: object, value: string): RawRequest => ({
  createDeveloperMetadata: {
    developerMetadata: { metadataKey: MARK, metadataValue: value, location, visibility: 'DOCUMENT' },
  },
});

const cellOf = ({ clinic, id, cells }: DesiredRow, { key }: Column): Content =>
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

/** Recalculates NOW() every minute, and shows a State that turned STALE in red. */
export const redWhenStale = (sheetId: number, column: number): RawRequest[] => [
  { updateSpreadsheetProperties: { properties: { autoRecalc: 'MINUTE' }, fields: 'autoRecalc' } },
  {
    addConditionalFormatRule: {
      rule: {
        ranges: [{ sheetId, startRowIndex: 1, startColumnIndex: column, endColumnIndex: column + 1 }],
        booleanRule: {
          condition: { type: 'TEXT_STARTS_WITH', values: [{ userEnteredValue: 'STALE' }] },
          format: { backgroundColorStyle: red, textFormat: { bold: true } },
        },
      },
      index: 0,
    },
  },
];

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
