import { isComplete, onOneLine } from '../domain/texts/problem.ts';
import type { Said } from '../platform/text/said.ts';
import type { Locale } from './locale.ts';

/** What a connector says, in the reader’s language; undefined for what only its English sentence says. */
export function problemWords(said: Said | undefined, locale: Locale): string | undefined {
  if (said === undefined || !isComplete(said)) return undefined;
  const { code, values } = said;
  const worded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object'
      ? problemWords(value, locale)
      : typeof value === 'string'
        ? own(value, locale)
        : value,
  ]);
  // The values of all texts are checked together, in every language.
  return onOneLine(
    locale.t(
      code as 'row_refused',
      Object.fromEntries(worded) as { place: string; ref: string; detail: string },
    ),
  );
}

/** Names and addresses keep their own direction within a text that runs from right to left. */
const own = (value: string, { dir }: Locale): string => (dir === 'rtl' ? `\u200e${value}\u200e` : value);
