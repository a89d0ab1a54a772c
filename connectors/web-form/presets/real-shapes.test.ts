import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/platform/json.ts';
import {
  become,
  becomeFixture,
  contentTypeOf,
  faultsOf,
  fixture,
  intakeRequest,
  openPreset,
  proofOf,
  toolRequest,
} from '../../../test/support/forms/web-form.ts';

// Its source: WPForms Webhooks addon since 1.1.0, Process::format and maybe_has_multiple_delimiter.
describe('WPForms', () => {
  it('sends a date as an object, which its format reads', async () => {
    const fields = { appointment_date: { from: 'appointment_date', format: 'MM/DD/YYYY h:mm A' } };

    const submission = await becomeFixture('wpforms', 'wpforms-date-time.json', fields);

    expect(submission).toMatchObject({
      submission_id: '78',
      fields: {
        appointment_date: '2026-03-10',
        appointment_time: '10:30',
        address: '7 Lake Road, Dhaka 1212',
      },
    });
    expect(submission.problems).toBeUndefined();
  });

  it('still takes a rule that names the part of that object', async () => {
    const fields = { appointment_date: { from: 'appointment_date.value', format: 'MM/DD/YYYY h:mm A' } };

    const submission = await becomeFixture('wpforms', 'wpforms-date-time.json', fields);

    expect(submission.fields).toMatchObject({ appointment_date: '2026-03-10', appointment_time: '10:30' });
  });

  it('without a format leaves its date to a person', async () => {
    const submission = await becomeFixture('wpforms', 'wpforms-date-time.json');

    expect(submission.fields.appointment_date).toBe('03/10/2026 10:30 AM');
  });
});

// Its source: the fields of a Jotform page, q48_date[month|day|year|timeInput|hour|min|ampm].
describe('Jotform', () => {
  it('sends a date with a time of twelve hours in parts, which become one moment', async () => {
    const submission = await becomeFixture('jotform', 'jotform-date-time.multipart', {
      appointment_date: '{{date}}',
    });

    expect(submission.fields).toMatchObject({
      patient_name: 'Ms Ann Lee',
      patient_phone: '017 1234-5678',
      appointment_date: '2026-03-10',
      appointment_time: '14:30',
    });
  });

  it('keeps the time of a date that has it in one piece', async () => {
    const raw = { q1_date: { month: '3', day: '10', year: '2026', timeInput: '02:30', ampm: 'PM' } };
    const body = new URLSearchParams({ rawRequest: JSON.stringify(raw) }).toString();

    const { fields } = await become('jotform', body, { contentType: 'application/x-www-form-urlencoded' });

    expect(fields).toMatchObject({ appointment_date: '2026-03-10', appointment_time: '14:30' });
  });
});

// Its source: proelements/proelements, modules/forms: Form_Record::get_formatted_data and ::get_form_meta.
describe('Elementor without advanced data', () => {
  it('in another language is held, since its own date may have taken the place of the visitor’s', async () => {
    const rules = {
      patient_name: '{{Ihr Name}}',
      patient_phone: '{{Telefon}}',
      appointment_date: { from: 'Datum', format: 'MMMM D, YYYY' },
      appointment_time: '{{Zeit}}',
    };

    const translated = await becomeFixture('elementor', 'elementor-translated.urlencoded', rules);
    const english = await becomeFixture('elementor', 'elementor-simple.urlencoded');

    expect(faultsOf(translated)).toEqual(expect.arrayContaining(['appointment_date', 'appointment_time']));
    expect(english.problems).toBeUndefined();
  });
});

// Its source: Calendly's reference of webhook payloads, event location "outbound_call".
describe('Calendly', () => {
  it('has the number of an outbound call in the place of the meeting', async () => {
    const body = JSON.parse(fixture('calendly.json').toString());
    body.payload.questions_and_answers = [];
    body.payload.text_reminder_number = null;
    body.payload.scheduled_event.location = { type: 'outbound_call', location: '+8801712345678' };

    const { fields } = await become('calendly', JSON.stringify(body));

    expect(fields.patient_phone).toBe('+8801712345678');
  });
});

// Its source: Typeform's reference of webhooks, and of the Create API for the parts of a question.
describe('Typeform', () => {
  it('has the parts of contact information by their titles', async () => {
    const part = (id: string, title: string) => ({ id, ref: `ref-${id}`, title, type: 'short_text' });
    const parts = [part('a', 'First name'), part('b', 'Last name'), part('c', 'Phone number')];
    const definition = {
      fields: [{ id: 'x', type: 'contact_info', title: 'About you', properties: { fields: parts } }],
    };
    const answer = (id: string, type: string, value: string) => ({
      type,
      [type]: value,
      field: { id, ref: `ref-${id}`, type },
    });
    const answers = [answer('a', 'text', 'Ann'), answer('b', 'text', 'Lee')];
    answers.push(answer('c', 'phone_number', '+8801712345678'));

    const { fields } = await become(
      'typeform',
      JSON.stringify({ event_type: 'form_response', form_response: { token: 't', definition, answers } }),
    );

    expect(fields).toEqual({ patient_name: 'Ann Lee', patient_phone: '+8801712345678' });
  });
});

