import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/v4.js';
import type { Clock } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import type { RawRequest, RawRule, RawSpreadsheet } from '../sheet/raw.ts';
import { accountOf, authClientOf } from './auth-client.ts';
import { createSheetsCalls } from './calls.ts';
import type { GoogleCredentials } from './credentials.ts';
import { limiterOf } from './limiter.ts';

interface ClientOptions {
  /** Its name. */
  connector: string;
  credentials: GoogleCredentials;
  spreadsheetId: string;
  apiUrl: string;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
}

type Dimensions = Record<'sheetId' | 'rowCount' | 'columnCount', number>;
/** Its rows from one on. */
type Below = Dimensions & { from: number };
/** How a tab looks to people. */
export interface Looks {
  kinds: readonly ReadonlySet<string | null>[];
  protections: readonly sheets_v4.Schema$GridRange[];
}

/** Rows that are checked for a misplaced drop-down. */
const RULE_ROWS = 100;
/** Rows whose formats are checked. */
const LOOK_ROWS = 1_000;
const TIMEOUT_MS = 120_000;
const DRIVE_TIMEOUT_MS = 3_000;
const GOOGLE_URL = 'https://sheets.googleapis.com/';
const DRIVE_URL = 'https://www.googleapis.com/';
const metadata = 'developerMetadata(metadataId,metadataKey,metadataValue)';
const ranges = 'protectedRanges(description,range,warningOnly,requestingUserCanEdit,unprotectedRanges)';
const sheet = `properties,${metadata},merges,${ranges}`;
const outer = `spreadsheetId,properties(title,locale,timeZone),${metadata}`;
const structureFields = `${outer},sheets(${sheet})`;
const tabFields = (cell: string) =>
  `${outer},sheets(${sheet},data(startRow,startColumn,columnMetadata(${metadata}),rowData(values(${cell}))))`;
const ruleFields = 'spreadsheetId,sheets(data(rowData(values(dataValidation))))';
const lookFields =
  'spreadsheetId,sheets(protectedRanges(range),data(rowData(values(userEnteredFormat(numberFormat)))))';

/** The calls to Google's API. Each throws `Failure`; none is repeated automatically. */
export type SheetsClient = Awaited<ReturnType<typeof createClient>>;

