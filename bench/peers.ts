import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { compareServers, type LeadServer, listening, loadColumns } from './kit/leads.ts';
import { installNodeRed, NODE_RED, startNodeRed } from './kit/node-red.ts';
import type { Report } from './kit/report.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONNECTIONS = [10, 50];
const main = builtDaemon();
const kit = (file: string) => join(import.meta.dirname, 'kit', file);

/**
 * The same leads through what a clinic would otherwise run: each lead is received, answered and posted on to a stand-in
 * clinic. Node-RED stores nothing; the bare server and clinic-sync answer once the lead is on disk.
 */
export async function peers(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const kept = (server: LeadServer) => {
    cleanup.defer(() => server.program.stop());
    return server;
  };
  const standIn = kept(await listening('stand-in', [kit('stand-in.ts')]));
  const url = `http://127.0.0.1:${standIn.port}/api/v1`;
  const postTo = `${url}/appointments/book`;

  const notes: string[] = [];
  const servers: LeadServer[] = [];
  const flows = join(folder.path, 'node-red');
  mkdirSync(flows);
  const nodeRed = process.env.BENCH_NODE_RED ?? (await installNodeRed(flows));
  if (nodeRed === undefined)
    notes.push(`Node-RED ${NODE_RED} was left out: npm could not install it. Is its registry reachable?`);
  else servers.push(kept(await startNodeRed(flows, nodeRed, postTo)));

  const bare = 'bare fastify + durable insert + got';
  servers.push(kept(await listening(bare, [kit('bare-intake.ts'), join(folder.path, 'bare.db'), postTo])));
  const config = writeConfiguration(folder.path, {
    sandbox: { url, credentials: { app_key: 'key', secret_key: 'secret' } },
    connectors: ['website: { use: web-form, preset: native, token: bench-token-bench-token }'],
    http: '{ listen: 127.0.0.1:0, trust_proxy: true }',
  });
  servers.push(kept(await listening('clinic-sync', [main, 'run', '--config', config])));

  const rows: string[][] = [];
  for (const connections of CONNECTIONS)
    rows.push(...(await compareServers(servers, { connections, rounds: ROUNDS })));
  const others = servers.slice(0, -1).map(({ name }) => `÷ ${name}`);
  return {
    title: 'The same leads: HTTP in, answer 200, one POST on',
    columns: [...loadColumns, others.join(', ')],
    rows,
    notes,
  };
}
