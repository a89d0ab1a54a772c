import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { systemClock } from '../src/platform/clock.ts';
import { silentLog } from '../src/platform/log.ts';
import { openFileStore } from '../src/store/sqlite.ts';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { freePort, watchLoop } from './kit/inspector.ts';
import { lead } from './kit/lead.ts';
import { residentBytes, startProgram } from './kit/program.ts';
import { megabytes, ms, type Report } from './kit/report.ts';
import { median } from './kit/rounds.ts';
import { yearsOfData } from './kit/years-of-data.ts';

const BOOKINGS = Number(process.env.BENCH_BOOKINGS ?? 200_000);
const LEADS = 15;
const LOOKS = 5;
/** The heap's share of the 256 MB in compose.yaml; the rest is SQLite, buffers and code. */
const HEAP_MB = Number(process.env.BENCH_HEAP_MB ?? 160);
const FLAGS = ['--max-semi-space-size=2', `--max-old-space-size=${HEAP_MB}`];
const READY_WITHIN_MS = 120_000;
const TOKEN = 'bench-token-bench-token';

/** The cost of years of data: the start, a lead, what machines read, a send's reads, an erasure, an export. */
export async function history(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const file = join(folder.path, 'clinic-sync.db');
  await yearsOfData(file, { bookings: BOOKINGS, changes: BOOKINGS * 5, deliveries: BOOKINGS * 2.5 });
  const rows: string[][] = [];
  const note = (what: string, figure: string, aim = '') => void rows.push([what, figure, aim]);
  note('database', megabytes(statSync(file).size));

  const website = `website: { use: web-form, preset: native, token: ${TOKEN}, approval: required }`;
  const configured = (connectors: string[]) => writeConfiguration(folder.path, { sandbox, connectors });
  {
    await using daemon = await started(configured([website]));
    note('ready', ms(daemon.readyMs), '≤ 3 s');
    note('resident when ready', megabytes(residentBytes(daemon.pid) ?? Number.NaN), '≤ 256 MB');
    const leads = await series(LEADS, (n) => timed(() => daemon.lead(1, n)));
    note('a lead, median and longest', `${ms(median(leads))}, ${ms(Math.max(...leads))}`, '≤ 20 ms');
    for (const path of ['/status.json', '/metrics']) {
      const looks = await series(LOOKS, async () => {
        // Answers are shared for a moment.
        await wait(2_500);
        return timed(() => daemon.get(path));
      });
      note(`${path}, median and longest`, `${ms(median(looks))}, ${ms(Math.max(...looks))}`, '≤ 100 ms');
    }
    note('resident afterwards', megabytes(residentBytes(daemon.pid) ?? Number.NaN), '≤ 256 MB');
  }
  await verbs(file, note);
  {
    const csv = `reports: { use: csv, directory: ${folder.path}/csv, include: [patient] }`;
    await using daemon = await started(configured([website, csv]));
    const waits = async (what: string, forMs: number) => {
      await watchLoop(daemon.inspector);
      const wait = await longestWait(daemon, forMs);
      note(`${what}, longest turn of the event loop`, ms(await watchLoop(daemon.inspector)), '≤ 50 ms');
      note(`${what}, longest wait for /livez in ${forMs / 1_000} s`, ms(wait));
    };
    await waits('first CSV export', 30_000);
    await daemon.lead(2, 1);
    await waits('CSV after a lead', 10_000);
    note('resident with the CSV export', megabytes(residentBytes(daemon.pid) ?? Number.NaN), '≤ 256 MB');
  }
  return {
    title: `Years of data: ${BOOKINGS} bookings, ${BOOKINGS * 5} changes, ${BOOKINGS * 2.5} deliveries`,
    columns: ['', 'measured', 'aim'],
    rows,
  };
}

/** Measured in this process: what a send reads before and in its claim, and an erasure. */
async function verbs(file: string, note: (what: string, figure: string, aim: string) => void): Promise<void> {
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  try {
    const { bookings } = store;
    const at = new Date().toISOString();
    const claims = await series(LOOKS, () => timed(() => bookings.nextSendable('main', at, 1)));
    note('next booking, with nothing to send', ms(median(claims)), '≤ 5 ms');
    const erasures = await series(LOOKS, (n) =>
      timed(() => store.erase({ refs: [`CS-${String(BOOKINGS / 2 + n).padStart(6, '0')}`] }, at, 'bench')),
    );
    note(
      'erase a booking, median and longest',
      `${ms(median(erasures))}, ${ms(Math.max(...erasures))}`,
      '≤ 1 s',
    );
  } finally {
    await store.close();
  }
}

async function started(config: string) {
  const inspector = await freePort();
  const began = performance.now();
  const program = startProgram([
    ...FLAGS,
    `--inspect=127.0.0.1:${inspector}`,
    builtDaemon(),
    'run',
    '--config',
    config,
  ]);
  const tooLong = setTimeout(() => void program.stop(), READY_WITHIN_MS);
  const [, port = ''] = await program.line(/"port":(\d+)/);
  clearTimeout(tooLong);
  const url = `http://127.0.0.1:${port}`;
  const get = async (path: string) => {
    const answer = await fetch(url + path);
    await answer.arrayBuffer();
    return answer.status;
  };
  while ((await get('/readyz')) !== 200) await wait(50);
  return {
    pid: program.pid,
    inspector,
    readyMs: performance.now() - began,
    get,
    async lead(batch: number, n: number) {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/in/website`, { method: 'POST', headers, body: lead(batch, n) });
      if (answer.status !== 200) throw new Error(`a lead was answered ${answer.status}`);
      await answer.arrayBuffer();
    },
    [Symbol.asyncDispose]: () => program.stop(),
  };
}

async function longestWait(daemon: { get(path: string): Promise<unknown> }, forMs: number): Promise<number> {
  let longest = 0;
  for (const from = performance.now(); performance.now() - from < forMs; await wait(5))
    longest = Math.max(longest, await timed(() => daemon.get('/livez')));
  return longest;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function series<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let n = 1; n <= times; n += 1) results.push(await work(n));
  return results;
}
