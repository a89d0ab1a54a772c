import { westernDigits } from '../platform/text/digits.ts';
import { fold, foldName } from '../platform/text/fold.ts';
import { addressing, common, particles } from './campaign-words.ts';

export interface Patient {
  patient_name: string | null;
  patient_phone: string | null;
}

/** Trailing digits of a phone number to search for, so that the country code does not matter. */
const TELLING_DIGITS = 8;
const FEWEST_DIGITS = 6;

/** Scripts in which two or three characters are a whole name, mostly written without spaces. */
const dense = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+$/u;
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Scripts in which prepositions and endings are attached to a name: `لمحمد`, `রিনাকে`. */
const inflected = /[\p{sc=Arabic}\p{sc=Bengali}\p{sc=Devanagari}]/u;

/** Minimum length of a whole name inside a longer word: `annlee` may occur by chance, `annabellelee` does not. */
const tellsWithin = (name: string): boolean => name.length >= (dense.test(name) ? 3 : 7);
/** Minimum length of part of a name on its own. */
const tellsAlone = (part: string): boolean => part.length >= (dense.test(part) ? 2 : 3);
/** Minimum letters of a greeting attached to a name: `byron` is not by Ron, `welcomeron` is for him. */
const FEWEST_GLUED = 4;

/** Mailings fill these with the recipient's name, so a word like `april` may be a person here. */
const ofOneReader: readonly string[] = ['utm_term', 'utm_content'];

/** Whether a text may identify the patient; `parameter`: the name of the parameter with this value. */
export function privateFor({
  patient_name,
  patient_phone,
}: Patient): (text: string, parameter?: string) => boolean {
  const digits = digitsOf(patient_phone ?? '').slice(-TELLING_DIGITS);
  // In addresses, O'Neil and Anne-Marie become o'neil, oneil and annemarie.
  const names = [patient_name ?? '', fold(patient_name ?? '').replaceAll(/['-]/g, '')].map(wordsOf);
  const parts = new Set(names.flat().flatMap(partsOf));
  const glued = [...parts].filter(tellsAlone);
  const joined = names.flatMap((name) => [name.join(''), name.toReversed().join('')]).filter(tellsWithin);
  const hasPhone = (text: string) => digits.length >= FEWEST_DIGITS && digitsOf(text).includes(digits);
  const hasName = (words: readonly string[]) =>
    names.some((name) => name.length > 0 && name.every((word) => words.includes(word))) ||
    joined.some((whole) => words.join('').includes(whole));
  /**
   * A greeting, or a single letter. A single character of a dense script counts as a word unless it is the patient's.
   */
  const isPassedOver = (word: string) =>
    addressing.has(word) ||
    (word.length === 1 && (!dense.test(word) || joined.some((one) => one.includes(word))));
  const isOfName = (word: string) =>
    parts.has(word) || glued.some((part) => word.includes(part) && isGreeting(word, part));
  /** True for part of the name alone, possibly with numbers and greetings around it. */
  const isOfNameAlone = (text: string, parameter: string) => {
    const words = lettersOf(text).filter((word) => !isPassedOver(word));
    if (words.length === 0 || !words.every(isOfName)) return false;
    if (ofOneReader.includes(parameter)) return true;
    // `an` or `de` alone is a source or a language rather than a person.
    return (
      words.some((word) => tellsAlone(word) && !particles.has(word)) &&
      !words.every((word) => common.has(word))
    );
  };
  return (text, parameter = '') =>
    writings(text).some(
      (one) => /\S@\S/.test(one) || hasPhone(one) || hasName(wordsOf(one)) || isOfNameAlone(one, parameter),
    );
}

/** A name written without spaces has its family and given names at its ends, each of unknown length. */
function partsOf(word: string): string[] {
  if (!dense.test(word)) return [word];
  const lengths = Array.from({ length: Math.max(0, word.length - 2) }, (_, at) => at + 2);
  return [word, ...lengths.flatMap((length) => [word.slice(0, length), word.slice(-length)])];
}

/** Whether a word is part of a name with nothing but greetings attached to it. */
function isGreeting(word: string, part: string): boolean {
  const at = word.indexOf(part);
  const [before, after] = [word.slice(0, at), word.slice(at + part.length)];
  const isLong = before.length + after.length >= FEWEST_GLUED;
  return (isLong || unspaced.test(part) || inflected.test(part)) && isAddress(before) && isAddress(after);
}

/** Whether a text is empty or consists of greetings without spaces between them. */
const isAddress = (text: string): boolean =>
  text === '' ||
  (text.length <= LONGEST_ADDRESS &&
    Array.from(text, (_, end) => end + 1).some(
      (end) => addressing.has(text.slice(0, end)) && isAddress(text.slice(end)),
    ));
/** Maximum length of attached greetings; it also bounds the work. */
const LONGEST_ADDRESS = 24;

const digitsOf = (text: string): string => westernDigits(text).replace(/\D/g, '');
const wordsOf = (text: string): string[] => foldName(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
/** Words without digits: `ann2026` is Ann. */
const lettersOf = (text: string): string[] => foldName(text).match(/[\p{L}\p{M}]+/gu) ?? [];

/** The text, also URL-decoded once and twice. */
function writings(text: string): string[] {
  const all = [text];
  for (let last = text; all.length < 3; all.push(last))
    try {
      last = decodeURIComponent(last.replaceAll('+', ' '));
    } catch {
      break;
    }
  return all;
}
