import { type Instant, instant } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import type { ListedPrice } from '../clinics/fees.ts';
import { wallClockAt } from '../date-time.ts';

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

/** Names of the groups by `weekday`. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * The leads of a period with the same source, campaign and so on, and their outcomes. Cumulative: booked includes
 * completed, leads includes booked.
 */
export interface LeadsRow {
  clinic: string;
  /** Null: none or unknown. */
  group: string | null;
  leads: number;
  /** Accepted by the clinic, whatever became of the visit. */
  booked: number;
  completed: number;
  cancelled: number;
  no_show: number;
  /** Booked, with a status whose meaning is not configured. */
  unknown: number;
  open: number;
  lost: number;
  /** Value of completed visits at the fees of their day; null if in several currencies. */
  value: number | null;
  currency: string | null;
  /** Averages over those booked. */
  hours_to_booking: number | null;
  days_to_visit: number | null;
  /** The month before, or the same number of days before. */
  leads_before: number;
  booked_before: number;
  completed_before: number;
}

/** Days of the clinic's calendar, both inclusive. */
export interface Period {
  from: string;
  to: string;
}

/** Open visits of one clinic with the same status, dentist or source, by days of the clinic's calendar since booking. */
export interface OpenVisits {
  clinic: string;
  /** Null: unknown. */
  group: string | null;
  open: number;
  days_0_7: number;
  days_8_30: number;
  days_31_90: number;
  days_over_90: number;
  oldest_days: number;
}

/** All visits of a group, and those of them that are open. */
export interface VisitsRow extends Omit<OpenVisits, 'oldest_days'> {
  visits: number;
  /** Null: none is open. */
  oldest_days: number | null;
}

/** Days of the visits, both inclusive; any if left out. */
export type VisitPeriod = { [D in keyof Period]?: string | undefined };

export const openVisitGroups = ['status', 'dentist', 'source'] as const;

export interface PriceList {
  clinic: string;
  timezone: string;
  /** Day of the clinic's calendar; prices are as at its end, or current. */
  on: string;
  known_since: Instant | null;
  prices: ListedPrice[];
}

export interface PricesAsked {
  /** Default: today. */
  day?: string | undefined;
  /** Default: both. */
  kind?: ListedPrice['kind'] | undefined;
  /** The id of the last item of the previous page. */
  after?: string | undefined;
  /** Maximum per kind. */
  limit: number;
}

export interface PricePage extends PriceList {
  /** Where the next page of each kind starts, if there is one. */
  next: { kind: ListedPrice['kind']; after: string }[];
}

export const daysAfter = (date: string, days: number): string =>
  instant(Date.parse(`${date}T00:00:00Z`) + days * DAY).slice(0, 10);

/** Whole days from one date to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY);

/** The current month at the clinic whose time is furthest behind, so that all clinics of a report share it. */
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

/** The twelve months ending with this one. */
export function yearTo(month: string): Period {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = new Date(Date.UTC(year, number - 12, 1));
  return { from: first.toISOString().slice(0, 10), to: monthOf(month).to };
}
