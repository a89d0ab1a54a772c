import { statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { stringify } from 'yaml';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { type SheetsSandbox, startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import type { StatusReport } from '../../../src/domain/status/report.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../until.ts';
import { launchHere } from './daemon-here.ts';
import {
  type DaemonOptions,
  type DaemonProcess,
  type Exit,
  launchDaemon,
  runCommand,
  untilReady,
} from './daemon-process.ts';
import { type HookLedger, startHookLedger } from './hook-ledger.ts';
import { type Lead, leadMaker } from './leads.ts';

type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; empty when it is not JSON. */
  body: { ok?: boolean; ref?: string; state?: string; message?: string };
}

export interface StoryOptions {
  name: string;
  sandbox?: SandboxOptions;
  /** Settings of the clinic, beside those that every story has. */
  clinic?: Json;
  /** With a spreadsheet that takes bookings too. */
  sheet?: boolean;
  /** Settings of the connector that writes files. */
  files?: Json;
  /** Settings of the connector that sends events. */
  webhook?: Json;
  /** Connectors beside the four of every story; null takes one away. */
  connectors?: Record<string, Json | null>;
  log?: 'debug' | 'info';
  /** Where the database lies; default: in the story's folder. */
  database?: string;
  /** The daemon runs in this process instead of one of its own, which costs a fraction. See `launchHere`. */
  here?: boolean | { clock: Clock };
}

/**
 * A clinic, its daemon and everything around it: the reference server and a receiver in this process, the daemon as a
 * process of its own that may die at any moment, CSV files and a database on the disk.
 */
export interface Story extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly hook: HookLedger;
  readonly sheet: SheetsSandbox | undefined;
  readonly folder: string;
  readonly config: string;
  readonly database: string;
  readonly adminToken: string;
  readonly formToken: string;
  /** Refs that were acknowledged, by submission id; filled by `submit`. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Submitted and not acknowledged: a form tool would send these again. */
  readonly unanswered: ReadonlyMap<string, Lead>;
  /** How often a person said "send it again", by ref. */
  readonly released: Map<string, number>;
  readonly daemon: DaemonProcess;
  readonly isRunning: boolean;
  lead(more?: Partial<Lead>): Lead;
  /** Resolves once it takes bookings. */
  start(): Promise<DaemonProcess>;
  /** Without waiting for anything: it may die while it starts. */
  launch(more?: Pick<DaemonOptions, 'endsAt'>): DaemonProcess;
  run(args: readonly string[], environment?: Record<string, string>): Promise<Exit & { stdout: string }>;
  /** Undefined: the connection broke before an answer. */
  submit(lead: Lead, more?: RequestInit): Promise<Answer | undefined>;
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** A person's action on the status page. */
  act(path: string, fields?: Record<string, string>): Promise<Answer>;
  /** Resolves once sending waits for a person. */
  untilPaused(): Promise<void>;
  /** A person has checked why sending waits, and resumes it. */
  resumeSending(): Promise<Answer>;
  status(): Promise<StatusReport>;
  /** False for a story that was killed before it ever had one. */
  hasDatabase(): boolean;
  /** Reads the database beside the daemon, or what is left of it. */
  read<T>(use: (store: Store) => Promise<T>): Promise<T>;
  /** Raw rows: a fraction of the cost of `read`, for repeated polling. */
  peek<Row>(statement: string, ...parameters: string[]): Row[];
  /** Changes rows as only the passing of time could, while no daemon runs. */
  rewrite(statement: string, parameters: Record<string, string | number>): void;
  booking(ref: string): Promise<Booking | undefined>;
  /** Resolves to it once it is in one of these states. */
  untilBooking(ref: string, ...states: Booking['state'][]): Promise<Booking>;
  csv(name: string): Promise<string>;
}

interface Surroundings extends Pick<Story, 'folder' | 'database' | 'sandbox' | 'hook' | 'sheet'> {
  adminToken: string;
  formToken: string;
}

