import { gzipSync } from 'node:zlib';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testClinic } from '../../test/support/clinic/clinic-kit.ts';
import type { Clinic } from './clinic.ts';

// Importing it already replaces node:http for every file that shares this process.
nock.restore();

const origin = 'https://clinic.example';
const base = '/api/v1';
const signal = new AbortController().signal;
const keys = { 'x-app-key': 'planted-app-key' };
const authorized = {
  reqheaders: { ...keys, authorization: 'Bearer planted-token', accept: 'application/json' },
};

const treatment = {
  treatment_id: 3,
  treatment_name: 'Scaling',
  description: '',
  base_fee: '1200.50',
  duration_minutes: 30,
  image_url: 'https://media.example/3.webp',
};
const dentist = {
  doctor_id: 7,
  doctor_name: 'Dr. O’Neil',
  specialization: '',
  qualification: '',
  experience_years: 5,
  consultation_fee: '0',
  signature_image_url: '',
};
const organization = {
  care_id: 1,
  ...Object.fromEntries(
    'name short_name tooth_system currency currency_symbol address city state region postal_code country phone email website established_date'
      .split(' ')
      .map((field) => [field, field]),
  ),
  logo: null,
  fax: null,
  statistics: { total_users: 1, total_patients: 2, total_appointments: 3, total_doctors: 4 },
};

let clinic: Clinic;
beforeAll(() => {
  nock.activate();
  nock.disableNetConnect();
});
beforeEach(async () => {
  clinic = await testClinic({ base_url: `${origin}${base}` });
  nock(origin, { reqheaders: { ...keys, 'x-app-secret-key': 'planted-secret-key' } })
    .post(`${base}/granttoken`, '')
    .reply(200, { access_token: 'planted-token', expires_in: 3600 });
});
afterEach(async () => {
  await clinic.close();
  nock.cleanAll();
});
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

const answers = (path: string, status: number, body: nock.Body) =>
  nock(origin, authorized).get(`${base}${path}`).reply(status, body);

it('recognizes a list whose bytes are known, and never mistakes an error for one', async () => {
  const body = { success: true, data: [treatment] };
  answers('/treatments', 200, body);
  const { digest = '' } = await clinic.treatments(signal);
  answers('/treatments', 200, body);
  answers('/treatments', 200, { at: '2026-03-02T09:00:00Z', ...body, took: 12 });
  answers('/treatments', 200, { success: true, data: [] });
  answers('/treatments', 503, body);

  const same = await clinic.treatments(signal, digest);
  const sameAtAnotherTime = await clinic.treatments(signal, digest);
  const another = await clinic.treatments(signal, digest);
  const refused = clinic.treatments(signal, digest);

  expect(same).toEqual({ records: [], unreadable: [], digest, isSame: true });
  expect(sameAtAnotherTime).toEqual(same);
  expect(another).toMatchObject({ records: [], digest: expect.not.stringMatching(`^${digest}$`) });
  expect(another.isSame).toBeUndefined();
  await expect(refused).rejects.toMatchObject({ status: 503 });
});

