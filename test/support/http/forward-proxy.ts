import { createServer, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';

/**
 * An outgoing proxy as offices have them (Squid, Zscaler): CONNECT for https, absolute addresses for http. All names lead
 * to `127.0.0.1:port`. `answer`: what it says instead of forwarding; 0 cuts the connection, -1 says nothing.
 */
export async function startForwardProxy(port: number) {
  const seen: { line: string; credentials: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const state = { answer: undefined as number | undefined, cutsTunnels: false };
  const server = createServer((asked, response) => {
    seen.push({
      line: `${asked.method} ${asked.url}`,
      credentials: asked.headers['proxy-authorization'],
    });
    if (state.answer === -1) return;
    if (state.answer === 0) return void asked.socket.destroy();
    if (state.answer !== undefined) return void response.writeHead(state.answer).end('by the proxy');
    const target = URL.parse(asked.url ?? '');
    if (target === null) return void response.writeHead(400).end();
    const { pathname, search } = target;
    const forwarded = send(
      { host: '127.0.0.1', port, path: pathname + search, method: asked.method, headers: asked.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    asked.pipe(forwarded);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (asked, socket: Socket) => {
    seen.push({ line: `CONNECT ${asked.url}`, credentials: asked.headers['proxy-authorization'] });
    socket.on('error', () => {});
    if (state.answer === -1) return;
    if (state.answer === 0) return void socket.destroy();
    if (state.answer !== undefined)
      return void socket.end(`HTTP/1.1 ${state.answer} Refused\r\nContent-Length: 0\r\n\r\n`);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (state.cutsTunnels) return void setImmediate(() => socket.destroy());
    const inner = connect(port, '127.0.0.1');
    sockets.add(inner);
    inner.on('error', () => socket.destroy());
    inner.on('close', () => socket.destroy());
    socket.on('close', () => inner.destroy());
    socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port: own } = server.address() as { port: number };
  return {
    url: `http://me:planted-secret@127.0.0.1:${own}`,
    seen,
    state,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
