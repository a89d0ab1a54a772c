import type { SandboxAnswer } from '../answer.ts';
import { afterCommit, type FaultContext } from './kind.ts';
import { chunk, half, headOf, type RawChanges } from './raw.ts';

/** Carries the request out, then writes custom bytes. */
const bytes = (
  description: string,
  write: (connection: FaultContext['connection'], answer: SandboxAnswer) => void,
) =>
  afterCommit(description, ({ connection }, answer) => {
    write(connection, answer);
    return undefined;
  });

/** Like `bytes`, with custom headers and body; then the connection closes. */
const framed = (
  description: string,
  change: (answer: SandboxAnswer) => { head?: RawChanges; body?: Buffer; headers?: Record<string, string> },
) =>
  bytes(description, (connection, answer) => {
    const { head, body = answer.body, headers } = change(answer);
    connection.write(headOf({ ...answer, headers: { ...answer.headers, ...headers } }, head));
    connection.write(body);
    connection.close();
  });

const length = (value: string): RawChanges => ({ framing: { 'content-length': value } });
const chunked: RawChanges = { framing: { 'transfer-encoding': 'chunked' } };

/** A complete answer that promises to keep the connection open. */
const keptAlive = (answer: SandboxAnswer): Buffer =>
  Buffer.concat([
    Buffer.from(headOf({ ...answer, headers: { ...answer.headers, connection: 'keep-alive' } })),
    answer.body,
  ]);

/** Answers that are truncated, wrongly framed, or not HTTP at all. The request is carried out each time. */
export const brokenFaults = {
  cut_head: bytes('The connection closes in the middle of the headers.', (connection, answer) => {
    connection.write(half(Buffer.from(headOf(answer))));
    connection.close();
  }),
  cut_body: framed(
    'Content-Length is right, but the connection closes (FIN) after half the body.',
    ({ body }) => ({ body: half(body) }),
  ),
  cut_body_reset: bytes('The head arrives and half the body, then a reset (RST).', (connection, answer) => {
    connection.writeThenReset(Buffer.concat([Buffer.from(headOf(answer)), half(answer.body)]));
  }),
  cut_body_chunked: framed('A chunked body ends after half, without the last chunk.', ({ body }) => ({
    head: chunked,
    body: chunk(half(body)),
  })),
  cut_body_close_delimited: framed(
    'No length at all: the body ends where the connection does, and it does after half.',
    ({ body }) => ({ head: { framing: {} }, body: half(body) }),
  ),
  length_too_long: framed('Content-Length is 10 more than the body has; then it closes.', ({ body }) => ({
    head: length(String(body.length + 10)),
  })),
  length_too_short: framed('Content-Length is 10 less than the body has.', ({ body }) => ({
    head: length(String(body.length - 10)),
  })),
  length_twice: framed('Two different Content-Length headers.', ({ body }) => ({
    head: length(`${body.length}\r\ncontent-length: 7`),
  })),
  length_garbage: framed('Content-Length: many.', () => ({ head: length('many') })),
  bad_chunk_size: framed('A chunked body whose chunk size is no number.', ({ body }) => ({
    head: chunked,
    body: Buffer.concat([Buffer.from('zz\r\n'), body]),
  })),
  answer_twice: bytes('The same answer twice in a row on one connection.', (connection, answer) => {
    connection.write(Buffer.concat([keptAlive(answer), keptAlive(answer)]));
    connection.close();
  }),
  keep_alive_then_reset: bytes(
    'A whole answer that promises to keep the connection open, followed by a reset (RST).',
    (connection, answer) => connection.writeThenReset(keptAlive(answer)),
  ),
  http_1_0: framed('A complete answer in HTTP/1.0; legal.', ({ status }) => ({
    head: { statusLine: `HTTP/1.0 ${status} OK` },
  })),
  bad_status_line: framed('A status line that is none: HTTP/1.1 OK.', () => ({
    head: { statusLine: 'HTTP/1.1 OK' },
  })),
  not_http: bytes('The banner of another protocol.', (connection) => {
    connection.write('SSH-2.0-OpenSSH_9.9\r\n');
    connection.close();
  }),
  garbage_bytes: bytes('Random bytes in place of an answer.', (connection) => {
    connection.write(Buffer.from(Array.from({ length: 1_024 }, (_, index) => (index * 193 + 71) % 256)));
    connection.close();
  }),
  header_overflow: framed('One header of 200 kB.', () => ({ headers: { 'x-large': 'x'.repeat(200_000) } })),
};
