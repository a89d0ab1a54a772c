import { describe, expect, it } from 'vitest';
import english from './languages/en.json' with { type: 'json' };
import {
  languages,
  loadTexts,
  PLACEHOLDER,
  type Plural,
  type Text,
  type TextName,
  textsOf,
} from './texts.ts';

const names = Object.keys(textsOf('en')) as TextName[];
const forms = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placeholders = (text: string): string[] => (text.match(/\{\w*\}?/g) ?? []).toSorted();
/** A form for one or two may spell the number out. */
const named = (text: string): string[] => placeholders(text).filter((one) => one !== '{count}');
/** Names of settings, endings of files and the like, which are the same in every language. */
const settingsIn = (text: string): string[] =>
  (
    text
      .replaceAll(/\{\w*\}/g, '')
      .match(/(?<![a-z_.])(?:[a-z]+_[a-z_]+|[a-z_]+\.[a-z_]*[a-z])(?![a-z_])/g) ?? []
  ).toSorted();

await Promise.all(languages.map(loadTexts));

it('has each name once', () => {
  expect(names).toHaveLength(Object.values(english).flatMap((part) => Object.keys(part)).length);
});

it('has the names and placeholders that the compiler knows (new ones: run this test with -u)', async () => {
  const parts = Object.values(english).map((part) => declared(Object.entries(part)));

  await expect(`// Written by texts.test.ts from languages/en.json: what each text needs.
export interface Placeholders {
${parts.join('\n')}
}
`).toMatchFileSnapshot('placeholders.ts');
});

/** In full lines. */
function declared(texts: [name: string, text: Text][]): string {
  const all = texts.map(([name, text]) => {
    const plural = typeof text === 'string' ? [] : ['count'];
    const wanted = [...forms(text).join().matchAll(PLACEHOLDER)].map(([, one = '']) => one);
    const needed = [...new Set([...plural, ...wanted])].map((one) => `'${one}'`);
    return `${name}: ${needed.join(' | ') || 'never'};`;
  });
  return all
    .join(' ')
    .replaceAll(/(.{1,115};)( |$)/g, '  $1\n')
    .trimEnd();
}

describe.each(languages)('the texts in %s', (lang) => {
  const texts = textsOf(lang);
  const english = textsOf('en');

  it('are all there, none empty, with the placeholders of the English ones', () => {
    expect(Object.keys(texts).toSorted()).toEqual(names.toSorted());
    for (const name of names) {
      const [wanted = ''] = forms(english[name]).slice(-1);
      for (const form of forms(texts[name])) {
        expect.soft(form.trim(), name).not.toBe('');
        expect.soft(named(form), name).toEqual(named(wanted));
      }
      const { other } = Object(texts[name]) as Partial<Plural>;
      if (other !== undefined) expect.soft(placeholders(other), name).toEqual(placeholders(wanted));
    }
  });

  it('have the lines of the English ones, and name the same settings and files', () => {
    for (const name of names) {
      const [wanted = '', ours = ''] = [english[name], texts[name]].map((text) => forms(text).at(-1));
      expect.soft(ours.split('\n').length, name).toBe(wanted.split('\n').length);
      expect.soft(settingsIn(ours), name).toEqual(settingsIn(wanted));
    }
  });

  it('have each command for a connector as people copy it, with the name', () => {
    const nameless = names.filter((name) =>
      forms(texts[name]).some((text) => /connectors (repair|login)(?! \{connector\})/.test(text)),
    );

    expect(nameless).toEqual([]);
  });

  it('have each plural in the forms that its whole numbers need', () => {
    const rules = new Intl.PluralRules(lang);
    const needed = new Set(Array.from({ length: 130 }, (_, count) => rules.select(count)));
    const missing = names.filter((name) => {
      const text = texts[name];
      return (
        typeof text !== 'string' &&
        [...needed].some((form) => text[form] === undefined && !isLikeOther(lang, form))
      );
    });

    expect(missing).toEqual([]);
  });

  it.skipIf(lang === 'en')('are not left in English', () => {
    const same = names.filter((name) => {
      const ours = forms(texts[name]).join();
      return ours.split(' ').length > 2 && ours === forms(english[name]).join();
    });

    expect(same).toEqual([]);
  });
});

it('have French signs of two parts behind a space that does not break (U+00A0)', () => {
  const french = textsOf('fr');

  expect(names.filter((name) => forms(french[name]).some((text) => / [;:!?»]|« /.test(text)))).toEqual([]);
});

/** Forms that read the same as `other` when the number is in digits. */
const isLikeOther = (lang: string, form: Intl.LDMLPluralRule): boolean =>
  (lang === 'ar' && form !== 'one') || (form === 'many' && lang !== 'pl') || form === 'zero';
