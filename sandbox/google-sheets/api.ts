import type { Clock } from '../../src/platform/clock.ts';
import { applyBatch } from './apply.ts';
import { createFaults, type FaultList } from './faults.ts';
import { parseMask } from './field-mask.ts';
import { gridOf } from './place.ts';
import type { Quota } from './quota.ts';
import { invalid, Refusal } from './refusal.ts';
import { spreadsheetResource } from './resource.ts';
import { BatchAnswer, BatchUpdate, checked, GetByDataFilter, SpreadsheetAnswer } from './schema.ts';
import type { Answer } from './server.ts';
import { serialNow } from './show.ts';
import type { TokenIssuer } from './token.ts';
import type { Workbook } from './workbook.ts';

export type Sharing = 'writer' | 'reader' | 'none';

/** One call that was answered or dropped, for tests and figures. */
export interface CallRecord {
  call: 'read' | 'write' | 'token';
  bytesIn: number;
  bytesOut: number;
  status: number;
  /** The requests of a batch. */
  requests?: readonly object[];
}

export interface SheetsState {
  book: Workbook;
  sharing: Map<string, Sharing>;
  /** False: the API is switched off in the project. */
  enabled: boolean;
  mostCells: number;
}

export interface ApiOptions {
  state: SheetsState;
  tokens: TokenIssuer;
  quota: Quota;
  clock: Clock;
  nextId: () => number;
  /** Called before a batch is applied and after a read is answered: the moments in which people can interfere. */
  around: { beforeWrite?: (() => void) | undefined };
}

export interface SheetsApi {
  faults: FaultList;
  calls: CallRecord[];
  handle(request: {
    method: string;
    url: URL;
    authorization: string | undefined;
    body: string;
  }): Answer | 'drop' | 'hang';
  token(body: string): Answer | 'drop' | 'hang';
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('Invalid JSON payload received.');
  }
};

/** What answering a call needs. */
interface Server extends ApiOptions {
  faults: FaultList;
  calls: CallRecord[];
}

export function createSheetsApi(options: ApiOptions): SheetsApi {
  const server: Server = { ...options, faults: createFaults(), calls: [] };
  const { faults, calls, tokens } = server;
  return {
    faults,
    calls,
    token: (body) => answered(server, 'token', body, () => tokens.grant(new URLSearchParams(body))),
    handle({ method, url, authorization, body }) {
      const [, id = '', verb = ''] = /^\/v4\/spreadsheets\/([^/:]+)(:\w+)?$/.exec(url.pathname) ?? [];
      switch (`${method} ${verb}`) {
        case 'GET ':
        case 'POST :getByDataFilter':
          return answered(server, 'read', body, () => {
            const email = allow(server, { authorization, id, level: 'read' });
            return read(server, {
              email,
              fields: url.searchParams.get('fields'),
              filter: verb ? body : undefined,
            });
          });
        case 'POST :batchUpdate':
          return answered(server, 'write', body, () =>
            write(server, allow(server, { authorization, id, level: 'write' }), body),
          );
        default: {
          const error = { code: 404, message: 'Not spoken here', status: 'NOT_FOUND' };
          return { status: 404, body: { error } };
        }
      }
    },
  };
}

/** The answer, with a fault that waits for this kind of call in its place or around it. */
function answered(
  { faults, calls }: Server,
  call: CallRecord['call'],
  { length: bytesIn }: string,
  work: () => Answer & { requests?: readonly object[] },
): Answer | 'drop' | 'hang' {
  const record = (status: number, bytesOut: number, requests?: readonly object[]) =>
    void calls.push({ call, status, bytesIn, bytesOut, ...(requests && { requests }) });
  const fault = faults.take(call);
  if (fault?.kind === 'hang' || fault?.kind === 'reset-before') {
    record(0, 0);
    return fault.kind === 'hang' ? 'hang' : 'drop';
  }
  if (fault?.kind === 'status') {
    const { status = 503, headers } = fault;
    record(status, 0);
    const error = { code: status, message: 'The service is unavailable.', status: 'UNAVAILABLE' };
    return { status, body: fault.body ?? { error }, ...(headers && { headers }) };
  }
  try {
    const { requests, ...answer } = work();
    record(answer.status, JSON.stringify(answer.body).length, requests);
    return fault?.kind === 'reset-after' ? 'drop' : answer;
  } catch (error) {
    if (error instanceof Refusal) record(error.code, JSON.stringify(error.body).length);
    throw error;
  }
}

/** Whose token it is. Throws what Google answers to who may not do this. */
function allow(
  { state, tokens, quota }: Server,
  { authorization, id, level }: { authorization: string | undefined; id: string; level: 'read' | 'write' },
): string {
  const email = tokens.whose(authorization?.replace(/^Bearer /, '') ?? '');
  if (email === undefined)
    throw new Refusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
  if (!state.enabled)
    throw new Refusal(
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
  if (id !== state.book.spreadsheetId) throw new Refusal(404, 'NOT_FOUND', 'Requested entity was not found.');
  const shared = state.sharing.get(email) ?? 'none';
  if (shared === 'none' || (level === 'write' && shared !== 'writer'))
    throw new Refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission');
  return email;
}

function write({ state, nextId, around }: Server, email: string, body: string) {
  const { requests } = checked(BatchUpdate, json(body));
  around.beforeWrite?.();
  const { spreadsheetId } = state.book;
  const { book, replies } = applyBatch(state.book, requests, { email, nextId, mostCells: state.mostCells });
  state.book = book;
  return { status: 200, body: checked(BatchAnswer, { spreadsheetId, replies } as never), requests };
}

/** @param reading `filter`: the body of `getByDataFilter`; undefined for the whole spreadsheet. */
function read(
  { state, clock }: Server,
  { email, fields, filter }: { email: string; fields: string | null; filter: string | undefined },
): Answer {
  const mask = parseMask(fields ?? 'spreadsheetId,properties,sheets/properties');
  const now = () => serialNow(clock.now(), state.book.timeZone);
  const dataFilters = filter === undefined ? undefined : checked(GetByDataFilter, json(filter)).dataFilters;
  const ranges =
    dataFilters &&
    new Map(dataFilters.map(({ gridRange }) => [gridOf(state.book, gridRange.sheetId).sheetId, gridRange]));
  const resource = spreadsheetResource(state.book, { mask, email, now, ...(ranges && { ranges }) });
  return { status: 200, body: checked(SpreadsheetAnswer, resource as never) };
}
