import { type Closure, isClosed, opensAt } from '../domain/clinics/closure.ts';
import { wallClockAt } from '../domain/date-time.ts';
import { needWords } from '../domain/status/need-words.ts';
import { type Instant, instant, toMs } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import { localeOf } from '../platform/text/locale.ts';
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
  /** When the last lead came in, at the latest, or the clinic opened again. */
  since: Instant;
  forMs: number;
  /** The usual number of leads per day. */
  perDay: number;
}

/**
 * Whether leads are missing: at the usual rate of each weekday at least four would have come since the last one, and no
 * pause in eight weeks was as long (nights and closed days are pauses, too). While the clinic is said to be closed,
 * none are expected. Pure.
 */
export function silenceOf(
  { quarters }: Pick<Leads, 'quarters'>,
  { now, zone, closure }: Hours,
): Silence | undefined {
  const known = quarters.filter(({ ms }) => ms >= now - LEARNED_MS && ms <= now);
  const [first, last] = [known[0], known.at(-1)];
  const total = known.reduce((sum, { count }) => sum + count, 0);
  if (first === undefined || last === undefined || last.ms - first.ms < LEAST_MS || total < LEAST_LEADS)
    return undefined;
  if (isClosed(closure, zone, now)) return undefined;
  const isOpenFor = (from: number, to: number) => to - from - closedFor(from, to, { closure, zone });
  const since = Math.max(last.ms + QUARTER, closure ? Math.min(now, opensAt(closure, zone)) : 0);
  const forMs = now - since;
  const longest = Math.max(...known.slice(1).map(({ ms }, index) => isOpenFor(known[index]?.ms ?? ms, ms)));
  if (forMs <= longest || missingSince(since, known, { now, zone, closure }) < MISSING) return undefined;
  return { since: instant(since), forMs, perDay: total / Math.max(1, (since - first.ms) / DAY) };
}

interface Hours {
  now: number;
  zone: string;
  closure?: Closure | undefined;
}

/** Milliseconds of this time in which the clinic was said to be closed. */
function closedFor(from: number, to: number, { closure, zone }: Pick<Hours, 'closure' | 'zone'>): number {
  if (closure === undefined) return 0;
  return Math.max(0, Math.min(to, opensAt(closure, zone)) - Math.max(from, toMs(closure.from)));
}

/** The usual number of leads in those hours, by weekday. */
function missingSince(since: number, known: Leads['quarters'], { now, zone, closure }: Hours): number {
  const weekdayOf = (ms: number) => wallClockAt(ms, zone).weekday;
  const leads = new Map<number, number>();
  const hours = new Map<number, number>();
  for (const { ms, count } of known) leads.set(weekdayOf(ms), (leads.get(weekdayOf(ms)) ?? 0) + count);
  for (let ms = known[0]?.ms ?? since; ms < since; ms += HOUR)
    if (closedFor(ms, ms + HOUR, { closure, zone }) === 0)
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
  const said = { name, ms: forMs, count };
  const { sentence = '', todo = '' } = needWords({ said, subject: source }, localeOf('en')) ?? {};
  return {
    key: `silence ${clinic} ${source}`,
    topics: ['silence'],
    kind: 'silence',
    clinic,
    subject: source,
    said,
    sentence,
    action: todo ?? '',
    since,
    urgent: false,
    url,
  };
}
