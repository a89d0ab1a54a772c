import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** What one connection saw, to the byte. */
export interface RawExchange {
  /** Everything received so far. */
  readonly bytes: Buffer;
  /** How it ended: FIN, RST, never connected, or not at all yet. */
  readonly end: 'open' | 'closed' | 'reset' | 'refused';
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  destroy(): void;
}

interface RawRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Trusted certificate, for https. */
  ca?: string;
  /** Connects only, on plain TCP, and sends this. */
  instead?: string;
}

/** Sends one request on a connection of its own and records what comes back, whatever that is. */
export function sendRaw({ url, method = 'GET', headers = {}, body, ca, instead }: RawRequest): RawExchange {
  const { hostname: host, port, pathname, protocol } = new URL(url);
  const where = { host, port: Number(port) };
  const chunks: Buffer[] = [];
  let end: RawExchange['end'] = 'open';
  const finished = Promise.withResolvers<void>();

  const socket: Socket =
    protocol === 'https:' && instead === undefined
      ? connectTls({ ...where, ...(ca === undefined ? {} : { ca }), servername: 'localhost' })
      : connectTcp(where);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: `${host}:${port}`, connection: 'close', ...length, ...headers });
  const head = [`${method} ${pathname} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  socket.write(instead ?? `${head.join('\r\n')}\r\n\r\n${body ?? ''}`);

  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => {
    if (end === 'open') end = 'closed';
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code === 'ECONNREFUSED' ? 'refused' : 'reset';
  });
  socket.on('close', () => finished.resolve());

  return {
    get bytes() {
      return Buffer.concat(chunks);
    },
    get end() {
      return end;
    },
    ended: finished.promise,
    destroy: () => void socket.destroy(),
  };
}

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

/** The first complete HTTP answer in the bytes (1xx skipped); undefined when there is none. */
export function parseAnswer(bytes: Buffer): RawAnswer | undefined {
  const split = bytes.indexOf('\r\n\r\n');
  if (split < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, split).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (!Number.isInteger(status)) return undefined;
  const rest = bytes.subarray(split + 4);
  if (status < 200) return parseAnswer(rest);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bodyOf(headers, rest, status);
  return body && { status, headers, body };
}

function bodyOf(headers: Map<string, string>, rest: Buffer, status: number): Buffer | undefined {
  if (status === 204) return Buffer.alloc(0);
  if (headers.get('transfer-encoding') === 'chunked') return unchunked(rest);
  const length = headers.get('content-length');
  if (length === undefined) return rest;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function unchunked(rest: Buffer): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = rest.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, line).toString(), 16);
    if (!Number.isInteger(size) || rest.length < line + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(rest.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
