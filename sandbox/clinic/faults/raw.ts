import { STATUS_CODES } from 'node:http';
import type { SandboxAnswer } from '../answer.ts';

export interface RawChanges {
  /** Replaces the automatic Content-Length. */
  framing?: Record<string, string>;
  statusLine?: string;
}

/** Status line, headers and blank line. Adds `connection: close` unless the answer has that header. */
export function headOf(answer: SandboxAnswer, { framing, statusLine }: RawChanges = {}): string {
  const headers = {
    connection: 'close',
    ...answer.headers,
    ...(framing ?? { 'content-length': String(answer.body.length) }),
  };
  const first = statusLine ?? `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Unknown'}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[first, ...lines].join('\r\n')}\r\n\r\n`;
}

/** One chunk of a chunked body. */
export const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

export const half = (body: Buffer): Buffer => body.subarray(0, Math.floor(body.length / 2));
