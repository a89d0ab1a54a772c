import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { westernDigits } from '../../src/platform/text/digits.ts';
import { doors, lead, type Sent, type Stored } from '../support/readers/doors.ts';

const runs = { numRuns: 60 * Number(process.env.VERIFY_RUNS ?? 1) };

/** What of it is stored; without that, a person looks at it. */
type Read = Partial<
  Record<
    'patient_name' | 'patient_phone' | 'appointment_date' | 'appointment_time' | 'doctor' | 'note',
    string | null
  >
>;

const day = { appointment_date: '2027-03-04' };
const half10 = { appointment_time: '10:30' };
const held = undefined;

const examples: readonly (readonly [Sent, Read | undefined])[] = [
  [
    {},
    { patient_name: 'Ann Lee', patient_phone: '+8801714445000', ...day, ...half10, doctor: null, note: null },
  ],
  // Days.
  [{ date: '2027. 3. 4.' }, day],
  [{ date: '2027年3月4日' }, day],
  [{ date: '4. März 2027' }, day],
  [{ date: '4 de marzo de 2027' }, day],
  [{ date: 'Thu Mar 04 2027' }, day],
  [{ date: '৪ মার্চ ২০২৭' }, day],
  [{ date: '\u200f2027-03-04' }, day],
  [{ date: '03/04/2027' }, held],
  [{ date: '03/04/27' }, held],
  [{ date: '25/03/2027' }, held],
  [{ date: 'Mon 4 Mar 2027' }, held],
  [{ date: '1405-12-13x' }, held],
  [{ date: '########' }, held],
  [{ date: '{{date}}' }, held],
  [{ date: 'NaN-NaN-NaN' }, held],
  [{ date: '' }, held],
  // Times of day.
  [{ time: '10h30' }, half10],
  [{ time: '10:30 a. m.' }, half10],
  [{ time: '10:30 Uhr' }, half10],
  [{ time: '오전 10:30' }, half10],
  [{ time: '10:30:00' }, half10],
  [{ time: '10:30 – 11:00' }, half10],
  [{ time: '10:00 AM - 10:30 AM' }, { appointment_time: '10:00' }],
  [{ time: '3:30 - 4 PM' }, held],
  [{ time: '9.30' }, held],
  [{ time: '10:30:15' }, held],
  [{ time: 'morning' }, held],
  [{ time: 'undefined' }, held],
  // Numbers.
  [{ phone: 'tel:+8801714445000' }, { patient_phone: '+8801714445000' }],
  [{ phone: 'p:+8801714445000' }, { patient_phone: '+8801714445000' }],
  [{ phone: '8801714445000.0' }, { patient_phone: '8801714445000' }],
  [{ phone: '+880\u200a1714 \u202d445000\u202c' }, { patient_phone: '+880\u200a1714 445000' }],
  [{ phone: 'https://wa.me/8801714445000' }, { patient_phone: '8801714445000' }],
  [{ phone: '8.80171E+12' }, held],
  [{ phone: '#NAME?' }, held],
  [{ phone: '[your-tel]' }, held],
  [{ phone: '1234' }, held],
  [{ phone: '01714-44XXXX' }, held],
  [{ phone: '2027-03-04' }, held],
  // Names.
  [{ name: 'Aoife O&#039;Brien' }, { patient_name: "Aoife O'Brien" }],
  [{ name: 'M&uuml;ller' }, { patient_name: 'Müller' }],
  [{ name: 'Null Smith' }, { patient_name: 'Null Smith' }],
  [{ name: 'JÃ¶rg MÃ¼ller' }, held],
  [{ name: 'J?rg' }, held],
  [{ name: 'Ă–zgĂĽr' }, held],
  [{ name: '//name' }, held],
  [{ name: 'Ann \ufffd' }, held],
  [{ name: '{Name:1}' }, held],
  [{ name: '%name%' }, held],
  [{ name: '<Your name>' }, held],
  [{ name: 'null' }, held],
  // Dentists and notes.
  [{ dentist: 'No preference' }, { doctor: null }],
  [{ dentist: '-- Bitte wählen --' }, { doctor: null }],
  [{ dentist: '{{dentist}}' }, { doctor: null }],
  [{ dentist: 'Any dentist (no preference)' }, { doctor: null }],
  [{ note: 'pain\u200b since Monday 🦷' }, { note: 'pain since Monday 🦷' }],
  [{ note: '🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇧🇩 1️⃣' }, { note: '🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇧🇩 1️⃣' }],
  [{ note: 'I can&#8217;t do mornings' }, { note: 'I can’t do mornings' }],
  [{ note: '[object Object]' }, { note: null }],
];

describe.each(Object.entries(doors))('a lead through the door %s', (_door, send) => {
  it.each(examples)('%o is %o', async (sent, read) => {
    const { draft, isHeld } = await send({ ...lead, ...sent });

    expect(isHeld).toBe(read === undefined);
    if (read !== undefined) expect(draft).toMatchObject({ ...day, ...half10, ...read });
  });

  it('that is booked has no letter, digit or day that its sender did not write', async () => {
    const pieces = [
      '2027',
      '03',
      '4',
      '-',
      '/',
      '.',
      ' ',
      'Mar',
      'März',
      '10:30',
      'PM',
      'h',
      '+880',
      '1714445000',
    ];
    const more = ['tel:', '.0', 'Ann', 'Ö', '&amp;', '\u200b', '{{', '}}', '年', ':', 'Z', 'undefined', "'"];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...pieces, ...more), fc.string({ unit: 'grapheme', maxLength: 2 })), {
        maxLength: 7,
      })
      .map((parts) => parts.join(''));
    const sent = fc.record({ name: text, phone: text, date: text, time: text });
    await fc.assert(
      fc.asyncProperty(sent, fc.constantFrom('name', 'phone', 'date', 'time'), async (drawn, field) => {
        const one: Sent = { ...lead, [field]: drawn[field] };
        expectNothingNew(one, await send(one));
      }),
      runs,
    );
  });
});

const plain = (text: string) => westernDigits(text.normalize('NFKC'));
const digits = (text: string) => plain(text).replace(/\D/g, '');
const letters = (text: string) => plain(text).replace(/[^\p{L}]/gu, '');

function expectNothingNew(
  { name = '', phone = '', date = '', time = '' }: Sent,
  { draft, isHeld }: Stored,
): void {
  if (isHeld) return;
  expect(letters(name.replace(/&amp;/g, '&'))).toContain(letters(draft.patient_name ?? ''));
  expect(digits(phone.replace(/%2[0B]/g, ''))).toContain(digits(draft.patient_phone ?? ''));
  const [year = '', month = '', dayOf = ''] = (draft.appointment_date ?? '').split('-');
  expect(plain(`${date} ${time}`)).toContain(year);
  expect(digits(`${date} ${time}`)).toContain(String(Number(dayOf)));
  const named = /[\p{L}]/u.test(`${date} ${time}`);
  if (!named) expect(digits(date)).toContain(String(Number(month)));
  expect(digits(`${time} ${date}`)).toContain((draft.appointment_time ?? '').slice(-2).replace(/^0+$/, ''));
}
