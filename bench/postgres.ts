import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { ownServer } from '../test/support/store/postgres-server.ts';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { compareServers, type LeadServer, listening, loadColumns } from './kit/leads.ts';
import { childrensProcessorSeconds } from './kit/program.ts';
import { ms, type Report } from './kit/report.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '10,50').split(',').map(Number);
const main = builtDaemon();

/** Leads accepted per second by the same daemon on a file and on a PostgreSQL server, and their cost in the server. */
export async function postgres(): Promise<Report> {
  using folder = temporaryFolder();
  using serverFolder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const server = await ownServer();
  cleanup.defer(() => server.stop());
  await server.restart([
    'shared_preload_libraries=pg_stat_statements',
    'pg_stat_statements.track_planning=on',
    'fsync=on',
  ]);
  await server.run('create database leads');
  await server.run('create extension pg_stat_statements', 'leads');
  const start = async (name: string, path: string, url?: string) => {
    const config = writeConfiguration(path, {
      sandbox,
      connectors: [
        'website: { use: web-form, preset: native, token: bench-token-bench-token, approval: required }',
      ],
      http: '{ listen: 127.0.0.1:0, trust_proxy: true }',
      ...(url !== undefined && { postgres: url }),
    });
    const profile = process.env.BENCH_PROFILE;
    const options = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}/${name}`];
    const started = await listening(name, [
      ...options,
      '--max-semi-space-size=2',
      main,
      'run',
      '--config',
      config,
    ]);
    cleanup.defer(() => started.program.stop());
    return started;
  };
  const onFile = await start('SQLite', folder.path);
  const onServer = await start('PostgreSQL', serverFolder.path, server.url('leads'));

  const postmaster = Number(readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  const figure = async (statement: string) => Number((await server.run(statement, 'leads'))[0]?.n);
  const figures = async () => ({
    leads: await figure('select count(*) as n from bookings'),
    statements: await figure(
      "select sum(calls) as n from pg_stat_statements where dbid = (select oid from pg_database where datname = 'leads')",
    ),
    commits: await figure("select xact_commit as n from pg_stat_database where datname = 'leads'"),
    syncs: await figure('select wal_sync as n from pg_stat_wal'),
    bytes: await figure("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as n"),
    processor: childrensProcessorSeconds(postmaster) ?? Number.NaN,
  });
  const rows: string[][] = [];
  const inside: string[] = [];
  for (const connections of CONNECTIONS) {
    const before = await figures();
    rows.push(
      ...(await compareServers([onFile, onServer] satisfies LeadServer[], { connections, rounds: ROUNDS })),
    );
    const after = await figures();
    const leads = after.leads - before.leads;
    const per = (name: keyof typeof after) => (after[name] - before[name]) / leads;
    inside.push(
      `PostgreSQL, ${connections} connections, each lead: ${ms(per('processor') * 1_000)} of processor time in the server, ` +
        `${per('statements').toFixed(2)} statements, ${per('commits').toFixed(3)} commits, ${per('syncs').toFixed(3)} fsyncs, ` +
        `${(per('bytes') / 1_000).toFixed(1)} kB of log`,
    );
  }
  if (process.env.BENCH_STATEMENTS !== undefined)
    for (const row of await server.run(
      "select calls, round(total_exec_time::numeric, 1) as ms, round(total_plan_time::numeric,1) as plan, rows, left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as query from pg_stat_statements order by total_exec_time desc limit 40",
      'leads',
    ))
      inside.push(JSON.stringify(row));
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  return {
    title: `Durable intake on PostgreSQL (load ${load})`,
    columns: [...loadColumns, 'ratio'],
    rows,
    notes: inside,
  };
}
