import { Temporal } from 'temporal-polyfill';
import { monthNamed, weekdayNamed } from '../domain/calendar-words.ts';
import { readDate } from '../domain/date-time.ts';
import { westernDigits } from '../platform/text/digits.ts';
import { withoutHidden } from './text.ts';

/** Longer texts are no dates; bounds the work. */
const LONGEST = 80;

/**
 * For dates and times: one form of digits, spaces and signs, nothing invisible. Empty if it is too long to be either.
 */
export const plainWriting = (text: string): string =>
  text.length > LONGEST
    ? ''
    : westernDigits(withoutHidden(text).normalize('NFKC'))
        .replace(/^["'=]+|(?<!")"+$/g, '')
        .replace(/[‐‑‒–—−]/g, '-')
        .replace(/\s+/g, ' ')
        .trim();

/** Words between the parts of a date. */
const fillers = new Set([
  'of',
  'the',
  'de',
  'del',
  'den',
  'der',
  'le',
  'el',
  'di',
  'do',
  'om',
  'am',
  'on',
  'year',
  'r',
]);

/**
 * A day as YYYY-MM-DD from whatever can mean only one: year first in any sign (`2027. 3. 4.`, `2027年3月4日`), or with the
 * month's name in one of the twelve languages. A weekday beside it must be the day's. 03/04 is undefined: it is another
 * day in other countries.
 */
export function readDay(text: string): string | undefined {
  const plain = plainWriting(text);
  if (!/\d/.test(plain)) return undefined;
  return readDate(plain) ?? readSigned(plain) ?? readNamed(plain);
}

const yearFirst =
  /^(\d{4}) ?(?:[-/.] ?|年 ?|년 ?)(\d{1,2}) ?(?:[-/.] ?|月 ?|월 ?)(\d{1,2}) ?(?:\.|日|일)? ?(?:\((\p{L}+)\.?\)|,? ?(\p{L}+)\.?)?$/u;

function readSigned(plain: string): string | undefined {
  const [, year, month, day, inBrackets, after] = yearFirst.exec(plain) ?? [];
  const date = readDate(`${year}-${month}-${day}`);
  return date === undefined ? undefined : onWeekdays(date, [inBrackets ?? after ?? []].flat());
}

/** `Thu 4 March 2027`, `4. März 2027`, `4 de marzo de 2027`, `2027-Mar-04`, `March 4th, 2027`. */
function readNamed(plain: string): string | undefined {
  const tokens: readonly string[] =
    plain.replace('-feira', 'feira').match(/[\p{L}\p{M}]+|\d+|[^\s\p{L}\p{M}\d]/gu) ?? [];
  if (tokens.some((token) => /^[^\p{L}\d]/u.test(token) && !/^[-.,/()،º°ª]$/.test(token))) return undefined;
  const numbers = tokens.filter((token) => /^\d/.test(token));
  const words = tokens.filter(
    (token, index) =>
      /^\p{L}/u.test(token) &&
      !fillers.has(token.toLowerCase()) &&
      !isOrdinal(token, tokens[index - 1] ?? ''),
  );
  const year = numbers.find((number) => number.length === 4);
  const day = numbers.find((number) => number.length <= 2);
  const first = tokens.findIndex((token) => /^\d/.test(token));
  // `mar` is Tuesday in three languages, and March after a day.
  const month = words.find(
    (word) => monthNamed(word) && (weekdayNamed(word) === undefined || tokens.indexOf(word) > first),
  );
  if (numbers.length !== 2 || year === undefined || day === undefined || month === undefined)
    return undefined;
  const date = readDate(`${year}-${monthNamed(month)}-${day}`);
  const rest = words.filter((word) => word !== month);
  return date === undefined ? undefined : onWeekdays(date, rest);
}

/** `4th`, `1er`, `4o`. */
const isOrdinal = (token: string, before: string): boolean =>
  /^\d+$/.test(before) && /^(?:st|nd|rd|th|er|o|a|e)$/i.test(token);

/** From Monday, in Japanese, Korean and Chinese. */
const weekdays = ['月월一', '火화二', '水수三', '木목四', '金금五', '土토六', '日일天'];

/** The date if each of these words is its weekday. */
function onWeekdays(date: string, words: readonly string[]): string | undefined {
  const day = Temporal.PlainDate.from(date).dayOfWeek;
  const cjk = (word: string) => weekdays.findIndex((names) => names.includes(word)) + 1;
  return words.every(
    (word) => (weekdayNamed(word) ?? cjk(word.replace(/曜日|요일|星期|[周週]/u, ''))) === day,
  )
    ? date
    : undefined;
}

/** Days on which programs put a time that has none: those with which spreadsheets, systems and databases begin. */
const epochs = new Set(['1899-12-30', '1899-12-31', '1900-01-01', '1904-01-01', '1970-01-01', '2000-01-01']);
export const isNoDay = (date: string): boolean =>
  epochs.has(date) || date.startsWith('0000-') || date === '0001-01-01';
