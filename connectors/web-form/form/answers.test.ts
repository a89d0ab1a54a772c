import { describe, expect, it } from 'vitest';
import {
  hiddenIn,
  htmlOf,
  lead,
  mirror,
  submissionOf,
  visit,
} from '../../../test/support/forms/form-visit.ts';
import { intakeRequest } from '../../../test/support/forms/web-form.ts';

const form = {
  ask: ['email', 'note'],
  consent: { text: { en: 'I agree.', de: 'Einverstanden.' }, link: 'https://clinic.example/privacy' },
  questions: [
    { name: 'pain', label: 'Are you in pain?', type: 'choice', options: ['No', { en: 'Yes', de: 'Ja' }] },
    { name: 'insurer', label: { en: 'Insurer', de: 'Kasse' }, required: true },
    { name: 'first', label: 'First visit', type: 'tick' },
  ],
};
const answered = { ...lead, consent: 'yes', question_insurer: 'AOK' };

describe('a clinic’s own questions', () => {
  it('becomes lines of the note, in the clinic’s own words, before the visitor’s', async () => {
    const { book } = await visit({ form });

    const { result } = await book({
      ...answered,
      email: 'ann@example.org',
      question_pain: 'Yes',
      question_first: 'yes',
      note: 'Allergic to penicillin',
    });

    expect(submissionOf(result).fields.note).toBe(
      'E-mail: ann@example.org\nAre you in pain?: Yes\nInsurer: AOK\nFirst visit: yes\n' +
        'Consent: yes, https://clinic.example/privacy\nAllergic to penicillin',
    );
    expect(submissionOf(result).problems).toBeUndefined();
  });

  it('is shown in the visitor’s language, and sent in the clinic’s', async () => {
    const { load } = await visit({ form });

    const html = await load('form', 'lang=de');

    expect(html).toContain('<label for="question_insurer"><bdi>Kasse</bdi></label>');
    expect(html).toContain('<option value="Yes">Ja</option>');
    expect(html).toContain(
      '<label for="consent">Einverstanden. <a href="https://clinic.example/privacy" target="_blank" ' +
        'rel="noopener">Datenschutzerklärung</a></label>',
    );
    expect(html).toMatch(/<input type="checkbox" id="consent"[^>]* required>/);
  });

  it('is shown again with everything in it when something required is missing', async () => {
    const { book, send, clock } = await visit({ form });

    const { result } = await book({
      ...lead,
      email: 'ann@example.org',
      question_pain: 'No',
      question_first: 'yes',
    });
    const html = htmlOf(result);
    await clock.advance(5_000);
    const sent = await send({ ...hiddenIn(html), ...answered });

    expect(html).toContain('<a href="#consent">Please tick the box if you agree</a>');
    expect(html).toContain('<a href="#question_insurer"><bdi>Insurer</bdi>: Please answer this</a>');
    expect(html).toContain('value="ann@example.org"');
    expect(html).toContain('<option value="No" selected>');
    expect(html).toMatch(/id="question_first"[^>]* checked/);
    expect(sent.kind).toBe('submission');
  });

  it('keeps a lead without consent for a person when it comes from a script', async () => {
    const { load, send, clock } = await visit({ form });
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);

    const result = await send({ ...hidden, ...lead }, { accept: 'application/json' });

    expect(submissionOf(result).problems).toMatchObject([{ field: 'consent' }]);
  });

  it('is one line for each answer, whatever was sent', async () => {
    const { book } = await visit({ form });

    const { result } = await book({
      ...answered,
      question_insurer: `A\nConsent: no\r\n${'x'.repeat(5_000)}`,
    });

    const [insurer = '', consent, ...more] = String(submissionOf(result).fields.note).split('\n');
    expect(insurer).toHaveLength('Insurer: '.length + 500);
    expect([consent, ...more]).toEqual(['Consent: yes, https://clinic.example/privacy']);
  });

  it('is not taken from a form that does not ask for it', async () => {
    const { book } = await visit();

    expect(submissionOf((await book({ ...lead, consent: 'yes', email: 'a@b.c' })).result).fields.note).toBe(
      undefined,
    );
  });

  it.each([
    [{ questions: [{ name: 'a', label: 'A', type: 'choice' }] }, 'options'],
    [{ questions: [{ name: 'a', label: 'A', options: ['x'] }] }, 'options'],
    [
      {
        questions: [
          { name: 'a', label: 'A' },
          { name: 'a', label: 'B' },
        ],
      },
      'two questions',
    ],
    [{ questions: [{ name: 'form_token"', label: 'A' }] }, 'lower-case letters'],
    [{ consent: { link: 'javascript:alert(1)' } }, 'Invalid'],
  ])('is refused in the configuration when it cannot work: %j', async (wrong, why) => {
    await expect(visit({ form: wrong })).rejects.toThrow(why);
  });
});

