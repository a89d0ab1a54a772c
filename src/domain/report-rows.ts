import { type Instant, instant } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import { wallClockAt } from './date-time.ts';
import type { ListedPrice } from './fees.ts';

export const leadGroups = [
  'source',
  'campaign',
  'channel',
  'dentist',
  'treatment',
  'weekday',
  'month',
] as const;
export type LeadGroup = (typeof leadGroups)[number];

/** What a group of `weekday` is called. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * The leads of a period with the same source, campaign, …, and what became of them. Cumulative: completed ones were booked,
 * booked ones were leads.
 */
export interface LeadsRow {
  clinic: string;
  /** Null: none, or not known. */
  group: string | null;
  leads: number;
  /** The clinic took it, whatever came of the visit. */
  booked: number;
  completed: number;
  cancelled: number;
  no_show: number;
  /** Booked, with a status of which nobody has said what it means. */
  unknown: number;
  open: number;
  lost: number;
  /** Of completed visits, by the fees of their time; null where they are in several currencies. */
  value: number | null;
  currency: string | null;
  /** On average, of those booked. */
  hours_to_booking: number | null;
  days_to_visit: number | null;
  /** Of the month, or as many days, before. */
  leads_before: number;
  booked_before: number;
  completed_before: number;
}

/** Days of the clinic's calendar, both included. */
export interface Period {
  from: string;
  to: string;
}

/** Open visits of one clinic with the same status, dentist or source, by how many days ago they were booked. */
export interface OpenVisits {
  clinic: string;
  /** Null: not known. */
  group: string | null;
  open: number;
  days_0_7: number;
  days_8_30: number;
  days_31_90: number;
  days_over_90: number;
  oldest_days: number;
}

export const openVisitGroups = ['status', 'dentist', 'source'] as const;

export interface PriceList {
  clinic: string;
  timezone: string;
  /** The day on the clinic's calendar; the prices are those at its end, or those of now. */
  on: string;
  known_since: Instant | null;
  prices: ListedPrice[];
}

export interface PricesAsked {
  /** Today without one. */
  day?: string | undefined;
  /** Both without one. */
  kind?: ListedPrice['kind'] | undefined;
  /** The id of the last one that was shown. */
  after?: string | undefined;
  /** Of each kind. */
  limit: number;
}

export interface PricePage extends PriceList {
  /** Where each kind goes on, if it does. */
  next: { kind: ListedPrice['kind']; after: string }[];
}

export const daysAfter = (date: string, days: number): string =>
  instant(Date.parse(`${date}T00:00:00Z`) + days * DAY).slice(0, 10);

/** The month that it is at the clinic furthest behind: several clinics in one report have the same. */
export const presentMonth = (clinics: readonly { timezone: string }[], now: number): string =>
  clinics
    .map(({ timezone }) => wallClockAt(now, timezone).date.slice(0, 7))
    .sort()
    .at(0) ?? instant(now).slice(0, 7);

export const monthBefore = (month: string): string => daysAfter(`${month}-01`, -1).slice(0, 7);

/** The whole month `YYYY-MM`. */
export function monthOf(month: string): Period {
  const next = daysAfter(`${month}-28`, 4).slice(0, 7);
  return { from: `${month}-01`, to: daysAfter(`${next}-01`, -1) };
}

/** The twelve months that end with this one. */
export function yearTo(month: string): Period {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = new Date(Date.UTC(year, number - 12, 1));
  return { from: first.toISOString().slice(0, 10), to: monthOf(month).to };
}
