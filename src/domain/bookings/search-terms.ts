import { westernDigits } from '../../platform/text/digits.ts';
import { foldName } from '../../platform/text/fold.ts';
import type { Booking } from './booking.ts';

/**
 * The terms that find a booking, each matched by its beginning: the words of its name, its phone number from either
 * end, and the e-mail addresses in its note. The first character gives the kind.
 */
const WORD = 'n';
const NUMBER = 'd';
const BACKWARDS = 'r';
const MAIL = 'e';

const MOST_WORDS = 12;
const MOST_MAILS = 3;
const MOST_SIGNS = 20;
const LONGEST = 60;
const FEWEST_DIGITS = 4;

type Searchable = Pick<Booking, 'patient_name' | 'patient_phone' | 'phone_e164' | 'note'>;

export const searchFields = ['patient_name', 'patient_phone', 'phone_e164', 'note'] as const;

export function termsOf({ patient_name, patient_phone, phone_e164, note }: Searchable): string[] {
  const names = wordsOf(asText(patient_name)).slice(0, MOST_WORDS);
  const numbers = [phone_e164, patient_phone].map((phone) => digitsOf(asText(phone)).replace(/^0+/, ''));
  const mails = mailsIn(asText(note));
  const all = [
    ...names.flatMap((word) => withinWord(word).map((part) => WORD + part)),
    ...numbers.filter((digits) => digits !== '').flatMap((digits) => [NUMBER + digits, backwards(digits)]),
    ...mails.map((mail) => MAIL + foldName(mail)),
  ];
  return [...new Set(all.map((term) => [...term].slice(0, LONGEST).join('')))];
}

/** Other values are rejected by the database later; this must not throw before. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Examines only the first few @ signs: a note may be long and full of them. */
function mailsIn(note: string): string[] {
  const found: string[] = [];
  for (let at = note.indexOf('@'), seen = 0; at >= 0 && seen < MOST_SIGNS; at = note.indexOf('@', at + 1)) {
    seen += 1;
    const [before = ''] =
      /(?<![^\s<>"'(),;:@])[^\s<>"'(),;:@]+$/u.exec(note.slice(Math.max(0, at - LONGEST), at)) ?? [];
    const [behind = ''] = /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/u.exec(note.slice(at + 1, at + 1 + LONGEST)) ?? [];
    if (before !== '' && behind !== '') found.push(`${before}@${behind}`);
  }
  return found.slice(0, MOST_MAILS);
}

/** Interpretations of a search text; a booking must match every term of one, by its beginning. */
export function termsIn(text: string): string[][] {
  if (!/\p{L}/u.test(text)) {
    const all = digitsOf(text);
    const digits = all.replace(/^0+/, '');
    // The zeros are those of a trunk prefix, or of the last digits.
    const terms = [NUMBER + digits, backwards(digits)].filter(() => digits.length >= FEWEST_DIGITS);
    if (all !== digits && all.length >= FEWEST_DIGITS) terms.push(backwards(all));
    return terms.map((term) => [term]);
  }
  const mail = MAIL + foldName(text);
  if (text.includes('@')) return [[mail]];
  const words = wordsOf(text)
    .slice(0, MOST_WORDS)
    .map((word) => WORD + word);
  return [...(words.length > 0 ? [words] : []), ...(/\s/u.test(text.trim()) ? [] : [[mail]])];
}

/** `O’Neil-Khan` becomes `o`, `neil`, `khan` and `oneilkhan`. */
function wordsOf(text: string): string[] {
  return foldName(text)
    .split(' ')
    .flatMap((word) => {
      const parts = word.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => part !== '');
      return parts.length > 1 ? [...parts, parts.join('')] : parts;
    });
}

/** Scripts that write names without spaces: any part of the word may be the beginning of a name. */
const together = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const MOST_PARTS = 10;

const withinWord = (word: string): string[] =>
  together.test(word)
    ? [...word].slice(0, MOST_PARTS).map((_letter, index, letters) => letters.slice(index).join(''))
    : [word];

const backwards = (digits: string): string => BACKWARDS + [...digits].reverse().join('');

export const digitsOf = (text: string): string => westernDigits(text.normalize('NFKC')).replace(/\D/g, '');
