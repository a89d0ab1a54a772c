import type { SheetsClient } from '../../../connectors/google-sheets/api/client.ts';
import type { RawRequest } from '../../../connectors/google-sheets/sheet/raw.ts';
import type { Behavior } from '../../../sandbox/google-sheets/behavior.ts';
import { type KnownReason, knownOfGoogle, knownText } from '../../../sandbox/google-sheets/known.ts';
import { Failure } from '../../../src/platform/failure.ts';

/** What a server was found to do. */
export type Findings = Partial<Record<keyof Behavior | 'binIsTold', boolean>>;

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
    binIsTold: (await client.isInBin(signal)) !== undefined,
  };
}

/** The result, for the project to ship. `run`: what the connector said of its own run; nothing when all went well. */
export function report(
  findings: Findings,
  run: readonly string[],
  { server, date }: { server: string; date: string },
): string {
  const said = run.length === 0 ? 'yes' : `no: ${run.join(' ')}`;
  const found = ({ sandbox, live }: KnownReason): string => {
    if (live === 'run') return said;
    if (live !== 'question') return '';
    const { behavior = 'binIsTold' } = sandbox === 'always' ? {} : sandbox;
    return String(findings[behavior] ?? 'not asked');
  };
  const rows = knownOfGoogle
    .filter(({ live }) => typeof live === 'string')
    .map((row) => `| ${row.what} | ${knownText(row)} | ${found(row)} |`);
  const manual = knownOfGoogle.flatMap(({ live, what }) =>
    typeof live === 'string' ? [] : [`- [ ] ${live.manual} (${what})`],
  );
  return [
    `# What ${server} did on ${date}`,
    '',
    '| what | known before | found |\n|---|---|---|',
    ...rows,
    '',
    'By hand, an hour with one sheet; tick what is so, and write beside it what is not:',
    '',
    ...manual,
    '',
  ].join('\n');
}
