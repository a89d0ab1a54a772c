import { describe, expect } from 'vitest';
import { proveFaults, type Seen } from '../../../test/support/clinic/prove-faults.ts';
import { brokenFaults } from './broken.ts';

const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);
const cut = ({ text, answer }: Seen) => {
  expect(bodyOf(text)).toMatch(/^\{"success":true,"message":"App/);
  expect(bodyOf(text)).not.toContain('appointment_id');
  expect(answer).toBeUndefined();
};
const lengthIs =
  (difference: number) =>
  ({ text }: Seen) => {
    const told = Number(/content-length: (\d+)/.exec(text)?.[1]);
    expect(told - bodyOf(text).length).toBe(difference);
  };
const says =
  (pattern: RegExp) =>
  ({ text }: Seen) =>
    expect(text).toMatch(pattern);

describe('an answer that is truncated, wrongly framed or not HTTP', () => {
  proveFaults(brokenFaults, {
    cut_head: { end: 'closed', committed: 1, check: says(/^HTTP\/1\.1 200 OK\r\n(?![\s\S]*\r\n\r\n)/) },
    cut_body: { end: 'closed', committed: 1, check: cut },
    cut_body_reset: { end: 'reset', committed: 1, check: cut },
    cut_body_chunked: {
      end: 'closed',
      committed: 1,
      check: ({ text, answer }) => {
        expect(text).toMatch(/transfer-encoding: chunked\r\n\r\n[0-9a-f]+\r\n\{"success":true/);
        expect(answer).toBeUndefined();
      },
    },
    cut_body_close_delimited: {
      end: 'closed',
      committed: 1,
      check: ({ text, answer, json }) => {
        expect(text).not.toMatch(/content-length|transfer-encoding/);
        expect(answer?.status).toBe(200);
        expect(json).toThrow(SyntaxError);
      },
    },
    length_too_long: { end: 'closed', committed: 1, check: lengthIs(10) },
    length_too_short: { end: 'closed', committed: 1, check: lengthIs(-10) },
    length_twice: {
      end: 'closed',
      committed: 1,
      check: says(/content-length: \d{2,}\r\ncontent-length: 7\r\n/),
    },
    length_garbage: { end: 'closed', committed: 1, check: says(/content-length: many\r\n/) },
    bad_chunk_size: { end: 'closed', committed: 1, check: says(/chunked\r\n\r\nzz\r\n\{/) },
    answer_twice: {
      end: 'closed',
      committed: 1,
      check: ({ text }) => expect(text.split('HTTP/1.1 200 OK').length).toBe(3),
    },
    keep_alive_then_reset: {
      end: 'reset',
      committed: 1,
      check: ({ text, json }) => {
        expect(text).toContain('connection: keep-alive');
        expect(json()).toMatchObject({ success: true });
      },
    },
    http_1_0: {
      end: 'closed',
      committed: 1,
      check: ({ text, json }) => {
        expect(text).toMatch(/^HTTP\/1\.0 200/);
        expect(json()).toMatchObject({ success: true });
      },
    },
    bad_status_line: { end: 'closed', committed: 1, check: says(/^HTTP\/1\.1 OK\r\n/) },
    not_http: { end: 'closed', committed: 1, check: says(/^SSH-2\.0/) },
    garbage_bytes: { end: 'closed', committed: 1, check: ({ text }) => expect(text).toHaveLength(1_024) },
    header_overflow: { end: 'closed', committed: 1, check: says(/x-large: x{200000}\r\n/) },
  });
});
