import { type Language, PLACEHOLDER, type TextName, textsOf, type Values } from '../../texts/texts.ts';
import { type Instant, toMs } from '../clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../duration.ts';
import { type Html, html, type Part, toText } from './html.ts';
import { directionOf } from './languages.ts';

/** The language of a page, and the one clock of all its times. */
export interface Locale {
  readonly lang: Language;
  /** Whether it is the language of what clinics, machines and the log say: that is shown as it is. */
  readonly isSource: boolean;
  readonly dir: 'ltr' | 'rtl';
  /** IANA name. */
  readonly zone: string;
  /** A text of the catalogue; its numbers are formatted for the language. */
  t<Name extends TextName>(name: Name, ...values: Values<Name, string | number>): string;
  /** The same with markup as values. */
  rich<Name extends TextName>(name: Name, ...values: Values<Name, Part>): Html;
  /** A decimal text keeps its places, at any length. */
  number(value: number | string): string;
  /** `A, B and C` */
  list(parts: readonly string[]): string;
  /** `3 min`, in the largest unit that gives at least two. */
  duration(ms: number): string;
  /** `1 day`, `-2.5 days` */
  days(count: number): string;
  /** `3 min ago`, with the exact moment as its title. */
  time(at: Instant | null, now: number, missing?: string): Html;
  /** The exact moment, where it is evidence. */
  moment(at: Instant): Html;
  /** Parts of a day or time on the page's clock. */
  date(ms: number, parts: Intl.DateTimeFormatOptions): string;
  /** The same language on another clock, for a page about one clinic, or a list about many. */
  inZone(zone: string): Locale;
}

/** Anything nearer is “now”. */
const INSTANT_MS = 5_000;

const made = new Map<string, Locale>();
/** Limits the cache: each formatter takes tens of kilobytes outside the garbage collector's view. */
const MOST_LOCALES = 60;

/** A language on a clock. Its texts must be loaded first; otherwise it is English. */
export function localeOf(lang: Language, zone = 'UTC'): Locale {
  const key = `${lang} ${zone}`;
  const found = made.get(key) ?? makeLocale(lang, zone);
  made.delete(key);
  made.set(key, found);
  const [oldest] = made.keys();
  if (made.size > MOST_LOCALES && oldest !== undefined) made.delete(oldest);
  return found;
}

/** British instead of American English. */
const tagOf = (lang: Language): string => (lang === 'en' ? 'en-GB' : lang);

const shared = new Map<Language, ReturnType<typeof makeNumbers>>();
const numbersOf = (lang: Language) => {
  const found = shared.get(lang) ?? makeNumbers(lang);
  shared.set(lang, found);
  return found;
};

const DECIMAL = /^-?\d+(?:\.(\d+))?$/;
/** What every version of Node formats; longer texts stay as they are, so that nothing is rounded. */
const MOST_PLACES = 20;

/** The parts that do not depend on the clock. */
function makeNumbers(lang: Language) {
  const tag = tagOf(lang);
  const units = new Map<string, Intl.NumberFormat>();
  const numbers = new Intl.NumberFormat(tag);
  const lists = new Intl.ListFormat(tag);
  /** By number of places. */
  const decimals: Intl.NumberFormat[] = [];
  const days = new Intl.NumberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const exactly = (text: string): string => {
    const length = DECIMAL.exec(text)?.[1]?.length ?? 0;
    if (length > MOST_PLACES || !DECIMAL.test(text)) return text;
    const format =
      decimals[length] ??
      new Intl.NumberFormat(tag, { minimumFractionDigits: length, maximumFractionDigits: length });
    decimals[length] = format;
    return format.format(text as Intl.StringNumericLiteral);
  };
  return {
    number: (value: number | string) => (typeof value === 'number' ? numbers.format(value) : exactly(value)),
    days: (count: number) => days.format(count),
    list: (parts: readonly string[]) => lists.format(parts),
    unit(value: number, unit: string): string {
      const format =
        // Without region: British English has `2 mins`, but `2 min ago`.
        units.get(unit) ?? new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'short' });
      units.set(unit, format);
      return format.format(value);
    },
    rules: new Intl.PluralRules(tag),
    relative: new Intl.RelativeTimeFormat(tag, { numeric: 'always', style: 'short' }),
    now: new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(0, 'second'),
  };
}

