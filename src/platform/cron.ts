import { createTask, validateDetailed } from 'node-cron';
import { DAY, SECOND } from './duration.ts';

/**
 * Cron expressions in UTC, five fields or six (seconds first), with the semantics of node-cron: a day must match both
 * its day-of-month and its day-of-week field. Only node-cron's arithmetic is used: its timers drop late slots, fire in
 * a burst after a clock set forward and fall silent after one set back.
 */
export interface Cron {
  /** The first matching second strictly after `ms` (milliseconds since the epoch). */
  next(ms: number): number;
  /** The usual distance between two matches, in milliseconds. */
  readonly intervalMs: number;
}

/** 29 February on a given weekday recurs within 40 years, even across 2100. */
const LONGEST_SEARCH_DAYS = 41 * 366;
/** A fixed Monday, so that the interval depends on the expression alone. */
const MONDAY = Date.UTC(2026, 0, 5);
const GAPS_LOOKED_AT = 60;

/** Undefined when the expression is valid, else what is wrong with it. */
export function validateCron(expression: string): string | undefined {
  const read = readCron(expression);
  return 'problem' in read ? read.problem : undefined;
}

/** Throws RangeError for what `validateCron` rejects. */
export function parseCron(expression: string): Cron {
  const read = readCron(expression);
  if ('problem' in read) throw new RangeError(`${expression}: ${read.problem}`);
  return read;
}

type Walk = (ms: number) => number | undefined;
type Read = Cron | { problem: string };

/** Cached: a thousand clinics have five expressions each, mostly the same. */
const known = new Map<string, Read>();

function readCron(expression: string): Read {
  const before = known.get(expression);
  if (before !== undefined) return before;
  const read = workOut(expression);
  known.set(expression, read);
  return read;
}

function workOut(expression: string): Read {
  const { valid, errors, fields } = validateDetailed(expression);
  if (!valid || fields === undefined) return { problem: problemOf(errors[0]) };
  const walk = walker(expression, fields);
  if (walk(MONDAY) === undefined) return { problem: 'never comes' };
  const next = (ms: number) => {
    const found = walk(ms);
    if (found === undefined) throw new RangeError(`${expression}: never comes`);
    return found;
  };
  return { next, intervalMs: usualGap(next) };
}

const fieldNames: Readonly<Record<string, string>> = { dayOfMonth: 'day of the month', dayOfWeek: 'weekday' };

function problemOf(error: ReturnType<typeof validateDetailed>['errors'][number] | undefined): string {
  if (error === undefined) return 'is not a cron expression';
  const { field, value, message } = error;
  return field === 'expression' ? message : `the ${fieldNames[field] ?? field} cannot be ${value}`;
}

/** The upper median of the next gaps, so that an expression that pauses at night keeps its daytime interval. */
function usualGap(next: (ms: number) => number): number {
  const gaps: number[] = [];
  let at = next(MONDAY - 1);
  for (let i = 0; i < GAPS_LOOKED_AT; i += 1) {
    const following = next(at);
    gaps.push(following - at);
    at = following;
  }
  return gaps.sort((a, b) => a - b)[GAPS_LOOKED_AT / 2] ?? DAY;
}

type Fields = NonNullable<ReturnType<typeof validateDetailed>['fields']>;

function walker(expression: string, fields: Fields): Walk {
  const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);
  const [hours, minutes, seconds] = [fields.hour, fields.minute, fields.second].map(ascending);
  if (hours === undefined || minutes === undefined || seconds === undefined) return () => undefined;

  // A task never started still knows which dates match; destroyed at once, it leaves node-cron's registry again.
  const task = createTask(expression, () => {}, { timezone: 'UTC' });
  void task.destroy();
  const months = new Set(fields.month);
  const first = ((hours[0] ?? 0) * 3600 + (minutes[0] ?? 0) * 60 + (seconds[0] ?? 0)) * SECOND;
  /** Caches the last day asked about, because most calls repeat it. */
  let asked: { midnight: number; matches: boolean } | undefined;
  const dayMatches = (midnight: number) => {
    if (asked?.midnight !== midnight) {
      const isItsMonth = months.has(new Date(midnight).getUTCMonth() + 1);
      asked = { midnight, matches: isItsMonth && task.match(new Date(midnight + first)) };
    }
    return asked.matches;
  };

  return (ms) => {
    const today = Math.floor(ms / DAY) * DAY;
    const elapsed = Math.floor((ms - today) / SECOND);
    for (let day = 0; day <= LONGEST_SEARCH_DAYS; day += 1) {
      const midnight = today + day * DAY;
      // Time of day first: on most days it costs nothing, whereas matching the day is expensive.
      const second = firstAfter(day === 0 ? elapsed : -1, hours, minutes, seconds);
      if (second !== undefined && dayMatches(midnight)) return midnight + second * SECOND;
    }
    return undefined;
  };
}

/** The first second of a day after `elapsed` that matches the three ascending fields. */
function firstAfter(
  elapsed: number,
  hours: readonly number[],
  minutes: readonly number[],
  seconds: readonly number[],
): number | undefined {
  for (const hour of hours) {
    if (hour * 3600 + 3599 <= elapsed) continue;
    for (const minute of minutes) {
      if (hour * 3600 + minute * 60 + 59 <= elapsed) continue;
      for (const second of seconds) {
        const at = hour * 3600 + minute * 60 + second;
        if (at > elapsed) return at;
      }
    }
  }
  return undefined;
}
