import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { GoogleRefusal } from './refusal.ts';

export interface SheetsAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** `drop`: the connection ends without an answer. `hang`: no answer is ever sent. */
type Handler = (request: {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}) => SheetsAnswer | 'drop' | 'hang';

/** A server on 127.0.0.1, on a free port, with JSON answers. */
export async function startSheetsServer(handle: Handler) {
  const server = createServer((request, response) => {
    void answer(request, response, handle).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, handle: Handler): Promise<void> {
  const { method = 'GET', headers } = request;
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const body = await text(request);
  let given: ReturnType<Handler>;
  try {
    given = handle({ method, url, headers, body });
  } catch (error) {
    if (!(error instanceof GoogleRefusal)) throw error;
    given = { status: error.code, body: error.body };
  }
  if (given === 'drop') request.socket.destroy();
  else if (given !== 'hang')
    response
      .writeHead(given.status, { 'content-type': 'application/json; charset=utf-8', ...given.headers })
      .end(JSON.stringify(given.body));
}
