import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { type FaultName, faultKinds } from '../../sandbox/clinic/faults/catalog.ts';
import { createClinic } from '../../src/clinic/client.ts';
import type { BookingOutcome, Clinic } from '../../src/clinic/clinic.ts';
import type { BookingRequest, UnknownCause } from '../../src/domain/bookings/booking.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { makeCertificate } from '../support/http/certificate.ts';

/** What `book` must say when a fault strikes POST /appointments/book, and what the ledger must hold afterwards. */
interface Expected {
  is: Partial<BookingOutcome>;
  /** Where https differs. */
  https?: Partial<BookingOutcome>;
  committed: 0 | 1;
  /** Requests to /appointments/book that got through to the application; 1 unless said. */
  posts?: number;
  parameters?: Record<string, unknown>;
  /** It never ends: the caller gives up once the fault has struck. */
  hangs?: true;
}

const ambiguous = (cause: UnknownCause, committed: 0 | 1, more: Partial<Expected> = {}): Expected => ({
  is: { class: 'ambiguous', cause },
  committed,
  ...more,
});
const booked: Expected = { is: { class: 'booked' }, committed: 1 };
const noId: Expected = { is: { class: 'no_id' }, committed: 1 };
const refused = (status: number): Expected => ({ is: { class: 'refused', status }, committed: 0 });
const lane = (status: number, more: object = {}): Expected => ({
  is: { class: 'lane_refusal', status, ...more },
  committed: 0,
});
const neverSent = { class: 'never_sent' } as const;
const noRequest = { posts: 0, https: neverSent } as const;

