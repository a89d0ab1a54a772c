import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { freePort } from './kit/inspector.ts';
import { lastRelease } from './kit/last-release.ts';
import { sendLeads } from './kit/leads.ts';
import { type Program, processorSeconds, residentBytes, startProgram, threadSeconds } from './kit/program.ts';
import { megabytes, ms, type Report, times } from './kit/report.ts';
import { median, ratio } from './kit/rounds.ts';

const LIMIT = 1.1;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MOST_ROUNDS = 2 * ROUNDS;
const IDLE_MS = 20_000;
const SETTLE_MS = 5_000;
/** A start goes on for some 15 s: it checks every page, and V8 collects twice what it left. */
const START_OVER_MS = 18_000;
const COMMANDS = ['--version', '--help', 'health', 'status'];
const TIMES_EACH = 5;
const CONNECTIONS = 10;
const ROWS = 10_000;
const POLLS = 20;
/** As the container. */
const FLAGS = ['--max-semi-space-size=2'];

interface Build {
  main: string;
  folder: string;
}

/** What one round measured, by name; all but bytes in milliseconds. */
type Figures = Record<string, number>;
type Pair = readonly [before: Figures, now: Figures];
type Builds = readonly [Build, Build];

/**
 * The present build against the last release, in turns: what takes more than 1.1 × fails. A figure whose rounds scatter
 * too much to tell on which side of that it lies is measured again, twice as often at most.
 */
export async function guard(): Promise<Report> {
  const before = lastRelease();
  const now = builtDaemon();
  using folder = temporaryFolder();
  const builds: Builds = [
    { main: before.main, folder: join(folder.path, 'before') },
    { main: now, folder: join(folder.path, 'now') },
  ];
  for (const build of builds) mkdirSync(build.folder);

  const rows: string[][] = [];
  for (const measure of [daemons, lists]) {
    const rounds: Pair[] = [];
    await measure(builds);
    while (rounds.length < ROUNDS || (rounds.length < MOST_ROUNDS && verdicts(rounds).some(isOpen)))
      rounds.push(await inTurn(measure, builds, rounds.length));
    rows.push(...verdicts(rounds));
  }
  if (rows.some((row) => row.at(-1) === SLOWER)) process.exitCode = 1;
  const columns = ['', before.name, 'now', 'ratio', `against ${times(LIMIT)}`];
  return { title: `Against ${before.name}`, columns, rows };
}

/** Each round begins with the other build: the first one pays for cold files, the second for its neighbour. */
async function inTurn(measure: (builds: Builds) => Promise<Pair>, [before, now]: Builds, round: number) {
  if (round % 2 === 0) return measure([before, now]);
  const [ofNow, ofBefore] = await measure([now, before]);
  return [ofBefore, ofNow] as const;
}

const SLOWER = 'BEYOND';
const UNDECIDED = 'undecided';
const isOpen = (row: readonly string[]) => row.at(-1) === UNDECIDED;

/** A row per figure. */
function verdicts(rounds: readonly Pair[]): string[][] {
  return Object.keys(rounds[0]?.[0] ?? {}).map((name) => {
    const [before = [], now = []] = [0, 1].map((side) =>
      rounds.map((pair) => pair[side]?.[name] ?? Number.NaN),
    );
    const middle = ratio(now, before);
    const deviations = now.map((figure, round) => Math.abs(figure / (before[round] ?? Number.NaN) - middle));
    const uncertainty = Math.max(...deviations) / Math.sqrt(rounds.length);
    const isClear = Math.abs(middle - LIMIT) > uncertainty;
    const verdict = isClear ? (middle > LIMIT ? SLOWER : 'ok') : UNDECIDED;
    const shown = (figures: number[]) => (name.startsWith('resident') ? megabytes : ms)(median(figures));
    return [name, shown(before), shown(now), times(middle), verdict];
  });
}