/** The configuration of a story. */
function settingsOf(options: StoryOptions, around: Surroundings): Json {
  const { clinic = {}, connectors = {}, log = 'info' } = options;
  const { folder, database, sandbox, hook, sheet, adminToken, formToken } = around;
  const everySecond = '* * * * * *';
  const all = {
    reports: { use: 'csv', directory: join(folder, 'csv'), inbox: join(folder, 'inbox'), ...options.files },
    crm: {
      use: 'webhook',
      url: hook.url,
      secret: hook.secret,
      allow_networks: ['127.0.0.0/8'],
      // Where both ends share a busy process, silence is not a fault yet.
      timeout: options.here ? 20 : 2,
      ...options.webhook,
    },
    website: { use: 'web-form', token: formToken },
    counter: { use: 'web-form', token: formToken, approval: 'required' },
    ...(sheet && {
      accounts: {
        use: 'google-sheets',
        spreadsheet: sheet.spreadsheetId,
        credentials: JSON.stringify(sheet.credentials),
        api_url: `${sheet.url}/`,
        tabs: ['treatments', 'bookings', 'sync'],
      },
    }),
    ...connectors,
  };
  return {
    version: 1,
    clinics: {
      main: {
        base_url: sandbox.url,
        ...sandbox.credentials,
        timezone: 'Asia/Dhaka',
        country: 'BD',
        schedule: {
          organization: everySecond,
          website: everySecond,
          treatments: everySecond,
          dentists: everySecond,
          appointments: everySecond,
        },
        bookings: { max_per_source_per_hour: 1_000_000, max_per_phone_per_day: 1_000 },
        ...clinic,
      },
    },
    connectors: Object.fromEntries(Object.entries(all).filter(([, settings]) => settings !== null)),
    // Also on a disk of a few megabytes.
    store: { sqlite: database, min_free: '0B' },
    // Every lead has an address of its own, so that a story is not one visitor who sends too much.
    http: {
      ...{ listen: '127.0.0.1:0', admin_token: adminToken, trust_proxy: true },
      users: [{ name: 'Viewer', role: 'viewer', token: viewerToken }],
    },
    log: { level: log },
  };
}

/** Token of a person who may see everything but patients. */
export const viewerToken = 'viewer-token-of-the-story';

const HEADERS = { 'content-type': 'application/json' };

