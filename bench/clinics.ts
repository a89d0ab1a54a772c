import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { openSockets, type Program, processorSeconds, residentBytes, startProgram } from './kit/program.ts';
import { megabytes, ms, type Report } from './kit/report.ts';
import { elapsed } from './kit/rounds.ts';

const COUNTS = (process.env.BENCH_CLINICS ?? '100,1000').split(',').map(Number);
/** The flags of the container. */
const FLAGS = ['--max-semi-space-size=2'];
const CPU_PROFILE = process.env.BENCH_PROFILE;
const IDLE_MS = Number(process.env.BENCH_IDLE_MS ?? 60_000);
const SETTLE_MS = 10_000;
const FILL_WITHIN_MS = 600_000;
const STOP_WITHIN_MS = 300_000;
const PROBE_EVERY_MS = 100;
const LOOK_EVERY_MS = 250;
const POLLS = 5;
const TOKEN = 'bench-token-bench-token';
const sandbox = join(import.meta.dirname, '../src/main.ts');

/** One figure of one daemon, with its aims for 100 and for 1,000 clinics. */
interface Row {
  name: string;
  figure: string;
  aims: readonly [string, string];
}

/** Many clinics in one daemon: the first fill of an empty database, the cost of idling, the time to stop. */
export async function clinics(): Promise<Report> {
  const built = builtDaemon();
  const columns: Row[][] = [];
  for (const count of COUNTS) columns.push(await measured(built, count));
  const titled = COUNTS.flatMap((count) => [`${count} clinics`, 'aim']);
  return {
    title: 'Clinics in one daemon',
    columns: ['', ...titled],
    rows: (columns[0] ?? []).map(({ name }, row) => [
      name,
      ...columns.flatMap((column, index) => {
        const { figure = '', aims = ['', ''] as const } = column[row] ?? {};
        return [figure, aims[(COUNTS[index] ?? 0) > 100 ? 1 : 0]];
      }),
    ]),
  };
}

