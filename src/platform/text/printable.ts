/**
 * Control characters, those that change the direction of the following text, and invisible ones: in a name they are a
 * mistake or a trick. Excludes joiners, which Bengali, Persian and emoji need, and the marks that right-to-left text
 * may have beside a number, and the tags that spell a flag.
 */
const hidden =
  /[\p{Cc}\u00ad\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,7})[\u{e0000}-\u{e007f}]/gu;
const isLayout = (character: string) => character === '\t' || character === '\n' || character === '\r';

/** Joiners with nothing to join before them. */
const looseJoiner = /(?<![\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/gu;

/** Fast path for most texts. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** The invisible characters of a text as `U+202E`, each once. Tabs and line ends do not count. */
export function hiddenIn(text: string): string[] {
  if (isPlain(text)) return [];
  const found = [...(text.match(hidden) ?? []), ...(text.match(looseJoiner) ?? [])];
  return [...new Set(found.filter((character) => !isLayout(character)))].map(
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** Safe for a terminal: hidden characters as `\\u202e`, which is the same text in JSON. Tabs and line feeds stay. */
export const printable = (text: string): string =>
  isPlain(text)
    ? text
    : text.replace(hidden, (character) =>
        character === '\t' || character === '\n' ? character : escaped(character),
      );

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
