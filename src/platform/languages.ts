/** The languages of everything that people read in a browser, by their tags; English first. */
export const languages = ['en', 'ar', 'bn', 'de', 'es', 'fr', 'hi', 'it', 'nl', 'pl', 'pt', 'tr'] as const;
export type Language = (typeof languages)[number];

/** Longer than any browser's list; it bounds the work. */
const LONGEST_HEADER = 500;

/**
 * Which of the offered languages a reader reads best: the one asked for by name, else the first of the browser's list
 * (Accept-Language, RFC 9110 section 12.5.4) that is offered, else the first offered. `pt-BR` is served `pt`.
 */
export function languageFor<Offered extends string>(
  offered: readonly [Offered, ...Offered[]],
  { asked, accepted = '' }: { asked?: string | null | undefined; accepted?: string | undefined },
): Offered {
  const wished = accepted
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const weight = parameters.find((piece) => piece.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  for (const tag of [asked ?? '', ...wished]) {
    const wanted = tag.toLowerCase();
    const found =
      offered.find((one) => one.toLowerCase() === wanted) ??
      offered.find((one) => baseOf(one) === baseOf(wanted));
    if (found !== undefined) return found;
  }
  return offered[0];
}

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

const names = new Map<string, string>();

/** A language in its own words, from ICU: `Deutsch`. */
export function ownName(lang: string): string {
  const name = names.get(lang) ?? new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang;
  names.set(lang, name);
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1);
}

const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** Which way a language is written, for the `dir` of a page. */
export const directionOf = (lang: string): 'rtl' | 'ltr' => (rightToLeft.has(baseOf(lang)) ? 'rtl' : 'ltr');
