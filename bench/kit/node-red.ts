import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import got from 'got';
import type { LeadServer } from './leads.ts';
import { startProgram } from './program.ts';

export const NODE_RED = '5.0.7';
const INSTALL_WITHIN_MS = 300_000;
const READY_WITHIN_MS = 60_000;

/** Installs Node-RED into `folder` without running install scripts; undefined when the registry is unreachable. */
export async function installNodeRed(folder: string): Promise<string | undefined> {
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0'];
  try {
    await promisify(execFile)('npm', ['install', ...options, `node-red@${NODE_RED}`], {
      cwd: folder,
      timeout: INSTALL_WITHIN_MS,
    });
  } catch {
    return undefined;
  }
  return join(folder, 'node_modules/node-red/red.js');
}

/** Starts the obvious flow: take the lead, answer 200, post it on. Runs without editor and log. */
export async function startNodeRed(folder: string, program: string, postTo: string): Promise<LeadServer> {
  const port = await freePort();
  const z = 'leads';
  const flow = [
    { id: z, type: 'tab', label: z },
    { id: 'in', type: 'http in', z, url: '/in/website', method: 'post', wires: [['answer', 'post']] },
    { id: 'answer', type: 'http response', z, statusCode: '200', wires: [] },
    {
      id: 'post',
      type: 'http request',
      z,
      method: 'POST',
      ret: 'txt',
      url: postTo,
      persist: true,
      wires: [[]],
    },
  ];
  const settings = {
    ...{ uiHost: '127.0.0.1', uiPort: port, httpAdminRoot: false, userDir: folder, flowFile: 'flows.json' },
    ...{ logging: { console: { level: 'off', metrics: false, audit: false } } },
  };
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flow));
  writeFileSync(join(folder, 'settings.cjs'), `module.exports = ${JSON.stringify(settings)};`);
  const server = {
    name: `Node-RED ${NODE_RED}`,
    program: startProgram([program, '--settings', join(folder, 'settings.cjs')]),
    port,
  };
  for (const until = Date.now() + READY_WITHIN_MS; !(await takesLeads(port)); await wait(200))
    if (Date.now() > until) {
      await server.program.stop();
      throw new Error('Node-RED was not ready in time');
    }
  return server;
}

const takesLeads = (port: number): Promise<boolean> =>
  got.post(`http://127.0.0.1:${port}/in/website`, { json: {}, retry: { limit: 0 } }).then(
    () => true,
    () => false,
  );

/** Node-RED cannot choose a port itself. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
