/**
 * For comparing names: one form, one case, single spaces, one apostrophe and one dash, whichever key or word processor
 * they came from. Never stored, never sent.
 */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .replace(/\s+/gu, ' ')
    .trim();

const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u02bb\u2032\u00b4\u0060]/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;
