import { hash } from 'node:crypto';
import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/v4.js';
import type { Clock } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { waitFor } from '../../../src/platform/wait-for.ts';
import { BIN_SCOPE, type Credentials, GCLOUD_LOGIN, googleTokenUrl, SCOPE } from './credentials.ts';
import { answerOf, type Doing, googleFailure } from './failures.ts';
import { limiterOf } from './limiter.ts';

export type RawSpreadsheet = sheets_v4.Schema$Spreadsheet;
export type RawRule = sheets_v4.Schema$DataValidationRule;
export type RawRequest = sheets_v4.Schema$Request;

interface ClientOptions {
  credentials: Credentials;
  spreadsheetId: string;
  apiUrl: string;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
}

/** Rows that are checked for a misplaced drop-down. */
const RULE_ROWS = 100;
const TIMEOUT_MS = 120_000;
const DRIVE_TIMEOUT_MS = 3_000;
const GOOGLE_URL = 'https://sheets.googleapis.com/';
const DRIVE_URL = 'https://www.googleapis.com/';
const metadata = 'developerMetadata(metadataId,metadataKey,metadataValue)';
const sheet = `properties,${metadata},merges,protectedRanges(description,range,warningOnly,requestingUserCanEdit,unprotectedRanges)`;
const outer = `spreadsheetId,properties(title,locale,timeZone),${metadata}`;
const structureFields = `${outer},sheets(${sheet})`;
const tabFields = (cell: string) =>
  `${outer},sheets(${sheet},data(startRow,startColumn,columnMetadata(${metadata}),rowData(values(${cell}))))`;
const ruleFields = 'sheets(data(rowData(values(dataValidation))))';

/** The calls to Google's API. Each throws `Failure`; none is repeated automatically. */
export type SheetsClient = Awaited<ReturnType<typeof createClient>>;

/** Loads only the Sheets API: the whole package of Google's client costs half a second and 100 MB. */
export async function createClient({ credentials, spreadsheetId, apiUrl, clock, random }: ClientOptions) {
  const { sheets, auth } = await import('googleapis/build/src/apis/sheets/index.js');
  const { address } = credentials;
  const client = await authClientOf(auth, credentials);
  const { spreadsheets } = sheets({
    version: 'v4',
    auth: client,
    rootUrl: apiUrl,
    retry: false,
    timeout: TIMEOUT_MS,
  });
  const limiter = limiterOf(accountOf(credentials), { clock, random });

  function failed(error: unknown, doing: Doing, signal: AbortSignal): never {
    signal.throwIfAborted();
    const answer = answerOf(error);
    if (answer.status === 401)
      client.setCredentials({ ...client.credentials, access_token: null, expiry_date: 1 });
    const retryAfterMs = answer.status === 429 && doing !== 'token' ? limiter.refused() : undefined;
    throw googleFailure(answer, { doing, address, retryAfterMs, cause: error });
  }

  /** Separate from each call, so that a refused key is not taken for a refused call. */
  async function signIn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // The library's own sign-in cannot be aborted.
    await waitFor(client.getAccessToken(), signal).catch((error) => failed(error, 'token', signal));
  }

  async function call<T>(
    doing: 'read' | 'write',
    signal: AbortSignal,
    make: () => Promise<{ data: T }>,
  ): Promise<T> {
    await signIn(signal);
    await limiter.turn(doing, signal);
    const { data } = await make().catch((error) => failed(error, doing, signal));
    limiter.accepted();
    return data;
  }

  const part = (fields: string, gridRanges: sheets_v4.Schema$GridRange[], signal: AbortSignal) =>
    call('read', signal, () => {
      const requestBody = { dataFilters: gridRanges.map((gridRange) => ({ gridRange })) };
      return spreadsheets.getByDataFilter({ spreadsheetId, fields, requestBody }, { signal });
    });
  const batch = (requests: readonly RawRequest[], signal: AbortSignal) =>
    call('write', signal, () => {
      const requestBody = { requests: [...requests] };
      return spreadsheets.batchUpdate({ spreadsheetId, requestBody }, { signal });
    });

  return {
    /** Verifies the key. */
    signIn,
    /** All tabs, without their cells. */
    structure: (signal: AbortSignal): Promise<RawSpreadsheet> =>
      call('read', signal, () => spreadsheets.get({ spreadsheetId, fields: structureFields }, { signal })),
    /** These tabs with their cells. `results` also reads each cell's result, which makes the answer 1.5 times as long. */
    tabs: (
      sheetIds: readonly number[],
      { results }: { results: boolean },
      signal: AbortSignal,
    ): Promise<RawSpreadsheet> =>
      part(
        tabFields(results ? 'userEnteredValue,effectiveValue' : 'userEnteredValue'),
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

type Auth = typeof import('googleapis/build/src/apis/sheets/index.js')['auth'];

async function authClientOf(auth: Auth, credentials: Credentials) {
  const { kind } = credentials;
  // A redirect would send our assertion or token wherever the answer points.
  const redirect = 'manual';
  if (kind === 'service_account') {
    const { address: email, key, keyId, tokenUrl } = credentials;
    const transporterOptions = {
      redirect,
      ...(tokenUrl !== googleTokenUrl && { fetchImplementation: withTokenUrl(tokenUrl) }),
    } as const;
    return new auth.JWT({
      email,
      key,
      ...(keyId !== undefined && { keyId }),
      scopes: [SCOPE, BIN_SCOPE],
      transporterOptions,
    });
  }
  if (kind === 'user') {
    const { clientId, clientSecret, refreshToken, tokenUrl } = credentials;
    const endpoints = { oauth2TokenUrl: tokenUrl };
    const person = new auth.OAuth2({ clientId, clientSecret, endpoints, transporterOptions: { redirect } });
    person.setCredentials({ refresh_token: refreshToken });
    return person;
  }
  try {
    const found = new auth.GoogleAuth({
      scopes: [SCOPE],
      clientOptions: { transporterOptions: { redirect } },
    });
    // Every kind of client has the members used here.
    return (await found.getClient()) as InstanceType<Auth['OAuth2']>;
  } catch (cause) {
    throw new Failure({
      kind: 'refused',
      message: 'This machine has no Application Default Credentials.',
      hint: `Run where Google gives an identity, set GOOGLE_APPLICATION_CREDENTIALS, or run: ${GCLOUD_LOGIN}.`,
      cause,
    });
  }
}

/** The key by which Google counts calls. */
const accountOf = (credentials: Credentials): string =>
  credentials.kind === 'user' ? hash('sha256', credentials.refreshToken, 'base64url') : credentials.address;

/** The library hard-codes Google's token endpoint; this redirects the request to the one in the key file. */
const withTokenUrl =
  (tokenUrl: string): typeof fetch =>
  (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return url.startsWith(googleTokenUrl) ? fetch(tokenUrl, init) : fetch(input, init);
  };
