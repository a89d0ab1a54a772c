import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { createSheetsApi, type Sharing, type SheetsState } from './api.ts';
import { type Behavior, kind } from './behavior.ts';
import { effectiveValue, recalculatedAt, serialNow } from './formulas.ts';
import { createQuota } from './quota.ts';
import { startSheetsServer } from './server.ts';
import { createTokenIssuer } from './token.ts';
import { createUserActions } from './user-actions.ts';
import { type Grid, newGrid, type SandboxCell, type Workbook } from './workbook.ts';

export interface SheetsSandboxOptions {
  /** Clock of the spreadsheet and the quota; not of tokens. */
  clock?: Clock;
  title?: string;
  /** The spreadsheet's time zone. */
  timeZone?: string;
  /** Decides what typed dates and numbers mean. Default: `en_GB`. */
  locale?: string;
  /** Google's behaviour where its documentation leaves it open. Default: lenient. */
  behavior?: Partial<Behavior>;
}

export type SheetsSandbox = Awaited<ReturnType<typeof startSheetsSandbox>>;

const newBook = (
  about: Pick<Workbook, 'spreadsheetId' | 'title' | 'locale' | 'timeZone' | 'changedAt'>,
): Workbook => ({
  ...about,
  autoRecalc: 'ON_CHANGE',
  metadata: [],
  copiedMetadata: [],
  grids: [newGrid(0, 'Sheet1', 1000, 26)],
  namedRanges: [],
});

/** A reference server on 127.0.0.1 for the part of Google Sheets v4 that clinic-sync uses, with one spreadsheet. */
export async function startSheetsSandbox(options: SheetsSandboxOptions = {}) {
  const { clock = systemClock, title = 'Clinic', timeZone = 'Asia/Dhaka', locale = 'en_GB' } = options;
  const ids = { last: 1_000 };
  const nextId = () => {
    ids.last += 1;
    return ids.last;
  };
  const spreadsheetId = `1${randomBytes(16).toString('hex')}`;
  const state: SheetsState = {
    book: newBook({ spreadsheetId, title, locale, timeZone, changedAt: clock.now() }),
    sharing: new Map(),
    enabled: true,
    driveEnabled: true,
    isInBin: false,
    mostCells: 10_000_000,
    refusedTabs: new Map(),
    behavior: { ...kind, ...options.behavior },
    beforeWrite: undefined,
    swallowsWrites: false,
  };
  let tokenUrl = '';
  // Clients sign with the machine's clock.
  const tokens = createTokenIssuer({ clock: systemClock, tokenUrl: () => tokenUrl });
  const quota = createQuota({ clock, perMinute: { read: 60, write: 60 } });
  const api = createSheetsApi({ state, tokens, quota, clock, nextId });
  const server = await startSheetsServer(({ method, url, headers, body }) =>
    url.pathname === '/token' && method === 'POST'
      ? api.token(body)
      : api.handle({ method, url, authorization: headers.authorization, body }),
  );
  tokenUrl = `${server.url}/token`;
  // Google's limits are per account, so each sandbox has its own.
  const credentials = tokens.createAccount(`clinic-sync-${spreadsheetId.slice(1, 9)}`);
  state.sharing.set(credentials.client_email, 'writer');

  /** The user grants what was asked, or part of it; returns where the browser is redirected. */
  const allow = (address: string, { person, granted }: { person: string; granted?: string }): URL =>
    tokens.authorize(new URL(address).searchParams, person, granted);

  /** Verbs for tests and demonstrations, beside the API. */
  const control = {
    userActions: createUserActions(state, { nextId, clock }),
    /** Shares the spreadsheet with an address. */
    share: (email: string, level: Sharing) => void state.sharing.set(email, level),
    /** Creates another service account, without access. */
    addAccount: tokens.createAccount,
    revokeKey: tokens.revokeKey,
    issueToken: tokens.issue,
    addOAuthClient: tokens.createClient,
    allow,
    /** Like `allow`; resolves to what the browser then shows. */
    browse: async (...asked: Parameters<typeof allow>): Promise<string> =>
      (await fetch(allow(...asked))).text(),
    revokeSignIns: tokens.revokeSignIns,
    enableApi(enabled: boolean) {
      state.enabled = enabled;
    },
    enableDriveApi(enabled: boolean) {
      state.driveEnabled = enabled;
    },
    /** Moves the file to the bin of Google Drive, or restores it, as its owner. */
    bin(isInBin: boolean) {
      state.isInBin = isInBin;
    },
    setQuota(perMinute: { read: number; write: number }) {
      quota.perMinute = perMinute;
    },
    setMostCells(cells: number) {
      state.mostCells = cells;
    },
    /** Refuses every write to this tab with this message; undefined: no longer. */
    refuseTab: (sheetId: number, message: string | undefined) => void state.refusedTabs.set(sheetId, message),
    /** Answers writes as if they were applied: a script or a proxy undoes them. */
    swallowWrites(swallows: boolean) {
      state.swallowsWrites = swallows;
    },
    fault: api.fault,
    clearFaults: api.clearFaults,
    applyLate: api.applyLate,
    /** Calls so far; may be cleared. */
    calls: api.calls,
    /** Runs after a batch arrives and before it is applied. */
    beforeWrite(action: (() => void) | undefined) {
      state.beforeWrite = action;
    },
    /** The present workbook, read-only. */
    get book() {
      return state.book;
    },
    tab(wanted: string): Grid {
      const grid = state.book.grids.find((one) => one.title === wanted);
      if (!grid) throw new RangeError(`there is no tab ${wanted}`);
      return grid;
    },
    /** The present result of a cell. */
    result: (grid: Grid, cell: SandboxCell | undefined) =>
      effectiveValue(
        { book: state.book, grid },
        cell,
        serialNow(recalculatedAt(clock.now(), state.book), state.book.timeZone),
      ),
  };
  return {
    url: server.url,
    tokenUrl,
    /** A service account with which the spreadsheet is shared as Editor. */
    credentials,
    spreadsheetId,
    control,
    /** Idempotent. */
    close: server.close,
  };
}
