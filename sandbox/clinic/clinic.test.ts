import { statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiCalls, apiCalls } from '../../test/conformance/clinic/api-calls.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './clinic.ts';
import { OrganizationAnswer } from './wire.ts';

const booking = {
  patient_name: 'Nadia Begum',
  patient_phone: '+8801711222333',
  appointment_date: '2027-04-06',
  appointment_time: '10:30',
};

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; api: ApiCalls }> {
  const sandbox = await startSandbox(options);
  undo.push(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  return { sandbox, api: apiCalls({ baseUrl: sandbox.url, appKey: app_key, secretKey: secret_key }) };
}

async function folder() {
  const made = await mkdtemp(join(tmpdir(), 'sandbox-'));
  undo.push(() => rm(made, { recursive: true }));
  return made;
}

const idOf = (answer: { body: unknown }) =>
  (answer.body as { data: { appointment_id: number } }).data.appointment_id;

describe('the API', () => {
  it('lists every missing and every invalid parameter of a booking at once', async () => {
    const { api } = await start();

    const { status, body } = await api.book({
      patient_name: '',
      appointment_date: '2027-13-01',
      appointment_time: '9:00',
      doctor_id: 'Dr. O’Neil',
      treatment_id: 4,
      note: 7,
    });

    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      error_code: 'bad_request',
      message:
        'Missing parameters: patient_name, patient_phone. Invalid parameters: appointment_date, appointment_time, doctor_id, note, treatment_id.',
    });
  });

  it('answers 415 for a body that is not labelled JSON, 400 for one that is not JSON, 413 for one too large', async () => {
    const { api, sandbox } = await start();

    const answers = [
      await api.book(booking, 'text/plain'),
      await api.book('[]'),
      await api.book('{"a":'),
      await api.book({ ...booking, note: 'x'.repeat(1024 * 1024) }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([415, 400, 400, 413]);
    expect(sandbox.control.ledger()).toEqual([]);
  });

  it('answers 405 with what is allowed, and 404 outside its eight endpoints', async () => {
    const { sandbox } = await start();
    const ask = (method: string, path: string) => fetch(new URL(path, sandbox.url), { method });

    const wrongMethod = await ask('DELETE', '/api/v1/treatments');
    const outside = [
      await ask('GET', '/'),
      await ask('GET', '/api/v1/appointments'),
      await ask('GET', '/api/v2/website'),
    ];

    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET']);
    expect(outside.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('shows active treatments only, in the list and by id', async () => {
    const { api, sandbox } = await start();
    sandbox.control.retireTreatment(2);

    const list = await api.get('/treatments');

    expect(JSON.stringify(list.body)).not.toContain('Scaling & Polishing');
    expect((await api.get('/treatments/2')).status).toBe(404);
    expect((await api.book({ ...booking, treatment_id: 2 })).status).toBe(400);
  });

  it('keeps a token valid for its lifetime, to the second', async () => {
    const clock = fakeClock();
    const { api } = await start({ clock, tokenLifetimeSeconds: 90 });
    const granted = await api.grant();
    await api.credentials();

    await clock.advance(89_999);
    const alive = await api.get('/dentists');
    await clock.advance(1);
    const dead = await api.get('/dentists');

    expect(granted.body).toHaveProperty('expires_in', 90);
    expect([alive.status, dead.status]).toEqual([200, 401]);
  });

  it.each([
    ['404', 404],
    ['400', 400],
    ['200', 200],
  ] as const)('answers %s for an unknown id if configured', async (unknownId, expected) => {
    const { api } = await start({ unknownId });

    const answers = [await api.get('/appointments/status/7'), await api.get('/treatments/zero')];

    for (const { status, body } of answers) {
      expect(status).toBe(expected);
      expect(body).toMatchObject({ success: false });
    }
  });
});

describe('appointments', () => {
  it('moves total_appointments and total_patients with each booking', async () => {
    const { api } = await start();
    const figures = async () =>
      OrganizationAnswer.parse((await api.get('/organization')).body).data.statistics;
    const before = await figures();

    await api.book(booking);
    await api.book(booking);

    expect(await figures()).toEqual({
      ...before,
      total_appointments: before.total_appointments + 2,
      total_patients: before.total_patients + 1,
    });
  });

  it('numbers them contiguously by default', async () => {
    const { api } = await start();

    const ids = [idOf(await api.book(booking)), idOf(await api.book(booking))];

    expect(ids).toEqual([5199, 5200]);
  });

  it.each(['gaps', 'staff_beside'] as const)('leaves room between our ids with %s', async (ids) => {
    const { api, sandbox } = await start({ ids });

    const made: number[] = [];
    for (let count = 0; count < 12; count += 1) made.push(idOf(await api.book(booking)));

    const steps = made.slice(1).map((id, index) => id - (made[index] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...steps)).toBeGreaterThan(1);
    const [first = 0] = made;
    const between = sandbox.control
      .appointments()
      .filter(({ id, origin }) => id > first && origin === 'staff');
    expect(between.length > 0).toBe(ids === 'staff_beside');
  });

  it('gives random ids without order', async () => {
    const { api } = await start({ ids: 'random' });

    const made: number[] = [];
    for (let count = 0; count < 6; count += 1) made.push(idOf(await api.book(booking)));

    expect(new Set(made).size).toBe(6);
    expect(made).not.toEqual(made.toSorted((a, b) => a - b));
  });

  it('keeps ledger, statuses and edits in its file across a restart', async () => {
    const data = join(await folder(), 'sandbox.db');
    const first = await start({ data, clock: fakeClock() });
    const id = idOf(await first.api.book({ ...booking, note: 'with “quotes”' }));
    first.sandbox.control.setStatus(id, 'Confirmed');
    first.sandbox.control.editTreatment(2, { base_fee: '2600.00' });
    await first.sandbox.close();

    const { sandbox, api } = await start({ data });

    expect(sandbox.control.ledger()).toEqual([
      {
        number: 1,
        appointment_id: id,
        request: 2,
        at: '2026-03-02T09:00:00.000Z',
        body: { ...booking, note: 'with “quotes”' },
      },
    ]);
    expect((await api.get(`/appointments/status/${id}`)).body).toMatchObject({
      data: { status: 'Confirmed' },
    });
    expect((await api.get('/treatments/2')).body).toMatchObject({ data: { base_fee: '2600.00' } });
    expect(idOf(await api.book(booking))).toBe(id + 1);
  });

  it('keeps its file private, even one of an earlier version', async () => {
    const data = join(await folder(), 'sandbox.db');
    writeFileSync(data, '', { mode: 0o644 });

    await start({ data });

    expect(statSync(data).mode & 0o777).toBe(0o600);
    expect(statSync(`${data}-wal`).mode & 0o777).toBe(0o600);
  });

  it('stores the booking in its file before the answer is sent', async () => {
    const data = join(await folder(), 'sandbox.db');
    const { sandbox, api } = await start({ data });
    await api.credentials();
    sandbox.control.script('reset_after_commit');

    await expect(api.book(booking)).rejects.toThrow('fetch failed');

    const { sandbox: other } = await start({ data });
    expect(other.control.ledger()).toHaveLength(1);
  });
});

describe('starting and stopping', () => {
  it('uses the ports and credentials it is given', async () => {
    const credentials = { app_key: 'key', secret_key: 'secret' };
    const first = await startSandbox({ credentials });
    const port = Number(new URL(first.url).port);
    const controlPort = Number(new URL(first.controlUrl).port);
    await first.close();

    const { sandbox } = await start({ port, controlPort, credentials });

    expect(sandbox.url).toBe(`http://127.0.0.1:${port}/api/v1`);
    expect(sandbox.controlUrl).toBe(`http://127.0.0.1:${controlPort}`);
    expect(sandbox.credentials).toEqual(credentials);
  });

  it('rejects when its port is taken, and releases everything it had opened', async () => {
    const { sandbox } = await start();
    const port = Number(new URL(sandbox.url).port);

    await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(startSandbox({ controlPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('fails with the reason when its data file cannot be opened', async () => {
    const starting = startSandbox({ data: join(await folder(), 'not-there', 'sandbox.db') });

    await expect(starting).rejects.toMatchObject({
      name: 'Failure',
      message: expect.stringContaining('cannot be opened'),
    });
  });

  it('may be closed twice, even with a client still waiting', async () => {
    const { sandbox, api } = await start({
      faults: [{ match: { endpoint: 'dentists' }, fault: 'silence_before_commit' }],
    });
    const waiting = api.get('/dentists').then(
      () => 'answered',
      () => 'dropped',
    );
    await expect.poll(() => sandbox.control.requests().counts.dentists, { interval: 1 }).toEqual({ none: 1 });

    await sandbox.close();
    await sandbox.close();

    expect(await waiting).toBe('dropped');
  });
});
