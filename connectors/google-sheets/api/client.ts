import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/v4.js';
import type { Clock } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { type Credentials, googleTokenUrl } from './credentials.ts';
import { answerOf, type Doing, googleFailure } from './failures.ts';
import { type Limiter, limiterOf } from './limiter.ts';

export type RawSpreadsheet = sheets_v4.Schema$Spreadsheet;
export type RawRule = sheets_v4.Schema$DataValidationRule;
export type RawRequest = sheets_v4.Schema$Request;

/** The calls to Google's API. Each throws `Failure`; none is repeated automatically. */
export interface SheetsClient {
  /** Everything but what is in the cells, of all tabs. */
  structure(signal: AbortSignal): Promise<RawSpreadsheet>;
  /** Everything of these tabs. `results`: also what each cell comes to, which makes the answer half as long again. */
  tabs(
    sheetIds: readonly number[],
    options: { results: boolean },
    signal: AbortSignal,
  ): Promise<RawSpreadsheet>;
  /** The rules of the first row below the header of a tab, by column: what drop-downs and checkboxes are made of. */
  rules(sheetId: number, signal: AbortSignal): Promise<(RawRule | undefined)[]>;
  /** All requests or none. After a failure without an answer it may have happened all the same: read again. */
  write(requests: readonly RawRequest[], signal: AbortSignal): Promise<void>;
  /** Asks for something that cannot be done, to see whether we may write. Changes nothing. */
  probeWrite(signal: AbortSignal): Promise<void>;
  /** Proves the key. */
  signIn(signal: AbortSignal): Promise<void>;
}

export interface ClientOptions {
  credentials: Credentials;
  spreadsheetId: string;
  apiUrl: string;
  clock: Clock;
  random?: () => number;
}

const TIMEOUT_MS = 120_000;
const metadata = 'developerMetadata(metadataId,metadataKey,metadataValue)';
const sheet = `properties,${metadata},protectedRanges(description,range,warningOnly,requestingUserCanEdit,unprotectedRanges)`;
const outer = `spreadsheetId,properties(title,locale,timeZone),${metadata}`;
const structureFields = `${outer},sheets(${sheet})`;
const tabFields = (cell: string) =>
  `${outer},sheets(${sheet},data(startRow,startColumn,columnMetadata(${metadata}),rowData(values(${cell}))))`;

/** Loads the Sheets API alone: the whole package of Google's client costs half a second and 100 MB. */
export async function createClient(options: ClientOptions): Promise<SheetsClient> {
  const { credentials, spreadsheetId, apiUrl, clock, random = Math.random } = options;
  const { sheets, auth } = await import('googleapis/build/src/apis/sheets/index.js');
  const { email, key, keyId, tokenUrl } = credentials;
  const jwt = new auth.JWT({
    email,
    key,
    ...(keyId !== undefined && { keyId }),
    scopes: ['https://www.googleapis.com/auth/spreadsheets'],
    // A redirect would carry our assertion or token wherever the answer points.
    transporterOptions: {
      redirect: 'manual',
      ...(tokenUrl !== googleTokenUrl && { fetchImplementation: withTokenUrl(tokenUrl) }),
    },
  });
  const api = sheets({ version: 'v4', auth: jwt, rootUrl: apiUrl, retry: false, timeout: TIMEOUT_MS });
  const limiter = limiterOf(email, { clock, random });
  const context = (doing: Doing) => ({ doing, address: email });

  /** A request of its own before each call, so that a refused key is not taken for a refused call. */
  async function signIn(signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted();
      await abortable(jwt.getAccessToken(), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw googleFailure(answerOf(error), context('token'), error);
    }
  }

  async function call<T>(doing: 'read' | 'write', signal: AbortSignal, make: () => Promise<T>): Promise<T> {
    await signIn(signal);
    await limiter.turn(doing, signal);
    try {
      const answer = await make();
      limiter.accepted();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      const answer = answerOf(error);
      const failure = googleFailure(answer, context(doing), error);
      if (answer.status === 401) jwt.setCredentials({});
      if (answer.status !== 429) throw failure;
      throw withWait(failure, limiter);
    }
  }

  return {
    signIn,
    structure: (signal) =>
      call('read', signal, async () => {
        const { data } = await api.spreadsheets.get({ spreadsheetId, fields: structureFields }, { signal });
        return data;
      }),
    tabs: (sheetIds, { results }, signal) =>
      call('read', signal, async () => {
        const dataFilters = sheetIds.map((sheetId) => ({ gridRange: { sheetId } }));
        const { data } = await api.spreadsheets.getByDataFilter(
          {
            spreadsheetId,
            fields: tabFields(results ? 'userEnteredValue,effectiveValue' : 'userEnteredValue'),
            requestBody: { dataFilters },
          },
          { signal },
        );
        return data;
      }),
    rules: (sheetId, signal) =>
      call('read', signal, async () => {
        const gridRange = { sheetId, startRowIndex: 1, endRowIndex: 2 };
        const fields = 'sheets(data(rowData(values(dataValidation))))';
        const { data } = await api.spreadsheets.getByDataFilter(
          { spreadsheetId, fields, requestBody: { dataFilters: [{ gridRange }] } },
          { signal },
        );
        const [row] = data.sheets?.[0]?.data?.[0]?.rowData ?? [];
        return (row?.values ?? []).map(({ dataValidation }) => dataValidation);
      }),
    write: (requests, signal) =>
      call('write', signal, async () => {
        const requestBody = { requests: [...requests] };
        await api.spreadsheets.batchUpdate({ spreadsheetId, requestBody }, { signal });
      }),
    async probeWrite(signal) {
      const requests = [{ deleteNamedRange: { namedRangeId: 'clinic-sync-check' } }];
      try {
        await call('write', signal, () =>
          api.spreadsheets.batchUpdate({ spreadsheetId, requestBody: { requests } }, { signal }),
        );
      } catch (error) {
        // There is no such range; Google checks the right to write before it looks for it.
        if (!(error instanceof Failure) || error.status !== 400) throw error;
      }
    },
  };
}

const withWait = ({ kind, message, hint, status, cause }: Failure, limiter: Limiter): Failure =>
  new Failure({
    kind,
    message,
    ...(hint !== undefined && { hint }),
    ...(status !== undefined && { status }),
    retryAfterMs: limiter.refused(),
    cause,
  });

/** The library hard-codes Google's token endpoint; this sends the request to the one the key file names. */
const withTokenUrl =
  (tokenUrl: string): typeof fetch =>
  (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return url.startsWith(googleTokenUrl) ? fetch(tokenUrl, init) : fetch(input, init);
  };

/** The library's own sign-in cannot be called off. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
