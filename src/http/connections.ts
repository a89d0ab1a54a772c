import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './allowance.ts';

interface ConnectionLimits {
  /** In all. */
  connections: number;
  connectionsPerAddress: number;
}

/**
 * Keeps the door open whoever holds connections: at a limit a new one takes the place of an old one, that of an address
 * at its limit or of the address with the most. Those without a request under way go first. A limit that only refused
 * new ones would shut out everybody behind an address that somebody else fills with idle connections.
 */
export function limitConnections(
  server: Server,
  { connections, connectionsPerAddress }: ConnectionLimits,
  isProxy: (address: string) => boolean,
): void {
  const open = new Map<string, Set<Socket>>();
  const busy = new WeakMap<Socket, number>();
  let count = 0;

  const forget = (sockets: Set<Socket>, socket: Socket) => {
    if (sockets.delete(socket)) count -= 1;
  };
  const closeOldest = (sockets: Set<Socket>) => {
    const socket = [...sockets].find((one) => !busy.get(one)) ?? sockets.values().next().value;
    if (socket === undefined) return;
    forget(sockets, socket);
    socket.destroy();
  };
  const most = () =>
    [...open.values()].reduce((widest, one) => (one.size > widest.size ? one : widest), new Set<Socket>());

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const key = addressKey(address);
    const own = open.get(key) ?? new Set();
    if (own.size >= connectionsPerAddress && !isProxy(address)) closeOldest(own);
    else if (count >= connections) closeOldest(most());
    open.set(key, own.add(socket));
    count += 1;
    socket.once('close', () => {
      forget(own, socket);
      if (own.size === 0 && open.get(key) === own) open.delete(key);
    });
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once('close', () => busy.set(socket, (busy.get(socket) ?? 1) - 1));
  });
}
