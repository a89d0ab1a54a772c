import { join } from 'node:path';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { compareServers, listening, loadColumns } from './kit/leads.ts';
import type { Report } from './kit/report.ts';

const ROUNDS = 3;
const CONNECTIONS = [10, 50];
const main = builtDaemon();

/** Leads accepted per second by the real daemon and by a bare fastify server with one durable insert per request. */
export async function intake(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  // Every lead waits for a person, so that only accepting is measured, not sending. Each lead has another address, as
  // behind a reverse proxy, so that none meets the limit per address.
  const config = writeConfiguration(folder.path, {
    sandbox,
    connectors: [
      'website: { use: web-form, preset: native, token: bench-token-bench-token, approval: required }',
    ],
    http: '{ listen: 127.0.0.1:0, trust_proxy: true }',
  });
  const bare = await listening('bare fastify + durable insert', [
    join(import.meta.dirname, 'kit/bare-intake.ts'),
    join(folder.path, 'bare.db'),
  ]);
  cleanup.defer(() => bare.program.stop());
  const ours = await listening('clinic-sync', [main, 'run', '--config', config]);
  cleanup.defer(() => ours.program.stop());

  const rows: string[][] = [];
  for (const connections of CONNECTIONS)
    rows.push(...(await compareServers([bare, ours], { connections, rounds: ROUNDS })));
  return { title: 'Durable intake: POST /in/website', columns: [...loadColumns, 'ratio'], rows };
}
