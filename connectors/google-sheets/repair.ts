import type { Converged } from '../../src/connector.ts';
import type { SheetsClient } from './api/client.ts';
import { claimOwnership } from './owner.ts';
import { columnRequests, formatRequest, mark, warnBeforeAnswers } from './plan/create-tab.ts';
import { type FoundColumn, headerRow, layoutFaults, unlikeNew } from './plan/layout-faults.ts';
import { cellRequests } from './plan/requests.ts';
import type { TabKey } from './settings.ts';
import type { RawRequest } from './sheet/raw.ts';
import { columnMark, contentAt, type TabSnapshot } from './sheet/snapshot.ts';
import { AS_OF, ID, type TabColumn } from './sheet/tab-spec.ts';
import type { SpreadsheetParts } from './spreadsheet.ts';
import { layoutOf } from './tabs/columns.ts';

/**
 * Brings back what marks and headers show to be wrong: a mark moves to where its column was pasted, a column that lost
 * its mark gets it, a deleted column comes back at the right end, and a deleted line of headers at the top. The next
 * run fills them. Bookings gets the formats and the warning of a new tab.
 */
export async function repairColumns(
  { context, client, reader }: Pick<SpreadsheetParts, 'context' | 'client' | 'reader'>,
  signal: AbortSignal,
): Promise<Converged> {
  const { settings, clinics, includePatient, instance, name } = context;
  const { snapshot } = await reader.read(settings.tabs, signal);
  claimOwnership(snapshot, { me: `${instance}/${name}`, adopt: undefined });
  const requests: RawRequest[] = [];
  const written: Record<string, number> = {};
  const problems: string[] = [];
  for (const tab of snapshot.tabs.values()) {
    const { columns } = layoutOf(tab.key, {
      ...{ several: clinics.length > 1, includePatient, language: settings.language },
    });
    const repaired = repairTab(tab, columns);
    // As they stand afterwards, so that a second repair finds nothing to do.
    const odd = await oddLooks(client, { ...tab, columns: repaired.places }, columns, signal);
    const count = new Set([...repaired.keys, ...odd.map(({ key }) => key)]).size;
    if (count === 0) continue;
    requests.push(...repaired.requests, ...lookRequests(tab, odd));
    written[tab.title] = count;
    if (repaired.isIdNew)
      problems.push(
        `${tab.title}: the column ID is back but empty, so all rows are written again below the old ones; ` +
          'delete the old rows.',
      );
  }
  if (requests.length > 0) await client.write(requests, signal);
  return { written, problems };
}

function repairTab(tab: TabSnapshot, columns: readonly TabColumn[]) {
  const { sheetId, columnCount, rowCount, key } = tab;
  const { moved, unmarked, isHeaderGone } = layoutFaults(tab, columns, (row) => isData(tab, row));
  const missing = columns.filter(
    (column) => !tab.columns.has(column.key) && !unmarked.some((one) => one.key === column.key),
  );
  const requests: RawRequest[] = [
    ...(isHeaderGone ? headerLine(tab, columns) : []),
    ...moved.flatMap((column) => {
      const metadataId = tab.markIds?.get(column.key);
      return metadataId === undefined
        ? []
        : [{ deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataId } } } }];
    }),
    ...[...moved, ...unmarked].map((column) => columnMarkRequest(sheetId, key, column)),
  ];
  if (missing.length > 0)
    requests.push({
      insertDimension: {
        range: {
          sheetId,
          dimension: 'COLUMNS',
          startIndex: columnCount,
          endIndex: columnCount + missing.length,
        },
        inheritFromBefore: true,
      },
    });
  for (const [at, column] of missing.entries())
    requests.push(...columnRequests({ sheetId, key, column, index: columnCount + at, rowCount }));
  const found = [...moved, ...unmarked, ...missing.map(({ key }, at) => ({ key, at: columnCount + at }))];
  return {
    requests,
    /** What comes back. */
    keys: [...found.map((one) => one.key), ...(isHeaderGone ? ['header'] : [])],
    /** Of all our columns. */
    places: new Map([...tab.columns, ...found.map((one) => [one.key, one.at] as const)]),
    isIdNew: missing.some((column) => column.key === ID),
  };
}

/** Columns of Bookings that look otherwise than in a new tab. */
export const oddLooks = async (
  client: Pick<SheetsClient, 'looks'>,
  tab: TabSnapshot,
  columns: readonly TabColumn[],
  signal: AbortSignal,
) => {
  if (tab.key !== 'bookings') return [];
  const from = Math.max(0, headerRow(tab, columns)) + 1;
  return unlikeNew(tab, columns, await client.looks({ ...tab, from }, signal));
};

function lookRequests(
  { sheetId, rowCount: to }: TabSnapshot,
  odd: readonly (TabColumn & FoundColumn)[],
): RawRequest[] {
  const open = new Set(odd.flatMap(({ input, at }) => (input ? [] : [at])));
  const firsts = [...open].filter((at) => !open.has(at - 1));
  return [
    ...odd.flatMap((column) =>
      column.input ? formatRequest({ sheetId, column: column.at, from: 1, to }, column) : [],
    ),
    ...firsts.map((from) => {
      let last = from;
      while (open.has(last + 1)) last += 1;
      return warnBeforeAnswers(sheetId, from, last);
    }),
  ];
}

const columnMarkRequest = (sheetId: number, tab: TabKey, { key, at }: FoundColumn): RawRequest =>
  mark(
    { dimensionRange: { sheetId, dimension: 'COLUMNS', startIndex: at, endIndex: at + 1 } },
    columnMark(tab, key),
  );

/** A line of ours, not of headers: they are texts. */
const isData = (tab: TabSnapshot, row: number): boolean =>
  [...tab.columns.values()].some((column) => typeof contentAt(tab, row, column) === 'number') ||
  contentAt(tab, row, tab.columns.get('send') ?? -1) !== null;

function headerLine({ sheetId, columns: places }: TabSnapshot, columns: readonly TabColumn[]): RawRequest[] {
  const headers = columns.flatMap(({ key, header }) => {
    const column = places.get(key);
    return column === undefined || key === AS_OF ? [] : [{ row: 0, column, value: header }];
  });
  return [
    {
      insertDimension: {
        range: { sheetId, dimension: 'ROWS', startIndex: 0, endIndex: 1 },
        inheritFromBefore: false,
      },
    },
    // It has the checkboxes and drop-downs of the row below, which refuse words.
    {
      setDataValidation: { range: { sheetId, startRowIndex: 0, endRowIndex: 1 }, filteredRowsIncluded: true },
    },
    ...cellRequests(sheetId, headers),
  ];
}
