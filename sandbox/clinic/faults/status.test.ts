import { describe, expect } from 'vitest';
import { type Expected, proveFaults, type Seen } from '../../../test/support/clinic/prove-faults.ts';
import { redirectFaults, statusFaults } from './status.ts';

const refused = (status: number): Expected => ({
  end: 'closed',
  committed: 0,
  check: ({ answer, json }) => {
    expect(answer?.status).toBe(status);
    expect(json()).toEqual({ success: false, message: expect.any(String), error_code: expect.any(String) });
  },
});
const failed = (status: number, committed: 0 | 1): Expected => ({
  end: 'closed',
  committed,
  check: ({ answer }) => expect(answer?.status).toBe(status),
});
const accepted = (status: number): Expected => ({
  end: 'closed',
  committed: 1,
  check: ({ answer, json }) => {
    expect(answer?.status).toBe(status);
    expect(json()).toMatchObject({ success: true, data: { appointment_id: expect.any(Number) } });
  },
});
const wait = (
  retryAfter: string | RegExp,
  parameters: Expected['parameters'] = {},
  status = 429,
): Expected => ({
  parameters,
  end: 'closed',
  committed: 0,
  check: ({ answer }) => {
    expect(answer?.status).toBe(status);
    expect(answer?.headers.get('retry-after')).toMatch(retryAfter);
  },
});
/** Seconds from the answer's own Date to the date in its Retry-After. */
const aheadSeconds = ({ answer }: Seen) => {
  const at = (name: string) => Date.parse(answer?.headers.get(name) ?? '');
  return (at('retry-after') - at('date')) / 1000;
};

describe('an answer with another status', () => {
  proveFaults(statusFaults, {
    status_400: refused(400),
    status_401: {
      ...refused(401),
      check: ({ answer, json }) => {
        expect(answer?.status).toBe(401);
        expect(json()).toMatchObject({ error_code: 'auth_failed' });
      },
    },
    status_402: refused(402),
    status_403: refused(403),
    status_404: refused(404),
    status_405: refused(405),
    status_408: refused(408),
    status_409: refused(409),
    status_410: refused(410),
    status_413: refused(413),
    status_414: refused(414),
    status_415: refused(415),
    status_418: refused(418),
    status_422: refused(422),
    status_425: refused(425),
    status_429: {
      end: 'closed',
      committed: 0,
      check: ({ answer }) => {
        expect(answer?.status).toBe(429);
        expect(answer?.headers.has('retry-after')).toBe(false);
      },
    },
    status_431: refused(431),
    status_451: refused(451),
    status_500: refused(500),
    status_501: failed(501, 0),
    status_502: failed(502, 0),
    status_503: failed(503, 0),
    status_504: failed(504, 0),
    status_520: failed(520, 0),
    status_500_after_commit: failed(500, 1),
    status_501_after_commit: failed(501, 1),
    status_502_after_commit: failed(502, 1),
    status_503_after_commit: failed(503, 1),
    status_504_after_commit: failed(504, 1),
    status_520_after_commit: failed(520, 1),
    status_429_seconds: wait('7', { seconds: 7 }),
    status_429_date: {
      parameters: { seconds: 90 },
      end: 'closed',
      committed: 0,
      // Whole seconds on both sides, read one after the other.
      check: (seen) => expect([89, 90]).toContain(aheadSeconds(seen)),
    },
    status_429_past_date: {
      end: 'closed',
      committed: 0,
      check: (seen) => expect(aheadSeconds(seen)).toBeLessThanOrEqual(-3_600),
    },
    status_429_zero: wait(/^0$/),
    status_429_day: wait(/^86400$/),
    status_429_negative: wait(/^-5$/),
    status_429_garbage: wait(/^soon$/),
    status_503_seconds: wait(/^2$/, {}, 503),
    status_201: accepted(201),
    status_202: accepted(202),
    status_204: {
      end: 'closed',
      committed: 1,
      check: ({ answer }) => {
        expect(answer?.status).toBe(204);
        expect(answer?.body).toHaveLength(0);
      },
    },
    status_299: accepted(299),
    status_999: accepted(999),
    status_408_after_commit: failed(408, 1),
    answer_before_commit: {
      ...wait(/^7$/, { status: 418, headers: { 'Retry-After': '7' }, body: 'short and stout' }, 418),
    },
    answer_after_commit: {
      parameters: { status: 226, headers: { 'content-type': 'text/plain' }, body: 'done' },
      end: 'closed',
      committed: 1,
      check: ({ answer }) => {
        expect(answer?.status).toBe(226);
        expect(answer?.headers.get('content-type')).toBe('text/plain');
        expect(String(answer?.body)).toBe('done');
      },
    },
  });
});

const moved = (status: number, to: 'same' | 'other', committed: 0 | 1 = 0): Expected => ({
  parameters: { to },
  end: 'closed',
  committed,
  check: ({ answer, sandbox }) => {
    const base = to === 'same' ? sandbox.url : sandbox.url.replace('127.0.0.1', 'localhost');
    expect(answer?.status).toBe(status);
    expect(answer?.headers.get('location')).toBe(`${base}/appointments/book`);
  },
});

describe('a redirect', () => {
  proveFaults(redirectFaults, {
    redirect_301: moved(301, 'same'),
    redirect_302: moved(302, 'other'),
    redirect_303: moved(303, 'same'),
    redirect_307: moved(307, 'other'),
    redirect_308: moved(308, 'same'),
    redirect_303_after_commit: moved(303, 'same', 1),
  });
});