const steps = [
  ['second', SECOND, 120],
  ['minute', MINUTE, 120],
  ['hour', HOUR, 48],
  ['day', DAY, 730],
] as const;

function inUnits(ms: number): { unit: 'second' | 'minute' | 'hour' | 'day' | 'year'; value: number } {
  for (const [unit, length, most] of steps) {
    const value = Math.round(Math.abs(ms) / length);
    if (value < most) return { unit, value };
  }
  return { unit: 'year', value: Math.round(Math.abs(ms) / (365 * DAY)) };
}

function makeLocale(lang: Language, asked: string): Locale {
  const { number, list, days, unit, rules, relative, now: nowWord } = numbersOf(lang);
  const zone = isZone(asked) ? asked : 'UTC';
  const formats = new Map<string, Intl.DateTimeFormat>();
  const date = (ms: number, parts: Intl.DateTimeFormatOptions): string => {
    const key = JSON.stringify(parts);
    const format =
      formats.get(key) ??
      new Intl.DateTimeFormat(tagOf(lang), { hourCycle: 'h23', ...parts, timeZone: zone });
    formats.set(key, format);
    return format.format(ms);
  };
  const pattern = (name: TextName, count: unknown): string => {
    const text = textsOf(lang)[name];
    return typeof text === 'string' ? text : (text[rules.select(Number(count))] ?? text.other);
  };
  const valuesOf = (given: readonly object[]): Record<string, Part> =>
    ({ ...given[0] }) as Record<string, Part>;

  return {
    lang,
    isSource: lang === 'en',
    dir: directionOf(lang),
    zone,
    t(name, ...given) {
      const values = valuesOf(given);
      const pieces = pattern(name, values.count).split(PLACEHOLDER);
      const parts = pieces.map((piece, index) => (index % 2 === 0 ? piece : written(values[piece], number)));
      return parts.map((part, index) => afterStop(part, parts[index - 1])).join('');
    },
    rich(name, ...given) {
      const values = valuesOf(given);
      const pieces = pattern(name, values.count).split(PLACEHOLDER);
      const parts = pieces.map((piece, index) => {
        if (index % 2 === 0) return piece;
        const value = values[piece];
        return typeof value === 'number' ? number(value) : value;
      });
      return html`${parts.map((part, index) => afterStop(part, parts[index - 1]))}`;
    },
    number,
    list,
    days,
    duration(ms) {
      const { unit: name, value } = inUnits(ms);
      return unit(value, name);
    },
    time(at, now, missing) {
      if (at === null || Number.isNaN(toMs(at)))
        return html`<span class="faint">${missing ?? pattern('never', 0)}</span>`;
      const ms = toMs(at) - now;
      const { unit: name, value } = inUnits(ms);
      const words = Math.abs(ms) < INSTANT_MS ? nowWord : relative.format(ms < 0 ? -value : value, name);
      return html`<time datetime="${at}" title="${date(toMs(at), exact)}">${words}</time>`;
    },
    moment: (at) => html`<time datetime="${at}">${date(toMs(at), exact)}</time>`,
    date,
    inZone: (other) => localeOf(lang, other),
  };
}

/** A value that ends with a full stop, such as `4 Min.`, ends the sentence too. */
function afterStop<T extends Part>(part: T, before: Part): T | string {
  if (typeof part !== 'string' || !part.startsWith('.') || before === undefined) return part;
  return /\.(<\/time>)?$/.test(toText(html`${before}`)) ? part.slice(1) : part;
}

const written = (value: unknown, number: (value: number) => string): string =>
  typeof value === 'number' ? number(value) : String(value ?? '');

const exact: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
};

/** The configuration may have been checked on another machine, with other zones. */
function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