/** Start, rest, commands and leads of two daemons, which rest beside each other. */
async function daemons(builds: Builds): Promise<Pair> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const start = async (build: Build) => {
    const port = await freePort();
    const config = writeConfiguration(build.folder, {
      sandbox,
      connectors: [
        'website: { use: web-form, preset: native, token: bench-token-bench-token, approval: required }',
      ],
      http: `{ listen: 127.0.0.1:${port}, trust_proxy: true }`,
    });
    const began = performance.now();
    const program = startProgram([...FLAGS, build.main, 'run', '--config', config]);
    cleanup.defer(() => program.stop());
    await program.line(/"port":(\d+)/);
    while ((await fetch(`http://127.0.0.1:${port}/readyz`)).status !== 200) await wait(5);
    const ready = {
      'start, until ready': performance.now() - began,
      'start, processor': processorMs(program),
    };
    return { program, port, build, config, ready };
  };
  const both = [await start(builds[0]), await start(builds[1])] as const;
  await wait(START_OVER_MS);
  const threadMs = ({ pid }: Program) => (threadSeconds(pid) ?? Number.NaN) * 1_000;
  const used = both.map(({ program }) => threadMs(program));
  await wait(IDLE_MS);
  const resting = both.map(({ program }, index) => ({
    'idle, processor a minute': ((threadMs(program) - (used[index] ?? 0)) * 60_000) / IDLE_MS,
    'resident, idle': residentBytes(program.pid) ?? Number.NaN,
  }));
  const working: Figures[] = [];
  for (const { program, port, build, config } of both) {
    const commands = COMMANDS.map((name) => [
      name,
      commandMs([...FLAGS, build.main, name, '--config', config]),
    ]);
    const lead = await sendLeads({ name: '', program, port }, CONNECTIONS);
    working.push({ ...Object.fromEntries(commands), 'a lead': lead.processorMs });
  }
  return pairOf(both.map(({ ready }, index) => ({ ...ready, ...resting[index], ...working[index] })));
}

/** Webhook events of a first fill, and polls of a long list with another time beside it. */
async function lists(builds: Builds): Promise<Pair> {
  const measured: Figures[] = [];
  for (const { main } of builds) {
    using folder = temporaryFolder();
    await using cleanup = new AsyncDisposableStack();
    const started = async (...command: string[]) => {
      const program = startProgram(command);
      cleanup.defer(() => program.stop());
      return { program, port: (await program.line(/"port":(\d+)/))[1] };
    };
    const kit = (name: string) => join(import.meta.dirname, 'kit', name);
    const clinic = `http://127.0.0.1:${(await started(kit('clinic-of-rows.ts'), String(ROWS))).port}`;
    const receiver = `http://127.0.0.1:${(await started(kit('receiver.ts'))).port}`;
    const secret = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0';
    const config = writeConfiguration(folder.path, {
      sandbox: { url: clinic, credentials: { app_key: 'app', secret_key: 'secret' } },
      connectors: [
        `crm: { use: webhook, url: "${receiver}", secret: ${secret}, allow_networks: [127.0.0.0/8] }`,
      ],
      everySecond: ['treatments'],
    });
    const { program } = await started(...FLAGS, main, 'run', '--config', config);
    const begun = processorMs(program);
    const count = async (url: string) => Number(await (await fetch(url)).text());
    while ((await count(receiver)) < ROWS) await wait(100);
    const filled = processorMs(program);
    await wait(SETTLE_MS);

    const before = processorMs(program);
    const from = await count(`${clinic}/reads`);
    for (let poll = 1; poll <= POLLS; poll += 1) {
      await fetch(`${clinic}/stamp/${poll}`);
      await wait(1_000);
    }
    const polls = (await count(`${clinic}/reads`)) - from;
    measured.push({
      [`a delivery, of ${ROWS} of a first fill`]: (filled - begun) / ROWS,
      [`a poll of ${ROWS} rows`]: (processorMs(program) - before) / polls,
    });
  }
  return pairOf(measured);
}

const pairOf = ([first = {}, second = {}]: readonly Figures[]): Pair => [first, second];

const processorMs = ({ pid }: Program): number => (processorSeconds(pid) ?? Number.NaN) * 1_000;

/** Processor time of a command, whatever it exits with, as the shell counts its children's. */
function commandMs(command: readonly string[]): number {
  const script = `i=0; while [ $i -lt ${TIMES_EACH} ]; do "$@" >/dev/null 2>&1; i=$((i+1)); done; times`;
  const printed = execFileSync('sh', ['-c', script, 'sh', process.execPath, ...command], {
    encoding: 'utf8',
  });
  const [, children = ''] = printed.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s));
  return (seconds.reduce((all, one) => all + one, 0) * 1_000) / TIMES_EACH;
}
