/** Zone arithmetic of the simulator's own: only what the platform's formatter says, nothing of the product. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-29 02:30` on a wall clock; texts compare as times do, apart from the hour that autumn repeats. */
export function localTime(ms: number, zone: string): string {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' };
    format = new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: zone } as Intl.DateTimeFormatOptions);
    formats.set(zone, format);
  }
  return format.format(ms);
}

export const localDate = (ms: number, zone: string): string => localTime(ms, zone).slice(0, 10);

export const DAY_MS = 86_400_000;

const moments = new Map<string, number>();

/** The first moment at which the wall clock shows this time or a later one of the same or a later day. */
export function momentOf(date: string, time: string, zone: string): number {
  const key = `${date} ${time} ${zone}`;
  const known = moments.get(key) ?? searchedFor(date, time, zone);
  moments.set(key, known);
  return known;
}

function searchedFor(date: string, time: string, zone: string): number {
  const wanted = `${date} ${time}`;
  let [before, after] = [Date.parse(`${date}T00:00:00Z`) - DAY_MS, Date.parse(`${date}T23:59:00Z`) + DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localTime(middle, zone) >= wanted) after = middle;
    else before = middle;
  }
  return after;
}

export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const lastDayOf = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

export const monthBefore = (month: string): string => dateAfter(`${month}-01`, -1).slice(0, 7);

export const iso = (ms: number): string => new Date(ms).toISOString();
