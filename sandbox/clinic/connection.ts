import { once } from 'node:events';
import type { Socket } from 'node:net';

/** One client's connection, down to the byte. */
export interface SandboxConnection {
  /** Ends it with an RST; unsent bytes are lost. */
  reset(): void;
  /**
   * Sends these bytes, then an RST as soon as they are on the network. Bytes written earlier may never be seen: a
   * client may lose what it has not read when the RST arrives.
   */
  writeThenReset(bytes: Buffer): void;
  /** Sends what was written, then FIN. */
  close(): void;
  /** Writes raw bytes (inside TLS on https). */
  write(bytes: string | Buffer): void;
  /** Resolves when little is left to send, or the connection is over. */
  drained(): Promise<void>;
  /** Consumes the first bytes from the client and resolves; for connections without another reader. */
  firstBytes(): Promise<void>;
  /** Aborted once the connection is over. */
  readonly ended: AbortSignal;
}

/**
 * `raw`: the TCP socket; `stream`: the socket that carries the bytes, which is the same on http and the TLS socket on
 * https. Only the raw socket can send an RST.
 */
export function createConnection(raw: Socket, stream: Socket = raw): SandboxConnection {
  const over = new AbortController();
  raw.once('close', () => over.abort(new Error('the connection is over')));
  if (raw.destroyed) over.abort(new Error('the connection is over'));

  return {
    reset: () => void raw.resetAndDestroy(),
    writeThenReset: (bytes) => void stream.write(bytes, () => raw.resetAndDestroy()),
    close: () => void stream.end(),
    async drained() {
      if (stream.writableNeedDrain) await once(stream, 'drain', { signal: over.signal }).catch(() => {});
    },
    write: (bytes) => void stream.write(bytes),
    firstBytes: () =>
      new Promise((resolve) => {
        stream.once('data', () => resolve());
        stream.resume();
      }),
    ended: over.signal,
  };
}
