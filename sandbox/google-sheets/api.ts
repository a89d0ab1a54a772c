import type { z } from 'zod';
import type { Clock } from '../../src/platform/clock.ts';
import { applyBatch } from './apply.ts';
import type { Behavior } from './behavior.ts';
import { parseMask } from './field-mask.ts';
import { recalculatedAt, serialNow } from './formulas.ts';
import { gridOf } from './place.ts';
import type { Quota } from './quota.ts';
import { GoogleRefusal, invalid } from './refusal.ts';
import { spreadsheetResource } from './resource.ts';
import { BatchAnswer, BatchUpdate, GetByDataFilter, parsedRequest, SpreadsheetAnswer } from './schema.ts';
import type { SheetsAnswer } from './server.ts';
import type { TokenIssuer } from './token.ts';
import type { Workbook } from './workbook.ts';

export type Sharing = 'writer' | 'reader' | 'none';

type Call = 'token' | 'read' | 'write' | 'drive';

/** A fault for the next calls of one kind. */
interface SheetsFault {
  on: Call;
  /** Default: 1. */
  times?: number;
  /**
   * `status`: this answer, nothing is done · `reset-before`: the connection breaks before anything is done ·
   * `reset-after`: it is done, but the answer is lost · `hang`: it is never answered · `late`: this answer, and it is
   * done after `delayMs`, if it still can be.
   */
  kind: 'status' | 'reset-before' | 'reset-after' | 'hang' | 'late';
  /** Default: at once. */
  delayMs?: number;
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** One call that was answered or dropped, for tests and figures. */
interface CallRecord {
  call: Call;
  bytesIn: number;
  bytesOut: number;
  status: number;
  /** The requests in a batch. */
  requests?: readonly object[];
  /** Number of cells in the answer by tab title. */
  cells?: Readonly<Record<string, number>>;
}

export interface SheetsState {
  book: Workbook;
  sharing: Map<string, Sharing>;
  /** False: the API is disabled in the project. */
  enabled: boolean;
  /** The same for the Drive API. */
  driveEnabled: boolean;
  isInBin: boolean;
  mostCells: number;
  behavior: Behavior;
  /** By sheet id, with the error message. */
  refusedTabs: Map<number, string | undefined>;
  /** Batches are answered as if they were applied, and are not. */
  swallowsWrites: boolean;
  /** Runs after a batch arrives and before it is applied, when users can interfere. */
  beforeWrite: (() => void) | undefined;
}

interface ApiOptions {
  state: SheetsState;
  tokens: TokenIssuer;
  quota: Quota;
  clock: Clock;
  nextId: () => number;
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('Invalid JSON payload received.');
  }
};

interface HttpCall {
  method: string;
  url: URL;
  authorization: string | undefined;
  body: string;
}

interface Server extends ApiOptions {
  faults: SheetsFault[];
  /** Writes that were answered with an error and are applied later. */
  late: { due: number; body: string }[];
  calls: CallRecord[];
}

export function createSheetsApi(options: ApiOptions) {
  const server: Server = { ...options, faults: [], late: [], calls: [] };
  const { faults, calls, tokens } = server;
  return {
    fault: (fault: SheetsFault) => void faults.push({ times: 1, ...fault }),
    clearFaults: () => void faults.splice(0),
    calls,
    /** Applies the late writes that are due; the next call would. */
    applyLate: () => applyLate(server),
    token: (body: string) => answered(server, 'token', body, () => tokens.grant(new URLSearchParams(body))),
    handle({ method, url, authorization, body }: HttpCall): SheetsAnswer | 'drop' | 'hang' {
      applyLate(server);
      const [, file] = /^\/drive\/v3\/files\/([^/]+)$/.exec(url.pathname) ?? [];
      if (method === 'GET' && file !== undefined)
        return answered(server, 'drive', body, () => aboutFile(server, authorization, file));
      const [, id = '', verb = ''] = /^\/v4\/spreadsheets\/([^/:]+)(:\w+)?$/.exec(url.pathname) ?? [];
      switch (`${method} ${verb}`) {
        case 'GET ':
        case 'POST :getByDataFilter':
          return answered(server, 'read', body, () => {
            allow(server, { authorization, id, level: 'read' });
            return read(
              server,
              url.searchParams.get('fields') ?? 'spreadsheetId,properties',
              verb ? body : undefined,
            );
          });
        case 'POST :batchUpdate':
          return answered(server, 'write', body, () => {
            allow(server, { authorization, id, level: 'write' });
            return write(server, body);
          });
        default: {
          const error = { code: 404, message: 'Not spoken here', status: 'NOT_FOUND' };
          return { status: 404, body: { error } };
        }
      }
    },
  };
}

/** The answer, replaced or wrapped by a fault that is due for this kind of call. */
function answered(
  { faults, late, clock, calls }: Server,
  call: CallRecord['call'],
  body: string,
  work: () => SheetsAnswer & Pick<CallRecord, 'requests' | 'cells'>,
): SheetsAnswer | 'drop' | 'hang' {
  const bytesIn = body.length;
  const record = (status: number, bytesOut: number, more: Pick<CallRecord, 'requests' | 'cells'> = {}) =>
    void calls.push({ call, status, bytesIn, bytesOut, ...more });
  const fault = takeFault(faults, call);
  if (fault?.kind === 'hang' || fault?.kind === 'reset-before') {
    record(0, 0);
    return fault.kind === 'hang' ? 'hang' : 'drop';
  }
  if (fault?.kind === 'late') late.push({ due: clock.now() + (fault.delayMs ?? 0), body });
  if (fault?.kind === 'status' || fault?.kind === 'late') {
    const answer = faultAnswer(fault);
    record(answer.status, 0);
    return answer;
  }
  try {
    const { requests, cells, ...answer } = work();
    record(answer.status, JSON.stringify(answer.body).length, {
      ...(requests && { requests }),
      ...(cells && { cells }),
    });
    return fault?.kind === 'reset-after' ? 'drop' : answer;
  } catch (error) {
    if (error instanceof GoogleRefusal) record(error.code, JSON.stringify(error.body).length);
    throw error;
  }
}