describe('the eight endpoints', () => {
  it('POST /granttoken comes before the first call, with both keys and no body', async () => {
    const list = answers('/treatments', 200, { success: true, data: [] });

    await clinic.treatments(signal);

    expect(list.isDone()).toBe(true);
    expect(nock.pendingMocks()).toEqual([]);
  });

  it('GET /organization', async () => {
    answers('/organization', 200, { success: true, message: 'ok', data: { ...organization, extra: 1 } });

    const { statistics, ...fields } = organization;
    expect(await clinic.organization(signal)).toEqual({
      records: [{ id: '1', fields, raw: { ...organization, extra: 1 } }],
      unreadable: [],
      statistics,
    });
  });

  it('GET /website', async () => {
    answers('/website', 200, { success: true, site: { care_id: '1', clinic_name: 'Smile' } });

    const { records, unreadable } = await clinic.website(signal);

    expect(unreadable).toEqual([]);
    expect(records).toMatchObject([
      { id: '1', fields: { care_id: 1, clinic_name: 'Smile', opening_hours: null, faqs: null } },
    ]);
  });

  it('GET /treatments, with fields outside the specification', async () => {
    answers('/treatments', 200, { success: true, data: [{ ...treatment, beta: { yes: true } }], page: 1 });

    expect(await clinic.treatments(signal)).toEqual({
      digest: expect.any(String),
      records: [{ id: '3', fields: treatment, raw: { ...treatment, beta: { yes: true } } }],
      unreadable: [],
    });
  });

  it('GET /treatments/{id}', async () => {
    answers('/treatments/3', 200, { success: true, data: treatment });

    expect(await clinic.treatment(3, signal)).toEqual({ id: '3', fields: treatment, raw: treatment });
  });

  it('GET /dentists', async () => {
    answers('/dentists', 200, { success: true, data: [dentist] });

    expect(await clinic.dentists(signal)).toEqual({
      digest: expect.any(String),
      records: [{ id: '7', fields: dentist, raw: dentist }],
      unreadable: [],
    });
  });

  it('GET /appointments/status/{id}', async () => {
    const data = { status: 'Scheduled', name: 'A', date: '2026-03-09', time: '10:30' };
    answers('/appointments/status/12', 200, { success: true, message: '', data });

    expect(await clinic.appointmentStatus(12, signal)).toEqual({ ...data, raw: data });
  });

  it('POST /appointments/book sends exactly the fields of the specification', async () => {
    const request = {
      patient_name: 'A',
      patient_phone: '1',
      appointment_date: '2026-03-09',
      appointment_time: '10:30',
      doctor_id: 7,
    };
    nock(origin, { reqheaders: { ...authorized.reqheaders, 'content-type': 'application/json' } })
      .post(`${base}/appointments/book`, request)
      .reply(200, { success: true, message: 'Booked.', data: { appointment_id: 99 } });

    const outcome = await clinic.book({ ...request, internal: 'x' } as typeof request, {
      signal,
      mayStillSend: () => true,
      beforeSend: async () => {},
    });

    expect(outcome).toEqual({ class: 'booked', appointment_id: 99, message: 'Booked.' });
  });

  it.each([
    [404, { success: false, message: 'Not found.' }],
    [400, '<html>'],
    [200, { success: false, message: 'Unknown.' }],
  ])('an id that is answered %i %j does not exist', async (status, body) => {
    answers('/appointments/status/12', status, body);
    answers('/treatments/3', status, body);

    expect(await clinic.appointmentStatus(12, signal)).toBeUndefined();
    expect(await clinic.treatment(3, signal)).toBeUndefined();
  });
});

