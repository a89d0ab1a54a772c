import { wallClockAt } from '../../../src/domain/date-time.ts';
import { hoursOn, isOpen } from '../../../src/domain/opening-hours.ts';
import { DAY } from '../../../src/platform/duration.ts';
import type { Formats } from './formats.ts';

/** Minutes between the selectable times. */
export const STEP_MINUTES = 5;

/** One line of opening hours, for a day or a run of days. */
interface HoursLine {
  days: string;
  /** `09:00–21:00`; null while closed. */
  hours: string | null;
}

const week = [1, 2, 3, 4, 5, 6, 7];

/** Opening hours with consecutive equal days on one line. Unreadable days are left out rather than shown wrong. */
export function hoursLines(openingHours: unknown, formats: Formats): HoursLine[] {
  const name = (weekday: number) => formats.weekdays[weekday - 1] ?? '';
  const runs: { from: number; to: number; hours: string | null }[] = [];
  for (const weekday of week) {
    const hours = hoursText(openingHours, weekday, formats);
    if (hours === undefined) continue;
    const last = runs.at(-1);
    if (last && last.to === weekday - 1 && last.hours === hours) last.to = weekday;
    else runs.push({ from: weekday, to: weekday, hours });
  }
  return runs.map(({ from, to, hours }) => ({
    days: from === to ? name(from) : `${name(from)}–${name(to)}`,
    hours,
  }));
}

function hoursText(openingHours: unknown, weekday: number, { time }: Formats): string | null | undefined {
  const hours = hoursOn(openingHours, weekday);
  if (hours === undefined) return undefined;
  return hours.open === null || hours.close === null ? null : `${time(hours.open)}–${time(hours.close)}`;
}

/** Earliest opening and latest selectable time of the week, HH:MM; undefined when they are unknown. */
export function timesOfWeek(openingHours: unknown): { earliest: string; latest: string } | undefined {
  const open: { open: string; close: string }[] = [];
  for (const weekday of week) {
    const { open: from, close: to } = hoursOn(openingHours, weekday) ?? {};
    if (from && to) open.push({ open: from, close: to });
  }
  const [earliest] = open.map((one) => one.open).toSorted();
  const latest = open
    .map((one) => one.close)
    .toSorted()
    .at(-1);
  // Hours past midnight have no earliest or latest time of day.
  if (earliest === undefined || latest === undefined || open.some((one) => one.close < one.open))
    return undefined;
  return { earliest, latest: before(latest) };
}

/** One step before this time of day. */
function before(time: string): string {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) - STEP_MINUTES;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export interface OpenDay {
  /** YYYY-MM-DD on the clinic's calendar. */
  date: string;
  /** Midnight UTC of that day, for formatting. */
  at: number;
  /** 1 is Monday. */
  weekday: number;
}

export interface Calendar {
  openingHours: unknown;
  nowMs: number;
  /** The clinic's time zone. */
  zone: string;
}

/**
 * The clinic's open days, from today unless it has already closed; empty when it is closed on all of them, undefined
 * when no day's hours are readable. A day with unreadable hours counts as open, because intake does not hold it either.
 */
export function openDays(
  { openingHours, nowMs, zone }: Calendar,
  /** The last day, in days from today. */
  daysAhead: number,
): OpenDay[] | undefined {
  if (week.every((weekday) => hoursOn(openingHours, weekday) === undefined)) return undefined;
  const today = wallClockAt(nowMs, zone);
  const first = Date.parse(today.date);
  const days = Array.from({ length: daysAhead + 1 }, (_, index) => {
    const at = new Date(first + index * DAY);
    return { date: at.toISOString().slice(0, 10), at: at.getTime(), weekday: at.getUTCDay() || 7 };
  });
  return days.filter(({ date, weekday }) => {
    const hours = hoursOn(openingHours, weekday);
    if (hours?.closed) return false;
    const isOver =
      hours?.close && hours.open && hours.open < hours.close && today.time >= before(hours.close);
    return !(date === today.date && isOver);
  });
}

/** Whether this day and time are certainly outside the hours, or in the past. */
export function isClosedAt(
  { openingHours, nowMs, zone }: Calendar,
  date: string,
  time: string | undefined,
): boolean {
  const now = wallClockAt(nowMs, zone);
  const at = time === undefined ? date : `${date}T${time}`;
  const present = time === undefined ? now.date : `${now.date}T${now.time}`;
  if (at < present) return true;
  if (time !== undefined) return isOpen(openingHours, date, time) === false;
  return hoursOn(openingHours, new Date(date).getUTCDay() || 7)?.closed === true;
}