function faultAnswer({ status = 503, body, headers }: SheetsFault): SheetsAnswer {
  const error = { code: status, message: 'The service is unavailable.', status: 'UNAVAILABLE' };
  return { status, body: body ?? { error }, ...(headers && { headers }) };
}

function applyLate(server: Server): void {
  const due = server.late.filter((one) => one.due <= server.clock.now());
  server.late = server.late.filter((one) => !due.includes(one));
  for (const { body } of due)
    try {
      write(server, body);
    } catch (error) {
      if (!(error instanceof GoogleRefusal)) throw error;
    }
}

function takeFault(faults: SheetsFault[], call: Call): SheetsFault | undefined {
  const fault = faults.find(({ on, times = 1 }) => on === call && times > 0);
  if (fault) fault.times = (fault.times ?? 1) - 1;
  return fault;
}

/** The only Drive call that is needed. */
function aboutFile({ state, tokens }: Server, authorization: string | undefined, file: string) {
  const token = authorization?.replace(/^Bearer /, '') ?? '';
  const email = tokens.whose(token);
  if (email === undefined) throw new GoogleRefusal(401, 'UNAUTHENTICATED', 'Invalid Credentials');
  if (!state.driveEnabled || !tokens.mayReadDrive(token))
    throw new GoogleRefusal(
      403,
      'PERMISSION_DENIED',
      'Google Drive API has not been used in project 1 before.',
    );
  const isShared = (state.sharing.get(email) ?? 'none') !== 'none';
  if (file !== state.book.spreadsheetId || !isShared)
    throw new GoogleRefusal(404, 'NOT_FOUND', `File not found: ${file}.`);
  return { status: 200, body: { trashed: state.isInBin } };
}

/** Throws Google's answer if the caller may not do this. */
function allow(
  { state, tokens, quota }: Server,
  { authorization, id, level }: { authorization: string | undefined; id: string; level: 'read' | 'write' },
): void {
  const email = tokens.whose(authorization?.replace(/^Bearer /, '') ?? '');
  if (email === undefined)
    throw new GoogleRefusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
  if (!state.enabled)
    throw new GoogleRefusal(
      403,
      'PERMISSION_DENIED',
      'Google Sheets API has not been used in project 1 before or it is disabled.',
      [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'SERVICE_DISABLED',
          domain: 'googleapis.com',
        },
      ],
    );
  quota.count(email, level);
  const isGone = state.isInBin && !state.behavior.binnedFilesAreServed;
  if (id !== state.book.spreadsheetId || isGone)
    throw new GoogleRefusal(404, 'NOT_FOUND', 'Requested entity was not found.');
  const shared = state.sharing.get(email) ?? 'none';
  if (shared === 'none' || (level === 'write' && shared !== 'writer'))
    throw new GoogleRefusal(403, 'PERMISSION_DENIED', 'The caller does not have permission');
}

function write({ state, nextId, clock }: Server, body: string) {
  const { requests } = parsedRequest(BatchUpdate, json(body));
  state.beforeWrite?.();
  const { mostCells, behavior, refusedTabs } = state;
  for (const [, id] of body.matchAll(/"sheetId":(\d+)/g)) {
    const message = refusedTabs.get(Number(id));
    if (message !== undefined) throw invalid(message);
  }
  const { spreadsheetId } = state.book;
  const { book, replies } = applyBatch(state.book, requests, { nextId, mostCells, behavior });
  if (!state.swallowsWrites) state.book = { ...book, changedAt: clock.now() };
  return { status: 200, body: parsedRequest(BatchAnswer, { spreadsheetId, replies } as never), requests };
}

/** @param filter The body of `getByDataFilter`; undefined for the whole spreadsheet. */
function read({ state, clock }: Server, fields: string, filter: string | undefined) {
  const mask = parseMask(fields);
  const now = () => serialNow(recalculatedAt(clock.now(), state.book), state.book.timeZone);
  const dataFilters =
    filter === undefined ? undefined : parsedRequest(GetByDataFilter, json(filter)).dataFilters;
  const ranges =
    dataFilters &&
    new Map(dataFilters.map(({ gridRange }) => [gridOf(state.book, gridRange.sheetId).sheetId, gridRange]));
  const withOwners = filter === undefined || state.behavior.filteredReadingsHaveOwners;
  const resource = spreadsheetResource(withOwners ? state.book : { ...state.book, metadata: [] }, {
    mask,
    now,
    ...(ranges && { ranges }),
  });
  const body = parsedRequest(SpreadsheetAnswer, resource as never);
  return { status: 200, body, cells: cellsIn(body) };
}

function cellsIn({ sheets = [] }: z.infer<typeof SpreadsheetAnswer>): Record<string, number> {
  const counted = sheets.map(({ properties, data = [] }) => {
    const rows = data.flatMap(({ rowData = [] }) => rowData);
    return [properties?.title ?? '', rows.reduce((sum, { values = [] }) => sum + values.length, 0)];
  });
  return Object.fromEntries(counted.filter(([, cells]) => cells !== 0));
}