/** Loads only the Sheets API: the whole package of Google's client costs half a second and 100 MB. */
export async function createClient(options: ClientOptions) {
  const { credentials, spreadsheetId, apiUrl } = options;
  const { sheets, auth } = await import('googleapis/build/src/apis/sheets/index.js');
  const client = await authClientOf(auth, credentials);
  const { spreadsheets } = sheets({
    version: 'v4',
    auth: client,
    rootUrl: apiUrl,
    retry: false,
    timeout: TIMEOUT_MS,
  });
  const limiter = limiterOf(accountOf(credentials), options);
  const { signIn, call } = createSheetsCalls({ ...options, client, limiter, address: credentials.address });

  const part = (fields: string, gridRanges: sheets_v4.Schema$GridRange[], signal: AbortSignal) =>
    call('read', signal, () => {
      const requestBody = { dataFilters: gridRanges.map((gridRange) => ({ gridRange })) };
      return spreadsheets.getByDataFilter({ spreadsheetId, fields, requestBody }, { signal });
    });
  const batch = (requests: readonly RawRequest[], signal: AbortSignal) =>
    call(
      'write',
      signal,
      () => {
        const requestBody = { requests: [...requests] };
        return spreadsheets.batchUpdate({ spreadsheetId, requestBody }, { signal });
      },
      ({ replies }) => (replies?.length ?? 0) === requests.length,
      requests,
    );

  return {
    /** Verifies the key. */
    signIn,
    /** All tabs, without their cells. */
    structure: (signal: AbortSignal): Promise<RawSpreadsheet> =>
      call(
        'read',
        signal,
        () => spreadsheets.get({ spreadsheetId, fields: structureFields }, { signal }),
        // A spreadsheet has at least one tab.
        ({ sheets = [] }) =>
          sheets.length > 0 && sheets.every(({ properties }) => properties?.sheetId != null),
      ),
    /**
     * These tabs with their cells. `results` also reads each cell's result and what it shows, which makes the answer
     * twice as long.
     */
    tabs: (
      sheetIds: readonly number[],
      { results }: { results: boolean },
      signal: AbortSignal,
    ): Promise<RawSpreadsheet> =>
      part(
        tabFields(results ? 'userEnteredValue,effectiveValue,formattedValue' : 'userEnteredValue'),
        sheetIds.map((sheetId) => ({ sheetId })),
        signal,
      ),
    /** Validation rules (drop-downs, checkboxes) below the header, by column; an inserted row may have none. */
    async rules(sheetId: number, signal: AbortSignal): Promise<(RawRule | undefined)[]> {
      const answer = await part(ruleFields, [{ sheetId, startRowIndex: 1, endRowIndex: RULE_ROWS }], signal);
      const rows = answer.sheets?.[0]?.data?.[0]?.rowData ?? [];
      const found: (RawRule | undefined)[] = [];
      for (const { values = [] } of rows)
        for (const [column, { dataValidation }] of values.entries()) found[column] ??= dataValidation;
      return found;
    },
    /** The kinds of number format in each column from this row on, null for none, and the ranges with a protection. */
    async looks({ sheetId, rowCount, columnCount, from }: Below, signal: AbortSignal): Promise<Looks> {
      const endRowIndex = Math.min(rowCount, LOOK_ROWS);
      const answer = await part(lookFields, [{ sheetId, startRowIndex: from, endRowIndex }], signal);
      const { data = [], protectedRanges = [] } = answer.sheets?.[0] ?? {};
      const rows = data[0]?.rowData ?? [];
      const kindAt = (row: number, column: number) =>
        rows[row]?.values?.[column]?.userEnteredFormat?.numberFormat?.type ?? null;
      const below = Array.from({ length: Math.max(0, endRowIndex - from) }, (_, row) => row);
      return {
        kinds: Array.from(
          { length: columnCount },
          (_, column) => new Set(below.map((row) => kindAt(row, column))),
        ),
        protections: protectedRanges.flatMap(({ range }) => range ?? []),
      };
    },
    /** Applies all requests or none. A failure without an answer leaves that open: read again. */
    async write(requests: readonly RawRequest[], signal: AbortSignal): Promise<void> {
      await batch(requests, signal);
    },
    /** Whether the file is in Google Drive's bin; undefined when Drive does not say. Bypasses the limiter. */
    async isInBin(signal: AbortSignal): Promise<boolean | undefined> {
      if (credentials.kind !== 'service_account') return undefined;
      await signIn(signal);
      const url = new URL(`drive/v3/files/${spreadsheetId}`, apiUrl === GOOGLE_URL ? DRIVE_URL : apiUrl).href;
      const params = { fields: 'trashed', supportsAllDrives: true };
      const asked = client.request<{ trashed?: unknown }>({ url, params, signal, timeout: DRIVE_TIMEOUT_MS });
      const { data } = await asked.catch(() => {
        signal.throwIfAborted();
        // Usually the project has the Drive API switched off; the Sheets API reports anything else.
        return { data: undefined };
      });
      return typeof data?.trashed === 'boolean' ? data.trashed : undefined;
    },
    /** Sends an impossible request to learn whether we may write. Changes nothing. */
    async probeWrite(signal: AbortSignal): Promise<void> {
      try {
        await batch([{ deleteNamedRange: { namedRangeId: 'clinic-sync-check' } }], signal);
      } catch (error) {
        // There is no such range, but Google checks write permission first.
        if (!(error instanceof Failure) || error.status !== 400) throw error;
      }
    },
  };
}
