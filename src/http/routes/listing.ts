import type { Booking } from '../../domain/bookings/booking.ts';
import { readDate, wallClockInstant } from '../../domain/date-time.ts';
import type { StatusReport } from '../../domain/status/report.ts';
import { instant } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import type { AdminData } from '../admin.ts';
import type { BookingsQuery, NextWaiting } from '../desk.ts';
import { type BookingsFilter, MOST_SELECTED } from '../pages/bookings-page.ts';

/** The bookings that a list shows. */
export interface BookingListing {
  filter: BookingsFilter | undefined;
  query: BookingsQuery;
  /** The time zone of its days. */
  zone: string;
}

const LONGEST = 100;
/** The day after it has a five-digit year. */
const LAST_DAY = '9999-12-31';

/** Filters from an address or a form; invalid ones are left out. */
export function queryOf(asked: Record<string, unknown>): BookingsQuery {
  const text = (name: string) => {
    const value = asked[name];
    return typeof value === 'string' ? value.trim().slice(0, LONGEST) : '';
  };
  const isDay = (value: string) => readDate(value) === value && value < LAST_DAY;
  const day = (name: string) => (isDay(text(name)) ? text(name) : '');
  const query = { source: text('source'), from: day('from'), to: day('to'), q: text('q') };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

const midnight = (date: string, zone: string, days = 0): number =>
  wallClockInstant(instant(Date.parse(date) + days * DAY).slice(0, 10), '00:00', zone).ms;

/** The days of receiving as instants. */
function timesOf({ from, to }: BookingsQuery, zone: string) {
  return {
    ...(from !== undefined && { since: instant(midnight(from, zone)) }),
    ...(to !== undefined && { until: instant(midnight(to, zone, 1)) }),
  };
}

const waitingIn = ({ needs }: Pick<StatusReport, 'needs'>): string[] =>
  needs.filter(({ kind }) => kind === 'booking').flatMap(({ subject, refs = [subject] }) => refs);

/** The booking that waits for a person after this one, the most urgent one after the last; undefined if none does. */
export function nextWaiting(report: StatusReport, ref: string): NextWaiting | undefined {
  const waiting = waitingIn(report);
  const at = waiting.indexOf(ref);
  const next = [...waiting.slice(at + 1), ...waiting].find((one) => one !== ref);
  const all = Math.max(report.needs_by_kind.booking ?? 0, waiting.length);
  return next === undefined ? undefined : { ref: next, left: at < 0 ? all : all - 1, isDecided: at < 0 };
}

/** At most `limit` bookings of a list, after a given one. */
export async function bookingsBehind(
  data: AdminData,
  report: StatusReport,
  { filter, query, zone, after, limit }: BookingListing & { after?: string | undefined; limit: number },
): Promise<Booking[]> {
  const times = timesOf(query, zone);
  const { source, q } = query;
  if (filter !== 'needs_you' && q === undefined)
    return data.bookings({
      ...(filter && { states: [filter] }),
      ...times,
      ...(source !== undefined && { source }),
      ...(after !== undefined && { behind: after }),
      limit,
    });
  const needed = waitingIn(report);
  const isPlain = q === undefined && Object.keys(query).length === 0;
  const behind = (refs: readonly string[]) => refs.slice(after === undefined ? 0 : refs.indexOf(after) + 1);
  if (isPlain) return data.bookingsOf(behind(needed).slice(0, limit));
  const all = q === undefined ? await data.bookingsOf(needed) : await data.search(q, MOST_SELECTED);
  const isWanted = (booking: Booking): boolean =>
    (source === undefined || booking.source === source) &&
    (times.since === undefined || booking.received_at >= times.since) &&
    (times.until === undefined || booking.received_at < times.until) &&
    (filter === undefined ||
      (filter === 'needs_you' ? needed.includes(booking.ref) : booking.state === filter));
  const wanted = all.filter(isWanted);
  const from = after === undefined ? 0 : wanted.findIndex(({ ref }) => ref === after) + 1;
  return wanted.slice(from, from + limit);
}

/** The length of the whole list; counted one by one, up to a thousand, where no other count exists. */
export async function countOf(
  data: AdminData,
  report: StatusReport,
  listing: BookingListing,
): Promise<number> {
  const { filter, query } = listing;
  if (filter === 'needs_you' && Object.keys(query).length === 0) return report.needs_by_kind.booking ?? 0;
  if (Object.keys(query).every((name) => name === 'source') && filter !== 'needs_you')
    return report.bookings
      .filter(({ source }) => query.source === undefined || source === query.source)
      .flatMap(({ states }) => Object.entries(states))
      .reduce((sum, [state, count]) => (filter === undefined || state === filter ? sum + count : sum), 0);
  return (await bookingsBehind(data, report, { ...listing, limit: MOST_SELECTED })).length;
}
