/**
 * For comparing names: one Unicode form, one case, single spaces, one apostrophe and one dash, whatever keyboard or
 * word processor produced them. Never stored, never sent.
 */
export const fold = (text: string): string =>
  SIMPLE.test(text)
    ? text.toLowerCase()
    : text
        .toWellFormed()
        .normalize('NFKC')
        .toLowerCase()
        .replace(APOSTROPHES, "'")
        .replace(DASHES, '-')
        .replace(/\s+/gu, ' ')
        .trim();

/** Most names: visible ASCII but for the backtick, in single spaces. */
const SIMPLE = /^(?:[!-_a-~]+(?: [!-_a-~]+)*)?$/;

const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u02bb\u2032\u00b4\u0060]/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;

/**
 * For the names of dentists and treatments, which people type from memory: like `fold`, also without accents (`É`, `ł`,
 * `ß`). Marks that are letters of their script, as in Bengali, stay.
 */
export const foldName = (text: string): string => {
  const folded = fold(text);
  return ASCII.test(folded) ? folded : withoutAccents(folded);
};

const ASCII = /^[ -~]*$/;

const withoutAccents = (folded: string): string =>
  folded
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/gu, '')
    .replace(/[ßæœøłđðþı]/gu, (letter) => plain[letter] ?? letter)
    .normalize('NFC');

const plain: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};
