import { describe, expect, it } from 'vitest';
import { languageFor } from '../../../../src/platform/text/languages.ts';
import { hiddenIn, lead, visit } from '../../../../test/support/forms/form-visit.ts';
import { catalogue, type FormTextName, shippedLanguages, textNames } from './languages.ts';

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
/** Words that a language has in common with English. */
const same: Partial<Record<string, FormTextName[]>> = {
  de: ['email'],
  fr: ['email', 'date'],
  it: ['email'],
  nl: ['email'],
  pl: ['email'],
  pt: ['email'],
};

describe.each(shippedLanguages.filter((lang) => lang !== 'en'))('the form in %s', (lang) => {
  const texts = catalogue[lang];

  it('has every text, with the placeholders of the English one, and none left in English', () => {
    const shared = textNames.filter((name) => texts[name].toLowerCase() === catalogue.en[name].toLowerCase());

    expect(Object.keys(texts)).toEqual(textNames);
    expect(textNames.filter((name) => texts[name].trim() === '')).toEqual([]);
    for (const name of textNames) expect(placeholders(texts[name])).toEqual(placeholders(catalogue.en[name]));
    expect(shared.filter((name) => !same[lang]?.includes(name) && name !== 'dentist')).toEqual([]);
  });

  it('is wholly in that language, also when shown again', async () => {
    const { load, send, clock } = await visit({ form: { ask: ['treatment', 'dentist', 'address', 'note'] } });
    const page = await load('form', `lang=${lang}`);
    await clock.advance(100);

    const again = await send({ form_lang: lang });

    expect(page).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`);
    for (const html of [page, again.kind === 'page' ? again.html : ''])
      for (const name of [
        'title',
        'about_you',
        'phone_hint',
        'hours',
        'closed',
        'optional',
        'send',
      ] as const) {
        expect(html).toContain(texts[name]);
        expect(html).not.toContain(`>${catalogue.en[name]}<`);
      }
  });
});

it.each([
  [{}, 'en'],
  [{ accepted: 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
  [{ accepted: 'ja,pt-BR;q=0.5,en;q=0.4' }, 'pt'],
  [{ accepted: 'en;q=0.1, tr;q=0.7' }, 'tr'],
  [{ accepted: 'tr;q=0, bn' }, 'bn'],
  [{ accepted: '*' }, 'en'],
  [{ accepted: ';;q=,,=' }, 'en'],
  [{ asked: 'hi', accepted: 'de' }, 'hi'],
  [{ asked: 'AR-eg', accepted: 'de' }, 'ar'],
  [{ asked: 'xx', accepted: 'de' }, 'de'],
])('serves %j in %s', (wish, lang) => {
  expect(languageFor(['en', ...shippedLanguages], wish)).toBe(lang);
});

it('lets the visitor change the language without losing what the link said', async () => {
  const { load } = await visit();

  const page = await load('form', 'lang=tr&treatment_id=3&utm_source=news');

  expect(page).toContain('<summary>Dil: Türkçe</summary>');
  expect(page).toContain('<a href="?treatment_id=3&amp;utm_source=news&amp;lang=ar" lang="ar"');
});

it('uses the clinic’s own texts only in its own language, and offers no other if so configured', async () => {
  const own = { lang: 'de', texts: { title: 'Wunschtermin' } };
  const { load } = await visit({ form: own });
  const { load: loadOne } = await visit({ form: { ...own, languages: [] } });

  expect(await load()).toContain('<h1>Wunschtermin</h1>');
  expect(await load('form', 'lang=fr')).toContain('<h1>Prendre rendez-vous</h1>');
  expect(await loadOne('form', 'lang=fr')).toContain('<h1>Wunschtermin</h1>');
  expect(await loadOne()).not.toContain('hreflang');
});

it('thanks in the language of the form', async () => {
  const { load, send, clock } = await visit();
  const hidden = hiddenIn(await load('form', 'lang=pl'));
  await clock.advance(10_000);

  const result = await send({ ...hidden, ...lead });

  expect(result).toMatchObject({ thanks: expect.stringContaining('&lang=pl&') });
  expect(await load('thanks', 'clinic=main&lang=pl')).toContain('Dziękujemy');
});
