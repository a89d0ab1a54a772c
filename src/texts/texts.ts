import type { Language } from '../platform/languages.ts';
import type { Texts } from './catalogue.ts';
import { english } from './english/english.ts';

const loaders: Record<Language, () => Promise<Texts>> = {
  en: async () => english,
  ar: async () => (await import('./arabic/arabic.ts')).arabic,
  bn: async () => (await import('./bengali/bengali.ts')).bengali,
  de: async () => (await import('./german/german.ts')).german,
  es: async () => (await import('./spanish/spanish.ts')).spanish,
  fr: async () => (await import('./french/french.ts')).french,
  hi: async () => (await import('./hindi/hindi.ts')).hindi,
  it: async () => (await import('./italian/italian.ts')).italian,
  nl: async () => (await import('./dutch/dutch.ts')).dutch,
  pl: async () => (await import('./polish/polish.ts')).polish,
  pt: async () => (await import('./portuguese/portuguese.ts')).portuguese,
  tr: async () => (await import('./turkish/turkish.ts')).turkish,
};

const loaded = new Map<Language, Texts>([['en', english]]);

/** Reads a language from disk at its first use; only English is there from the start. */
export async function loadTexts(lang: Language): Promise<void> {
  if (!loaded.has(lang)) loaded.set(lang, await loaders[lang]());
}

/** English while a language has not been loaded. */
export const textsOf = (lang: Language): Texts => loaded.get(lang) ?? english;
