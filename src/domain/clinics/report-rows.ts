import type { Instant } from '../../platform/clock.ts';
import type { Period } from '../date-time.ts';
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

/**
 * Open visits of one clinic with the same status, dentist or source, by days of the clinic's calendar since booking.
 */
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
