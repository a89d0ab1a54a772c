/**
 * Control characters, those that turn the direction of what follows, and those that cannot be seen: in a name they are a
 * mistake or a trick. Joiners are not among them, Bengali, Persian and emoji need those, and neither are the marks that a
 * right-to-left text may have beside a number.
 */
const hidden = /[\p{Cc}\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const isLayout = (character: string) => character === '\t' || character === '\n' || character === '\r';

/** Joiners with nothing to join before them. */
const looseJoiner = /(?<![\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/gu;

/** Most texts: nothing in them is looked for one by one. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Invisible characters in a text, as `U+202E`, each once. Tabs and line ends are none. */
export function hiddenIn(text: string): string[] {
  if (isPlain(text)) return [];
  const found = [...(text.match(hidden) ?? []), ...(text.match(looseJoiner) ?? [])];
  return [...new Set(found.filter((character) => !isLayout(character)))].map(
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** Fit for a terminal: hidden characters as `\\u202e`, which is the same text in JSON. Tabs and line feeds stay. */
export const printable = (text: string): string =>
  text.replace(hidden, (character) =>
    character === '\t' || character === '\n' ? character : escaped(character),
  );

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
