/** Milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = {
  s: SECOND,
  m: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
  mo: 30 * DAY,
  y: 365 * DAY,
};

/** Parses `90d` or `3y` (a month has 30 days, a year 365) into milliseconds; undefined when invalid. */
export function parseDuration(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,6}) ?(s|m|h|d|w|mo|y)$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? undefined : Number(number) * factor;
}

/** A duration for display, in the largest unit of which there are at least two: `45 s`, `3 min`, `4 days`. */
export function formatDuration(ms: number): string {
  const rounded = (unit: number) => Math.max(0, Math.round(ms / unit));
  if (rounded(SECOND) === 0) return 'less than a second';
  if (rounded(SECOND) < 120) return `${rounded(SECOND)} s`;
  if (rounded(MINUTE) < 120) return `${rounded(MINUTE)} min`;
  if (rounded(HOUR) < 48) return `${rounded(HOUR)} h`;
  return rounded(DAY) < 730 ? `${rounded(DAY)} days` : `${rounded(365 * DAY)} years`;
}