async function measured(built: string, count: number): Promise<Row[]> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const credentials = { app_key: 'bench-app-key', secret_key: 'bench-secret-key' };
  const keys = ['--app-key', credentials.app_key, '--secret-key', credentials.secret_key];
  const practice = startProgram([sandbox, 'sandbox', '--port', '0', '--json', ...keys]);
  cleanup.defer(() => practice.stop());
  const [, practiceUrl = ''] = await practice.line(/"base_url": "(.+)"/);
  const config = writeConfiguration(folder.path, {
    sandbox: { url: practiceUrl, credentials },
    clinics: count,
    connectors: [`website: { use: web-form, preset: native, token: ${TOKEN} }`],
    http: `{ listen: 127.0.0.1:0, admin_token: ${TOKEN}, metrics: { per_clinic: ${count <= 100} } }`,
  });
  const rows: Row[] = [];
  const note = (name: string, figure: string, ...aims: [string, string] | []) =>
    void rows.push({ name, figure, aims: [aims[0] ?? '', aims[1] ?? ''] });

  // The first request of a process loads its HTTP client, which must not count against the daemon.
  for (let n = 0; n < 20; n += 1) await (await fetch(practiceUrl)).arrayBuffer();

  const profile = CPU_PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${CPU_PROFILE}`];
  const began = performance.now();
  const daemon = startProgram([...FLAGS, ...profile, built, 'run', '--config', config]);
  cleanup.defer(() => daemon.stop());
  const [, port = ''] = await daemon.line(/"port":(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  note('ready', seconds(performance.now() - began));

  const probes = probing(`${url}/livez`);
  const peak = await untilFilled(join(folder.path, 'clinic-sync.db'), count, daemon.pid);
  const tookMs = performance.now() - began;
  const waits = await probes.end();
  note(
    'first fill',
    peak.filled === count * POLLS ? seconds(tookMs) : `${peak.filled} polls in ${seconds(tookMs)}`,
    '≤ 15 s',
    '≤ 90 s',
  );
  note('processor time of it', seconds((processorSeconds(daemon.pid) ?? Number.NaN) * 1_000));
  note('/livez meanwhile, p50', ms(quantile(waits, 0.5)));
  note('p99', ms(quantile(waits, 0.99)), '', '≤ 50 ms');
  note('worst', ms(quantile(waits, 1)), '≤ 50 ms', '');
  note('most sockets at once', String(peak.sockets));
  note('resident, most', megabytes(peak.bytes));
  note('at its end', megabytes(residentBytes(daemon.pid) ?? Number.NaN), '≤ 200 MB', '≤ 700 MB');

  await wait(SETTLE_MS);
  await idle(daemon, url, note);
  await answers(url, note);
  note('resident afterwards', megabytes(residentBytes(daemon.pid) ?? Number.NaN), '≤ 200 MB', '≤ 700 MB');
  note('SIGTERM to exit', seconds(await elapsed(() => daemon.stop(STOP_WITHIN_MS))), '', '≤ 10 s');
  return rows;
}

type Note = (name: string, figure: string, ...aims: [string, string] | []) => void;

async function idle({ pid }: Program, url: string, note: Note): Promise<void> {
  const before = processorSeconds(pid) ?? Number.NaN;
  const from = performance.now();
  const probes = probing(`${url}/livez`);
  await wait(IDLE_MS);
  const waits = await probes.end();
  const share = ((processorSeconds(pid) ?? Number.NaN) - before) / ((performance.now() - from) / 1_000);
  note('idle, of one core', `${(share * 100).toFixed(1)} %`, '', '≤ 5 %');
  note('/livez idle, p99 and worst', `${ms(quantile(waits, 0.99))}, ${ms(quantile(waits, 1))}`);
  note('resident, idle', megabytes(residentBytes(pid) ?? Number.NaN), '≤ 200 MB', '≤ 700 MB');
}

/** Routes for machines and people, as a signed-in person. Waits in between, because answers are shared for a second. */
async function answers(url: string, note: Note): Promise<void> {
  for (const path of ['/metrics', '/status.json', '/']) {
    await wait(2_000);
    const began = performance.now();
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
    const bytes = (await answer.arrayBuffer()).byteLength;
    const figure = `${ms(performance.now() - began)}, ${Math.ceil(bytes / 1_024)} kB`;
    const aims: [string, string] | [] = path === '/metrics' ? ['', '≤ 200 ms, ≤ 1 MB'] : [];
    note(path, answer.status === 200 ? figure : `answered ${answer.status}`, ...aims);
  }
}

/** Waits until every poll has succeeded once. */
async function untilFilled(file: string, count: number, pid: number) {
  const database = new Database(file, { readonly: true });
  const done = database
    .prepare('select count(*) from polls where last_success_at is not null or last_idle_at is not null')
    .pluck();
  const most = { filled: 0, bytes: 0, sockets: 0 };
  try {
    for (
      const from = performance.now();
      performance.now() - from < FILL_WITHIN_MS;
      await wait(LOOK_EVERY_MS)
    ) {
      most.filled = done.get() as number;
      most.bytes = Math.max(most.bytes, residentBytes(pid) ?? 0);
      most.sockets = Math.max(most.sockets, openSockets(pid));
      if (most.filled >= count * POLLS) break;
    }
    return most;
  } finally {
    database.close();
  }
}

/** Requests /livez every 100 ms without waiting for answers, so that a hang is measured for as long as it lasts. */
function probing(url: string) {
  const waits: Promise<number>[] = [];
  const timer = setInterval(() => {
    const began = performance.now();
    waits.push(
      fetch(url, { signal: AbortSignal.timeout(60_000) })
        .then((answer) => answer.arrayBuffer())
        .catch(() => undefined)
        .then(() => performance.now() - began),
    );
  }, PROBE_EVERY_MS);
  return {
    async end(): Promise<number[]> {
      clearInterval(timer);
      return (await Promise.all(waits)).sort((a, b) => a - b);
    },
  };
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
