/** Longer than any browser's list; bounds the work. */
const LONGEST_HEADER = 500;

/**
 * The offered language that suits a reader best: the one requested by name, else the first offered one in the browser's
 * list (Accept-Language, RFC 9110 section 12.5.4), else the first offered. `pt-BR` is served `pt`.
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

/** A language's name in that language, from ICU: `Deutsch`. */
export function ownName(lang: string): string {
  const name = names.get(lang) ?? new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang;
  names.set(lang, name);
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1);
}

const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** The writing direction of a language, for the `dir` of a page. */
export const directionOf = (lang: string): 'rtl' | 'ltr' => (rightToLeft.has(baseOf(lang)) ? 'rtl' : 'ltr');
