import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './allowance.ts';

interface ConnectionLimits {
  /** In all. */
  connections: number;
  connectionsPerAddress: number;
  /** Requests of one connection that wait for their answers. */
  pipelined: number;
}

/**
 * Keeps the door open whoever holds connections: at a limit a new one takes the place of an old one, that of an address
 * at its limit or of the address with the most. Those without a request under way go first. A limit that only refused
 * new ones would shut out everybody behind an address that somebody else fills with idle connections.
 *
 * A connection that sends more requests than it waits for answers is closed: Node understands all requests of a chunk at
 * once, and a thousand of them fit into one, each with an answer to keep until it is read.
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
  // In front of everything else that handles requests: what is too much must cost next to nothing.
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
 * Closes a connection in the middle of what it sent. Node goes on to the end of a chunk even of a closed connection and
 * keeps every request of it; it stops only where it believes that another protocol begins, which 2 says. The parser is
 * not part of Node's documented interface: without it the requests cost memory, and are still not answered.
 */
function stopReading(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: unknown } };
  if (parser) parser.onIncoming = () => 2;
  socket.destroy();
}