export async function startStory(options: StoryOptions): Promise<Story> {
  const { name } = options;
  const base = await mkdtemp(join(tmpdir(), `clinic-sync-story-${name}-`));
  const sandbox = await startSandbox({ seed: 7, ...options.sandbox });
  const hook = await startHookLedger();
  const sheet = options.sheet ? await startSheetsSandbox() : undefined;
  sheet?.control.setQuota({ read: 100_000, write: 100_000 });
  const adminToken = 'admin-token-of-the-story';
  const formToken = 'form-token-of-the-story';
  // A daemon in this process works in another folder after each death.
  let life = 1;
  let folder = options.here ? join(base, `${life}`) : base;
  await mkdir(folder, { recursive: true });
  const configIn = (place: string) => join(place, 'clinic-sync.yaml');
  const databaseIn = (place: string) => options.database ?? join(place, 'clinic-sync.db');
  const writeConfig = () => {
    const database = databaseIn(folder);
    const settings = settingsOf(options, { folder, database, sandbox, hook, sheet, adminToken, formToken });
    writeFileSync(configIn(folder), stringify(settings));
  };
  writeConfig();

  let daemon: DaemonProcess | undefined;
  let isRunning = false;
  const acknowledged = new Map<string, string>();
  const unanswered = new Map<string, Lead>();
  const lead = leadMaker(name);
  let visitors = 0;

  const running = (): DaemonProcess => {
    if (daemon === undefined) throw new Error('the daemon was not started');
    return daemon;
  };
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${running().url}${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };

  const buried: Promise<unknown>[] = [];
  const clockHere = typeof options.here === 'object' ? options.here.clock : systemClock;
  const launchIn = (place: DaemonOptions) => {
    const remains = join(base, `${life + 1}`);
    const onKilled = () => {
      life += 1;
      folder = remains;
      writeConfig();
    };
    const here = launchHere({ ...place, remains, onKilled, clock: clockHere });
    buried.push(here.stopped);
    return here;
  };

  const story: Story = {
    sandbox,
    hook,
    sheet,
    get folder() {
      return folder;
    },
    get config() {
      return configIn(folder);
    },
    get database() {
      return databaseIn(folder);
    },
    adminToken,
    formToken,
    acknowledged,
    unanswered,
    released: new Map(),
    get daemon() {
      return running();
    },
    get isRunning() {
      return isRunning;
    },
    lead,
    launch(more = {}) {
      const place = { config: story.config, cwd: folder, ...more };
      const launched = options.here ? launchIn(place) : launchDaemon(place);
      daemon = launched;
      isRunning = true;
      void launched.exited.then(() => {
        if (daemon === launched) isRunning = false;
      });
      return launched;
    },
    async start() {
      const launched = story.launch();
      await untilReady(launched);
      return launched;
    },
    run: (args, environment = {}) => runCommand(args, { config: story.config, cwd: folder, environment }),

    async submit(submission, init = {}) {
      visitors += 1;
      const address = `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
      const headers = { ...HEADERS, authorization: `Bearer ${formToken}`, 'x-forwarded-for': address };
      const body = JSON.stringify(submission);
      let answer: Answer;
      unanswered.set(submission.submission_id, submission);
      try {
        answer = await ask('/in/website', { method: 'POST', headers, body, ...init });
      } catch {
        return undefined;
      }
      if (answer.status === 200 && answer.body.ref !== undefined) {
        const before = acknowledged.get(submission.submission_id);
        if (before !== undefined && before !== answer.body.ref)
          throw new Error(`${submission.submission_id} is ${before} and ${answer.body.ref}`);
        acknowledged.set(submission.submission_id, answer.body.ref);
        unanswered.delete(submission.submission_id);
      }
      return answer;
    },
    ask,
    act: (path, fields = {}) =>
      ask(path, {
        method: 'POST',
        headers: { ...HEADERS, authorization: `Bearer ${adminToken}` },
        body: JSON.stringify(fields),
      }),
    async untilPaused() {
      await until('sending waits for a person', async () => {
        const { clinics } = await story.status();
        return clinics[0]?.lane.state === 'paused';
      });
    },
    async resumeSending() {
      // Sooner, it would be no answer to a pause that is only about to come.
      await story.untilPaused();
      return story.act('/admin/clinics/main/resume-lane');
    },
    async status() {
      return JSON.parse(
        (await ask('/status.json', { headers: { ...HEADERS, authorization: `Bearer ${adminToken}` } })).text,
      ) as StatusReport;
    },

    hasDatabase: () => (statSync(story.database, { throwIfNoEntry: false })?.size ?? 0) > 0,
    async read(use) {
      const store = await openFileStore({
        file: story.database,
        clock: systemClock,
        log: silentLog,
        mode: 'tool',
      });
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    },
    peek<Row>(statement: string, ...parameters: string[]) {
      using rows = rowsOf(() => story.database);
      return rows.read<Row>(statement, ...parameters);
    },
    rewrite(statement, parameters) {
      const file = new Database(story.database, { fileMustExist: true });
      file.prepare(statement).run(parameters);
      file.close();
    },
    booking: (ref) => story.read((store) => store.bookings.get(ref)),
    async untilBooking(ref, ...states) {
      using rows = rowsOf(() => story.database);
      return await until(
        `${ref} is ${states.join(' or ')}`,
        async () => {
          const [row] = rows.read<Pick<Booking, 'state'>>('select state from bookings where ref = ?', ref);
          if (row === undefined || !states.includes(row.state)) return undefined;
          const booking = await story.booking(ref);
          return booking !== undefined && states.includes(booking.state) && booking;
        },
        {
          // A booking waits for its clinic as often as for itself.
          found: async () => {
            const report = await story.status().catch(() => undefined);
            const { lane, limiter, connection, resources } = report?.clinics[0] ?? {};
            const log = story.daemon.output().split('\n').slice(-40);
            return { booking: await story.booking(ref), lane, limiter, connection, resources, log };
          },
        },
      );
    },
    csv: (file) => readFile(join(folder, 'csv', 'main', file), 'utf8'),

    async [Symbol.asyncDispose]() {
      await daemon?.kill();
      await Promise.all(buried);
      await hook[Symbol.asyncDispose]();
      await sheet?.close();
      await sandbox.close();
      await rm(base, { recursive: true, force: true });
    },
  };
  return story;
}

/** Rows of a file that stays open from look to look, until the daemon works in another one. */
function rowsOf(path: () => string) {
  let file: Database.Database | undefined;
  return {
    read<Row>(statement: string, ...parameters: string[]): Row[] {
      if (file?.name !== path()) {
        file?.close();
        file = undefined;
        file = new Database(path(), { fileMustExist: true });
      }
      return file.prepare<string[], Row>(statement).all(...parameters);
    },
    [Symbol.dispose]: () => file?.close(),
  };
}

function parsed(text: string): Answer['body'] {
  try {
    return JSON.parse(text) as Answer['body'];
  } catch {
    return {};
  }
}