describe('an answer that cannot be used', () => {
  const listed = (data: unknown) => JSON.stringify({ success: true, data });
  const withMembers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

  it.each([
    ['1 base_fee must be a decimal number', { ...treatment, base_fee: '12,50' }],
    ['1 base_fee has more than 40 characters', { ...treatment, base_fee: `1.${'0'.repeat(80_000)}1` }],
    ['1 treatment_name has more than 500 characters', { ...treatment, treatment_name: 'x'.repeat(501) }],
    ['1 has more than 200000 characters', { ...treatment, more: Array(20).fill(withMembers(1_500)) }],
    ['1 has more than 200000 characters', { ...treatment, more: Array(3).fill('x'.repeat(70_000)) }],
    ['1 base_fee is missing', { ...treatment, base_fee: null }],
    ['1 treatment_id must be a whole number', { ...treatment, treatment_id: 1.5 }],
    ['1 treatment_name is missing', { ...treatment, treatment_name: undefined }],
    ['1 must be an object', null],
    ['1 treatment_id occurs twice, with different content', { ...treatment, treatment_id: '8', base_fee: 0 }],
  ])('names the thing that cannot be read, and gives the others: %s', async (words, element) => {
    const others = [{ ...treatment, treatment_id: 4 }, element, { ...treatment, treatment_id: 5 }];
    const twin = element?.treatment_id === '8' ? [{ ...treatment, treatment_id: 8 }] : [];
    answers('/treatments', 200, listed([...others, ...twin]).replace('"8"', '8'));

    const { records, unreadable } = await clinic.treatments(signal);

    expect(records.map(({ id }) => id)).toEqual(['4', '5']);
    expect(unreadable).toHaveLength(1);
    for (const { position, field, problem } of unreadable)
      expect([position === 3 ? 1 : position, field, problem].filter((part) => part !== null).join(' ')).toBe(
        words,
      );
  });

  it('counts an object listed twice with the same content once', async () => {
    answers('/treatments', 200, listed([treatment, treatment]));

    expect(await clinic.treatments(signal)).toMatchObject({ records: [{ id: '3' }], unreadable: [] });
  });

  it.each([
    ['850.50', '850.50'],
    ['850', '850'],
    ['1e3', '1000'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['"0.10"', '0.10'],
  ])('keeps every digit of a fee that comes as %s', async (sent, kept) => {
    const body = listed([{ ...treatment, base_fee: 0 }]).replace('"base_fee":0', `"base_fee": ${sent}`);
    answers('/treatments', 200, body);

    expect((await clinic.treatments(signal)).records[0]?.fields.base_fee).toBe(kept);
  });

  it.each([
    ['data must be a list', listed({})],
    ['data must be a list', listed(null)],
    ['data is missing', '{"success":true}'],
    ['the answer must be an object', '[]'],
    ['the clinic says no: “Closed.”', '{"success":false,"message":"Closed."}'],
  ])('is refused whole when its envelope cannot be read: %s', async (words, body) => {
    answers('/treatments', 200, body);

    await expect(clinic.treatments(signal)).rejects.toMatchObject({
      name: 'Failure',
      kind: 'refused',
      message: `GET /treatments: ${words}`,
    });
  });

  it('accepts a list without `success`', async () => {
    answers('/treatments', 200, { data: [] });

    expect(await clinic.treatments(signal)).toMatchObject({ records: [], unreadable: [] });
  });

  it.each([
    [{ data: { statistics: { total_appointments: '1204' } } }, 1204],
    [{ data: { statistics: { total_appointments: null } } }, null],
    [{ data: { name: null } }, null],
    [{ success: true, data: null }, null],
  ])('counts appointments in %j, whatever else is wrong with the profile', async (body, count) => {
    answers('/organization', 200, body);

    expect(await clinic.appointmentCount(signal)).toBe(count);
  });

  it('names the field of a status that cannot be read', async () => {
    answers('/appointments/status/12', 200, {
      success: true,
      data: { status: null, name: 'Farhana Planted' },
    });

    await expect(clinic.appointmentStatus(12, signal)).rejects.toMatchObject({
      kind: 'refused',
      message: 'GET /appointments/status/{id}: data.status is missing',
      fault: { field: 'status', problem: 'is missing' },
    });
  });

  it.each([10_000, 10_001])('reads a list of at most 10000 rows: %i', async (count) => {
    answers(
      '/treatments',
      200,
      listed(Array.from({ length: count }, (_, n) => ({ ...treatment, treatment_id: n + 1 }))),
    );

    const read = clinic.treatments(signal).then(
      ({ records }) => records.length,
      ({ message }) => message,
    );

    expect(await read).toBe(count === 10_000 ? 10_000 : 'GET /treatments: data has more than 10000 rows');
  });

  it('reads brackets in a text as text', async () => {
    answers('/treatments', 200, listed([{ ...treatment, description: '"\\['.repeat(500) }]));

    expect((await clinic.treatments(signal)).records).toHaveLength(1);
  });

  it.each([
    ['the answer is a web page, not JSON', '<!doctype html><title>Maintenance</title>'],
    ['the answer was cut short', listed([treatment]).slice(0, 40)],
    ['the answer is empty', ''],
    ['the answer is compressed without saying so (no content-encoding: gzip)', gzipSync(listed([treatment]))],
    ['the answer is not JSON', 'OK'],
    ['the answer is nested too deeply', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['the answer has too many values', `{"success":true,"data":[${'{},'.repeat(400_000)}{}]}`],
    ['the answer has too many values', `{"success":true,"data":[{${'"a":"","b":[],'.repeat(1_500)}"c":1}]}`],
    ['the answer is nested too deeply', `{"a":"\\"","data":${'{"a":['.repeat(200_000)}`],
  ])('may be right next time: %s', async (words, body) => {
    answers('/treatments', 200, body);

    await expect(clinic.treatments(signal)).rejects.toMatchObject({
      kind: 'transient',
      message: `GET /treatments: ${words}`,
    });
  });

  it.each([
    [403, 'refused', /app key’s permissions/],
    [404, 'refused', /base_url/],
    [302, 'refused', /redirects/],
    [500, 'transient', /server has a problem/],
    [503, 'transient', /server has a problem/],
    [408, 'transient', undefined],
  ])('is a Failure with a hint: %i is %s', async (status, kind, hint) => {
    answers('/dentists', status, { success: false, message: 'planted-secret-key, planted-token' });

    const failure = await clinic.dentists(signal).catch((error) => error);

    expect(failure).toMatchObject({ kind, status });
    expect(failure.message).toBe(`GET /dentists: the clinic answered ${status}: “[secret], [secret]”`);
    if (hint !== undefined) expect(failure.hint).toMatch(hint);
    expect(failure.cause).toBeUndefined();
  });

  it('says how long a 429 asks to wait', async () => {
    nock(origin)
      .get(`${base}/dentists`)
      .reply(429, { success: false, message: 'Slow down.' }, { 'retry-after': '7' });

    await expect(clinic.dentists(signal)).rejects.toMatchObject({
      kind: 'transient',
      status: 429,
      retryAfterMs: 7_000,
    });
    expect(clinic.limiter()).toMatchObject({ refused_last_hour: 1, calls_last_hour: 2 });
  });

  it('does not repeat the clinic’s words about an appointment: they may name its patient', async () => {
    answers('/appointments/status/12', 403, { success: false, message: 'Farhana Planted is not yours.' });

    const failure = await clinic.appointmentStatus(12, signal).catch((error) => error);

    expect(failure.message).toBe('GET /appointments/status/{id}: the clinic answered 403');
  });
});
