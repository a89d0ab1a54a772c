import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that stays the same while the server behind it changes. */
export async function startSwitch(port: number) {
  let target = port;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const there = connect(target, '127.0.0.1');
    for (const one of [socket, there]) {
      open.add(one);
      one.on('close', () => open.delete(one));
      one.on('error', () => {
        socket.destroy();
        there.destroy();
      });
    }
    socket.pipe(there).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Cuts what is connected; new connections go to the other port. */
    to(other: number): void {
      target = other;
      for (const socket of open) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