describe('a form with many questions', () => {
  const questions = (count: number): [string, number][] =>
    Array.from({ length: count }, (_, index) => [`Have you ever had condition ${index}?`, index]);

  it('of Jotform is read with fifty-seven', async () => {
    const raw: JsonObject = Object.fromEntries(questions(52).map(([text, n]) => [`q${n + 20}_q${n}`, text]));
    const rawRequest = JSON.stringify({
      ...raw,
      q3_fullName: { first: 'Ann', last: 'Lee' },
      q4_phoneNumber: { full: '(017) 1234-5678' },
      q5_date: { year: '2026', month: '3', day: '10' },
      q6_time: { timeInput: '10:30', hourSelect: '10', minuteSelect: '30' },
      q7_comments: 'Nervous',
    });

    const submission = await become('jotform', new URLSearchParams({ rawRequest }).toString(), {
      contentType: 'application/x-www-form-urlencoded',
    });

    expect(submission).toMatchObject({ fields: { patient_name: 'Ann Lee', appointment_time: '10:30' } });
    expect(submission.problems).toBeUndefined();
  });

  it('of Tally is read with forty ticks beside, each of which is a field', async () => {
    const body = JSON.parse(fixture('tally.json').toString());
    const ticks = questions(40).map(([label, n]) => ({
      key: `question_z_${n}`,
      label,
      type: 'CHECKBOXES',
      value: n % 2 === 0,
    }));
    body.data.fields = [...ticks, ...body.data.fields];

    const submission = await become('tally', JSON.stringify(body));

    expect(submission.fields).toMatchObject({ patient_name: 'Ann Lee', appointment_date: '2026-03-10' });
    expect(submission.problems).toBeUndefined();
  });

  it('of Gravity Forms is read with its whole entry', async () => {
    const entry = JSON.parse(fixture('gravity-forms.json').toString());
    for (const [text, n] of questions(109)) entry[`${n + 20}`] = text;

    const submission = await become('gravity-forms', JSON.stringify(entry), {
      fields: { patient_name: '{{1.3}} {{1.6}}', patient_phone: '{{2}}', appointment_date: '{{5}}' },
    });

    expect(submission.fields).toEqual({
      patient_name: 'Ann Lee',
      patient_phone: '(017) 1234-5678',
      appointment_date: '2026-03-10',
    });
    expect(submission.problems).toBeUndefined();
  });

  it('in our own words is read with the contact at the end of it', async () => {
    const body = {
      ...Object.fromEntries(questions(150)),
      patient_name: 'Ann Lee',
      patient_phone: '01712-345678',
    };

    const submission = await become('native', JSON.stringify(body));

    expect(submission.fields).toEqual({ patient_name: 'Ann Lee', patient_phone: '01712-345678' });
    expect(submission.problems).toBeUndefined();
  });
});

describe('what a form has besides a booking', () => {
  it('is no part of a patient’s name: consent, campaign, hidden fields and several answers', async () => {
    const { fields } = await become(
      'contact-form-7',
      JSON.stringify({
        'your-name': 'Ann Lee',
        'your-tel': '01712-345678',
        acceptance: '1',
        consent: ['I agree'],
        utm_source: 'newsletter',
        utm_campaign: 'spring',
        gclid: 'Cj0KCQ',
        _wpcf7_unit_tag: 'wpcf7-f5-p1-o1',
        'your-menu': ['Cash', 'Card'],
      }),
    );

    expect(fields).toEqual({ patient_name: 'Ann Lee', patient_phone: '01712-345678' });
  });

  it.each([
    ['two names', { 'your-name': ['Ann Lee', 'Bob Ray'] }, 'patient_name'],
    ['a tick for a name', { 'your-name': true }, 'patient_name'],
    ['two numbers', { 'your-tel': ['01712-345678', '01912-345678'] }, 'patient_phone'],
  ])('holds %s', async (_what, body, field) => {
    const submission = await become('contact-form-7', JSON.stringify(body));

    expect(faultsOf(submission)).toEqual([field]);
  });

  it('takes one of several answers when its rule says which', async () => {
    const submission = await become('contact-form-7', JSON.stringify({ who: ['Ann Lee', 'Bob Ray'] }), {
      fields: { patient_name: { from: 'who', pick: 'first' } },
    });

    expect(submission.fields.patient_name).toBe('Ann Lee');
    expect(submission.problems).toBeUndefined();
  });
});

describe('a response that was changed', () => {
  // Google Forms “Allow response editing” and Jotform edits keep the id; seats of Cal.com share the booking's
  // (handleSeats).
  it.each([
    ['google-forms', 'google-forms.json'],
    ['jotform', 'jotform.multipart'],
    ['cal.com', 'cal-com.json'],
  ] as const)('of %s has the id of the first, so that the two are compared', async (preset, file) => {
    const { intake, clock } = await openPreset(preset);
    const first = await intake.receive(toolRequest(preset, file, clock.now()));
    const changed = Buffer.from(fixture(file).toString().replaceAll('2026-03-10', '2026-03-12'));
    const { headers, path = '' } = proofOf[preset]?.(changed, clock.now()) ?? {};

    const second = await intake.receive(
      intakeRequest(changed, { 'content-type': contentTypeOf(file, changed), ...headers }, { path }),
    );

    expect.assert(first.kind === 'submission' && second.kind === 'submission');
    expect(second.submission.submission_id).toBe(first.submission.submission_id);
    expect(second.submission.fields.appointment_date).toBe('2026-03-12');
  });
});