const table: Partial<Record<FaultName, Expected>> = {
  refuse_connections: { is: neverSent, committed: 0, posts: 0 },
  // Whether the reset overtakes our noticing that we were connected is a race; nothing was written either way.
  reset_on_accept: {
    is: { class: expect.stringMatching(/^(never_sent|ambiguous)$/) },
    committed: 0,
    ...noRequest,
  },
  close_on_accept: ambiguous('connection_lost', 0, noRequest),
  silence_on_accept: ambiguous('interrupted', 0, { ...noRequest, hangs: true }),
  garbage_on_accept: ambiguous('certificate_or_protocol', 0, noRequest),
  reset_before_reading: ambiguous('connection_lost', 0, noRequest),
  reset_after_headers: ambiguous('connection_lost', 0),
  silence_after_headers: ambiguous('interrupted', 0, { hangs: true }),
  reset_after_body: ambiguous('connection_lost', 0),
  close_after_body: ambiguous('connection_lost', 0),
  silence_before_commit: ambiguous('interrupted', 0, { hangs: true }),
  reset_after_commit: ambiguous('connection_lost', 1),
  close_after_commit: ambiguous('connection_lost', 1),
  silence_after_commit: ambiguous('interrupted', 1, { hangs: true }),
  restart_before_commit: ambiguous('connection_lost', 0),
  restart_after_commit: ambiguous('connection_lost', 1),

  late_answer: { ...booked, parameters: { ms: 1 } },
  late_commit: ambiguous('status_5xx', 0, { parameters: { ms: 1 } }),
  slow_bytes: { ...booked, parameters: { ms: 0, size: 40 } },
  slow_headers: ambiguous('interrupted', 1, { hangs: true }),
  silence_after_head: ambiguous('interrupted', 1, { hangs: true }),
  silence_mid_body: ambiguous('interrupted', 1, { hangs: true }),

  cut_head: ambiguous('connection_lost', 1),
  cut_body: ambiguous('cut_answer', 1),
  cut_body_reset: ambiguous('cut_answer', 1),
  cut_body_chunked: ambiguous('cut_answer', 1),
  cut_body_close_delimited: ambiguous('cut_answer', 1),
  length_too_long: ambiguous('cut_answer', 1),
  length_too_short: ambiguous('unreadable_answer', 1),
  length_twice: ambiguous('certificate_or_protocol', 1),
  length_garbage: ambiguous('certificate_or_protocol', 1),
  bad_chunk_size: ambiguous('unreadable_answer', 1),
  answer_twice: booked,
  keep_alive_then_reset: booked,
  http_1_0: booked,
  bad_status_line: ambiguous('certificate_or_protocol', 1),
  not_http: ambiguous('certificate_or_protocol', 1),
  garbage_bytes: ambiguous('certificate_or_protocol', 1),
  header_overflow: ambiguous('certificate_or_protocol', 1),

  status_400: refused(400),
  status_401: lane(401),
  status_402: ambiguous('unexpected_status', 0),
  status_403: lane(403),
  status_404: lane(404),
  status_405: lane(405),
  status_408: ambiguous('status_408', 0),
  status_409: refused(409),
  status_410: refused(410),
  status_413: refused(413),
  status_414: refused(414),
  status_415: lane(415),
  status_418: ambiguous('unexpected_status', 0),
  status_422: refused(422),
  status_425: ambiguous('unexpected_status', 0),
  status_429: lane(429),
  status_431: refused(431),
  status_451: ambiguous('unexpected_status', 0),
  status_429_seconds: lane(429, { retryAfterMs: 2_000 }),
  status_429_date: lane(429, { retryAfterMs: expect.any(Number) }),
  status_429_past_date: lane(429, { retryAfterMs: 0 }),
  status_429_zero: lane(429, { retryAfterMs: 0 }),
  status_429_day: lane(429, { retryAfterMs: 300_000 }),
  status_429_negative: lane(429),
  status_429_garbage: lane(429),
  status_503_seconds: ambiguous('status_5xx', 0),
  ...Object.fromEntries(
    [500, 501, 502, 503, 504, 520].flatMap((status) => [
      [`status_${status}`, ambiguous('status_5xx', 0)],
      [`status_${status}_after_commit`, ambiguous('status_5xx', 1)],
    ]),
  ),
  status_201: booked,
  status_202: booked,
  status_204: ambiguous('cut_answer', 1),
  status_408_after_commit: ambiguous('status_408', 1),
  status_299: booked,
  status_999: ambiguous('unexpected_status', 1),
  answer_before_commit: ambiguous('unexpected_status', 0, { parameters: { status: 418 } }),
  answer_after_commit: { ...booked, parameters: { headers: { 'x-odd': '1' } } },

  redirect_301: ambiguous('redirect', 0),
  redirect_302: ambiguous('redirect', 0),
  redirect_303: ambiguous('redirect', 0),
  redirect_307: ambiguous('redirect', 0),
  redirect_308: ambiguous('redirect', 0),
  redirect_303_after_commit: ambiguous('redirect', 1),

  html_200: ambiguous('unreadable_answer', 1),
  empty_200: ambiguous('cut_answer', 1),
  text_200: ambiguous('unreadable_answer', 1),
  null_200: ambiguous('unexpected_answer', 1),
  array_200: ambiguous('unexpected_answer', 1),
  half_json_200: ambiguous('cut_answer', 1),
  wrong_content_type: booked,
  byte_order_mark: booked,
  invalid_utf8: noId,
  deep_json: ambiguous('unreadable_answer', 1),
  huge_body: ambiguous('unreadable_answer', 1),
  gzip: booked,
  gzip_bomb: ambiguous('unreadable_answer', 1),
  gzip_broken: ambiguous('cut_answer', 1),
  gzip_mislabelled: ambiguous('unreadable_answer', 1),
  unknown_encoding: booked,
  informational: booked,
  skewed_date: booked,

  no_id: noId,
  no_data: noId,
  null_data: noId,
  id_null: noId,
  id_string: booked,
  variant: { ...booked, parameters: { path: 'appointment_id', as: 'digits' } },
  id_zero: noId,
  id_negative: noId,
  id_float: noId,
  id_huge: noId,
  id_duplicate: booked,
  id_wrong: booked,
  success_false: refused(200),
  // The one that no client can detect: the clinic says no although it booked. The table of outcomes believes it.
  success_false_after_commit: { is: { class: 'refused', status: 200 }, committed: 1 },
  success_missing: ambiguous('unexpected_answer', 1),
  success_text: ambiguous('unexpected_answer', 1),

  token_revoked: lane(401),
};

const request: BookingRequest = {
  patient_name: 'Farhana Planted',
  patient_phone: '+8801712345678',
  appointment_date: '2031-01-06',
  appointment_time: '10:30',
  note: 'planted note',
};

const clinicOf = (sandbox: Sandbox): Promise<Clinic> =>
  createClinic({
    key: 'main',
    base_url: sandbox.url,
    ...sandbox.credentials,
    ...(sandbox.ca === undefined ? {} : { ca: sandbox.ca }),
    clock: systemClock,
    log: silentLog,
    memory: { load: async () => undefined, save: async () => {} },
    version: 'test',
  });

