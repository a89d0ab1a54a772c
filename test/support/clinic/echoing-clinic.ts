import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A clinic's API that quotes in its errors whatever it was sent: bodies, keys, tokens, addresses. */
export interface EchoingClinic extends AsyncDisposable {
  readonly url: string;
  /** Where the real sandbox is. */
  inFrontOf(base: string): void;
  /** Requests to be answered with an error instead of being passed on. */
  refuse: (request: { method: string; path: string; body: string }) => number | undefined;
  /** Every access token that came by. */
  readonly tokens: ReadonlySet<string>;
}

export async function startEchoingClinic(): Promise<EchoingClinic> {
  let origin = '';
  const tokens = new Set<string>();

  const server = createServer(async (request, response) => {
    const method = request.method ?? 'GET';
    const path = request.url ?? '/';
    const body = await buffer(request);
    const token = request.headers.authorization?.replace('Bearer ', '');
    if (token !== undefined) tokens.add(token);

    const status = clinic.refuse({ method, path, body: body.toString('utf8') });
    if (status !== undefined) {
      const quoted = `${method} ${path} ${JSON.stringify(request.headers)} ${body.toString('utf8')}`;
      const answer = JSON.stringify({ success: false, message: quoted, error_code: quoted });
      response.writeHead(status, quoted.replace(/[^\x20-\x7e]/g, ''), { 'content-type': 'application/json' });
      response.end(answer);
      return;
    }
    const passed = await fetch(`${origin}${path}`, {
      method,
      headers: forwarded(request),
      ...(method === 'POST' && { body: new Uint8Array(body) }),
    });
    response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await passed.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const clinic: EchoingClinic = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    inFrontOf(base) {
      origin = new URL(base).origin;
    },
    refuse: () => undefined,
    tokens,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return clinic;
}

const forwarded = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    ['x-app-key', 'x-app-secret-key', 'authorization', 'content-type'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
