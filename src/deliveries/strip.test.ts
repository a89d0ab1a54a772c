import { expect, it } from 'vitest';
import type { Change } from '../domain/clinics/change.ts';
import { strippedChange } from './strip.ts';

const booking: Change = {
  clinic: 'main',
  sequence: 3,
  at: '2026-03-02T09:00:00.000Z',
  type: 'booking.rejected',
  resource: 'booking',
  id: 'CS-7K3Q9F',
  data: {
    ref: 'CS-7K3Q9F',
    patient_name: 'Zelda Planted',
    patient_phone: '+15550199',
    note: 'Allergic to planting',
    message: 'The clinic answered: Zelda Planted (+15550199) already has an appointment',
    state: 'rejected',
  },
  previous: { state: 'sending', address: 'Planted Street 1', message: 'for Zelda Planted' },
};

it('leaves no patient data in a booking, not even in the clinic’s answer', () => {
  const stripped = strippedChange(booking);

  expect(JSON.stringify(stripped)).not.toMatch(/Planted|5550199|planting/);
  expect(stripped.data).toMatchObject({ ref: 'CS-7K3Q9F', state: 'rejected' });
  expect(stripped.data.message).toContain('already has an appointment');
});

it('masks the patient in an answer wherever it names them', () => {
  const answer = 'Zelda Planted is known; call Zelda Planted at +15550199 or +15550199';

  const { data } = strippedChange({ ...booking, data: { ...booking.data, message: answer } });

  expect(data.message).toBe('… is known; call … at … or …');
});

it('leaves an organization its own name and phone', () => {
  const organization: Change = {
    ...booking,
    type: 'organization.updated',
    resource: 'organization',
    id: '1',
    data: { name: 'Bright Dental', phone: '+1555' },
    previous: { name: 'Dim Dental' },
  };

  expect(strippedChange(organization)).toEqual(organization);
});

it('lets a dentist’s or a treatment’s name through, and no other text a visitor typed', () => {
  const typed = { doctor: 'Dr. O’Neil', treatment: 'I am Zelda Planted', submission_id: 'Planted-1' };
  const isName = (_kind: string, text: string) => text === 'Dr. O’Neil';

  const named = strippedChange({ ...booking, data: typed }, isName);
  const unnamed = strippedChange({ ...booking, data: typed });

  expect(named.data).toEqual({ doctor: 'Dr. O’Neil', treatment: null, submission_id: null });
  expect(unnamed.data).toEqual({ doctor: null, treatment: null, submission_id: null });
});
