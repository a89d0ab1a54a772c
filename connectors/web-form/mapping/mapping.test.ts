import { describe, expect, it } from 'vitest';
import { formToken, intakeRequest, openWebForm } from '../../../test/support/forms/web-form.ts';

const bearer = { authorization: `Bearer ${formToken}` };

/** What a submission of a tool becomes under `fields:`. */
async function mapped(
  body: Record<string, unknown>,
  fields: Record<string, unknown> = {},
  clinics?: { clinic: string; timezone: string }[],
) {
  const { intake } = await openWebForm(
    { preset: 'contact-form-7', token: formToken, fields },
    clinics ? { clinics } : {},
  );
  const result = await intake.receive(intakeRequest(JSON.stringify(body), bearer));
  expect.assert(result.kind === 'submission');
  return result.submission;
}

describe('a rule', () => {
  it('joins fields in a text, and closes the gaps of those left empty', async () => {
    const fields = { patient_name: '{{First}} {{Middle}} {{Last}}', note: 'E-mail: {{Email}}' };

    const full = await mapped({ First: 'Ann', Middle: 'B.', Last: 'Lee', Email: 'a@b.example' }, fields);
    const sparse = await mapped({ First: 'Ann', Middle: '', Last: 'Lee' }, fields);

    expect(full.fields).toMatchObject({ patient_name: 'Ann B. Lee', note: 'E-mail: a@b.example' });
    expect(sparse.fields).toEqual({ patient_name: 'Ann Lee' });
  });

  it('is a constant when no field is in it', async () => {
    const { fields } = await mapped({ Dentist: 'somebody' }, { doctor: 'Dr. O’Neil', treatment_id: 7 });

    expect(fields).toMatchObject({ doctor: 'Dr. O’Neil', treatment_id: 7 });
  });

  it('finds nested answers by their path, and names with dots by the name', async () => {
    const body = { contact: { phones: ['111', '222'] }, '1.3': 'Ann', 1: { 3: 'Bob' } };

    const { fields } = await mapped(body, {
      patient_phone: { from: 'contact.phones.1' },
      patient_name: '{{1.3}}',
      note: '{{contact.constructor}}',
    });

    expect(fields).toEqual({ patient_phone: '222', patient_name: 'Ann' });
  });

  it('never takes field 13 for field 1.3', async () => {
    const { fields } = await mapped({ 13: 'wrong' }, { patient_name: '{{1.3}}' });

    expect(fields).not.toHaveProperty('patient_name');
  });

  it.each([
    ['all', 'a, b'],
    ['first', 'a'],
    ['last', 'b'],
  ])('picks %s of a list', async (pick, expected) => {
    const { fields } = await mapped({ list: ['a', 'b'] }, { note: { from: 'list', pick } });

    expect(fields).toEqual({ note: expected });
  });

  it('takes the first of several fields that was filled in', async () => {
    const { fields } = await mapped({ a: ' ', b: 'B', c: 'C' }, { address: { from: ['a', 'b', 'c'] } });

    expect(fields).toMatchObject({ address: 'B' });
  });

  it('translates answers by a list of options, and leaves the others as they are', async () => {
    const fields = { doctor_id: { from: 'who', options: { 'Dr. Ann (mornings)': 3 } } };

    const known = await mapped({ who: 'dr. ann (mornings) ' }, fields);
    const other = await mapped({ who: 'Dr. Bob' }, fields);
    const alike = await mapped({ who: 'Dr Ann: mornings' }, fields);

    expect([known.fields, other.fields, alike.fields]).toEqual([
      { doctor_id: 3 },
      { doctor_id: 'Dr. Bob' },
      { doctor_id: 'Dr Ann: mornings' },
    ]);
  });

  it('for a dentist’s number switches off the default that could name another dentist', async () => {
    const { fields } = await mapped({ Dentist: 'Dr. Bob', n: '3' }, { doctor_id: '{{n}}' });

    expect(fields).toMatchObject({ doctor_id: '3' });
    expect(fields).not.toHaveProperty('doctor');
  });

  it('can say which clinic it is for, and give the tool’s own id', async () => {
    const submission = await mapped(
      { branch: 'North side', entry: 17 },
      { clinic: { from: 'branch', options: { 'North side': 'north' } }, submission_id: '{{entry}}' },
      [
        { clinic: 'main', timezone: 'UTC' },
        { clinic: 'north', timezone: 'UTC' },
      ],
    );

    expect(submission).toMatchObject({ clinic: 'north', submission_id: '17' });
  });
});

