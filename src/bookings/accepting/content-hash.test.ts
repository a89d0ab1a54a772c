import { describe, expect, it } from 'vitest';
import { countryFor, phoneE164 } from '../../model/phone.ts';
import { contentHash } from './content-hash.ts';
import { readFields } from './read-fields.ts';

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
  it('sees through case, spaces, and ways to write a phone number', () => {
    expect(hash({ patient_name: ' RAHIM  uddin', patient_phone: '+880 1712 345678' })).toBe(hash());
    expect(hash({ note: 'another note' })).toBe(hash());
  });

  it('tells apart what differs in anything that matters', () => {
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

  it('compares nothing when too little is known', () => {
    expect(hash({ patient_phone: '' })).toBeNull();
  });
});

describe('phone numbers', () => {
  it('takes the country from the setting, else from the clinic’s own number, else from its country', () => {
    expect(countryFor('GB', { phone: '+8801711000000' })).toBe('GB');
    expect(countryFor(undefined, { phone: '+880 1711-000000', country: 'GB' })).toBe('BD');
    expect(countryFor(undefined, { phone: '01711000000', country: 'bd' })).toBe('BD');
    expect(countryFor(undefined, { phone: '01711000000', country: 'Bangladesh' })).toBeUndefined();
    expect(countryFor(undefined, undefined)).toBeUndefined();
  });

  it('has no number for comparison where it understands none', () => {
    expect(phoneE164('01712345678', 'BD')).toBe('+8801712345678');
    expect(phoneE164('01712345678', undefined)).toBeNull();
    expect(phoneE164('call me', 'BD')).toBeNull();
  });
});
