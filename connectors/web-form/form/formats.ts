import { DAY, HOUR, MINUTE } from '../../../src/platform/duration.ts';

const made = new Map<string, Formats>();

export type Formats = ReturnType<typeof make>;

/**
 * How a language writes days and times. Cached: a formatter takes tens of kilobytes outside the garbage collector's
 * view, so one per page would let strangers fill the memory. Only languages offered by the form are requested.
 */
export function formatsOf(lang: string): Formats {
  const formats = made.get(lang) ?? make(lang);
  made.set(lang, formats);
  return formats;
}

/** 5 January 2026 was a Monday. */
const MONDAY = Date.UTC(2026, 0, 5);
const minutes = (lang: string) =>
  new Intl.NumberFormat(lang, { style: 'unit', unit: 'minute', unitDisplay: 'short' });

/** `৳1,500`; a currency without an ISO code has its symbol before the number. */
function money(lang: string, currency: string | null, symbol: string | null): (amount: number) => string {
  const plain = { trailingZeroDisplay: 'stripIfInteger', minimumFractionDigits: 2 } as const;
  if (currency !== null && /^[A-Z]{3}$/.test(currency)) {
    const named = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    const formatter = new Intl.NumberFormat(lang, { ...named, trailingZeroDisplay: 'stripIfInteger' });
    return (amount) => formatter.format(amount);
  }
  const formatter = new Intl.NumberFormat(lang, plain);
  return (amount) => `${symbol ?? ''}${formatter.format(amount)}`;
}

function make(lang: string) {
  const format = (parts: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(lang, { ...parts, timeZone: 'UTC' });
    return (at: number) => formatter.format(at);
  };
  const weekday = format({ weekday: 'long' });
  const monies = new Map<string, (amount: number) => string>();
  let waits: Intl.RelativeTimeFormat | undefined;
  let duration: Intl.NumberFormat | undefined;
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return {
    /** `Monday` to `Sunday`. */
    weekdays: Array.from({ length: 7 }, (_, index) => weekday(MONDAY + index * DAY)),
    /** `Tuesday, March 10`, of midnight UTC of that day. */
    day: format({ weekday: 'long', day: 'numeric', month: 'long' }),
    /** `March 2026` */
    month: format({ month: 'long', year: 'numeric' }),
    minutes(count: number): string {
      duration ??= minutes(lang);
      return duration.format(count);
    },
    /** `in 7 minutes`, or in hours. */
    later(ms: number): string {
      waits ??= new Intl.RelativeTimeFormat(lang);
      const hours = Math.ceil(ms / HOUR);
      return hours > 2 ? waits.format(hours, 'hour') : waits.format(Math.ceil(ms / MINUTE), 'minute');
    },
    money(amount: number, currency: string | null, symbol: string | null): string {
      const key = `${currency} ${symbol}`;
      const write = monies.get(key) ?? money(lang, currency, symbol);
      monies.set(key, write);
      return write(amount);
    },
    /** `09:00` in the language's own digits. 24:00 is the end of the day. */
    time: (text: string) =>
      text === '24:00' ? clock(Date.parse('2026-01-05T00:00Z')) : clock(Date.parse(`2026-01-05T${text}Z`)),
  };
}
