import type { Language } from '../../../src/platform/languages.ts';
import { arabic } from './languages/arabic.ts';
import { bengali } from './languages/bengali.ts';
import { dutch } from './languages/dutch.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { hindi } from './languages/hindi.ts';
import { italian } from './languages/italian.ts';
import { polish } from './languages/polish.ts';
import { portuguese } from './languages/portuguese.ts';
import { spanish } from './languages/spanish.ts';
import { turkish } from './languages/turkish.ts';
import { english, type Texts } from './texts.ts';

/** Languages that the form speaks without configuration, by tag. */
export const catalogue = {
  en: english,
  ar: arabic,
  bn: bengali,
  de: german,
  es: spanish,
  fr: french,
  hi: hindi,
  it: italian,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  tr: turkish,
} as const satisfies Record<Language, Texts>;

type Shipped = keyof typeof catalogue;
export const shippedLanguages = Object.keys(catalogue) as [Shipped, ...Shipped[]];
