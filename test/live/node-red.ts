import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, freePort, until } from './local-server.ts';

interface NodeRed extends AsyncDisposable {
  /** Sends a lead into the flow; resolves to what the flow answers: the answer of the web form. */
  send(lead: Record<string, string>): Promise<unknown>;
}

/** Node-RED with one flow: an http-in node, a function that makes the request, an http request node, an answer. */
export async function startNodeRed(files: string, form: { url: string; token: string }): Promise<NodeRed> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'node-red-live-'));
  started.defer(() => rm(folder, { recursive: true }));
  const port = await freePort();
  await writeFile(
    join(folder, 'settings.js'),
    `module.exports = ${JSON.stringify({ uiHost: '127.0.0.1', uiPort: port, flowFile: 'flows.json', userDir: folder, telemetry: { enabled: false } })};`,
  );
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flow(form)));
  const server = spawn(process.execPath, [join(files, 'red.js'), '--settings', join(folder, 'settings.js')], {
    stdio: 'ignore',
  });
  started.defer(() => ended(server));
  const address = `http://127.0.0.1:${port}`;
  await until(async () => {
    const { ok } = await fetch(`${address}/ready`);
    if (!ok) throw new Error('The flow is not there yet');
  });
  const running = started.move();
  return {
    async send(lead) {
      const answer = await fetch(`${address}/lead`, {
        method: 'POST',
        body: JSON.stringify(lead),
        headers: { 'content-type': 'application/json' },
      });
      return answer.json();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const flow = ({ url, token }: { url: string; token: string }) => {
  const request = `
    const { id, ...lead } = msg.payload;
    msg.headers = { authorization: 'Bearer ${token}', 'idempotency-key': id, 'content-type': 'application/json' };
    msg.payload = lead;
    return msg;`;
  const node = (id: string, type: string, next: string[], more: object = {}) => ({
    id,
    type,
    z: 'tab',
    wires: next.length > 0 ? [next] : [],
    ...more,
  });
  return [
    { id: 'tab', type: 'tab', label: 'Leads' },
    node('in', 'http in', ['make'], { url: '/lead', method: 'post' }),
    node('make', 'function', ['send'], { func: request, outputs: 1 }),
    node('send', 'http request', ['out'], { method: 'POST', ret: 'obj', url }),
    node('out', 'http response', [], { statusCode: '', headers: {} }),
    node('ready', 'http in', ['yes'], { url: '/ready', method: 'get' }),
    node('yes', 'http response', [], { statusCode: '200' }),
  ];
};
