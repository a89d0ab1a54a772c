import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './allowance.ts';

interface ConnectionLimits {
  /** In total. */
  connections: number;
  connectionsPerAddress: number;
  /** Requests on one connection that await their responses. */
  pipelined: number;
}

/**
 * At a limit, a new connection replaces an old one: of its own address when that is at its limit, otherwise of the
 * address with the most. Those whose requests are answered go first, never the newest: it is about to send. Refusing
 * new connections instead would let one client lock out everyone who shares its address.
 *
 * A connection with too many pipelined requests is closed: Node parses a whole chunk at once, which may hold a thousand
 * requests, and each response stays in memory until it is read.
 */
export function limitConnections(
  server: Server,
  { connections, connectionsPerAddress, pipelined }: ConnectionLimits,
  isProxy: (address: string) => boolean,
): void {
  const open = new Map<string, Set<Socket>>();
  const busy = new WeakMap<Socket, number>();
  let count = 0;

  const forget = (sockets: Set<Socket>, socket: Socket) => {
    if (sockets.delete(socket)) count -= 1;
  };
  const closeOldest = (sockets: Set<Socket>) => {
    const socket = [...sockets].find((one) => busy.get(one) === 0) ?? sockets.values().next().value;
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
  // Before all other handlers, so that an excess request costs almost nothing.
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const waiting = (busy.get(socket) ?? 0) + 1;
    if (waiting > pipelined) return stopReading(socket);
    busy.set(socket, waiting);
    response.once('close', () => busy.set(socket, (busy.get(socket) ?? 1) - 1));
    for (const handle of handlers) handle(request, response);
  });
}

/**
 * Closes a connection in the middle of a chunk. Node parses the rest of the chunk even after the close, unless the
 * parser callback returns 2 (upgrade to another protocol). The parser is undocumented; without it the remaining
 * requests cost memory but are still not answered.
 */
function stopReading(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: unknown } };
  if (parser) parser.onIncoming = () => 2;
  socket.destroy();
}
