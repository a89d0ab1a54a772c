import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Requests over one connection have the same number. */
  connection: number;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** How many connections were made to it. */
  readonly connections: number;
  /** How the next requests are answered; default: 204. */
  answer: (request: Received, response: ServerResponse) => void;
  /** Resolves when so many requests have come in all. */
  until(count: number): Promise<void>;
}

/** A real HTTP server that keeps what it was sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const connections = new WeakMap<object, number>();
  let opened = 0;

  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString('utf8');
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      connection: connections.get(request.socket) ?? 0,
    };
    received.push(one);
    receiver.answer(one, response);
    for (const look of [...waiting]) look();
  });
  server.on('connection', (socket) => {
    opened += 1;
    connections.set(socket, opened);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get connections() {
      return opened;
    },
    answer: (_request, response) => response.writeHead(204).end(),
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