describe('beside the treatments', () => {
  const view = {
    ...mirror,
    rows: async (table: string) =>
      table === 'treatments'
        ? [
            {
              treatment_id: 3,
              treatment_name: 'Scaling',
              base_fee: '1500.00',
              duration_minutes: 30,
              removed_at: null,
            },
            {
              treatment_id: 4,
              treatment_name: 'Check',
              base_fee: '0.00',
              duration_minutes: null,
              removed_at: null,
            },
            {
              treatment_id: 5,
              treatment_name: 'Crown',
              base_fee: '99.50',
              duration_minutes: 90,
              removed_at: null,
            },
          ]
        : [],
  };
  const options = async (show: string[], lang: string) => {
    const { intake } = await visit({ form: { show } });
    const query = new URLSearchParams({ lang });
    const page = await intake.page(intakeRequest('', {}, { method: 'GET', path: 'form', query }), view);
    return [...(page?.html ?? '').matchAll(/<option value="\d">([^<]+)</g)].map(([, text]) => text);
  };

  it.each([
    [[], 'en', ['Scaling', 'Check', 'Crown']],
    [['price', 'duration'], 'en', ['Scaling – ৳1,500 – 30 min', 'Check', 'Crown – ৳99.50 – 90 min']],
    [['price'], 'bn', ['Scaling – ১,৫০০৳', 'Check', 'Crown – ৯৯.৫০৳']],
  ])('stand %j in %s', async (show, lang, expected) => {
    expect(await options(show, lang)).toEqual(expected);
  });
});

describe('the look', () => {
  const look = {
    logo: 'https://clinic.example/logo.svg',
    colours: { button: '#ffcc00', background: '#102030', card: '#203040', text: '#ffffff' },
    font: { family: 'Nunito', url: 'https://clinic.example/fonts/nunito.woff2' },
  };

  it('is the clinic’s: logo, colours and font', async () => {
    const { load, intake } = await visit({ form: { look } });

    const html = await load();

    expect(html).toContain('<img class="logo" src="https://clinic.example/logo.svg" alt="Lakeside Dental">');
    expect(html).toContain('src: url("https://clinic.example/fonts/nunito.woff2") format("woff2")');
    expect(html).toMatch(/color-scheme: only dark; --ground: #102030; --card: #203040; --text: #ffffff;/);
    expect(html).toContain('--button: #ffcc00; --on-button: #000000');
    expect(html).not.toContain('prefers-color-scheme');
    expect(intake.pageSources).toEqual({
      'font-src': ['https://clinic.example/fonts/nunito.woff2'],
      'script-src': ["'self'"],
    });
  });

  it.each([
    [{ colours: { text: '#999999' } }, 'text` on `card` (#999999 on #ffffff) has a contrast of 2.8:1'],
    [{ colours: { card: '#777777', text: '#000000' } }, 'cannot be read'],
    [{ colours: { button: 'red; } body { display: none' } }, 'is not a colour'],
    [{ font: { family: 'x"; } * { display: none' } }, 'is not the name of a font'],
    [
      { font: { family: 'x', url: "https://a.example/x.woff2; script-src 'unsafe-inline'.woff2" } },
      'is not an address',
    ],
    [{ logo: 'http://clinic.example/logo.svg' }, 'is not an address'],
  ])('is refused when it is unreadable or more than a look: %j', async (wrong, why) => {
    await expect(visit({ form: { look: wrong } })).rejects.toThrow(why);
  });
});
