import type { FeePeriod } from '../../domain/clinics/fees.ts';
import type { MonthSources } from '../../domain/reports/month-pack.ts';
import type { LeadsRow, OpenVisits, openVisitGroups, VisitPeriod } from '../../domain/reports/report-rows.ts';
import type { Instant } from '../../platform/clock.ts';

export type LeadColumn =
  | 'source'
  | 'campaign'
  | 'channel'
  | 'first_campaign'
  | 'first_channel'
  | 'doctor_id'
  | 'treatment_id';

/** 0 is Sunday, at clocks this many seconds ahead of UTC. */
export interface Weekday {
  weekday_ahead: number;
}

/** One group up to each of these instants, earliest first. */
export interface Steps {
  steps: readonly { until: Instant; group: string }[];
}

/** Leads of one group whose value is in one currency. */
export interface LeadCounts
  extends Pick<
    LeadsRow,
    'group' | 'leads' | 'booked' | 'completed' | 'cancelled' | 'no_show' | 'unknown' | 'open' | 'lost'
  > {
  currency: string | null;
  /** Sum of the fees of completed visits. */
  value: number;
  /** Sums, with the number of leads in each. */
  minutes: number;
  with_minutes: number;
  days: number;
  with_days: number;
}

/** The data of reports. Each verb reads only what its report needs. */
export interface ReportVerbs extends MonthSources {
  /** An item's fees, newest first, from before `before`. */
  feePeriodsOf(
    clinic: string,
    thing: Pick<FeePeriod, 'kind' | 'id'>,
    asked: { limit: number; before?: Instant },
  ): Promise<FeePeriod[]>;
  /** Fees in force right before `end`, by the item's number, starting after `after`, at most `limit`. */
  feesAt(
    clinic: string,
    kind: FeePeriod['kind'],
    asked: { end: Instant; limit: number; after?: string | undefined },
  ): Promise<FeePeriod[]>;
  /** Open visits of a clinic, by the number of its days from booking to `now`. */
  openVisits(
    clinic: string,
    by: (typeof openVisitGroups)[number],
    now: number,
    period?: VisitPeriod,
  ): Promise<OpenVisits[]>;
  /** All visits, open or not, including removed ones, of which only the status is known. */
  visitsBy(
    clinic: string,
    by: (typeof openVisitGroups)[number],
    period: VisitPeriod,
  ): Promise<{ group: string | null; visits: number }[]>;
  /** Leads received in a period (end exclusive), including removed ones, from the view `leads`. */
  leads(
    clinic: string,
    asked: { from: Instant; until: Instant; by: LeadColumn | Weekday | Steps },
  ): Promise<LeadCounts[]>;
  /** When the first and last lead were received, including removed ones; undefined if there was none. */
  leadSpan(clinic: string): Promise<{ first: Instant; last: Instant } | undefined>;
  /** Statuses used by the clinic whose meaning is not configured. */
  unknownStatuses(clinic: string): Promise<string[]>;
}
