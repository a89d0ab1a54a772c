import { describe, expect, it } from 'vitest';
import { checkTexts } from '../domain/texts/check-texts.ts';
import { failureTexts } from '../domain/texts/failure-texts.ts';
import { problemTexts } from '../domain/texts/problem-texts.ts';
import { targetTexts } from '../domain/texts/target-texts.ts';
import { networkTexts } from '../platform/network/network-texts.ts';
import { languages } from '../platform/text/languages.ts';
import type { Plural, TextName } from './catalogue.ts';
import { common } from './english/common.ts';
import { desk } from './english/desk.ts';
import { english } from './english/english.ts';
import { insight } from './english/insight.ts';
import { messages } from './english/messages.ts';
import { needs } from './english/needs.ts';
import { reports } from './english/reports.ts';
import { loadTexts, textsOf } from './texts.ts';

const names = Object.keys(english) as TextName[];
const forms = (text: string | Plural): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placeholders = (text: string): string[] => (text.match(/\{\w*\}?/g) ?? []).toSorted();
/** A form for one or two may spell the number out. */
const named = (text: string): string[] => placeholders(text).filter((one) => one !== '{count}');

await Promise.all(languages.map(loadTexts));

it('has each name once', () => {
  const parts = [
    common,
    desk,
    insight,
    messages,
    needs,
    networkTexts,
    checkTexts,
    failureTexts,
    problemTexts,
    reports,
    targetTexts,
  ];

  expect(names).toHaveLength(parts.flatMap((part) => Object.keys(part)).length);
});

describe.each(languages.filter((lang) => lang !== 'en'))('the pages in %s', (lang) => {
  const texts = textsOf(lang);

  it('has every text, none empty, with the placeholders of the English one', () => {
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

  it('has each plural in the forms that its whole numbers need', () => {
    const rules = new Intl.PluralRules(lang);
    const needed = new Set(Array.from({ length: 130 }, (_, count) => rules.select(count)));
    const missing = names.filter((name) => {
      const text: string | Plural = texts[name];
      return (
        typeof text !== 'string' &&
        [...needed].some((form) => text[form] === undefined && !isLikeOther(lang, form))
      );
    });

    expect(missing).toEqual([]);
  });

  it('is not left in English', () => {
    const same = names.filter((name) => {
      const ours = forms(texts[name]).join();
      return ours.split(' ').length > 2 && ours === forms(english[name]).join();
    });

    expect(same).toEqual([]);
  });
});

/** Forms that read the same as `other` when the number is in digits. */
const isLikeOther = (lang: string, form: Intl.LDMLPluralRule): boolean =>
  (lang === 'ar' && form !== 'one') || (form === 'many' && lang !== 'pl') || form === 'zero';