it('says for every fault that can strike a booking what it must be taken for', () => {
  const striking = Object.entries(faultKinds)
    .filter(([, { endpoints = ['book'] }]) => endpoints.some((endpoint) => endpoint === 'book'))
    .map(([name]) => name);

  expect(Object.keys(table).toSorted()).toEqual(striking.toSorted());
});

describe.each(['http', 'https'] as const)('a booking over %s', (scheme) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox(scheme === 'https' ? { tls: await makeCertificate() } : {});
  });
  afterAll(() => sandbox.close());

  const posts = () => {
    const counted = sandbox.control.requests().counts.book ?? {};
    return Object.values(counted).reduce((sum, count) => sum + count, 0);
  };

  it.each(Object.entries(table) as [FaultName, Expected][])('struck by %s', async (name, expected) => {
    const { is, https = is, committed, posts: expectedPosts = 1, parameters = {}, hangs } = expected;
    const clinic = await clinicOf(sandbox);
    const before = { ledger: sandbox.control.ledger().length, posts: posts() };
    const giveUp = new AbortController();

    const outcome = clinic.book(request, {
      signal: giveUp.signal,
      // The token is had by now: the next connection is the booking's.
      mayStillSend: () => true,
      beforeSend: async () => sandbox.control.script({ fault: { kind: name, ...parameters } }),
    });
    if (hangs) {
      await expect
        .poll(() => ({
          faults: sandbox.control.faults(),
          booked: sandbox.control.ledger().length - before.ledger,
        }))
        .toMatchObject({ faults: [{ struck: 1 }], booked: committed });
      giveUp.abort(new Error('given up'));
    }
    const seen = await outcome;

    expect(seen).toMatchObject(scheme === 'https' ? https : is);
    expect(sandbox.control.ledger().length - before.ledger).toBe(committed);
    await expect.poll(() => posts() - before.posts).toBe(expectedPosts);
    expect(JSON.stringify(seen)).not.toMatch(/planted|1712345678/i);

    await sandbox.control.clearFaults();
    await clinic.close();
  });
});

describe('a booking', () => {
  it('pauses the dispatcher, and does not blame the booking, when the token is refused, and is not sent again with another', async () => {
    await using sandbox = disposable(await startSandbox());
    const clinic = await clinicOf(sandbox);

    const outcome = await clinic.book(request, {
      signal: new AbortController().signal,
      mayStillSend: () => true,
      beforeSend: async () =>
        sandbox.control.script({ match: { endpoint: 'book' }, times: 'always', fault: 'status_401' }),
    });

    expect(outcome).toMatchObject({ class: 'lane_refusal', status: 401 });
    expect(sandbox.control.requests().counts.book).toEqual({ 401: 1 });
    expect(sandbox.control.tokensGranted()).toBe(1);
    await clinic.close();
  });

  it('is never sent when the certificate is not trusted, and says that it is the certificate', async () => {
    await using sandbox = disposable(await startSandbox({ tls: await makeCertificate() }));
    const { ca: _ca, ...untrusted } = sandbox;
    const clinic = await clinicOf(untrusted as Sandbox);

    const outcome = await clinic.book(request, {
      signal: new AbortController().signal,
      mayStillSend: () => true,
      beforeSend: async () => {},
    });

    expect(outcome).toMatchObject({ class: 'never_sent', detail: expect.stringContaining('certificate') });
    expect(sandbox.control.requests().total).toBe(0);
    await clinic.close();
  });

  it('is never sent when it is given up after it was noted down and before a connection is made', async () => {
    await using sandbox = disposable(await startSandbox());
    const clinic = await clinicOf(sandbox);
    const giveUp = new AbortController();

    const outcome = await clinic.book(request, {
      signal: giveUp.signal,
      mayStillSend: () => true,
      beforeSend: async () => giveUp.abort(),
    });

    expect(outcome).toMatchObject({ class: 'never_sent' });
    expect(sandbox.control.requests().counts.book).toBeUndefined();
    await clinic.close();
  });

  it('is never sent when what must be noted down first cannot be', async () => {
    await using sandbox = disposable(await startSandbox());
    const clinic = await clinicOf(sandbox);

    const sending = clinic.book(request, {
      signal: new AbortController().signal,
      mayStillSend: () => true,
      beforeSend: async () => {
        throw new Error('disk full');
      },
    });

    await expect(sending).rejects.toThrow('disk full');
    expect(sandbox.control.requests().counts.book).toBeUndefined();
    await clinic.close();
  });
});

const disposable = (sandbox: Sandbox) => ({ ...sandbox, [Symbol.asyncDispose]: () => sandbox.close() });
