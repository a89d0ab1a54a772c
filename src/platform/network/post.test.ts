import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { destinations } from './destination.ts';
import { createPoster, type Poster } from './post.ts';

const { signal } = new AbortController();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A receiver behind a firewall that can forget the connections it has let through. */
async function receiver() {
  const sockets: Socket[] = [];
  const forgotten = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      if (!forgotten.has(socket)) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => sockets.length,
    forget: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
  };
}

function posterTo(url: string): Poster {
  const poster = createPoster({
    url: new URL(url),
    timeoutMs: 200,
    destinations: destinations(['127.0.0.0/8']),
    connections: 8,
  });
  closing.push(() => poster.close());
  return poster;
}

const statusOf = (poster: Poster): Promise<number | string> =>
  poster.post('{}', {}, signal).then(
    ({ status }) => status,
    ({ code }) => code,
  );

it('makes a new connection after one of eight that were forgotten on the way did not answer', async () => {
  const { url, connections, forget } = await receiver();
  const poster = posterTo(url);
  await Promise.all(Array.from({ length: 8 }, () => statusOf(poster)));
  forget();

  const first = await statusOf(poster);
  const second = await statusOf(poster);

  expect([first, second]).toEqual(['ETIMEDOUT', 204]);
  expect(connections()).toBe(9);
});

it('keeps its connections while they work', async () => {
  const { url, connections } = await receiver();
  const poster = posterTo(url);

  for (let n = 0; n < 5; n++) expect(await statusOf(poster)).toBe(204);

  expect(connections()).toBe(1);
});
