import { wallClockAt } from '../domain/date-time.ts';
import { type Instant, instant } from '../platform/clock.ts';
import { DAY, formatDuration, HOUR, MINUTE } from '../platform/duration.ts';
import type { Alert } from './alerts.ts';

/** Leads of one source at one clinic: number per quarter of an hour, in order, without empty ones. */
export interface Leads {
  clinic: string;
  source: string;
  quarters: readonly { ms: number; count: number }[];
}

/** How far back the usual rate is learned from. */
export const LEARNED_MS = 56 * DAY;
const QUARTER = 15 * MINUTE;
/** With fewer data there is no usual rate yet. */
const LEAST_MS = 14 * DAY;
const LEAST_LEADS = 20;
/** So many leads must be missing; by chance that happens once in fifty cases. */
const MISSING = 4;

interface Silence {
  /** When the last lead came in, at the latest. */
  since: Instant;
  forMs: number;
  /** The usual number of leads per day. */
  perDay: number;
}

/**
 * Whether leads are missing: at the usual rate of each weekday at least four would have come since the last one, and no
 * pause in eight weeks was as long (nights and closed days are pauses, too). Pure.
 */
export function silenceOf(
  { quarters }: Pick<Leads, 'quarters'>,
  { now, zone }: { now: number; zone: string },
): Silence | undefined {
  const known = quarters.filter(({ ms }) => ms >= now - LEARNED_MS && ms <= now);
  const [first, last] = [known[0], known.at(-1)];
  const total = known.reduce((sum, { count }) => sum + count, 0);
  if (first === undefined || last === undefined || last.ms - first.ms < LEAST_MS || total < LEAST_LEADS)
    return undefined;
  const since = last.ms + QUARTER;
  const forMs = now - since;
  const longest = Math.max(...known.slice(1).map(({ ms }, index) => ms - (known[index]?.ms ?? ms)));
  if (forMs <= longest || missingSince(since, known, { now, zone }) < MISSING) return undefined;
  return { since: instant(since), forMs, perDay: total / Math.max(1, (since - first.ms) / DAY) };
}

/** The usual number of leads in those hours, by weekday. */
function missingSince(
  since: number,
  known: Leads['quarters'],
  { now, zone }: { now: number; zone: string },
): number {
  const weekdayOf = (ms: number) => wallClockAt(ms, zone).weekday;
  const leads = new Map<number, number>();
  const hours = new Map<number, number>();
  for (const { ms, count } of known) leads.set(weekdayOf(ms), (leads.get(weekdayOf(ms)) ?? 0) + count);
  for (let ms = known[0]?.ms ?? since; ms < since; ms += HOUR)
    hours.set(weekdayOf(ms), (hours.get(weekdayOf(ms)) ?? 0) + 1);
  let missing = 0;
  for (let ms = since; ms < now; ms += HOUR) {
    const day = weekdayOf(ms);
    missing += ((leads.get(day) ?? 0) / Math.max(1, hours.get(day) ?? 0)) * (Math.min(HOUR, now - ms) / HOUR);
  }
  return missing;
}

export function silenceAlert(
  { clinic, source }: Leads,
  { since, forMs, perDay }: Silence,
  url: string | null,
): Alert {
  const [name, count] =
    perDay >= 1
      ? (['silence_day', Math.round(perDay)] as const)
      : (['silence_week', Math.round(perDay * 7)] as const);
  const usual = name === 'silence_day' ? `${count} a day` : `${count} a week`;
  return {
    key: `silence ${clinic} ${source}`,
    topics: ['silence'],
    kind: 'silence',
    clinic,
    subject: source,
    said: { name, ms: forMs, count },
    sentence: `No lead from ${source} for ${formatDuration(forMs)}, usually ${usual}.`,
    action: 'Send one yourself and check that it arrives: the form or the website may be broken.',
    since,
    urgent: false,
    url,
  };
}
