import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { type CallRecord, createSheetsApi, type Sharing, type SheetsState } from './api.ts';
import type { SheetsFault } from './faults.ts';
import { page } from './page.ts';
import { createQuota } from './quota.ts';
import { startServer } from './server.ts';
import { serialNow, shownGrid } from './show.ts';
import { createTokenIssuer, type ServiceAccountKey } from './token.ts';
import { createUserActions, fromKeyboard, type UserActions } from './user-actions.ts';
import { cellAt, copyWorkbook, type Grid, newGrid, type Workbook } from './workbook.ts';

export interface SheetsSandboxOptions {
  /** 0, the default, lets the operating system choose. */
  port?: number;
  /** What the quota's minutes and the page go by. */
  clock?: Clock;
  /** What signatures and tokens are judged by; clients sign with the machine's clock, so that is the default. */
  tokenClock?: Clock;
  title?: string;
  /** The spreadsheet's own time zone; default Asia/Dhaka. */
  timeZone?: string;
  locale?: string;
}

/** Verbs for tests and demonstrations, beside the API. */
export interface SheetsControl {
  readonly userActions: UserActions;
  /** How the spreadsheet is shared with an address. */
  share(email: string, level: Sharing): void;
  /** Another service account, without access. */
  addAccount(name: string): ServiceAccountKey;
  revokeKey(email: string): void;
  forgetTokens(): void;
  enableApi(enabled: boolean): void;
  setQuota(perMinute: { read: number; write: number }): void;
  setMostCells(cells: number): void;
  setLocale(locale: string, timeZone?: string): void;
  fault(fault: SheetsFault): void;
  clearFaults(): void;
  /** Calls so far; the list is the sandbox's own and may be emptied. */
  readonly calls: CallRecord[];
  /** Runs after a batch has arrived and before it is applied. */
  beforeWrite(deed: (() => void) | undefined): void;
  /** The workbook as it is, for looking only. */
  readonly book: Workbook;
  tab(title: string): Grid;
  /** Copies the whole state, to be put back later (an older version restored). */
  version(): () => void;
}

/** A running reference server of the part of Google Sheets v4 that clinic-sync uses. */
export interface SheetsSandbox {
  url: string;
  tokenUrl: string;
  pageUrl: string;
  /** A service account the spreadsheet is shared with as Editor. */
  credentials: ServiceAccountKey;
  spreadsheetId: string;
  control: SheetsControl;
  /** Idempotent. */
  close(): Promise<void>;
}

function counter(last: number): () => number {
  let given = last;
  return () => {
    given += 1;
    return given;
  };
}

const newWorkbook = (given: Pick<Workbook, 'title' | 'locale' | 'timeZone'>): Workbook => ({
  spreadsheetId: `1${randomBytes(16).toString('hex')}`,
  ...given,
  metadata: [],
  grids: [newGrid(0, 'Sheet1', 1000, 26)],
});

export async function startSheetsSandbox(options: SheetsSandboxOptions = {}): Promise<SheetsSandbox> {
  const {
    port = 0,
    clock = systemClock,
    tokenClock = systemClock,
    title = 'Clinic',
    timeZone = 'Asia/Dhaka',
    locale = 'en_GB',
  } = options;
  const nextId = counter(1_000);
  const book = newWorkbook({ title, locale, timeZone });
  const { spreadsheetId } = book;
  const state: SheetsState = { book, sharing: new Map(), enabled: true, mostCells: 10_000_000 };
  let tokenUrl = '';
  const tokens = createTokenIssuer({ clock: tokenClock, tokenUrl: () => tokenUrl });
  const quota = createQuota({ clock, perMinute: { read: 60, write: 60 } });
  const around: { beforeWrite?: (() => void) | undefined } = {};
  const api = createSheetsApi({ state, tokens, quota, clock, nextId, around });
  const userActions = createUserActions(state, nextId);

  const server = await startServer(port, ({ method, url, headers, body }) => {
    if (url.pathname === '/token' && method === 'POST') return api.token(body);
    if (url.pathname === '/' && method === 'GET') return { status: 200, body: page };
    if (url.pathname === '/page/book') return { status: 200, body: shownBook() };
    if (url.pathname === '/page/type' && method === 'POST') return typed(headers['sec-fetch-site'], body);
    return api.handle({ method, url, authorization: headers.authorization, body });
  });
  tokenUrl = `${server.url}/token`;
  const credentials = tokens.createAccount('clinic-sync');
  state.sharing.set(credentials.client_email, 'writer');

  function shownBook() {
    const now = serialNow(clock.now(), state.book.timeZone);
    return { title: state.book.title, tabs: state.book.grids.map((grid) => shownGrid(grid, now)) };
  }

  function typed(site: string | string[] | undefined, body: string) {
    // Another site open in the same browser must not be able to type here.
    if (site !== undefined && site !== 'same-origin') return { status: 403, body: {} };
    const { tab, row, column, text } = JSON.parse(body);
    userActions.type(tab, row, column, fromKeyboard(String(text), cellAt(find(tab), row, column)));
    return { status: 200, body: {} };
  }

  const find = (tab: string): Grid => {
    const grid = state.book.grids.find((one) => one.title === tab);
    if (!grid) throw new RangeError(`there is no tab ${tab}`);
    return grid;
  };

  const control: SheetsControl = {
    userActions,
    share: (email, level) => void state.sharing.set(email, level),
    addAccount: (name) => tokens.createAccount(name),
    revokeKey: (email) => tokens.revokeKey(email),
    forgetTokens: () => tokens.forget(),
    enableApi(enabled) {
      state.enabled = enabled;
    },
    setQuota(perMinute) {
      quota.perMinute = perMinute;
    },
    setMostCells(cells) {
      state.mostCells = cells;
    },
    setLocale(to, zone = state.book.timeZone) {
      state.book.locale = to;
      state.book.timeZone = zone;
    },
    fault: (fault) => api.faults.add(fault),
    clearFaults: () => api.faults.clear(),
    calls: api.calls,
    beforeWrite(deed) {
      around.beforeWrite = deed;
    },
    get book() {
      return state.book;
    },
    tab: find,
    version() {
      const kept = copyWorkbook(state.book);
      return () => {
        state.book = copyWorkbook(kept);
      };
    },
  };
  return {
    url: server.url,
    tokenUrl,
    pageUrl: `${server.url}/`,
    credentials,
    spreadsheetId,
    control,
    close: () => server.close(),
  };
}
