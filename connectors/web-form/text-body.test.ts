import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { become, becomeFixture, faultsOf } from '../../test/support/forms/web-form.ts';

// Its source: mariovalney/cf7-to-zapier, CFTZ_Module_Zapier: answers are put into the custom body as they are.
describe('Contact Form 7 with a custom body', () => {
  const text = (body: string) => become('contact-form-7', body, { contentType: 'text/plain; charset=UTF-8' });
  const lead = 'Name: Ann Lee\nPhone: 01712-345678\nDate: 2026-03-10\nTime: 10:30\n';

  it('loses no line of a message, whatever a visitor writes in it', async () => {
    const { fields, problems } = await becomeFixture('contact-form-7', 'contact-form-7-message.txt');

    expect(fields).toEqual({
      patient_name: 'Ann Lee',
      patient_phone: '+880 1712-345678',
      appointment_date: '2026-03-10',
      appointment_time: '10:30',
      note: 'Hello\nplease note: I am allergic to penicillin\n\nand pregnant\nBooking',
    });
    expect(problems).toBeUndefined();
  });

  it.each([
    ['{"your-name":"Ann "Annie" Lee","your-tel":"01712-345678"}'],
    ['{"your-name":"Ann Lee","your-message":"one\ntwo"}'],
    ['{\n  "your-name": "Ann Lee",\n  "your-message": "5\\" tall"",\n}'],
    ['["Ann Lee'],
  ])('that is broken JSON is held with all of its text, none of it as a name: %s', async (body) => {
    const submission = await text(body);

    expect(submission.fields).toEqual({ note: body });
    expect(faultsOf(submission)).toEqual(['fields']);
  });

  it('reads a message that comes first, or below its own heading', async () => {
    const first = await text(`I am pregnant\n${lead}`);
    const below = await text(`${lead}Message:\nI am\npregnant`);

    expect(first.fields.note).toBe('I am pregnant');
    expect(below.fields.note).toBe('I am\npregnant');
  });

  it('asks a person when a visitor’s line looks like one of the tool’s', async () => {
    const submission = await text(`${lead}Message: for my son\nName: Bob\nDate: 2026-03-12`);

    expect(faultsOf(submission)).toContain('fields');
    expect(faultsOf(submission)).toContain('patient_name');
  });

  it('books every word of any message, or asks a person', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc
        .tuple(
          fc.constantFrom(
            'Name',
            'phone',
            'Date',
            'your-time',
            'Dentist',
            'message',
            'note',
            'Please',
            '{',
            'text',
          ),
          fc.constantFrom(':', ' : ', '=', ''),
          fc.constantFrom('Bob', '2026-03-12', '11:00', 'I am pregnant', ''),
        )
        .map((parts) => parts.join('')),
    );
    const messages = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));

    await fc.assert(
      fc.asyncProperty(messages, fc.boolean(), async (message, isFirst) => {
        const submission = await text(isFirst ? `${message}\n${lead}` : `${lead}Message: ${message}`);

        const { note, ...others } = submission.fields;
        // A known name before a colon says which field the rest is.
        const words = message.split('\n').flatMap((one) => (one.split(':').at(-1) ?? '').split(/\s+/));
        const told = [...Object.values(others), note].join(' ');
        if ((submission.problems ?? []).length > 0) return;
        expect(others).toMatchObject({ patient_name: 'Ann Lee', patient_phone: '01712-345678' });
        expect(others).toMatchObject({ appointment_date: '2026-03-10', appointment_time: '10:30' });
        for (const word of words) expect(told).toContain(word);
      }),
      { numRuns: 300 },
    );
  });

  it('passes on template lines that belong to no field', async () => {
    const { fields, problems } = await text(`Name: Ann Lee\nE-mail: ann@example.org\nPhone: 01712-345678`);

    expect(fields).toEqual({
      patient_name: 'Ann Lee',
      patient_phone: '01712-345678',
      note: 'E-mail: ann@example.org',
    });
    expect(problems).toBeUndefined();
  });
});
