import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'));

export interface Axe extends AsyncDisposable {
  readonly url: string;
}

/** Serves axe under one address: a browser compiles it once then, which costs more than to run it on a page. */
export async function startAxe(): Promise<Axe> {
  const headers = { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(axe));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/axe.js`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
