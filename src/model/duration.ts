const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in milliseconds for people, in the greatest unit of which there are two: `45 s`, `3 min`, `2 h`, `4 days`. */
export function formatDuration(ms: number): string {
  const rounded = (unit: number) => Math.max(0, Math.round(ms / unit));
  if (rounded(SECOND) < 120) return `${rounded(SECOND)} s`;
  if (rounded(MINUTE) < 120) return `${rounded(MINUTE)} min`;
  return rounded(HOUR) < 48 ? `${rounded(HOUR)} h` : `${rounded(DAY)} days`;
}
