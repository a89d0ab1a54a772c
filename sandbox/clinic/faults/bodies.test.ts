import { gunzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { type Expected, proveFaults, type Seen } from '../../../test/support/clinic/prove-faults.ts';
import { bodyFaults } from './bodies.ts';

const committed = (check: (seen: Seen) => void, parameters: Expected['parameters'] = {}): Expected => ({
  parameters,
  end: 'closed',
  committed: 1,
  check: (seen) => {
    expect(seen.answer?.status).toBe(200);
    check(seen);
  },
});
const bodyIs = (text: string) => committed(({ answer }) => expect(String(answer?.body)).toBe(text));
const packed = ({ answer }: Seen) => {
  expect(answer?.headers.get('content-encoding')).toBe('gzip');
  return answer?.body ?? Buffer.alloc(0);
};
const right = ({ json }: Seen) => expect(json()).toMatchObject({ success: true });

describe('an answer of status 200 with another body', () => {
  proveFaults(bodyFaults, {
    html_200: committed(({ answer }) => {
      expect(answer?.headers.get('content-type')).toBe('text/html');
      expect(String(answer?.body)).toMatch(/^<!DOCTYPE html>/);
    }),
    empty_200: bodyIs(''),
    text_200: bodyIs('OK'),
    null_200: bodyIs('null'),
    array_200: bodyIs('[]'),
    half_json_200: committed(({ json }) => expect(json).toThrow(SyntaxError)),
    wrong_content_type: committed((seen) => {
      expect(seen.answer?.headers.get('content-type')).toBe('text/html');
      right(seen);
    }),
    byte_order_mark: committed(({ answer }) =>
      expect(answer?.body.subarray(0, 4)).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0x7b])),
    ),
    invalid_utf8: committed(({ answer }) => {
      const strict = new TextDecoder('utf-8', { fatal: true });
      expect(() => strict.decode(answer?.body)).toThrow(TypeError);
    }),
    deep_json: committed(({ answer }) => expect(answer?.body).toHaveLength(200_009)),
    huge_body: committed(
      ({ answer, json }) => {
        expect(answer?.body.length).toBe(1024 * 1024 + 2);
        expect(json()).toEqual({});
      },
      { megabytes: 1 },
    ),
    gzip: committed((seen) =>
      expect(JSON.parse(String(gunzipSync(packed(seen))))).toMatchObject({ success: true }),
    ),
    gzip_bomb: committed(
      (seen) => {
        const body = packed(seen);
        const unpacked = gunzipSync(body);
        expect(unpacked.length).toBeGreaterThan(4 * 1024 * 1024);
        expect(unpacked.length / body.length).toBeGreaterThan(500);
        expect(JSON.parse(String(unpacked))).toEqual({ success: true, data: [] });
      },
      { megabytes: 4 },
    ),
    gzip_broken: committed((seen) =>
      expect(() => gunzipSync(packed(seen))).toThrow('unexpected end of file'),
    ),
    gzip_mislabelled: committed((seen) =>
      expect(() => gunzipSync(packed(seen))).toThrow('incorrect header check'),
    ),
    unknown_encoding: committed(({ answer }) =>
      expect(answer?.headers.get('content-encoding')).toBe('x-dental'),
    ),
    informational: committed((seen) => {
      expect(seen.text).toMatch(
        /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 102 [\s\S]*HTTP\/1\.1 103 [\s\S]*HTTP\/1\.1 200 /,
      );
      right(seen);
    }),
    skewed_date: committed(
      (seen) => {
        const away = Date.parse(seen.answer?.headers.get('date') ?? '') - Date.now();
        expect(Math.round(away / 60_000)).toBe(-60);
        right(seen);
      },
      { seconds: -3_600 },
    ),
  });
});
