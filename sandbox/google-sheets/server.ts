import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from './refusal.ts';

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** `drop`: the connection ends without an answer. `hang`: nothing is ever answered. */
export type Handler = (request: {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}) => Answer | 'drop' | 'hang';

export interface RunningServer {
  url: string;
  close(): Promise<void>;
}

const MOST_BYTES = 64 * 2 ** 20;

/** One server on 127.0.0.1 with JSON answers. Every request is answered from memory, so handling is synchronous. */
export async function startServer(port: number, handle: Handler): Promise<RunningServer> {
  const server = createServer((request, response) => {
    void answer(request, response, handle).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, handle: Handler): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const body = Buffer.concat(chunks).toString();
  const given = attempt(() =>
    handle({ method: request.method ?? 'GET', url, headers: request.headers, body }),
  );
  if (given === 'hang') return;
  if (given === 'drop') {
    request.socket.destroy();
    return;
  }
  const isText = typeof given.body === 'string';
  response.writeHead(given.status, {
    'content-type': isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...given.headers,
  });
  response.end(isText ? given.body : JSON.stringify(given.body));
}

function attempt(work: () => ReturnType<Handler>): ReturnType<Handler> {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return { status: error.code, body: error.body };
    throw error;
  }
}
