import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { submissionFields } from '../../model/booking.ts';
import type { Json } from '../../model/json.ts';
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

  it('names everything that is missing at once', () => {
    const { faults } = readFields({ note: 'call me' });

    expect(faults.map(({ field }) => field)).toEqual([
      'patient_name',
      'patient_phone',
      'appointment_date',
      'appointment_time',
    ]);
    expect(new Set(faults.map(({ reason }) => reason))).toEqual(new Set(['missing_field']));
  });

  it('takes blank text, null and an empty list entry as missing', () => {
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

  it('takes a phone that arrives as a number, and the one entry of a list', () => {
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
    ['a control character', { note: 'a\u0000b' }, 'note'],
    ['a phone with too few digits', { patient_phone: '12-34' }, 'patient_phone'],
    ['a name that is too long', { patient_name: 'x'.repeat(201) }, 'patient_name'],
    ['a note that is too long', { note: 'x'.repeat(2001) }, 'note'],
    ['an object in place of a text', { patient_name: { first: 'A' } }, 'patient_name'],
    ['a day-first date', { appointment_date: '05/03/2026' }, 'appointment_date'],
    ['seconds in a time', { appointment_time: '10:00:30' }, 'appointment_time'],
    ['a dentist number of zero', { doctor_id: 0 }, 'doctor_id'],
    ['a negative treatment number beside a name', { treatment_id: -1, treatment: 'Scaling' }, 'treatment_id'],
  ])('holds %s', (_what, fields, field) => {
    expect(faultsOf(fields)).toEqual([`${field} invalid_field`]);
  });

  it('never cuts a text that is too long', () => {
    const note = 'x'.repeat(5_000);

    expect(readFields({ ...complete, note }).draft.note).toBe(note);
  });

  it('takes a name in the place of a number as the name', () => {
    expect(readFields({ ...complete, doctor_id: 'Dr. O’Neil' }).draft).toMatchObject({
      doctor: 'Dr. O’Neil',
      doctor_id: null,
    });
    expect(readFields({ ...complete, doctor_id: ' 7 ' }).draft).toMatchObject({ doctor: null, doctor_id: 7 });
  });

  it('reads its own result again without changing it, and still finds the faults that were there', () => {
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
});
