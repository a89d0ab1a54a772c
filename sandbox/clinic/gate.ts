import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/**
 * The listening socket and every connection accepted by it. In front of the HTTP server, so that a connection can be
 * judged before a byte of it is read, and can be ended with an RST even underneath TLS.
 */
export interface SandboxGate {
  readonly port: number;
  /** Listens, on the same port as before. No-op if already open. */
  open(): Promise<void>;
  /** Stops listening and ends connections: all of them, or only idle ones. */
  shut(drop: 'all' | 'idle'): void;
  /** The TCP socket underneath a stream known to the HTTP server. */
  rawOf(stream: Socket): Socket;
  /** Marks a connection as busy until the returned function is called. */
  busy(raw: Socket): () => void;
  /** Connections accepted so far. */
  readonly accepted: number;
}

interface Options {
  host: string;
  port: number;
  /** Receives the connection paused, with nothing read. */
  onConnection: (raw: Socket) => void;
}

const keyOf = (socket: Socket) => `${socket.remoteAddress}:${socket.remotePort}`;

export async function openGate({ host, port, onConnection }: Options): Promise<SandboxGate> {
  const connections = new Map<string, Socket>();
  const busy = new Map<Socket, number>();
  let accepted = 0;
  let bound = port;
  let listener: Server | undefined;

  const open = async () => {
    if (listener !== undefined) return;
    const server = createServer({ pauseOnConnect: true }, (raw) => {
      accepted += 1;
      const key = keyOf(raw);
      connections.set(key, raw);
      // A client that leaves in the middle is not worth reporting.
      raw.on('error', () => {});
      raw.once('close', () => connections.delete(key));
      onConnection(raw);
    });
    listener = server;
    try {
      server.listen(bound, host);
      await once(server, 'listening');
    } catch (error) {
      listener = undefined;
      throw error;
    }
    const address = server.address();
    if (typeof address === 'object' && address !== null) bound = address.port;
  };

  await open();
  return {
    get port() {
      return bound;
    },
    get accepted() {
      return accepted;
    },
    open,
    shut(drop) {
      const server = listener;
      listener = undefined;
      server?.close();
      for (const raw of connections.values()) if (drop === 'all' || !busy.has(raw)) raw.destroy();
    },
    rawOf: (stream) => connections.get(keyOf(stream)) ?? stream,
    busy(raw) {
      busy.set(raw, (busy.get(raw) ?? 0) + 1);
      return () => {
        const left = (busy.get(raw) ?? 1) - 1;
        if (left === 0) busy.delete(raw);
        else busy.set(raw, left);
      };
    },
  };
}
