import { createServer } from 'node:http';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { noLimit, testClinic } from '../../test/support/clinic/clinic-kit.ts';
import { eventually } from '../../test/support/eventually.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { MINUTE } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import type { Clinic, ClinicEvent } from './clinic.ts';

const signal = new AbortController().signal;
const runs = Number(process.env.VERIFY_RUNS ?? 1);
const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
});

async function withSandbox(options: Parameters<typeof startSandbox>[0] = {}, more: object = {}) {
  const sandbox = await startSandbox(options);
  cleanup.push(() => sandbox.close());
  const events: ClinicEvent[] = [];
  const clinic = await testClinic({
    base_url: sandbox.url,
    ...sandbox.credentials,
    onEvent: (event) => events.push(event),
    ...more,
  });
  cleanup.push(() => clinic.close());
  return { sandbox, clinic, events };
}

const hundred = (each: () => Promise<unknown>) => Promise.all(Array.from({ length: 100 }, each));

describe('a server that becomes another clinic', () => {
  /** Two servers, of which one is in use; each accepts only the tokens it granted. */
  async function twoClinics() {
    const posts: string[] = [];
    const reads: string[] = [];
    const state = { careId: '7', token: 'first', failing: false, limited: false };
    const server = createServer((request, response) => {
      const send = (status: number, body: object) =>
        response
          .writeHead(status, { 'content-type': 'application/json', 'retry-after': '30' })
          .end(JSON.stringify(body));
      if (request.url === '/granttoken') return send(200, { access_token: state.token, expires_in: 3600 });
      if (request.headers.authorization !== `Bearer ${state.token}`) return send(401, { success: false });
      if (state.failing) return send(500, { success: false });
      if (state.limited) return send(429, { success: false });
      if (request.method === 'POST') posts.push(state.careId);
      else reads.push(request.url ?? '');
      return request.method === 'POST'
        ? send(200, { success: true, message: '', data: { appointment_id: posts.length } })
        : send(200, { success: true, message: '', data: { care_id: Number(state.careId), name: 'A' } });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.push(async () => server.close());
    const address = server.address();
    expect.assert(typeof address === 'object' && address !== null);
    const clock = fakeClock();
    const clinic = await testClinic({
      base_url: `http://127.0.0.1:${address.port}`,
      app_key: 'app',
      secret_key: 'secret',
      clock,
      accepts: async (careId: string) => careId === '7',
    });
    cleanup.push(() => clinic.close());
    let claims = 0;
    const beforeSend = async () => {
      claims += 1;
    };
    const book = () => clinic.book(request, { signal, mayStillSend: () => true, beforeSend });
    return { posts, reads, state, clock, clinic, book, claims: () => claims };
  }

  it('gets no booking with a new token after a 401', async () => {
    const { posts, state, book } = await twoClinics();
    await book();
    Object.assign(state, { careId: '8', token: 'second' });

    const outcome = await book();

    expect(posts).toEqual(['7']);
    expect(outcome).toMatchObject({ class: 'lane_refusal', status: 401 });
  });

  it('gets no booking with the same token two seconds later', async () => {
    const { posts, state, clock, book } = await twoClinics();
    await book();
    state.careId = '8';
    await clock.advance(2_000);

    const outcome = await book();

    expect(posts).toEqual(['7']);
    expect(outcome).toMatchObject({
      class: 'never_sent',
      detail: expect.stringContaining('(care_id 8) is not confirmed'),
    });
  });

  it('gets no booking after a wait for the rate limit', async () => {
    const { posts, state, clock, clinic, book, claims } = await twoClinics();
    await book();
    state.limited = true;
    await clinic.treatment(1, signal).catch(() => {});
    Object.assign(state, { careId: '8', limited: false });

    const booking = book();
    await clock.advance(MINUTE);
    const outcome = await booking;

    expect([posts, claims()]).toEqual([['7'], 1]);
    expect(outcome).toMatchObject({
      class: 'never_sent',
      detail: expect.stringContaining('(care_id 8) is not confirmed'),
    });
  });

  it('gets no booking when storing the intent took long', async () => {
    const { posts, state, clock, clinic, book } = await twoClinics();
    await book();

    const outcome = await clinic.book(request, {
      signal,
      mayStillSend: () => true,
      async beforeSend() {
        state.careId = '8';
        await clock.advance(2_000);
      },
    });

    expect(posts).toEqual(['7']);
    expect(outcome).toMatchObject({
      class: 'never_sent',
      detail: expect.stringContaining('(care_id 8) is not confirmed'),
    });
  });

  it('gets no booking that may no longer be sent after a wait for a slow record of the intent', async () => {
    const { posts, clock, clinic, book } = await twoClinics();
    await book();
    const asked: number[] = [];

    const booked = await clinic.book(request, {
      signal,
      beforeSend: () => clock.advance(2_000),
      mayStillSend: () => asked.push(posts.length) === 0,
    });

    expect([posts, asked]).toEqual([['7'], [1]]);
    expect(booked.class).toBe('never_sent');
  });

  it('does not delay a send that is cancelled after its intent was stored', async () => {
    const { posts, state, clock, clinic, book } = await twoClinics();
    await book();
    const stop = new AbortController();

    const outcome = await clinic.book(request, {
      signal: stop.signal,
      mayStillSend: () => true,
      async beforeSend() {
        await clock.advance(2_000);
        state.limited = true;
        stop.abort(new Error('stopping'));
      },
    });

    expect(posts).toEqual(['7']);
    expect(outcome).toMatchObject({ class: 'never_sent' });
  });

  it('costs one reading for bookings in quick succession', async () => {
    const { posts, reads, book } = await twoClinics();

    for (let n = 0; n < 20; n += 1) await book();

    expect([posts.length, reads.length]).toEqual([20, 1]);
  });

  it.each([
    ['a new token', { token: 'second' }],
    ['an error', { failing: true }],
  ])('costs one more reading after %s', async (_what, change) => {
    const { posts, reads, state, clinic, book } = await twoClinics();
    await book();
    Object.assign(state, change);
    await clinic.treatment(1, signal).catch(() => {});
    Object.assign(state, { failing: false });
    const before = reads.filter((path) => path === '/organization').length;

    await book();

    expect(posts).toEqual(['7', '7']);
    expect(reads.filter((path) => path === '/organization').length - before).toBe(1);
  });
});

describe('tokens, however many wait', () => {
  it('grants once for a hundred callers, and once more when the token was revoked', async () => {
    const { sandbox, clinic } = await withSandbox();

    await hundred(() => clinic.treatment(1, signal));
    const first = sandbox.control.tokensGranted();
    sandbox.control.revokeTokens();
    await hundred(() => clinic.treatment(1, signal));

    expect([first, sandbox.control.tokensGranted()]).toEqual([1, 2]);
  });

  it('grants once more for a hundred callers when the token has expired', async () => {
    const clock = fakeClock();
    const { sandbox, clinic } = await withSandbox({ clock, tokenLifetimeSeconds: 60 }, { clock });
    await clinic.treatment(1, signal);

    await clock.advance(60_000);
    let done = 0;
    const all = hundred(() => clinic.treatment(1, signal).then(() => (done += 1)));
    await eventually(async () => {
      await clock.advance(10);
      return done === 100;
    });
    await all;

    expect(sandbox.control.tokensGranted()).toBe(2);
    expect(clinic.limiter().token_expires_at).not.toBeNull();
  });

  it('says what to check when the keys are wrong, and does not hammer', async () => {
    const { sandbox, clinic } = await withSandbox({}, { secret_key: 'wrong' });

    const failures = await Promise.all([
      clinic.treatments(signal).catch((error) => error),
      clinic.dentists(signal).catch((error) => error),
    ]);
    const later = await clinic.website(signal).catch((error) => error);
    const booking = await clinic.book(request, {
      signal,
      mayStillSend: () => true,
      beforeSend: async () => {},
    });

    for (const failure of [...failures, later]) {
      expect(failure).toMatchObject({ kind: 'refused', status: 401 });
      expect(failure.hint).toContain('check app_key and secret_key, generated under API access');
    }
    expect(later.retryAfterMs).toBeGreaterThan(0);
    expect(later.message).not.toMatch(/\d+ s/);
    expect(booking).toMatchObject({ class: 'lane_refusal', status: 401 });
    expect(sandbox.control.requests().total).toBe(1);
  });

  it('gives up after one new token when every call is refused', async () => {
    const { sandbox, clinic } = await withSandbox();
    sandbox.control.script({ match: { endpoint: 'treatments' }, times: 'always', fault: 'status_401' });

    const failure = await clinic.treatments(signal).catch((error) => error);

    expect(failure).toMatchObject({ kind: 'refused', status: 401 });
    expect(failure.hint).toContain('check app_key and secret_key');
    expect(sandbox.control.requests().counts).toMatchObject({
      granttoken: { 200: 2 },
      treatments: { 401: 2 },
    });
  });

  it('uses a token that lives for less time than the wait for a turn', async () => {
    const clock = fakeClock();
    const slow = noLimit.replace('100000', '6');
    const { sandbox, clinic } = await withSandbox(
      { clock, tokenLifetimeSeconds: 2 },
      { clock, memory: { load: async () => slow, save: async () => {} } },
    );

    let done = 0;
    const all = Promise.all([1, 2, 3, 4].map(() => clinic.treatment(1, signal).then(() => (done += 1))));
    await eventually(async () => {
      await clock.advance(100);
      return done === 4;
    });
    await all;

    expect(sandbox.control.requests().counts.treatment).toEqual({ 200: 4 });
    expect(sandbox.control.tokensGranted()).toBeLessThanOrEqual(5);
  });

  it('does not depend on the clinic’s clock', async () => {
    const { sandbox, clinic } = await withSandbox();
    sandbox.control.script({ times: 'always', fault: { kind: 'skewed_date', seconds: -900_000 } });

    await clinic.treatments(signal);
    await clinic.dentists(signal);

    expect(sandbox.control.tokensGranted()).toBe(1);
  });
});

const request = {
  patient_name: 'Farhana Planted',
  patient_phone: '+8801712345678',
  appointment_date: '2031-01-06',
  appointment_time: '10:30',
};

describe('the clinic', () => {
  it('keeps within an unknown limit, and loses no call to it', async () => {
    const clock = fakeClock();
    const { sandbox, clinic } = await withSandbox(
      { clock, limiter: { kind: 'fixed_window', limit: 30 } },
      { clock, memory: { load: async () => undefined, save: async () => {} } },
    );

    let done = 0;
    const untilRead = async () => {
      for (;;) {
        try {
          await clinic.treatment(1, signal);
          done += 1;
          return;
        } catch (error) {
          expect(error).toMatchObject({ status: 429 });
        }
      }
    };
    const all = Promise.all(Array.from({ length: 150 }, untilRead));
    await eventually(async () => {
      await clock.advance(250);
      return done === 150;
    }, 10_000);
    await all;

    expect(sandbox.control.limiterCounts()).toMatchObject({ early: 0 });
    expect(clinic.limiter().ceiling_per_minute).toBeGreaterThan(20);
  });

  it('books at a clinic that allows one call in five seconds', async () => {
    const clock = fakeClock();
    const { sandbox, clinic } = await withSandbox(
      { clock, limiter: { kind: 'token_bucket', limit: 1, windowSeconds: 5 } },
      { clock, accepts: async () => true, memory: { load: async () => undefined, save: async () => {} } },
    );
    const classes: string[] = [];
    const untilBooked = async () => {
      while (classes.at(-1) !== 'booked' && classes.length < 10)
        classes.push(
          (await clinic.book(request, { signal, mayStillSend: () => true, beforeSend: async () => {} }))
            .class,
        );
    };
    const all = untilBooked();
    await eventually(async () => {
      await clock.advance(250);
      return classes.at(-1) === 'booked' || classes.length === 10;
    }, 60_000);
    await all;

    expect(classes.length).toBeLessThanOrEqual(4);
    expect(sandbox.control.ledger()).toHaveLength(1);
  });

  it('reports every call, token and cooldown', async () => {
    const { sandbox, clinic, events } = await withSandbox();
    sandbox.control.script({ match: { endpoint: 'dentists' }, fault: 'status_429_seconds' });

    await clinic.appointmentStatus(1, signal);
    await clinic.dentists(signal).catch(() => {});

    expect(events).toMatchObject([
      { kind: 'call', priority: 'booking', endpoint: 'POST /granttoken', status: 200 },
      { kind: 'token_granted' },
      { kind: 'call', priority: 'status', endpoint: 'GET /appointments/status/{id}', status: 404 },
      { kind: 'blocked' },
      { kind: 'call', priority: 'list', endpoint: 'GET /dentists', status: 429 },
    ]);
    expect(clinic.limiter().blocked_until).not.toBeNull();
  });

  it('throws the reason of an aborted call, whether it waits or is on the wire', async () => {
    const { sandbox, clinic } = await withSandbox();
    sandbox.control.script({ match: { endpoint: 'dentists' }, fault: 'silence_before_commit' });
    const giveUp = new AbortController();

    const call = clinic.dentists(giveUp.signal);
    await expect.poll(() => sandbox.control.faults()).toMatchObject([{ struck: 1 }]);
    giveUp.abort(new Error('deadline'));

    await expect(call).rejects.toThrow('deadline');
    await expect(clinic.dentists(giveUp.signal)).rejects.toThrow('deadline');
  });

  it('ends calls in progress when it closes, and refuses later ones', async () => {
    const { sandbox, clinic } = await withSandbox();
    sandbox.control.script({ match: { endpoint: 'dentists' }, fault: 'silence_before_commit' });
    const call = clinic.dentists(signal);
    call.catch(() => {});
    await expect.poll(() => sandbox.control.faults()).toMatchObject([{ struck: 1 }]);

    await clinic.close();

    await expect(call).rejects.toMatchObject({ kind: 'transient' });
    await expect(clinic.treatments(signal)).rejects.toMatchObject({ kind: 'transient' });
  });

  it('refuses a booking that the specification does not allow before anything is sent', async () => {
    const { sandbox, clinic } = await withSandbox();

    const sending = clinic.book(
      { ...request, appointment_time: '25:00' },
      { signal, mayStillSend: () => true, beforeSend: async () => {} },
    );

    await expect(sending).rejects.toThrow('A booking with this appointment_time cannot be sent');
    expect(sandbox.control.requests().total).toBe(0);
  });

  it.each(['reset_after_headers', 'html_200', 'status_500', 'garbage_bytes', 'cut_body'] as const)(
    'shows neither key nor token nor patient when a call fails with %s',
    async (fault) => {
      const { sandbox, clinic } = await withSandbox();
      sandbox.control.script({ match: { endpoint: 'status' }, times: 'always', fault });

      const failure = await clinic.appointmentStatus(1, signal).catch((error) => error);

      const { app_key, secret_key } = sandbox.credentials;
      const shown = inspect(failure, { depth: 20, showHidden: true });
      expect(failure).toBeInstanceOf(Failure);
      for (const secret of [app_key, secret_key, 'Bearer', 'Kamal', '127.0.0.1'])
        expect(shown).not.toContain(secret);
    },
  );
});

describe('a slow clinic', () => {
  it('is distinguished from a dead one by its answer times', { tags: ['thorough'] }, async () => {
    const { sandbox, clinic } = await withSandbox();
    const before = clinic.limiter().answer_ms;
    const began = performance.now();
    await clinic.treatments(signal);
    const mostMs = performance.now() - began + 1;
    const quick = clinic.limiter().answer_ms ?? Number.NaN;
    sandbox.control.script({ times: 9, fault: { kind: 'late_answer', ms: 150 } });

    for (let i = 0; i < 9; i += 1) await clinic.dentists(signal);
    const slow = clinic.limiter().answer_ms;
    sandbox.control.script({ times: 9, fault: 'reset_after_body' });
    for (let i = 0; i < 9; i += 1) await clinic.dentists(signal).catch(() => {});

    expect(before).toBeNull();
    expect(quick).toBeLessThan(mostMs);
    expect(slow).toBeGreaterThanOrEqual(149);
    expect(clinic.limiter().answer_ms).toBe(slow);
  });
});

describe('a booking', () => {
  it.each([403, 404, 405, 415, 429])('that is refused with %i is not resent', async (status) => {
    const { sandbox, clinic, events } = await withSandbox();
    sandbox.control.script({
      match: { endpoint: 'book' },
      times: 'always',
      fault: { kind: `status_${status === 429 ? '429_zero' : status}` as 'status_403' },
    });

    const outcome = await clinic.book(request, {
      signal,
      mayStillSend: () => true,
      beforeSend: async () => {},
    });

    expect(outcome).toMatchObject({ class: 'lane_refusal', status });
    expect(events.filter((event) => event.kind === 'call' && event.endpoint.endsWith('/book'))).toHaveLength(
      1,
    );
  });

  it('that is not sent after all returns its turn, however often', async () => {
    const { sandbox, clinic } = await withSandbox();
    const beforeSend = () => Promise.reject(new Error('not now'));

    for (let i = 0; i < 20; i += 1)
      await expect(clinic.book(request, { signal, mayStillSend: () => true, beforeSend })).rejects.toThrow(
        'not now',
      );

    expect((await clinic.treatments(signal)).records.length).toBeGreaterThan(0);
    expect(sandbox.control.ledger()).toEqual([]);
    expect(clinic.limiter().calls_last_hour).toBe(2);
  });
});

describe('whatever an answer holds', () => {
  const reads: ((clinic: Clinic) => Promise<unknown>)[] = [
    (clinic) => clinic.organization(signal),
    (clinic) => clinic.website(signal),
    (clinic) => clinic.treatments(signal),
    (clinic) => clinic.treatment(1, signal),
    (clinic) => clinic.dentists(signal),
    (clinic) => clinic.appointmentStatus(1, signal),
  ];

  it(
    'a call gives a valid value or a Failure, and a booking an outcome',
    async () => {
      let body: Buffer = Buffer.alloc(0);
      let status = 200;
      const server = createServer(({ url }, response) => {
        if (url?.endsWith('/granttoken') === true)
          response.end('{"access_token":"planted-token","expires_in":3600}');
        else response.writeHead(status).end(status === 204 || status === 304 ? undefined : body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      cleanup.push(async () => server.close());
      const { port } = server.address() as { port: number };
      const clinic = await testClinic({ base_url: `http://127.0.0.1:${port}` });
      cleanup.push(() => clinic.close());

      const json = fc.oneof(
        fc.json(),
        fc
          .record({ success: fc.constant(true), data: fc.anything(), site: fc.anything() })
          .map((v) => JSON.stringify(v)),
        fc.constant('{"success":true,"data":[{"__proto__":{"x":1},"treatment_id":1}],"__proto__":null}'),
      );
      const bytes = fc.oneof(
        json.map((text) => Buffer.from(text ?? '')),
        fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array)),
      );
      const statuses = fc.oneof(
        fc.constant(200),
        fc.integer({ min: 200, max: 599 }).filter((n) => n !== 429),
      );

      await fc.assert(
        fc.asyncProperty(bytes, statuses, fc.nat({ max: reads.length }), async (given, code, which) => {
          body = given;
          status = code;
          const read = reads[which];
          if (read === undefined) {
            const outcome = await clinic.book(request, {
              signal,
              mayStillSend: () => true,
              beforeSend: async () => {},
            });
            expect(outcome.class).toMatch(/^(booked|no_id|refused|deferred|lane_refusal|ambiguous)$/);
            return;
          }
          const result = await read(clinic).catch((error) => error);
          if (result instanceof Error) expect(result).toBeInstanceOf(Failure);
          else expect(typeof result === 'object' || result === undefined).toBe(true);
        }),
        { numRuns: 150 * runs },
      );
    },
    30_000 * runs,
  );
});
