import { describe, expect, it } from 'vitest';
import { phoneE164 } from '../domain/phone.ts';
import { contentHash } from './content-hash.ts';
import { readFields } from './intake/read-fields.ts';

const hash = (fields: Record<string, string | number> = {}, clinic = 'main') => {
  const { draft } = readFields({
    patient_name: 'Rahim Uddin',
    patient_phone: '01712-345678',
    appointment_date: '2026-03-05',
    appointment_time: '10:00',
    ...fields,
  });
  return contentHash(clinic, draft, phoneE164(draft.patient_phone, 'BD'));
};

describe('recognising the same lead', () => {
  it('ignores case, spaces and the form of a phone number', () => {
    expect(hash({ patient_name: ' RAHIM  uddin', patient_phone: '+880 1712 345678' })).toBe(hash());
    expect(hash({ note: 'another note' })).toBe(hash());
  });

  it('distinguishes leads that differ in any relevant field', () => {
    const others = [
      hash({ patient_name: 'Karim Uddin' }),
      hash({ patient_phone: '01712-345679' }),
      hash({ appointment_date: '2026-03-06' }),
      hash({ appointment_time: '10:30' }),
      hash({ doctor: 'Dr. O’Neil' }),
      hash({ treatment_id: 3 }),
      hash({}, 'branch'),
    ];

    expect(new Set([hash(), ...others]).size).toBe(others.length + 1);
  });

  it('distinguishes a lead without a phone number from one with a number', () => {
    expect(hash({ patient_phone: '' })).not.toBe(hash());
  });
});
