import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiCalls } from '../../test/conformance/clinic/api-calls.ts';
import { type Sandbox, startSandbox } from './clinic.ts';

let sandbox: Sandbox;
let api: ReturnType<typeof apiCalls>;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { app_key, secret_key } = sandbox.credentials;
  api = apiCalls({ baseUrl: sandbox.url, appKey: app_key, secretKey: secret_key });
});
afterAll(() => sandbox.close());

async function tell(
  verb: string,
  input?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${sandbox.controlUrl}/${verb}`, {
    method: 'POST',
    ...(input === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const read = async (view: string) => (await fetch(`${sandbox.controlUrl}/${view}`)).json();

describe('the control channel', () => {
  it('lists its verbs, with a schema for each', async () => {
    const { views, verbs } = (await read('')) as {
      views: string[];
      verbs: { verb: string; input: object }[];
    };

    expect(views).toContain('GET /ledger');
    expect(verbs.map(({ verb }) => verb)).toContain('POST /script-faults');
    expect(verbs.every(({ input }) => Object.keys(input).length > 0)).toBe(true);
  });

  it('sets any status, also an unspecified one', async () => {
    const { status } = await tell('set-status', { id: 5196, status: 'Teleported' });

    expect(status).toBe(200);
    expect((await api.get('/appointments/status/5196')).body).toMatchObject({
      data: { status: 'Teleported' },
    });
  });

  it('edits name, date and time of an appointment', async () => {
    await tell('edit-appointment', {
      id: 5197,
      fields: { name: 'J. Begum', date: '2027-01-02', time: '08:15' },
    });

    const { body } = await api.get('/appointments/status/5197');
    expect(body).toMatchObject({
      data: { name: 'J. Begum', date: '2027-01-02', time: '08:15', status: 'Scheduled' },
    });
  });

  it('books at the front desk without a ledger entry', async () => {
    const { body } = await tell('add-appointment');

    const { id } = body.result as { id: number };
    expect((await api.get(`/appointments/status/${id}`)).status).toBe(200);
    expect(await read('ledger')).toEqual([]);
  });

  it('edits, adds, retires and restores treatments', async () => {
    await tell('edit-treatment', { id: 1, fields: { base_fee: '850.00' } });
    const { body } = await tell('add-treatment', { treatment_name: 'Night Guard' });
    await tell('retire-treatment', { id: 2 });

    const list = JSON.stringify((await api.get('/treatments')).body);
    await tell('restore-treatment', { id: 2 });

    expect(list).toContain('"base_fee":"850.00"');
    expect(list).toContain('Night Guard');
    expect(list).not.toContain('Scaling');
    expect(body.result).toMatchObject({ treatment_name: 'Night Guard', base_fee: '1000.00' });
    expect((await api.get('/treatments/2')).status).toBe(200);
  });

  it('edits, adds and removes dentists, and total_doctors follows', async () => {
    await tell('edit-dentist', { id: 2, fields: { consultation_fee: '900.00' } });
    await tell('add-dentist', { doctor_name: 'Dr. Łucja Żółć' });
    await tell('remove-dentist', { id: 5 });
    await tell('remove-dentist', { id: 6 });

    const list = JSON.stringify((await api.get('/dentists')).body);

    expect(list).toContain('900.00');
    expect(list).toContain('Dr. Łucja Żółć');
    expect(list).not.toContain('Kjærgaard');
    expect((await api.get('/organization')).body).toMatchObject({
      data: { statistics: { total_doctors: 5 } },
    });
  });

  it('edits the organization, its figures and the website', async () => {
    await tell('edit-organization', {
      phone: '+880 2-000',
      statistics: { total_users: 20, total_patients: 4000 },
    });
    await tell('edit-website', { cta_text: 'Come in' });

    const { body } = await api.get('/organization');
    expect(body).toMatchObject({
      data: {
        phone: '+880 2-000',
        name: 'Shapla Dental Care',
        statistics: { total_users: 20, total_patients: 4000 },
      },
    });
    expect((await api.get('/website')).body).toMatchObject({ site: { cta_text: 'Come in' } });
  });

  it('revokes tokens', async () => {
    const fresh = apiCalls({
      baseUrl: sandbox.url,
      appKey: sandbox.credentials.app_key,
      secretKey: sandbox.credentials.secret_key,
    });
    await fresh.credentials();

    await tell('revoke-tokens');

    expect((await fresh.get('/dentists')).status).toBe(401);
    const { app_key, secret_key } = sandbox.credentials;
    api = apiCalls({ baseUrl: sandbox.url, appKey: app_key, secretKey: secret_key });
  });

  it('scripts faults, shows how they did, and clears them', async () => {
    await api.credentials();
    await tell('script-faults', {
      faults: [{ match: { endpoint: 'book' }, fault: 'status_409', times: 'always' }],
    });
    const { status } = await api.book({});

    const scripted = await read('faults');
    await tell('clear-faults');

    expect(status).toBe(409);
    expect(scripted).toMatchObject([{ fault: { fault: { kind: 'status_409' } }, struck: 1 }]);
    expect((await api.book({})).status).toBe(400);
  });

  it('listens again when faults are cleared after connections were refused', async () => {
    await api.credentials();
    await tell('script-faults', { faults: [{ fault: 'refuse_connections' }] });
    const refused = await api
      .get('/dentists')
      .catch((error: Error) => (error.cause as { code: string }).code);

    await tell('clear-faults');

    expect(refused).toBe('ECONNREFUSED');
    expect((await api.get('/dentists')).status).toBe(200);
  });

  it('sets a limit and lifts it', async () => {
    await api.credentials();
    await tell('set-limiter', { limiter: { kind: 'fixed_window', limit: 1, windowSeconds: 86_400 } });
    await api.get('/dentists');
    const limited = await api.get('/dentists');
    const { limiter } = (await read('requests')) as { limiter: object };

    await tell('set-limiter', { limiter: null });

    expect(limited.status).toBe(429);
    expect(limiter).toEqual({ accepted: 1, refused: 1, early: 0 });
    expect((await api.get('/dentists')).status).toBe(200);
  });

  it('counts requests by endpoint and status, with the fault that struck', async () => {
    const { counts: before } = sandbox.control.requests();
    await tell('script-faults', { faults: [{ fault: 'status_500' }] });
    await api.get('/website');

    const { counts, recent } = (await read('requests')) as ReturnType<Sandbox['control']['requests']>;

    expect(counts.website?.['500']).toBe((before.website?.['500'] ?? 0) + 1);
    expect(recent.at(-1)).toMatchObject({
      endpoint: 'website',
      path: '/api/v1/website',
      status: 500,
      fault: 'status_500',
    });
  });

  it('restarts the server', async () => {
    await tell('restart');

    await expect
      .poll(
        () =>
          api.grant().then(
            ({ status }) => status,
            () => 'down',
          ),
        { interval: 1 },
      )
      .toBe(200);
  });

  it('runs the simulation', async () => {
    const { body } = await tell('advance-life', { events: 3 });

    expect(body.result).toHaveLength(3);
  });

  it.each([
    ['an unknown verb', 'book-a-flight', {}, 404],
    ['an id that is not there', 'set-status', { id: 1, status: 'Confirmed' }, 404],
    ['a field too many', 'retire-treatment', { id: 1, why: 'old' }, 400],
    ['a value the API could not show', 'edit-treatment', { id: 1, fields: { base_fee: 850 } }, 400],
    ['a kind of fault nobody has heard of', 'script-faults', { faults: [{ fault: 'earthquake' }] }, 400],
  ])('refuses %s', async (_what, verb, input, expected) => {
    expect((await tell(verb, input)).status).toBe(expected);
  });

  it('refuses forms and text, which a web page could send without asking', async () => {
    const answer = await fetch(`${sandbox.controlUrl}/revoke-tokens`, { method: 'POST', body: '{}' });

    expect(answer.status).toBe(415);
  });
});