describe('without rules', () => {
  it.each([
    [{ 'First Name*': 'Ann', last_name: 'Lee', Mobile: 8801712345678 }],
    [{ 'Full name': 'Ann Lee', 'WhatsApp number': 8801712345678 }],
    [{ Name: 'Ann', Surname: 'Lee', 'your-phone': '8801712345678' }],
    [{ patientName: 'Ann Lee', phoneNumber: '8801712345678' }],
  ])('finds what people commonly call name and phone: %o', async (body) => {
    const { fields } = await mapped(body);

    expect(fields).toEqual({ patient_name: 'Ann Lee', patient_phone: '8801712345678' });
  });

  it('understands the names that columns of spreadsheets have', async () => {
    const { fields } = await mapped({
      'Client Name': 'Ann Lee',
      Cell: '+8801711',
      'Booking date': '2026-04-01',
      'Booking time': '10:30',
      'Dentist name': 'Dr. Moss',
      Remarks: 'Nervous',
    });

    expect(fields).toEqual({
      patient_name: 'Ann Lee',
      patient_phone: '+8801711',
      appointment_date: '2026-04-01',
      appointment_time: '10:30',
      doctor: 'Dr. Moss',
      note: 'Nervous',
    });
  });

  it('copies only fields of a booking', async () => {
    const { fields } = await mapped({
      Name: 'Ann Lee',
      Tel: '0171 2345678',
      Diagnosis: 'secret',
      Card: '4111',
    });

    expect(fields).toEqual({ patient_name: 'Ann Lee', patient_phone: '0171 2345678' });
  });

  it('keeps each answer of a form without a phone number once, to help find the person', async () => {
    const { fields, problems } = await mapped({
      Nom: 'Ann Lee',
      q3_phone: '0171 2345678',
      'Votre téléphone ?': '0171 2345678',
      Subject: '',
      'call me please': '',
      'Ann Lee, 0171': '',
      __proto__: null,
      long: 'é'.repeat(5_000),
    });

    expect(String(fields.note).split('\n')).toEqual([
      'Nom: Ann Lee',
      'q3_phone: 0171 2345678',
      'call me please',
      'Ann Lee, 0171',
      expect.stringMatching(/^long: é+$/),
    ]);
    expect(String(fields.note).length).toBeLessThan(2_010);
    expect(problems).toBeUndefined();
  });

  it.each([
    ['g-recaptcha-response', '03AFcWeA'],
    ['h-captcha-response', 'P1_eyJ0'],
    ['cf-turnstile-response', '0.abc'],
    ['altcha', 'eyJhbGciOi'],
    ['_wpnonce', 'ab12cd34ef'],
    ['csrfmiddlewaretoken', 'a1b2'],
    ['formToken', 'a1b2'],
    ['form_key', 'a1b2'],
    ['_gotcha', ''],
    ['Password', 'hunter2'],
    ['User Agent', 'Mozilla/5.0'],
    ['Remote IP', '203.0.113.7'],
    ['Unterschrift', 'data:image/png;base64,iVBORw0KGgo'],
    ['x', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0'],
    ['Karte', '4111 1111 1111 1111'],
    ['Amex', '378282246310005'],
  ])('keeps no %s in a note, which goes to the clinic', async (name, value) => {
    const { fields } = await mapped({ [name]: value, Nom: 'Ann Lee' });

    expect(fields.note).toBe('Nom: Ann Lee');
  });

  it.each([
    ['Annonce', 'journal'],
    ['Honey allergy', 'yes'],
    ['Health card', '1234567890'],
    ['Happy with our privacy policy', 'I agree'],
    ['Site', `https://clinic.example/${'a'.repeat(60)}`],
    ['症状', '歯が痛いので'.repeat(20)],
    ['Numéro', '+880 1712-345678'],
    ['_telefon', '008801712345678'],
    ['Pin code', '560001'],
  ])('keeps %s in that note', async (name, value) => {
    const { fields } = await mapped({ [name]: value });

    expect(fields.note).toBe(`${name}: ${value}`);
  });

  it('takes the time from the date’s field when there is no field for it', async () => {
    const { fields } = await mapped({ Appointment: '2026-03-10 10:30 PM'.replace(' PM', '') });

    expect(fields).toEqual({ appointment_date: '2026-03-10', appointment_time: '10:30' });
  });
});

describe('dates and times', () => {
  const slot = async (
    date: unknown,
    rule: unknown,
    more: { time?: unknown; timeRule?: unknown; zone?: string } = {},
  ) => {
    const rules = { appointment_date: rule, ...(more.timeRule ? { appointment_time: more.timeRule } : {}) };
    const body = { when: date, ...(more.time === undefined ? {} : { time: more.time }) };
    const submission = await mapped(body, rules, [{ clinic: 'main', timezone: more.zone ?? 'Asia/Dhaka' }]);
    const { appointment_date, appointment_time } = submission.fields;
    return { slot: [appointment_date, appointment_time], problems: submission.problems?.length ?? 0 };
  };

  it.each([
    ['03/04/2026', 'DD/MM/YYYY', '2026-04-03'],
    ['03/04/2026', 'MM/DD/YYYY', '2026-03-04'],
    ['3.4.2026', 'D.M.YYYY', '2026-04-03'],
    ['April 3, 2026', 'MMMM D, YYYY', '2026-04-03'],
    ['Fri, 3 Apr 2026', 'ddd, D MMM YYYY', '2026-04-03'],
    ['3rd April 2026', 'Do MMMM YYYY', '2026-04-03'],
    ['2026-04-03', 'DD/MM/YYYY', '2026-04-03'],
  ])('reads %s as %s', async (text, format, expected) => {
    expect(await slot(text, { from: 'when', format })).toEqual({ slot: [expected, undefined], problems: 0 });
  });

  it.each([
    ['10/03/2026 2:05 PM', 'DD/MM/YYYY h:mm A', ['2026-03-10', '14:05']],
    ['10/03/2026 at 9 am', 'DD/MM/YYYY [at] h A', ['2026-03-10', '09:00']],
    ['10/03/2026 12:00 AM', 'DD/MM/YYYY hh:mm A', ['2026-03-10', '00:00']],
    ['20260310 1405', 'YYYYMMDD HHmm', ['2026-03-10', '14:05']],
  ])('reads a date and a time in one field: %s', async (text, format, expected) => {
    expect(await slot(text, { from: 'when', format })).toEqual({ slot: expected, problems: 0 });
  });

  it.each([
    ['31/02/2026', 'DD/MM/YYYY'],
    ['13/13/2026', 'DD/MM/YYYY'],
    ['tomorrow', 'DD/MM/YYYY'],
    ['26/03/10', 'YYYY/MM/DD'],
    ['10/03/2026 13:00 PM', 'DD/MM/YYYY h:mm A'],
  ])('leaves %s as it came, and says that it is not %s', async (text, format) => {
    expect(await slot(text, { from: 'when', format })).toEqual({ slot: [text, undefined], problems: 1 });
  });

  it.each([
    ['2026-12-14 3:30 PM', ['2026-12-14', '15:30']],
    ['2026-12-14 03:30 pm', ['2026-12-14', '15:30']],
    ['2026/12/14 15:30', ['2026-12-14', '15:30']],
    ['14 December 2026 3 PM', ['2026-12-14', '15:00']],
    ['December 14, 2026, 3:30 PM', ['2026-12-14', '15:30']],
    ['December 14, 2026 at 15:30', ['2026-12-14', '15:30']],
    ['٢٠٢٦-١٢-١٤ ١٥:٣٠', ['2026-12-14', '15:30']],
    ['২০২৬-১২-১৪', ['2026-12-14', undefined]],
  ])('reads %s without a format', async (text, expected) => {
    expect(await slot(text, '{{when}}')).toEqual({ slot: expected, problems: 0 });
  });

  it.each([
    '03/04/2026 3:30 PM',
    '3.4.2026 15:30',
    '2026-12-14 15',
    '2026-12-14 1530',
    '2026-12-14 13:30 PM',
    '2026-12-14 15:30 or 16:30',
    '14 December 26 15:30',
    'December 14 15:30',
    'Sunday 14 December 2026 15:30',
  ])('leaves %s to a person', async (text) => {
    expect((await slot(text, '{{when}}')).slot).toEqual([text, undefined]);
  });

  it('holds a date that came with another time than the time', async () => {
    const times = [
      '2026-03-10 10:30',
      '2026-03-10T04:30:00Z',
      '2026-03-10',
      '2026-03-10T00:00:00',
      '2026-03-09T18:00:00Z',
    ];

    const problems = await Promise.all(
      times.map(async (when) => (await mapped({ Date: when, Time: '11:00' })).problems?.length ?? 0),
    );
    const same = await mapped({ Date: '2026-03-10T05:00:00Z', Time: '2026-03-10T05:00:00Z' });

    // The last is the clinic’s midnight: a day.
    expect(problems).toEqual([1, 1, 0, 0, 0]);
    expect(same.problems).toBeUndefined();
  });

  it('does not guess a format that was not given', async () => {
    expect((await slot('03/04/2026', '{{when}}')).slot).toEqual(['03/04/2026', undefined]);
  });

  it.each([
    ['2026-03-10T04:30:00Z', 'Asia/Dhaka', ['2026-03-10', '10:30']],
    ['2026-03-10T20:30:00.000Z', 'Asia/Dhaka', ['2026-03-11', '02:30']],
    ['2026-03-10T04:30:00+02:00', 'America/New_York', ['2026-03-09', '22:30']],
    ['2026-03-10 04:30 -0500', 'America/New_York', ['2026-03-10', '05:30']],
    ['2026-03-10T10:30:00', 'America/New_York', ['2026-03-10', '10:30']],
  ])('converts %s to the wall clock of %s', async (text, zone, expected) => {
    expect(await slot(text, '{{when}}', { zone })).toEqual({ slot: expected, problems: 0 });
  });

  it('converts times that were written in another zone without saying so', async () => {
    const rule = { from: '{{when}} {{time}}', format: 'DD/MM/YYYY HH:mm', zone: 'Europe/London' };

    const { slot: read } = await slot('10/03/2026', rule, { time: '20:00', timeRule: rule });

    expect(read).toEqual(['2026-03-11', '02:00']);
  });

  it('does not choose between the two times of the repeated hour in autumn', async () => {
    const rule = { from: 'when', zone: 'Europe/London' };

    const twice = await slot('2026-10-25 01:30', rule);
    const never = await slot('2026-03-29 01:30', rule);

    expect([twice.slot[0], never.slot[0]]).toEqual(['2026-10-25 01:30', '2026-03-29 01:30']);
  });

  it('holds a day that depends on a zone while the time does not name one', async () => {
    const west = { time: '10:30', zone: 'America/New_York' };

    expect((await slot('2026-03-10T00:00:00Z', '{{when}}', west)).problems).toBe(1);
    expect((await slot('2026-03-10T00:00:00Z', '{{when}}', { ...west, zone: 'Asia/Dhaka' })).problems).toBe(
      0,
    );
  });

  it('converts nothing while it is not known which clinic it is for', async () => {
    const clinics = [
      { clinic: 'main', timezone: 'Asia/Dhaka' },
      { clinic: 'north', timezone: 'UTC' },
    ];

    const { clinic, fields } = await mapped({ Date: '2026-03-10T04:30:00Z' }, {}, clinics);

    expect([clinic, fields.appointment_date]).toEqual([undefined, '2026-03-10T04:30:00Z']);
  });
});

describe('limits', () => {
  it('keeps a lead whose form sends too much, for a person to look at', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 'x']));

    const wide = await mapped({ Name: 'Ann Lee', ...many, Phone: '0171 2345678' });
    const long = await mapped({ Name: 'Ann Lee', Message: 'é'.repeat(20_000) });

    expect(wide.fields).toEqual({ patient_name: 'Ann Lee', note: 'f0: x' });
    expect(wide.problems).toHaveLength(1);
    expect(Buffer.byteLength(String(long.fields.note))).toBeLessThanOrEqual(32_768);
    expect(String(long.fields.note)).toMatch(/^é+$/);
    expect(long.problems).toHaveLength(1);
  });

  it('finds what the rules name behind any number of fields, and asks a person only when something is missing', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 'x']));
    const rules = { patient_phone: { from: 'tel' }, note: '{{answers.why}}' };

    const found = await mapped({ ...many, Tel: '0171 2345678', answers: { why: 'pain' }, last: 'x' }, rules);
    const few = await mapped({ Name: 'Ann Lee', ...Object.fromEntries(Object.entries(many).slice(0, 990)) });

    expect(found.fields).toEqual({ patient_phone: '0171 2345678', note: 'pain' });
    expect(found.problems?.[0]?.message).toContain('patient_name');
    expect(few.problems).toBeUndefined();
  });

  it('treats __proto__ and constructor as names like any other', async () => {
    const body = '{"__proto__":{"patient_name":"x"},"constructor":"c","toString":"t","name":"Ann Lee"}';
    const { intake } = await openWebForm({
      preset: 'contact-form-7',
      token: formToken,
      fields: { note: '{{constructor}} {{toString}}', address: '{{__proto__.patient_name}}' },
    });

    const result = await intake.receive(intakeRequest(body, bearer));

    expect.assert(result.kind === 'submission');
    expect(Object.getPrototypeOf(result.submission.fields)).toBeNull();
    expect({ ...result.submission.fields }).toEqual({ patient_name: 'Ann Lee', note: 'c t', address: 'x' });
    expect(({} as Record<string, unknown>).patient_name).toBeUndefined();
  });
});
