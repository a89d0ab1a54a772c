import { describe, expect, it } from 'vitest';
import {
  AppointmentStatusAnswer,
  DentistsAnswer,
  ErrorBody,
  OrganizationAnswer,
  TreatmentsAnswer,
} from '../../../sandbox/clinic/wire.ts';
import type { ApiCalls } from './api-calls.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A name that shows a broken encoding, and a marker for whoever finds it in the book. */
const required = {
  patient_name: 'Zoë O’Conformance (test)',
  patient_phone: '+8801700000000',
  appointment_date: inDays(30),
  appointment_time: '10:30',
};

/** Sections 4.7 and 4.8. Makes appointments that cannot be cancelled through the API. */
export function describeBooking(api: ApiCalls): void {
  const idOf = (body: unknown) => (body as { data: { appointment_id: number } }).data.appointment_id;

  describe('booking (sections 4.7, 4.8)', () => {
    it('makes an appointment from the required parameters and shows its status', async () => {
      const { status, body } = await api.book(required);

      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, message: expect.any(String) });
      expect(Number.isSafeInteger(idOf(body)) && idOf(body) > 0).toBe(true);
      const shown = await api.get(`/appointments/status/${idOf(body)}`);
      expect(shown.status).toBe(200);
      expect(shown.body).toHaveProperty('message', expect.any(String));
      expect(AppointmentStatusAnswer.parse(shown.body).data).toMatchObject({
        name: required.patient_name,
        date: required.appointment_date,
        time: required.appointment_time,
      });
    });

    it('takes every optional parameter', async () => {
      const treatment = TreatmentsAnswer.parse((await api.get('/treatments')).body).data[0];
      const dentist = DentistsAnswer.parse((await api.get('/dentists')).body).data[0];

      const { status, body } = await api.book({
        ...required,
        address: 'House 27, Road 9/A',
        doctor_id: dentist?.doctor_id,
        treatment_id: treatment?.treatment_id,
        note: 'Conformance test',
      });

      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true });
    });

    it('makes two appointments of two equal calls: nothing is deduplicated', async () => {
      const first = await api.book(required);
      const second = await api.book(required);

      expect(idOf(second.body)).not.toBe(idOf(first.body));
    });

    it('counts each appointment in the organization’s statistics', async () => {
      const total = async () =>
        OrganizationAnswer.parse((await api.get('/organization')).body).data.statistics.total_appointments;
      const before = await total();

      await api.book(required);

      expect(await total()).toBeGreaterThan(before);
    });

    it.each(Object.keys(required))('refuses a booking without %s', async (name) => {
      const { [name as keyof typeof required]: _left, ...rest } = required;

      const { status, body } = await api.book(rest);

      expect(status).toBe(400);
      expect(ErrorBody.parse(body).message).toMatch(/./);
    });

    it.each([
      ['a date that does not exist', { appointment_date: '2027-02-30' }],
      ['a date in another order', { appointment_date: '06/04/2027' }],
      ['a time after midnight’s end', { appointment_time: '24:30' }],
      ['a time in 12-hour form', { appointment_time: '10:30 AM' }],
      ['a doctor who is not there', { doctor_id: 999_999_999 }],
      ['a treatment that is not there', { treatment_id: 999_999_999 }],
    ])('refuses %s', async (_what, fields) => {
      const { status, body } = await api.book({ ...required, ...fields });

      expect(status).toBe(400);
      expect(ErrorBody.parse(body).success).toBe(false);
    });

    it('takes JSON only', async () => {
      const form = await api.book(
        new URLSearchParams(required).toString(),
        'application/x-www-form-urlencoded',
      );
      const broken = await api.book('{"patient_name":');

      expect([400, 415]).toContain(form.status);
      expect(broken.status).toBe(400);
    });

    it('refuses a booking without a token', async () => {
      const { status, body } = await api.call(
        'POST',
        '/appointments/book',
        { 'content-type': 'application/json' },
        JSON.stringify(required),
      );

      expect(status).toBe(401);
      expect(ErrorBody.parse(body).error_code).toBe('auth_failed');
    });
  });
}
