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

/** Heap bytes in use after a full collection, requested through a process's inspector. */
export async function keptBytes(inspectorPort: number): Promise<number> {
  const targets = await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json();
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  const ask = async (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(data) as { id?: number; result: { usedSize?: number } };
      if (answer.id === id) return answer.result;
    }
  };
  try {
    await ask(1, 'HeapProfiler.collectGarbage');
    return (await ask(2, 'Runtime.getHeapUsage')).usedSize ?? Number.NaN;
  } finally {
    socket.close();
  }
}
