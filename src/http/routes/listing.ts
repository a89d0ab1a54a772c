import type { Booking } from '../../domain/bookings/booking.ts';
import { visitStandings } from '../../domain/bookings/visit-now.ts';
import { dayOf, daysAfter, namedDays, readDate, wallClockInstant } from '../../domain/date-time.ts';
import type { StatusReport } from '../../domain/status/report.ts';
import { instant } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import type { AdminData } from '../admin.ts';
import { type BookingsQuery, type ListedVisit, type NextWaiting, visitOrders } from '../desk.ts';
import { type BookingsFilter, MOST_SELECTED } from '../pages/bookings-page.ts';

/** The bookings that a list shows. */
interface BookingListing {
  filter: BookingsFilter | undefined;
  query: BookingsQuery;
  /** The time zone of its days. */
  zone: string;
  now: number;
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
  const day = (name: string) => (namedDays.includes(text(name)) || isDay(text(name)) ? text(name) : '');
  const query = {
    ...{ source: text('source'), from: day('from'), to: day('to'), q: text('q') },
    ...{ visit_from: day('visit_from'), visit_to: day('visit_to'), dentist: text('dentist') },
    standing: visitStandings.find((one) => one === text('standing')) ?? '',
    sort: visitOrders.find((one) => one === text('sort')) ?? '',
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

const midnight = (date: string, zone: string, days = 0): number =>
  wallClockInstant(instant(Date.parse(date) + days * DAY).slice(0, 10), '00:00', zone).ms;

/** The days of receiving as instants. */
function timesOf({ query: { from, to }, zone, now }: BookingListing) {
  return {
    ...(from !== undefined && { since: instant(midnight(dayOf(from, zone, now), zone)) }),
    ...(to !== undefined && { until: instant(midnight(dayOf(to, zone, now), zone, 1)) }),
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

/** Days before and after today whose visits are looked through where none are given: no history is. */
const [BEFORE, AFTER] = [31, 92];

/** The days of a list of visits, as given or else around today; undefined for a list by the time of receiving. */
export function visitDays({ query, zone, now }: Omit<BookingListing, 'filter'>) {
  const { visit_from, visit_to, dentist, standing, sort } = query;
  if ([visit_from, visit_to, dentist, standing, sort].every((one) => one === undefined)) return undefined;
  const near = (day: string | undefined, days: number) => daysAfter(dayOf(day ?? 'today', zone, now), days);
  return {
    from: visit_from ?? near(visit_to, -BEFORE),
    to: visit_to ?? near(visit_from, AFTER),
  };
}

/** Visits that are looked through, more than a day has anywhere. */
export const MOST_VISITS = 5_000;

const dentistOf = ({ booking, chosen }: ListedVisit): string => chosen.doctor ?? booking.doctor ?? '';

const placeOf = ({ booking, visit }: ListedVisit): string =>
  `${visit?.date ?? booking.appointment_date ?? ''} ${visit?.time ?? booking.appointment_time ?? ''}`;

const orders: Record<NonNullable<BookingsQuery['sort']>, (row: ListedVisit) => string> = {
  visit: placeOf,
  dentist: dentistOf,
  status: ({ booking, visit, standing }) => standing ?? visit?.status ?? `\uffff${booking.state}`,
};

const collator = new Intl.Collator('en');

/** The visits of some days, in the order asked for, those at one place by time. */
async function visitsIn(data: AdminData, listing: BookingListing): Promise<Booking[] | undefined> {
  const { query } = listing;
  const days = visitDays(listing);
  if (days === undefined) return undefined;
  const rows = await data.visits(days, MOST_VISITS);
  const order = orders[query.sort ?? 'visit'];
  const { compare } = collator;
  return rows
    .filter((row) => query.dentist === undefined || dentistOf(row) === query.dentist)
    .filter(({ standing }) => query.standing === undefined || standing === query.standing)
    .sort((one, other) => compare(order(one), order(other)) || compare(placeOf(one), placeOf(other)))
    .map(({ booking }) => booking);
}

/** At most `limit` bookings of a list, after a given one. */
export async function bookingsBehind(
  data: AdminData,
  report: StatusReport,
  listing: BookingListing & { after?: string | undefined; limit: number },
): Promise<Booking[]> {
  const { filter, query, after, limit } = listing;
  const times = timesOf(listing);
  const { source, q } = query;
  const visits = await visitsIn(data, listing);
  if (filter !== 'needs_you' && q === undefined && visits === undefined)
    return data.bookings({
      ...(filter && { states: [filter] }),
      ...times,
      ...(source !== undefined && { source }),
      ...(after !== undefined && { behind: after }),
      limit,
    });
  const needed = waitingIn(report);
  const isPlain = Object.keys(query).length === 0;
  const behind = (refs: readonly string[]) => refs.slice(after === undefined ? 0 : refs.indexOf(after) + 1);
  if (isPlain) return data.bookingsOf(behind(needed).slice(0, limit));
  const matching = q === undefined ? undefined : await data.search(q, MOST_SELECTED);
  const found = new Set(matching?.map(({ ref }) => ref));
  const all = visits ?? matching ?? (await data.bookingsOf(needed));
  const isWanted = (booking: Booking): boolean =>
    (source === undefined || booking.source === source) &&
    (matching === undefined || found.has(booking.ref)) &&
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
