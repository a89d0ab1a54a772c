import type { Language } from '../platform/text/languages.ts';
import type { LanguageFile, Texts } from './catalogue.ts';
import { english } from './english/english.ts';

const files: Record<Exclude<Language, 'en'>, () => Promise<{ default: LanguageFile }>> = {
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

const loaded = new Map<Language, Texts>([['en', english]]);

/** Reads a language from disk at its first use; only English is there from the start. */
export async function loadTexts(lang: Language): Promise<void> {
  if (lang === 'en' || loaded.has(lang)) return;
  const { default: parts } = await files[lang]();
  loaded.set(lang, Object.assign({}, ...Object.values(parts)));
}

/** English while a language has not been loaded. */
export const textsOf = (lang: Language): Texts => loaded.get(lang) ?? english;
