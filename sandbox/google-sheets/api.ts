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
import type { TokenDesk } from './token.ts';
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
  tokens: TokenDesk;
  quota: Quota;
  clock: Clock;
  nextId: () => number;
  /** Called before a batch is applied and after a read is answered: the moments in which people's hands are in the way. */
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

export function createSheetsApi({ state, tokens, quota, clock, nextId, around }: ApiOptions): SheetsApi {
  const faults = createFaults();
  const calls: CallRecord[] = [];

  function faulty(
    call: CallRecord['call'],
    bytesIn: number,
    work: () => Answer & { requests?: readonly object[] },
  ) {
    const record = (status: number, bytesOut: number, requests?: readonly object[]) =>
      void calls.push({ call, status, bytesIn, bytesOut, ...(requests && { requests }) });
    const fault = faults.take(call);
    if (fault?.kind === 'hang' || fault?.kind === 'reset-before') {
      record(0, 0);
      return fault.kind === 'hang' ? 'hang' : 'drop';
    }
    if (fault?.kind === 'status') {
      const status = fault.status ?? 503;
      record(status, 0);
      const body = fault.body ?? {
        error: { code: status, message: 'The service is unavailable.', status: 'UNAVAILABLE' },
      };
      return { status, body, ...(fault.headers && { headers: fault.headers }) };
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

  function caller(authorization: string | undefined): string {
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
    return email;
  }

  function allow(email: string, id: string, level: 'read' | 'write'): void {
    quota.count(email, level);
    if (id !== state.book.spreadsheetId)
      throw new Refusal(404, 'NOT_FOUND', 'Requested entity was not found.');
    const shared = state.sharing.get(email) ?? 'none';
    if (shared === 'none' || (level === 'write' && shared !== 'writer'))
      throw new Refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission');
  }

  return {
    faults,
    calls,
    token: (body) => faulty('token', body.length, () => tokens.grant(new URLSearchParams(body))),
    handle({ method, url, authorization, body }) {
      const [, id = '', verb = ''] = /^\/v4\/spreadsheets\/([^/:]+)(:\w+)?$/.exec(url.pathname) ?? [];
      const isRead = (method === 'GET' && verb === '') || (method === 'POST' && verb === ':getByDataFilter');
      if (!isRead && !(method === 'POST' && verb === ':batchUpdate'))
        return {
          status: 404,
          body: { error: { code: 404, message: 'Not spoken here', status: 'NOT_FOUND' } },
        };

      if (!isRead)
        return faulty('write', body.length, () => {
          const email = caller(authorization);
          allow(email, id, 'write');
          const { requests } = checked(BatchUpdate, json(body));
          around.beforeWrite?.();
          const writer = { email, nextId, mostCells: state.mostCells };
          const { book, replies } = applyBatch(state.book, requests, writer);
          state.book = book;
          const answer = checked(BatchAnswer, { spreadsheetId: id, replies } as never);
          return { status: 200, body: answer, requests };
        });
      return faulty('read', body.length, () => {
        const email = caller(authorization);
        allow(email, id, 'read');
        const mask = parseMask(
          url.searchParams.get('fields') ?? 'spreadsheetId,properties,sheets/properties',
        );
        const now = () => serialNow(clock.now(), state.book.timeZone);
        if (verb === '') {
          const resource = spreadsheetResource(state.book, { mask, email, now });
          return { status: 200, body: checked(SpreadsheetAnswer, resource as never) };
        }
        const { dataFilters } = checked(GetByDataFilter, json(body));
        const ranges = new Map(
          dataFilters.map(({ gridRange }) => [gridOf(state.book, gridRange.sheetId).sheetId, gridRange]),
        );
        const resource = spreadsheetResource(state.book, { mask, email, now, ranges });
        return { status: 200, body: checked(SpreadsheetAnswer, resource as never) };
      });
    },
  };
}
