import { fold } from '../../platform/text/fold.ts';
import { readTime } from '../date-time.ts';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

interface DayHours {
  closed: boolean;
  /** HH:MM; both null while closed. */
  open: string | null;
  close: string | null;
}

/**
 * Whether the clinic is open according to its website. Undefined if the hours cannot be read: they are free text, and a
 * booking must not be held just because we cannot check.
 */
export function isOpen(openingHours: unknown, date: string, time: string): boolean | undefined {
  const weekday = new Date(date).getUTCDay() || 7;
  const today = hoursOn(openingHours, weekday);
  const yesterday = hoursOn(openingHours, weekday === 1 ? 7 : weekday - 1);
  // Hours past midnight belong to the previous day.
  if (yesterday !== undefined && overnight(yesterday) && yesterday.close !== null && time < yesterday.close)
    return true;
  if (today === undefined) return undefined;
  if (today.closed || today.open === null || today.close === null) return false;
  return overnight(today) ? time >= today.open : time >= today.open && time < today.close;
}

const overnight = ({ open, close }: DayHours) => open !== null && close !== null && close < open;

/** Cached per answer of the clinic, because every lead needs two of its days. */
const read = new WeakMap<object, Map<number, DayHours | undefined>>();

/** The hours of a weekday (1 is Monday); undefined if they cannot be read. */
export function hoursOn(openingHours: unknown, weekday: number): DayHours | undefined {
  if (openingHours === null || typeof openingHours !== 'object') return undefined;
  const days = read.get(openingHours) ?? new Map<number, DayHours | undefined>();
  read.set(openingHours, days);
  if (!days.has(weekday)) days.set(weekday, readHours(openingHours, weekday));
  return days.get(weekday);
}

function readHours(openingHours: object, weekday: number): DayHours | undefined {
  const entries = Object.entries(openingHours).filter(([key]) => dayNumber(key) === weekday);
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) return undefined;
  const hours: unknown = entry[1];
  if (hours === null || typeof hours !== 'object' || !('is_closed' in hours)) return undefined;
  if (hours.is_closed === true) return { closed: true, open: null, close: null };
  const open = 'open' in hours ? readHour(hours.open) : undefined;
  const close = 'close' in hours ? readHour(hours.close) : undefined;
  if (open === undefined || close === undefined || open === close) return undefined;
  return { closed: false, open, close: close === '00:00' ? '24:00' : close };
}

function dayNumber(key: string): number | undefined {
  const name = fold(key).replace(/\.$/, '');
  if (name.length < 3) return undefined;
  const index = days.findIndex((day) => day === name || (name.length <= 5 && day.startsWith(name)));
  return index < 0 ? undefined : index + 1;
}

function readHour(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '24:00') return '24:00';
  return readTime(value);
}
