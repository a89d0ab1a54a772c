import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';

/**
 * How likely an appointment's status is to change, per minute, given its status, the time to the visit and the part of
 * the day: a Gamma prior from a hand-written template, updated by observations of this clinic. Pure.
 */

/** What the change rate of an appointment depends on. */
export interface StatusAge {
  /** A `statusKey`. */
  status: string;
  /** Start of the visit, milliseconds since the epoch. */
  start: number;
}

/** Statuses are compared without case and surrounding space. */
export const statusKey = (status: string): string => status.trim().toLowerCase();

/** Phases around a visit, by milliseconds from its start, with the expected changes per hour. */
const phases = [
  { name: 'weeks', until: -7 * DAY, perHour: 0.001 },
  { name: 'days', until: -2 * DAY, perHour: 0.003 },
  { name: 'eve', until: -6 * HOUR, perHour: 0.012 },
  { name: 'hours', until: -1 * HOUR, perHour: 0.04 },
  { name: 'arrival', until: -15 * MINUTE, perHour: 0.3 },
  { name: 'start', until: 20 * MINUTE, perHour: 0.9 },
  { name: 'visit', until: 90 * MINUTE, perHour: 0.8 },
  { name: 'hours-after', until: 5 * HOUR, perHour: 0.25 },
  { name: 'day-after', until: 1 * DAY, perHour: 0.04 },
  { name: 'late', until: Number.POSITIVE_INFINITY, perHour: 0.004 },
] as const;

/** Parts of the clinic's day, by hour. Around a visit the clinic is staffed at any hour. */
const parts = [
  { name: 'night', until: 7, factor: 0.1 },
  { name: 'morning', until: 12, factor: 1 },
  { name: 'afternoon', until: 17, factor: 1 },
  { name: 'evening', until: 21, factor: 0.6 },
  { name: 'night', until: 24, factor: 0.1 },
] as const;
const attended = new Set<string>(['arrival', 'start', 'visit']);

/** The prior weighs as much as this many observed changes. */
const PRIOR_CHANGES = 2;
/** Observations lose half their weight in this time: clinics change how they work. */
const HALF_LIFE = 90 * DAY;

/** Per bucket: changes, and minutes observed without one. Plain JSON, to be stored. */
export type Seen = Record<string, { changes: number; minutes: number }>;

interface Bucket {
  key: string;
  /** Changes per minute according to the template. */
  prior: number;
}

function bucketAt({ status, start }: StatusAge, at: number, zoneOffset: number): Bucket {
  const phase = phases.find(({ until }) => at - start < until) ?? phases[phases.length - 1];
  const hour = (((at + zoneOffset) % DAY) + DAY) % DAY;
  const part = parts.find(({ until }) => hour < until * HOUR) ?? parts[0];
  const factor = phase !== undefined && attended.has(phase.name) ? 1 : part.factor;
  return {
    key: `${status}/${phase?.name}/${part.name}`,
    prior: ((phase?.perHour ?? 0) * factor) / 60,
  };
}

/** The first instant after `at` in another phase or part of the day. */
function bucketEnd({ start }: StatusAge, at: number, zoneOffset: number): number {
  const midnight = Math.floor((at + zoneOffset) / DAY) * DAY - zoneOffset;
  const phase = phases.find(({ until }) => start + until > at)?.until ?? 0;
  const part = parts.find(({ until }) => midnight + until * HOUR > at)?.until ?? 24;
  return Math.min(start + phase, midnight + part * HOUR);
}

/** Expected changes per minute at an instant. `zoneOffset`: the clinic's local time minus UTC, milliseconds. */
export function rateAt(seen: Seen, visit: StatusAge, at: number, zoneOffset: number): number {
  const { key, prior } = bucketAt(visit, at, zoneOffset);
  const own = seen[key];
  if (own === undefined) return prior;
  // Mean of the Gamma posterior: (a + changes) / (b + exposure), the prior having a = PRIOR_CHANGES and mean `prior`.
  return (PRIOR_CHANGES + own.changes) / (PRIOR_CHANGES / prior + own.minutes);
}

interface SeenInterval extends StatusAge {
  /** Times of two reads, milliseconds since the epoch, and whether the status changed in between. */
  from: number;
  to: number;
  changed: boolean;
}

/** A change within a longer gap between two reads (the daemon was off) tells nothing about when it happened. */
const LONGEST_FOR_A_CHANGE = 2 * DAY;

/** Adds one interval. Mutates `seen`. */
export function learn(seen: Seen, interval: SeenInterval, zoneOffset: number): void {
  const { from, to, changed } = interval;
  if (to <= from || (changed && to - from > LONGEST_FOR_A_CHANGE)) return;

  const slices: (Bucket & { minutes: number; expected: number })[] = [];
  for (let at = from; at < to; ) {
    const until = Math.min(to, bucketEnd(interval, at, zoneOffset));
    const minutes = (until - at) / MINUTE;
    const expected = minutes * rateAt(seen, interval, at, zoneOffset);
    slices.push({ ...bucketAt(interval, at, zoneOffset), minutes, expected });
    at = until;
  }

  // A change is spread over the slices by its likelihood in each; minutes after it do not count for the old status.
  const total = slices.reduce((sum, { expected }) => sum + expected, 0);
  let happened = 0;
  for (const { key, minutes, expected } of slices) {
    const share = changed ? expected / total : 0;
    const bucket = seen[key] ?? { changes: 0, minutes: 0 };
    bucket.changes += share;
    bucket.minutes += minutes * (1 - happened - share / 2);
    seen[key] = bucket;
    happened += share;
  }
}

/** Decays all observations. Mutates `seen`. */
export function fade(seen: Seen, elapsed: number): void {
  const factor = 0.5 ** (Math.max(0, elapsed) / HALF_LIFE);
  for (const bucket of Object.values(seen)) {
    bucket.changes *= factor;
    bucket.minutes *= factor;
  }
}
