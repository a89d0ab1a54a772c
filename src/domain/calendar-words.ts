import { foldName } from '../platform/text/fold.ts';

/** The languages in which months, weekdays and halves of a day are read; Arabic by its regions' names of the months. */
const locales = 'en-GB en-US de de-AT fr es pt pt-PT it nl pl tr ar-EG ar-SY ar-MA bn hi'.split(' ');

/** By folded word, from 1; 0 where two languages disagree. */
type Words = ReadonlyMap<string, number>;

const bare = (word: string): string => foldName(word).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

function wordsOf(count: number, day: (index: number) => Date, options: Intl.DateTimeFormatOptions[]): Words {
  const words = new Map<string, number>();
  const formats = locales.flatMap((locale) =>
    options.map(
      (option) => new Intl.DateTimeFormat(locale, { ...option, timeZone: 'UTC', calendar: 'gregory' }),
    ),
  );
  for (const format of formats)
    for (let index = 1; index <= count; index += 1) {
      const word = bare(nameIn(format.formatToParts(day(index))));
      if (!/^\p{N}*$/u.test(word)) words.set(word, (words.get(word) ?? index) === index ? index : 0);
    }
  return words;
}

const nameIn = (parts: readonly Intl.DateTimeFormatPart[]): string =>
  parts.find(({ type }) => type === 'weekday' || type === 'month')?.value ?? '';

/** Made when first needed: most dates are written in digits. */
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const months = once(() => {
  const styles: Intl.DateTimeFormatOptions[] = [
    ...(['long', 'short'] as const).map((month) => ({ month })),
    ...(['long', 'short'] as const).map((month) => ({ day: 'numeric' as const, month })),
  ];
  const words = new Map(wordsOf(12, (index) => new Date(Date.UTC(2027, index - 1, 15)), styles));
  return words.set('sept', 9).set('mrz', 3);
});
/** 4 January 2027 is a Monday. */
const weekdays = once(() =>
  wordsOf(7, (index) => new Date(Date.UTC(2027, 0, 3 + index)), [{ weekday: 'long' }, { weekday: 'short' }]),
);

/** From 1; undefined for another word, 0 if it is not certain which. */
export const monthNamed = (word: string): number | undefined => months().get(bare(word));
/** From 1 for Monday. */
export const weekdayNamed = (word: string): number | undefined => weekdays().get(bare(word));
