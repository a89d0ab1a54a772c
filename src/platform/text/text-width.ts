/** Estimated widths in em for sans-serif fonts; generous, because fonts differ between machines. */
const widths: readonly [RegExp, number][] = [
  [/[\p{Mn}\p{Me}\u200b-\u200f\u202a-\u202e\u2060-\u2069]/u, 0],
  [/\p{Mc}/u, 0.55],
  [/[ijlt.,:;'|! ()[\]]/u, 0.4],
  [/[mwMW@%&—…]/u, 1.02],
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u, 1.08],
  [/[\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Thai}+=<>~^]/u, 0.85],
  [/[\p{Lu}\p{N}]/u, 0.75],
];
const OTHER = 0.64;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const lettersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);
const widthOfSign = (sign: string): number => widths.find(([pattern]) => pattern.test(sign))?.[1] ?? OTHER;
/** A letter with its marks, or several that are joined. */
const widthOfLetter = (letter: string): number =>
  Array.from(letter).reduce((all, sign) => all + widthOfSign(sign), 0);

/** The estimated width of a text at a font size, in the unit of the size. */
export const textWidth = (text: string, size: number): number =>
  lettersOf(text.slice(0, LONGEST)).reduce((all, letter) => all + widthOfLetter(letter) * size, 0);
/** Longer texts are never drawn whole. */
const LONGEST = 500;

/** The text, or as much of it as fits, ending in an ellipsis. Letters with their marks stay whole. */
export function fitted(text: string, most: number, size: number): string {
  if (text.length <= LONGEST && textWidth(text, size) <= most) return text;
  let kept = '';
  let left = most - textWidth('…', size);
  for (const letter of lettersOf(text.slice(0, LONGEST))) {
    left -= widthOfLetter(letter) * size;
    if (left < 0) break;
    kept += letter;
  }
  return `${kept.trimEnd().toWellFormed()}…`;
}
