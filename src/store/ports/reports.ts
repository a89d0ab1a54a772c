import type { FeePeriod } from '../../domain/fees.ts';
import type { MonthSources } from '../../domain/month-pack.ts';
import type { LeadsRow, OpenVisits, openVisitGroups } from '../../domain/report-rows.ts';
import type { Instant } from '../../platform/clock.ts';

export type LeadColumn =
  | 'source'
  | 'campaign'
  | 'channel'
  | 'first_campaign'
  | 'first_channel'
  | 'doctor_id'
  | 'treatment_id';

/** 0: Sunday, where the clocks are this many seconds ahead of UTC. */
export interface Weekday {
  weekday_ahead: number;
}

/** Up to each of these instants, the earliest first, a group. */
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
  /** The sum of the fees of completed visits. */
  value: number;
  /** Sums, and of how many leads. */
  minutes: number;
  with_minutes: number;
  days: number;
  with_days: number;
}

/** What reports are made of. Each reads what the report asks for, and no more. */
export interface ReportVerbs extends MonthSources {
  /** What one thing has cost, the newest first; from before `before`. */
  feePeriodsOf(
    clinic: string,
    thing: Pick<FeePeriod, 'kind' | 'id'>,
    asked: { limit: number; before?: Instant },
  ): Promise<FeePeriod[]>;
  /** What each thing of a kind cost right before `end`, by its number; those after `after`, at most `limit`. */
  feesAt(
    clinic: string,
    kind: FeePeriod['kind'],
    asked: { end: Instant; limit: number; after?: string | undefined },
  ): Promise<FeePeriod[]>;
  /** The open visits of a clinic, by how many of its days before `now` they were booked. */
  openVisits(clinic: string, by: (typeof openVisitGroups)[number], now: number): Promise<OpenVisits[]>;
  /** Leads received from one instant until before another, removed ones included, from the view `leads`. */
  leads(
    clinic: string,
    asked: { from: Instant; until: Instant; by: LeadColumn | Weekday | Steps },
  ): Promise<LeadCounts[]>;
  /** When the first and the last lead were received, removed ones included; undefined where there was none. */
  leadSpan(clinic: string): Promise<{ first: Instant; last: Instant } | undefined>;
  /** Statuses that the clinic has used and of which nobody has said what they mean. */
  unknownStatuses(clinic: string): Promise<string[]>;
}
