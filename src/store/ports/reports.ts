import type { Change } from '../../domain/clinics/change.ts';
import type { FeePeriod } from '../../domain/clinics/fees.ts';
import type { EarlierLead, Gap, VisitCount } from '../../domain/clinics/month.ts';
import type {
  LeadCount,
  OpenVisitGroup,
  OpenVisits,
  VisitPeriod,
} from '../../domain/clinics/report-columns.ts';
import type { Statistics } from '../../domain/clinics/resource.ts';
import type { Instant } from '../../platform/clock.ts';

export type LeadColumn =
  | 'source'
  | 'campaign'
  | 'channel'
  | 'first_campaign'
  | 'first_channel'
  | 'doctor_id'
  | 'treatment_id';

/** One group up to each of these instants, earliest first. */
export interface ReportSteps {
  steps: readonly { until: Instant; group: string }[];
}

/** Leads of one group whose value is in one currency. */
export interface LeadTotals extends LeadCount {
  group: string | null;
  /** Within the group, where asked for. */
  campaign?: string | null;
  currency: string | null;
  /** Sum of the fees of completed visits. */
  value: number;
  /** Sums, with the number of leads in each. */
  minutes: number;
  with_minutes: number;
  days: number;
  with_days: number;
}

interface LeadsAsked {
  from: Instant;
  until: Instant;
  by: LeadColumn | ReportSteps;
  /** Also by campaign within each group. */
  withCampaign?: boolean;
}

/** The sources of a month's figures. `from` is inclusive, `to` exclusive. */
export interface MonthSources {
  /** Fee periods that overlap the time: treatments first, each item's in order. */
  feePeriods(clinic: string, from: Instant, to: Instant): Promise<FeePeriod[]>;
  /** When the clinic was first read; undefined before. */
  knownSince(clinic: string): Promise<Instant | undefined>;
  /** Visits on these days of the clinic's calendar that are or were tracked, by the clinic's status. */
  visits(clinic: string, from: string, to: string): Promise<VisitCount[]>;
  /** Leads received in a period (end exclusive), including removed ones, from the view `leads`. */
  leads(clinic: string, asked: LeadsAsked): Promise<LeadTotals[]>;
  /** The organization's figures as last read before `at`. */
  figures(clinic: string, at: Instant): Promise<(Statistics & { at: Instant }) | undefined>;
  /** Changes of visits logged in the time, in order. */
  visitChanges(clinic: string, from: Instant, to: Instant): Promise<Change[]>;
  /** References of the leads found to be booked in the time. */
  bookedThen(clinic: string, from: Instant, to: Instant): Promise<string[]>;
  /** The leads among `refs` that were received before. */
  earlierLeads(clinic: string, before: Instant, refs: readonly string[]): Promise<EarlierLead[]>;
  /** The statuses that mean a completed visit. */
  completedStatuses(clinic: string): Promise<ReadonlySet<string>>;
  /** Where the change log begins; undefined while retention has removed nothing. */
  logBegins(clinic: string): Promise<Instant | undefined>;
  /** Gaps of the treatment and dentist polls that overlap the time. */
  gaps(clinic: string, from: Instant, to: Instant): Promise<Gap[]>;
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
  openVisits(clinic: string, by: OpenVisitGroup, now: number, period?: VisitPeriod): Promise<OpenVisits[]>;
  /** All visits, open or not, including removed ones, of which only the status is known. */
  visitsBy(
    clinic: string,
    by: OpenVisitGroup,
    period: VisitPeriod,
  ): Promise<{ group: string | null; visits: number }[]>;
  /** When the first and last lead were received, including removed ones; undefined if there was none. */
  leadSpan(clinic: string): Promise<{ first: Instant; last: Instant } | undefined>;
  /** Statuses used by the clinic whose meaning is not configured. */
  unknownStatuses(clinic: string): Promise<string[]>;
}
