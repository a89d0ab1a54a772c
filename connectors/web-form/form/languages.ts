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

/** The languages that the form speaks without any setting, by their tags. */
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
} as const satisfies Record<string, Texts>;

export type Shipped = keyof typeof catalogue;
export const shippedLanguages = Object.keys(catalogue) as [Shipped, ...Shipped[]];

/** Longer than any browser's list; it bounds the work. */
const LONGEST_HEADER = 500;

/**
 * Which of the offered languages a visitor reads best: the one asked for by name, else the first of the browser's list
 * (Accept-Language, RFC 9110 section 12.5.4) that is offered, else the first offered. `pt-BR` is served `pt`.
 */
export function languageFor(
  offered: readonly [string, ...string[]],
  { asked, accepted = '' }: { asked?: string | null | undefined; accepted?: string | undefined },
): string {
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
