import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { submissionFields } from '../../domain/bookings/booking.ts';
import type { Json } from '../../platform/json.ts';
import { readFields } from './read-fields.ts';

const complete = {
  patient_name: 'Rahim Uddin',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-05',
  appointment_time: '10:00',
};
const faultsOf = (fields: Record<string, Json>) =>
  readFields({ ...complete, ...fields }).faults.map(({ field, reason }) => `${field} ${reason}`);

describe('reading what a source sent', () => {
  it('finds no fault in a complete lead', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it('lists everything that is missing at once', () => {
    const { faults } = readFields({ note: 'call me' });

    expect(faults.map(({ field }) => field)).toEqual([
      'patient_name',
      'patient_phone',
      'appointment_date',
      'appointment_time',
    ]);
    expect(new Set(faults.map(({ reason }) => reason))).toEqual(new Set(['missing_field']));
  });

  it('treats blank text, null and an empty list entry as missing', () => {
    for (const patient_name of ['', '   ', null, ['']])
      expect(faultsOf({ patient_name })).toEqual(['patient_name missing_field']);
  });

  it('composes accents, trims and keeps everything else as it was written', () => {
    const { draft } = readFields({
      ...complete,
      patient_name: '  Zoe\u0301  O’Neil ',
      address: '12 Road\nDhaka',
    });

    expect(draft.patient_name).toBe('Zoé  O’Neil');
    expect(draft.address).toBe('12 Road\nDhaka');
  });

  it('accepts a phone sent as a number, and the single entry of a list', () => {
    const { draft, faults } = readFields({
      ...complete,
      patient_phone: 8801712345678,
      treatment: ['Scaling'],
    });

    expect(faults).toEqual([]);
    expect(draft).toMatchObject({ patient_phone: '8801712345678', treatment: 'Scaling' });
  });

  it.each([
    ['a name of several lines', { patient_name: 'A\nB' }, 'patient_name'],
    ['a name without a letter', { patient_name: '...' }, 'patient_name'],
    ['a control character', { patient_name: 'a\u0000b' }, 'patient_name'],
    ['a phone with too few digits', { patient_phone: '12-34' }, 'patient_phone'],
    ['a phone rounded by a spreadsheet', { patient_phone: '8.80171E+12' }, 'patient_phone'],
    ['a phone rounded by a program', { patient_phone: '1.71e+21' }, 'patient_phone'],
    ['a name that is too long', { patient_name: 'x'.repeat(201) }, 'patient_name'],
    ['a note that is too long', { note: 'x'.repeat(2001) }, 'note'],
    ['an object in place of a text', { patient_name: { colour: 'A' } }, 'patient_name'],
    ['a day-first date', { appointment_date: '05/03/2026' }, 'appointment_date'],
    ['seconds in a time', { appointment_time: '10:00:30' }, 'appointment_time'],
    ['a dentist number of zero', { doctor_id: 0 }, 'doctor_id'],
    ['a negative treatment number beside a name', { treatment_id: -1, treatment: 'Scaling' }, 'treatment_id'],
  ])('holds %s', (_what, fields, field) => {
    expect(faultsOf(fields)).toEqual([`${field} invalid_field`]);
  });

  it('stores every sendable note whole in any script, and at most 6 kB of a longer one', () => {
    const most = readFields({ note: 'ক'.repeat(2_000) });
    const longer = readFields({ note: 'ক'.repeat(4_000) });

    expect(most.draft.note).toBe('ক'.repeat(2_000));
    expect(most.faults.filter(({ field }) => field === 'note')).toEqual([]);
    expect(longer.draft.note).toBe('ক'.repeat(2_000));
    expect(longer.faults.map(({ message }) => message)).toContain(
      'note is longer than 2000 characters; only the first 2000 are stored.',
    );
  });

  it('stores a note whole up to 4,000 characters, and reports what it cut from a longer one', () => {
    const whole = readFields({ ...complete, note: 'x'.repeat(3_999) });
    const cut = readFields({ ...complete, note: 'x'.repeat(30_000) });

    expect(whole.draft.note).toHaveLength(3_999);
    expect(whole.faults).toMatchObject([{ message: 'note is longer than 2000 characters.' }]);
    expect(cut.draft.note).toHaveLength(4_000);
    expect(cut.faults).toMatchObject([
      { message: 'note is longer than 2000 characters; only the first 4000 are stored.' },
    ]);
    expect(readFields({ ...cut.draft }).faults).toHaveLength(1);
  });

  it('stores little of 64 kB in any field', () => {
    for (const field of submissionFields) {
      const { draft, faults } = readFields({ ...complete, [field]: '🦷x'.repeat(16_000) });

      expect.soft(JSON.stringify(draft).length, field).toBeLessThan(5_000);
      expect.soft(faults, field).not.toEqual([]);
    }
  });

  it.each([
    ['red\u001b[31m', 'U+001B'],
    ['Ann\u202egnp', 'U+202E'],
    ['A\u2066nn', 'U+2066'],
    ['An\u200bn', 'U+200B'],
    ['An\u{e0041}n', 'U+E0041'],
    ['Ann \u200dLee', 'U+200D'],
  ])('holds %j and names the character', (patient_name, code) => {
    const { draft, faults } = readFields({ ...complete, patient_name });

    expect(draft.patient_name).toBe(patient_name);
    expect(faults).toMatchObject([
      { field: 'patient_name', message: `patient_name contains invisible characters (${code}).` },
    ]);
  });

  it.each(['হঠাত্\u200d', 'ক্\u200cষ', 'می\u200cخواهم', 'Ann 👩\u200d⚕️', 'Ann 👩🏽\u200d⚕️', 'דנה\u200f (2)'])(
    'lets the joiners and marks through that %j is written with',
    (patient_name) => {
      expect(faultsOf({ patient_name })).toEqual([]);
    },
  );

  it('removes the direction marks that contact apps put around a number', () => {
    const { draft, faults } = readFields({ ...complete, patient_phone: '\u202a+880 1712-345678\u202c' });

    expect([draft.patient_phone, faults]).toEqual(['+880 1712-345678', []]);
  });

  it('treats a name in the number field as the name', () => {
    expect(readFields({ ...complete, doctor_id: 'Dr. O’Neil' }).draft).toMatchObject({
      doctor: 'Dr. O’Neil',
      doctor_id: null,
    });
    expect(readFields({ ...complete, doctor_id: ' 7 ' }).draft).toMatchObject({ doctor: null, doctor_id: 7 });
  });

  it('reads its own result again without changing it, and finds the same faults again', () => {
    const field = fc.oneof(fc.jsonValue() as fc.Arbitrary<Json>, fc.string({ unit: 'binary' }), fc.integer());
    const fields = fc.dictionary(fc.constantFrom(...submissionFields), field);

    fc.assert(
      fc.property(fields, (sent) => {
        const once = readFields(sent);
        const twice = readFields({ ...once.draft });

        expect(twice.draft).toEqual(once.draft);
        if (once.faults.some(({ reason }) => reason === 'missing_field'))
          expect(twice.faults.some(({ reason }) => reason === 'missing_field')).toBe(true);
      }),
    );
  });

  it('refuses a block of JSON as text', () => {
    expect(faultsOf({ patient_name: '{"first": "Rahim"}' })).toEqual(['patient_name invalid_field']);
  });
});
