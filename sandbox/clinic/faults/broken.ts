import type { Answer } from '../answer.ts';
import { after, type FaultContext } from './kind.ts';
import { chunk, half, headOf } from './raw.ts';

/** A fault that carries the request out and then writes bytes of its own making. */
const bytes = (description: string, write: (line: FaultContext['line'], answer: Answer) => void) =>
  after({ description }, ({ line }, answer) => {
    write(line, answer);
    return undefined;
  });

const lengthOf = (answer: Answer, more: number) => ({
  framing: { 'content-length': String(answer.body.length + more) },
});
const chunked = { framing: { 'transfer-encoding': 'chunked' } };

/** Answers that are cut, wrongly framed, or no HTTP at all. The request was carried out each time. */
export const brokenFaults = {
  cut_head: bytes('The connection closes in the middle of the headers.', (line, answer) => {
    line.write(half(Buffer.from(headOf(answer))));
    line.close();
  }),
  cut_body: bytes(
    'Content-Length is right, but the connection closes (FIN) after half the body.',
    (line, answer) => {
      line.write(headOf(answer));
      line.write(half(answer.body));
      line.close();
    },
  ),
  cut_body_reset: bytes('The head arrives and half the body, then a reset (RST).', (line, answer) => {
    line.writeThenReset(Buffer.concat([Buffer.from(headOf(answer)), half(answer.body)]));
  }),
  cut_body_chunked: bytes('A chunked body ends after half, without the last chunk.', (line, answer) => {
    line.write(headOf(answer, chunked));
    line.write(chunk(half(answer.body)));
    line.close();
  }),
  cut_body_close_delimited: bytes(
    'No length at all: the body ends where the connection does, and it does after half.',
    (line, answer) => {
      line.write(headOf(answer, { framing: {} }));
      line.write(half(answer.body));
      line.close();
    },
  ),
  length_too_long: bytes('Content-Length is 10 more than the body has; then it closes.', (line, answer) => {
    line.write(headOf(answer, lengthOf(answer, 10)));
    line.write(answer.body);
    line.close();
  }),
  length_too_short: bytes('Content-Length is 10 less than the body has.', (line, answer) => {
    line.write(headOf(answer, lengthOf(answer, -10)));
    line.write(answer.body);
    line.close();
  }),
  length_twice: bytes('Two different Content-Length headers.', (line, answer) => {
    const { body } = answer;
    line.write(headOf(answer, { framing: { 'content-length': `${body.length}\r\ncontent-length: 7` } }));
    line.write(body);
    line.close();
  }),
  length_garbage: bytes('Content-Length: many.', (line, answer) => {
    line.write(headOf(answer, { framing: { 'content-length': 'many' } }));
    line.write(answer.body);
    line.close();
  }),
  bad_chunk_size: bytes('A chunked body whose chunk size is no number.', (line, answer) => {
    line.write(headOf(answer, chunked));
    line.write('zz\r\n');
    line.write(answer.body);
    line.close();
  }),
  answer_twice: bytes('The same answer twice in a row on one connection.', (line, answer) => {
    const once = Buffer.concat([
      Buffer.from(headOf({ ...answer, headers: { ...answer.headers, connection: 'keep-alive' } })),
      answer.body,
    ]);
    line.write(Buffer.concat([once, once]));
    line.close();
  }),
  keep_alive_then_reset: bytes(
    'A whole answer that promises to keep the connection open, followed by a reset (RST).',
    (line, answer) => {
      const head = headOf({ ...answer, headers: { ...answer.headers, connection: 'keep-alive' } });
      line.writeThenReset(Buffer.concat([Buffer.from(head), answer.body]));
    },
  ),
  http_1_0: bytes('A complete answer in HTTP/1.0; legal.', (line, answer) => {
    line.write(headOf(answer, { statusLine: `HTTP/1.0 ${answer.status} OK` }));
    line.write(answer.body);
    line.close();
  }),
  bad_status_line: bytes('A status line that is none: HTTP/1.1 OK.', (line, answer) => {
    line.write(headOf(answer, { statusLine: 'HTTP/1.1 OK' }));
    line.write(answer.body);
    line.close();
  }),
  not_http: bytes('The banner of another protocol.', (line) => {
    line.write('SSH-2.0-OpenSSH_9.9\r\n');
    line.close();
  }),
  garbage_bytes: bytes('Random bytes in place of an answer.', (line) => {
    line.write(Buffer.from(Array.from({ length: 1_024 }, (_, index) => (index * 193 + 71) % 256)));
    line.close();
  }),
  header_overflow: bytes('One header of 200 kB.', (line, answer) => {
    line.write(headOf({ ...answer, headers: { ...answer.headers, 'x-large': 'x'.repeat(200_000) } }));
    line.write(answer.body);
    line.close();
  }),
};
