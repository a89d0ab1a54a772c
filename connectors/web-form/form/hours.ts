import { parsedJson } from '../../../src/platform/json.ts';

/** One line of opening hours, for a day or a run of days. */
export interface HoursLine {
  days: string;
  /** `09:00–21:00`; null while closed. */
  hours: string | null;
}

export interface Hours {
  lines: HoursLine[];
  /** Earliest opening and latest closing of the week, HH:MM; undefined when unreadable. */
  earliest?: string;
  latest?: string;
}

const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** 5 January 2026 was a Monday. */
const monday = Date.UTC(2026, 0, 5);
const clock = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * The website's opening hours, with consecutive equal days as one line. The clinic writes them by hand: what cannot be
 * read is left out rather than shown wrong.
 */
export function readHours(text: string | null, lang: string): Hours {
  const byDay = parse(text);
  const names = weekdayNames(lang);
  const name = (index: number) => names[index] ?? '';

  const runs: { from: number; to: number; hours: string | null }[] = [];
  for (const [index, day] of week.entries()) {
    const hours = byDay.get(day);
    if (hours === undefined) continue;
    const shown = hours && `${hours.open}–${hours.close}`;
    const last = runs.at(-1);
    if (last && last.to === index - 1 && last.hours === shown) last.to = index;
    else runs.push({ from: index, to: index, hours: shown });
  }
  const lines = runs.map(({ from, to, hours }) => ({
    days: from === to ? name(from) : `${name(from)}–${name(to)}`,
    hours,
  }));

  const open = [...byDay.values()].filter((hours) => hours !== null);
  const plain =
    open.length > 0 &&
    open.every((one) => clock.test(one.open) && clock.test(one.close) && one.open < one.close);
  if (!plain) return { lines };
  return {
    lines,
    earliest: open.map((one) => one.open).sort()[0] ?? '',
    latest:
      open
        .map((one) => one.close)
        .sort()
        .at(-1) ?? '',
  };
}

const namesByLanguage = new Map<string, readonly string[]>();

/**
 * Cached per language: a formatter takes tens of kilobytes outside the garbage collector's view, so one per page would let
 * strangers fill the memory.
 */
function weekdayNames(lang: string): readonly string[] {
  const known = namesByLanguage.get(lang);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(lang, { weekday: 'long', timeZone: 'UTC' });
  const names = week.map((_, index) => format.format(monday + index * 86_400_000));
  namesByLanguage.set(lang, names);
  return names;
}

function parse(text: string | null): Map<string, { open: string; close: string } | null> {
  const byDay = new Map<string, { open: string; close: string } | null>();
  for (const [key, value] of Object.entries(Object(parsedJson(text ?? '')))) {
    const { open, close, is_closed } = Object(value) as Record<string, unknown>;
    const day = week.find((one) => one === key.trim().toLowerCase());
    if (day === undefined) continue;
    if (is_closed === true) byDay.set(day, null);
    else if (typeof open === 'string' && typeof close === 'string' && open && close)
      byDay.set(day, { open: open.trim(), close: close.trim() });
  }
  return byDay;
}
