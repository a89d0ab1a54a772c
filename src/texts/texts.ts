import english from './languages/en.json' with { type: 'json' };
import type { Placeholders } from './placeholders.ts';

/** Tags of everything shown in a browser; English first. */
export const languages = ['en', 'ar', 'bn', 'de', 'es', 'fr', 'hi', 'it', 'nl', 'pl', 'pt', 'tr'] as const;
export type Language = (typeof languages)[number];

/** English is there from the start; the others are read at their first use. */
const files: Record<Language, () => Promise<{ default: object }>> = {
  en: async () => ({ default: english }),
  ar: () => import('./languages/ar.json', { with: { type: 'json' } }),
  bn: () => import('./languages/bn.json', { with: { type: 'json' } }),
  de: () => import('./languages/de.json', { with: { type: 'json' } }),
  es: () => import('./languages/es.json', { with: { type: 'json' } }),
  fr: () => import('./languages/fr.json', { with: { type: 'json' } }),
  hi: () => import('./languages/hi.json', { with: { type: 'json' } }),
  it: () => import('./languages/it.json', { with: { type: 'json' } }),
  nl: () => import('./languages/nl.json', { with: { type: 'json' } }),
  pl: () => import('./languages/pl.json', { with: { type: 'json' } }),
  pt: () => import('./languages/pt.json', { with: { type: 'json' } }),
  tr: () => import('./languages/tr.json', { with: { type: 'json' } }),
};

/** A text that depends on a count, in the forms of its language (CLDR). */
export type Plural = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
export type Text = string | Plural;
export type TextName = keyof Placeholders;
/** The names of texts without placeholders. */
export type PlainText = {
  [Name in TextName]: [Placeholders[Name]] extends [never] ? Name : never;
}[TextName];
type Texts = Readonly<Record<TextName, Text>>;

export const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * What a text needs: a number as `count`, which chooses the form of a plural, and a value for each other placeholder.
 */
export type ValuesOf<Name extends TextName, Value> = {
  [Placeholder in Placeholders[Name]]: Placeholder extends 'count' ? number : Value;
};
/** The same as the rest of a call's arguments, without any where the text needs none. */
export type Values<Name extends TextName, Value> = [Placeholders[Name]] extends [never]
  ? []
  : [values: ValuesOf<Name, Value>];

/** A text by its name, which pages and messages word in the reader’s language. No patient data. */
export interface Said {
  /** Unknown where another version of clinic-sync said it. */
  code: string;
  /** By placeholder; one of them may be a text of its own. */
  values: Readonly<Record<string, string | number | Said>>;
}

/** The parts of a file only keep its texts in order. */
const joined = (parts: object): Texts => Object.assign({}, ...Object.values(parts));

const loaded = new Map<Language, Texts>([['en', joined(english)]]);

export async function loadTexts(lang: Language): Promise<void> {
  if (loaded.has(lang)) return;
  const { default: parts } = await files[lang]();
  loaded.set(lang, joined(parts));
}

/** English while a language has not been loaded. */
export const textsOf = (lang: Language): Texts => loaded.get(lang) ?? textsOf('en');
