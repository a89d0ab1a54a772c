import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { ownServer } from '../test/support/store/postgres-server.ts';
import { until } from '../test/support/until.ts';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { type LeadServer, listening } from './kit/leads.ts';
import { childrensProcessorSeconds, processorSeconds, residentBytes, startProgram } from './kit/program.ts';
import { ms, type Report } from './kit/report.ts';

const CLINICS = Number(process.env.BENCH_CLINICS ?? 1_000);
const DAEMONS = Number(process.env.BENCH_DAEMONS ?? 3);
const LEAD_SECONDS = 5;
const REST_SECONDS = 60;
const main = builtDaemon();

/** Many clinics on several daemons and a PostgreSQL server, on one machine: how work is shared and what it costs. */
export async function fleet(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const server = await ownServer();
  cleanup.defer(() => server.stop());
  await server.restart(['shared_preload_libraries=pg_stat_statements', 'fsync=on']);
  await server.run('create database fleet');
  await server.run('create extension pg_stat_statements', 'fleet');
  const config = writeConfiguration(folder.path, {
    sandbox,
    clinics: CLINICS,
    connectors: [
      'website: { use: web-form, preset: native, token: bench-token-bench-token, approval: required }',
    ],
    http: '{ listen: 127.0.0.1:0, trust_proxy: true }',
    postgres: server.url('fleet'),
  });
  const ask = (statement: string) => server.run(statement, 'fleet');
  const figure = async (statement: string) => Number((await ask(statement))[0]?.n ?? 0);
  const counts = async () =>
    (
      await ask(`select count(*) as n from units join members on members.id = owner
        where kind = 'clinic' and expires_at > clock_timestamp() group by owner order by 1`)
    ).map(({ n }) => Number(n));
  const most = Math.ceil(CLINICS / DAEMONS);
  const isSpread = async (daemons: number, most: number) => {
    const found = await counts();
    return found.length === daemons && (found.at(-1) ?? 0) <= most && sum(found) === CLINICS;
  };
  const PATIENT = { withinMs: 600_000, found: counts };

  const rows: string[][] = [];
  const from = performance.now();
  const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
  const start = () => listening('daemon', ['--max-semi-space-size=2', main, 'run', '--config', config]);
  const daemons: LeadServer[] = [];
  for (let n = 0; n < DAEMONS; n += 1) daemons.push(await start());
  cleanup.defer(async () => void (await Promise.all(daemons.map(({ program }) => program.stop()))));
  await until('evenly spread', () => isSpread(DAEMONS, most), PATIENT);
  rows.push(['spread evenly', `${(await counts()).join(' / ')} after ${seconds(from)}`]);
  // The fifth poll reads appointments, of which there are none.
  const read = 'select count(*) as n from polls where last_success_at is not null';
  await until('all is read', async () => (await figure(read)) >= CLINICS * 4, PATIENT);
  rows.push(['everything read once', seconds(from)]);

  const postmaster = Number(readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  const used = async () => ({
    daemons: sum(daemons.map(({ program }) => processorSeconds(program.pid) ?? Number.NaN)),
    server: childrensProcessorSeconds(postmaster) ?? Number.NaN,
    statements: await figure('select sum(calls) as n from pg_stat_statements'),
  });
  for (const connections of [10, 50])
    for (const some of [daemons.slice(0, 1), daemons])
      rows.push([
        `leads, ${connections} connections at ${some.length}`,
        await leads(some, connections, used),
      ]);
  rows.push(...(await atRest(daemons, figure, ask)));
  const open =
    "select count(*) as n from pg_stat_activity where datname = 'fleet' and application_name = 'clinic-sync'";
  rows.push(['connections', String(await figure(open))]);
  rows.push(['size of the database', megabytes(await figure("select pg_database_size('fleet') as n"))]);

  const killedAt = performance.now();
  const [victim] = daemons.splice(0, 1);
  if (victim !== undefined) process.kill(victim.program.pid, 'SIGKILL');
  await until('taken over', () => isSpread(DAEMONS - 1, CLINICS), PATIENT);
  rows.push(['takeover after SIGKILL, every clinic', seconds(killedAt)]);
  const backAt = performance.now();
  daemons.push(await start());
  await until('evenly spread again', () => isSpread(DAEMONS, most), PATIENT);
  rows.push(['even again with a new daemon', seconds(backAt)]);
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  return { title: `${CLINICS} clinics, ${DAEMONS} daemons (load ${load})`, columns: ['', ''], rows };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;

let series = 0;

/** Durable leads per second in total, and the processor time of each. */
async function leads(
  daemons: readonly LeadServer[],
  connections: number,
  used: () => Promise<{ daemons: number; server: number; statements: number }>,
): Promise<string> {
  const each = Math.round(connections / daemons.length);
  const before = await used();
  const loads = await Promise.all(
    daemons.map(async ({ port }) => {
      series += 1;
      const file = join(import.meta.dirname, 'kit/load.ts');
      const load = startProgram([file, ...[port, each, LEAD_SECONDS, series, CLINICS].map(String)]);
      const [text] = await load.line(/^\{.*\}$/);
      return JSON.parse(text) as { perSecond: number; accepted: number; p99: number; refused: number };
    }),
  );
  const after = await used();
  const accepted = sum(loads.map((load) => load.accepted));
  const share = (of: keyof typeof after) => ms((1_000 * (after[of] - before[of])) / accepted);
  const worst = Math.max(...loads.map(({ p99 }) => p99));
  const refused = sum(loads.map((load) => load.refused));
  const rate = Math.round(sum(loads.map(({ perSecond }) => perSecond)));
  return `${rate}/s, p99 ${ms(worst)}, refused ${refused}; processor each: daemons ${share('daemons')}, server ${share('server')}; statements each ${((after.statements - before.statements) / accepted).toFixed(1)}`;
}

/** The cost of a minute without leads, including the polls of the default schedule. */
async function atRest(
  daemons: readonly LeadServer[],
  figure: (statement: string) => Promise<number>,
  ask: (statement: string) => Promise<unknown>,
): Promise<string[][]> {
  const processor = () => sum(daemons.map(({ program }) => processorSeconds(program.pid) ?? Number.NaN));
  await ask('select pg_stat_statements_reset()');
  const wal = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as n";
  const commits = "select xact_commit as n from pg_stat_database where datname = 'fleet'";
  const before = { cpu: processor(), wal: await figure(wal), commits: await figure(commits) };
  await pause(REST_SECONDS * 1_000);
  const per = (n: number) => `${(n / REST_SECONDS).toFixed(1)}/s`;
  const used = processor() - before.cpu;
  const bytes = ((await figure(wal)) - before.wal) / REST_SECONDS / 1_000;
  const busy = await figure('select sum(total_exec_time + total_plan_time) as n from pg_stat_statements');
  const resident = daemons.map(({ program }) => megabytes(residentBytes(program.pid) ?? Number.NaN));
  return [
    ['at rest: statements', per(await figure('select sum(calls) as n from pg_stat_statements'))],
    ['at rest: transactions', per((await figure(commits)) - before.commits)],
    ['at rest: log of the server', `${bytes.toFixed(1)} kB/s`],
    ['at rest: time in statements', `${(busy / REST_SECONDS / 10).toFixed(1)} % of a core`],
    ['at rest: processor of the daemons', `${((100 * used) / REST_SECONDS).toFixed(1)} % of a core`],
    ['resident', resident.join(' / ')],
  ];
}
