import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { testClinic } from '../../test/support/clinic/clinic-kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { MINUTE } from '../platform/duration.ts';

const signal = new AbortController().signal;
const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
});

const request = {
  patient_name: 'Ann',
  patient_phone: '01712345678',
  appointment_date: '2027-03-01',
  appointment_time: '10:00',
};
const page = '<!doctype html><html><title>Just a moment…</title></html>';

/** A clinic that accepts these keys and the newest token, and refuses all else in its own way. */
async function practice() {
  const state = {
    keys: 'app secret',
    token: 0,
    revoked: false,
    grants: 0,
    posts: 0,
    refusal: { status: 403, body: '{"success":false,"message":"Token has expired"}' },
    page: undefined as number | undefined,
    forbidden: '',
    grantsInData: false,
  };
  const server = createServer(({ url, headers, method }, response) => {
    const send = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    if (state.page !== undefined) return send(state.page, page);
    if (url === '/granttoken') {
      state.grants += 1;
      if (`${headers['x-app-key']} ${headers['x-app-secret-key']}` !== state.keys)
        return send(401, '{"success":false}');
      state.token += 1;
      state.revoked = false;
      const granted = { access_token: `token-${state.token}`, expires_in: 86_400 };
      return send(200, JSON.stringify(state.grantsInData ? { data: granted } : granted));
    }
    if (method === 'POST') state.posts += 1;
    if (url === state.forbidden) return send(403, '{"message":"Forbidden"}');
    if (state.revoked || headers.authorization !== `Bearer token-${state.token}`)
      return send(state.refusal.status, state.refusal.body);
    if (method === 'POST') return send(200, '{"success":true,"data":{"appointment_id":5}}');
    return send(200, '{"success":true,"data":[]}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanup.push(() => new Promise((done) => server.close(done)));
  const address = server.address();
  expect.assert(typeof address === 'object' && address !== null);
  const clock = fakeClock();
  const files = { app_key: 'app', secret_key: 'secret' };
  const clinic = await testClinic({
    base_url: `http://127.0.0.1:${address.port}`,
    ...files,
    rereadKeys: () => files,
    clock,
  });
  cleanup.push(() => clinic.close());
  const book = () => clinic.book(request, { signal, mayStillSend: () => true, beforeSend: async () => {} });
  return { state, clock, clinic, files, book };
}

describe('a token that ends early', () => {
  it.each([
    [401, '{"success":false}'],
    [403, '{"success":false,"message":"Token has expired"}'],
    [403, '{"message":"This action is unauthorized."}'],
    [200, '{"success":false,"error_code":"auth_failed","message":"No"}'],
    [200, '{"success":false,"message":"Access token is invalid or expired"}'],
    [400, '{"success":false,"error_code":"token_expired"}'],
  ])('is replaced once for a read, whatever the refusal: %i %s', async (status, body) => {
    const { state, clock, clinic } = await practice();
    await clinic.treatments(signal);
    await clock.advance(2 * MINUTE);
    Object.assign(state, { revoked: true, refusal: { status, body } });

    const { records } = await clinic.treatments(signal);

    expect(records).toEqual([]);
    expect(state.grants).toBe(2);
  });

  it.each([401, 403, 200])(
    'is replaced for the next booking, and this one is sent once (%i)',
    async (status) => {
      const { state, clock, book, clinic } = await practice();
      await clinic.treatments(signal);
      await clock.advance(2 * MINUTE);
      Object.assign(state, {
        revoked: true,
        refusal: { status, body: '{"success":false,"message":"Token has expired"}' },
      });

      const first = await book();
      const posts = state.posts;
      const second = await book();

      expect(first).toMatchObject(
        status === 200 ? { class: 'deferred', why: 'token' } : { class: 'lane_refusal', status },
      );
      expect(posts).toBe(1);
      expect(second).toMatchObject({ class: 'booked' });
    },
  );

  it('is not renewed again and again by an endpoint that is forbidden for good', async () => {
    const { state, clock, clinic } = await practice();
    state.forbidden = '/dentists';

    for (let minute = 0; minute < 60; minute += 1) {
      await clock.advance(MINUTE);
      await clinic.dentists(signal).catch(() => {});
      await clinic.treatments(signal);
    }

    expect(state.grants).toBeLessThan(15);
  });
});

it('a token of which an answer has none in its place is said to be where it is', async () => {
  const { state, clinic } = await practice();
  state.grantsInData = true;

  await expect(clinic.treatments(signal)).rejects.toMatchObject({
    message: 'POST /granttoken: access_token is in data, where it is not read',
  });
});

describe('keys that are replaced in their files', () => {
  it('are read again when the former ones are refused', async () => {
    const { state, clock, clinic, files } = await practice();
    await clinic.treatments(signal);
    Object.assign(state, { keys: 'new-app new-secret', revoked: true });
    Object.assign(files, { app_key: 'new-app', secret_key: 'new-secret' });
    await clock.advance(2 * MINUTE);

    await expect(clinic.treatments(signal)).resolves.toMatchObject({ records: [] });
  });

  it('are tried at once, although refused keys rest', async () => {
    const { state, clinic, files } = await practice();
    state.keys = 'new-app new-secret';
    await expect(clinic.treatments(signal)).rejects.toMatchObject({ kind: 'refused', status: 401 });
    await expect(clinic.treatments(signal)).rejects.toMatchObject({ kind: 'refused', status: 401 });
    const { grants } = state;
    Object.assign(files, { app_key: 'new-app', secret_key: 'new-secret' });

    const { records } = await clinic.treatments(signal);

    expect(grants).toBe(1);
    expect(records).toEqual([]);
  });
});

describe('a web page in the clinic’s place', () => {
  it.each([200, 401, 403, 503])('is called that, and blames no key (%i)', async (status) => {
    const { state, clinic, book } = await practice();
    state.page = status;

    const failure = await clinic.treatments(signal).catch((error) => error);
    const booking = await book();
    state.page = undefined;

    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('a web page') });
    expect(`${failure.message} ${failure.hint}`).not.toMatch(/key/);
    expect(booking).toMatchObject({ class: 'never_sent' });
    expect(JSON.stringify(booking)).not.toMatch(/key/);
    // Nothing rests: the next call is made at once.
    await expect(clinic.treatments(signal)).resolves.toMatchObject({ records: [] });
  });
});

describe('a soft refusal of a read', () => {
  it.each([
    '{"success":false,"error_code":"rate_limited"}',
    '{"success":false,"message":"Under maintenance"}',
  ])('is passing, and says nothing of the appointment: %s', async (body) => {
    const { state, clinic } = await practice();
    await clinic.treatments(signal);
    Object.assign(state, { revoked: true, refusal: { status: 200, body } });

    const [list, visit] = await Promise.all([
      clinic.treatments(signal).catch((error) => error),
      clinic.appointmentStatus(7, signal).catch((error) => error),
    ]);

    expect(list).toMatchObject({ kind: 'transient' });
    expect(visit).toMatchObject({ kind: 'transient' });
  });
});
