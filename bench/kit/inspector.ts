import { once } from 'node:events';
import { createServer } from 'node:net';

/** A currently free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : Number.NaN;
}

/** Heap bytes in use after a full collection. */
export const keptBytes = (inspectorPort: number): Promise<number> =>
  inspect(inspectorPort, async (ask) => {
    await ask('HeapProfiler.collectGarbage');
    return (await ask('Runtime.getHeapUsage')).usedSize ?? Number.NaN;
  });

/**
 * Has the process note how long its event loop is blocked; each later call says how long at most since the one before.
 */
export const watchLoop = (inspectorPort: number): Promise<number> =>
  inspect(inspectorPort, async (ask) => {
    const expression = `(() => {
      const { monitorEventLoopDelay } = process.getBuiltinModule('perf_hooks');
      globalThis.loopDelay ??= monitorEventLoopDelay({ resolution: 1 });
      const longest = globalThis.loopDelay.max / 1e6;
      globalThis.loopDelay.enable();
      globalThis.loopDelay.reset();
      return longest;
    })()`;
    return (await ask('Runtime.evaluate', { expression, returnByValue: true })).result?.value ?? Number.NaN;
  });

interface Result {
  usedSize?: number;
  result?: { value?: number };
}

type Ask = (method: string, params?: object) => Promise<Result>;

/** Talks to a process's inspector. */
async function inspect(inspectorPort: number, use: (ask: Ask) => Promise<number>): Promise<number> {
  const targets = await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json();
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  let id = 0;
  const ask: Ask = async (method, params = {}) => {
    id += 1;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(data) as { id?: number; result: Result };
      if (answer.id === id) return answer.result;
    }
  };
  try {
    return await use(ask);
  } finally {
    socket.close();
  }
}
