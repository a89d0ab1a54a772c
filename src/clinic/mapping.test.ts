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

describe('the eight endpoints', () => {
  it('POST /granttoken comes before the first call, with both keys and no body', async () => {
    const list = answers('/treatments', 200, { success: true, data: [] });

    await clinic.treatments(signal);

    expect(list.isDone()).toBe(true);
    expect(nock.pendingMocks()).toEqual([]);
  });

  it('GET /organization', async () => {
    answers('/organization', 200, { success: true, message: 'ok', data: { ...organization, extra: 1 } });

    expect(await clinic.organization(signal)).toEqual({ ...organization, extra: 1 });
  });

  it('GET /website', async () => {
    answers('/website', 200, { success: true, site: { care_id: 1 } });

    await expect(clinic.website(signal)).rejects.toMatchObject({
      kind: 'refused',
      message: 'GET /website: site.clinic_name is missing',
    });
  });

  it('GET /treatments, with fields nobody specified', async () => {
    answers('/treatments', 200, { success: true, data: [{ ...treatment, beta: { yes: true } }], page: 1 });

    expect(await clinic.treatments(signal)).toEqual([{ ...treatment, beta: { yes: true } }]);
  });

  it('GET /treatments/{id}', async () => {
    answers('/treatments/3', 200, { success: true, data: treatment });

    expect(await clinic.treatment(3, signal)).toEqual(treatment);
  });

  it('GET /dentists', async () => {
    answers('/dentists', 200, { success: true, data: [dentist] });

    expect(await clinic.dentists(signal)).toEqual([dentist]);
  });

  it('GET /appointments/status/{id}', async () => {
    const data = { status: 'Scheduled', name: 'A', date: '2026-03-09', time: '10:30' };
    answers('/appointments/status/12', 200, { success: true, message: '', data });

    expect(await clinic.appointmentStatus(12, signal)).toEqual(data);
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

  it.each([
    [
      'data[1].base_fee must be a decimal in a string',
      listed([treatment, { ...treatment, base_fee: '12,50' }]),
    ],
    ['data[0].base_fee must be a string', listed([{ ...treatment, base_fee: 12.5 }])],
    ['data[0].treatment_id must be a whole number', listed([{ ...treatment, treatment_id: 1.5 }])],
    ['data[0].description is missing', listed([{ ...treatment, description: undefined }])],
    ['data[0] must be an object', listed([null])],
    ['data must be a list', listed({})],
    ['data is missing', '{"success":true}'],
    ['success must be true', '{"data":[]}'],
    ['the answer must be an object', '[]'],
    ['treatment_id 3 occurs twice', listed([treatment, treatment])],
    ['the clinic says no: “Closed.”', '{"success":false,"message":"Closed."}'],
  ])('is refused by name: %s', async (words, body) => {
    answers('/treatments', 200, body);

    await expect(clinic.treatments(signal)).rejects.toMatchObject({
      name: 'Failure',
      kind: 'refused',
      message: `GET /treatments: ${words}`,
    });
  });

  it.each([
    ['the answer is a web page, not JSON', '<!doctype html><title>Maintenance</title>'],
    ['the answer was cut short', listed([treatment]).slice(0, 40)],
    ['the answer is empty', ''],
    ['the answer is not JSON', 'OK'],
    ['the answer is nested too deeply', `${'['.repeat(200)}${']'.repeat(200)}`],
  ])('may be right next time: %s', async (words, body) => {
    answers('/treatments', 200, body);

    await expect(clinic.treatments(signal)).rejects.toMatchObject({
      kind: 'transient',
      message: `GET /treatments: ${words}`,
    });
  });

  it.each([
    [403, 'refused', /what the app key may do/],
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
