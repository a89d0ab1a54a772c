import { describe, expect, it } from 'vitest';
import { withoutPatient } from './patient.ts';

describe('fields without a person in them', () => {
  it('have lost name, phone, address and note, and kept the rest', () => {
    const shown = withoutPatient({
      ref: 'CS-7K3Q9F',
      patient_name: 'Ann Lee',
      patient_phone: '01712345678',
      address: '3 Some Lane',
      note: 'ill',
      doctor: 'Dr. O’Neil',
      doctor_id: 3,
      appointment_date: '2026-03-09',
      appointment_time: '10:30',
    });

    expect(shown).toEqual({
      ref: 'CS-7K3Q9F',
      doctor: 'Dr. O’Neil',
      doctor_id: 3,
      appointment_date: '2026-03-09',
      appointment_time: '10:30',
    });
  });

  it('do not show what a visitor wrote into the wrong box', () => {
    const shown = withoutPatient({
      doctor: 'Ann Lee',
      doctor_id: null,
      treatment: 'for my son Tom',
      treatment_id: null,
      appointment_date: 'on Ann’s birthday',
      appointment_time: 'ask Ann',
    });

    expect(Object.values(shown)).toEqual([null, null, null, null, null, null]);
  });

  it('say no more about a part than about the whole', () => {
    expect(withoutPatient({ doctor: 'Ann Lee' })).toEqual({ doctor: null });
  });
});
