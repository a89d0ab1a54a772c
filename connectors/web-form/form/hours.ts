import { hoursOn, isOpen } from '../../../src/domain/clinics/opening-hours.ts';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import { DAY } from '../../../src/platform/duration.ts';
import type { Formats } from './formats.ts';

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

/** Opening hours by weekday (1 is Monday), of the days on which the clinic opens; undefined when they are unknown. */
export function weekHours(openingHours: unknown): Record<number, [open: string, close: string]> | undefined {
  const open: Record<number, [open: string, close: string]> = {};
  for (const weekday of week) {
    const { open: from, close: to } = hoursOn(openingHours, weekday) ?? {};
    // Hours past midnight have no earliest or latest time of day.
    if (from && to && to < from) return undefined;
    if (from && to) open[weekday] = [from, to];
  }
  return Object.keys(open).length === 0 ? undefined : open;
}

/** The times of all days together, from each opening on in steps of so many minutes. */
export function selectableTimes(hours: NonNullable<ReturnType<typeof weekHours>>, step: number): string[] {
  const times = Object.values(hours).flatMap(([open, close]) => {
    const [from, to] = [minutesOf(open), minutesOf(close)];
    return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => timeOf(from + index * step));
  });
  return [...new Set(times)].toSorted();
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((value) => String(value).padStart(2, '0')).join(':');

/** What is asked for later than this before closing time is too late today. */
const LAST_MINUTES = 5;
const before = (time: string): string => timeOf(minutesOf(time) - LAST_MINUTES);

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
