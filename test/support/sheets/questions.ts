import type { RawRequest, SheetsClient } from '../../../connectors/google-sheets/api/client.ts';
import type { Behavior } from '../../../sandbox/google-sheets/behavior.ts';
import { Failure } from '../../../src/platform/failure.ts';

/** What a server was found to do: true, false, or why it could not be found out. */
export type Findings = Partial<Record<keyof Behavior, boolean | string>>;

const cell = (sheetId: number, columnIndex: number, stringValue: string): RawRequest => ({
  updateCells: {
    start: { sheetId, rowIndex: 0, columnIndex },
    rows: [{ values: [{ userEnteredValue: { stringValue } }] }],
    fields: 'userEnteredValue',
  },
});

const rule = (sheetId: number, startColumnIndex: number, condition: object): RawRequest => ({
  setDataValidation: {
    range: {
      ...{ sheetId, startRowIndex: 0, endRowIndex: 1 },
      ...{ startColumnIndex, endColumnIndex: startColumnIndex + 1 },
    },
    rule: { condition, strict: true, showCustomUi: true },
  },
});

/** Asks a server what Google's documentation leaves open, in a tab of its own that stays. The first run has signed it. */
export async function askSheets(
  client: SheetsClient,
  sheetId: number,
  signal: AbortSignal,
): Promise<Findings> {
  const takes = async (...requests: RawRequest[]): Promise<boolean> => {
    try {
      await client.write(requests, signal);
      return true;
    } catch (error) {
      if (error instanceof Failure && error.status === 400) return false;
      throw error;
    }
  };
  const shown = async (column: number) => {
    const { sheets } = await client.tabs([sheetId], { results: false }, signal);
    return sheets?.[0]?.data?.[0]?.rowData?.[0]?.values?.[column]?.userEnteredValue?.stringValue;
  };
  const properties = {
    ...{ sheetId, title: `Questions ${sheetId}` },
    gridProperties: { rowCount: 3, columnCount: 6 },
  };
  await client.write([{ addSheet: { properties } }], signal);
  const { developerMetadata = [] } = await client.tabs([sheetId], { results: false }, signal);
  const list = { type: 'ONE_OF_LIST', values: [{ userEnteredValue: '=1+1' }] };
  const listsTakeFormulas = await takes(rule(sheetId, 0, list));
  await client.write([rule(sheetId, 1, { type: 'BOOLEAN' })], signal);
  const checkboxesTakeAnything = await takes(cell(sheetId, 1, 'CS-7K3Q9F'));
  await client.write([cell(sheetId, 2, 'one\r\ntwo')], signal);
  const lineBreaksAreKept = (await shown(2)) === 'one\r\ntwo';
  return {
    filteredReadingsHaveOwners: developerMetadata.length > 0,
    listsTakeFormulas,
    checkboxesTakeAnything,
    lineBreaksAreKept,
  };
}

/** What only people's hands can find out; `seen` is filled in by them. */
export const byHand: readonly string[] = [
  'File, Make a copy; set `adopt` and run twice: does the second run write nothing? (copiedOwnersCanBeChanged)',
  'Delete the column Fee, undo: does `connectors check` miss it? Restore yesterday’s version: and now? (undoRestoresMarks)',
  'Merge Fee of two rows: does Sync name it, and nothing is written again? (mergedCellsTakeWrites)',
  'Convert Bookings to a table, insert a row, tick it: is it booked, and does Sync name the drop-downs?',
  'Move the file to the bin, tick a row: is it booked?',
  'Sort, filter, insert and move columns, rename tabs for five minutes while fees change: are all notes where they were?',
  'Stop the daemon, leave the sheet open for an hour: does State turn red by itself?',
  'Duplicate Bookings, tick a row in the copy: does Sync say so within five minutes?',
];

/** The result, for the documentation. */
export function report(findings: Findings, date: string): string {
  const rows = Object.entries(findings).map(([name, found]) => `| \`${name}\` | ${found} |`);
  const hands = byHand.map((text) => `- [ ] ${text}`);
  return [
    `# What the real Google Sheets did on ${date}`,
    '',
    '| switch of `behavior.ts` | found |\n|---|---|',
    ...rows,
    '',
    'By hand, an hour with one sheet; tick what is so, and write beside it what is not:',
    '',
    ...hands,
    '',
  ].join('\n');
}
