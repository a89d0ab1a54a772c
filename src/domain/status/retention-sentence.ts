import { formatDuration } from '../../platform/duration.ts';
import type { RetentionReport } from './report.ts';

const names: readonly (readonly [keyof RetentionReport, string])[] = [
  ['bookings', 'bookings'],
  ['dropped', 'dropped bookings'],
  ['changes', 'the change log'],
  ['inbox', 'inbox files'],
];

/** One sentence saying what is kept for how long, for users. */
export function retentionSentence(retention: RetentionReport): string {
  const limited = names.flatMap(([key, name]) => {
    const ms = retention[key];
    return ms === null ? [] : [`${name} for ${formatDuration(ms)}`];
  });
  if (limited.length === 0) return 'Everything is kept: no limit is set under retention.';
  const kept = names.filter(([key]) => retention[key] === null).map(([, name]) => name);
  return `Keeps ${limited.join(', ')}${kept.length === 0 ? '' : `; without a limit: ${kept.join(', ')}`}.`;
}
