import type { FeePeriod } from '../../domain/fees.ts';
import type { MonthSources } from '../../domain/month-pack.ts';
import type { LeadsRow } from '../../domain/report-rows.ts';
import type { Instant } from '../../platform/clock.ts';

/** A visit that is booked and has not ended as far as we know; a row of the view `appointments_open`. */
export interface OpenAppointment {
  clinic: string;
  appointment_id: number;
  ref: string | null;
  status: string | null;
  /** The connector its booking came from; null: tracked by its number. */
  source: string | null;
  dentist: string | null;
  /** When it was booked, or first followed. */
  booked_at: Instant;
}

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
  /** The open visits of a clinic, in the order of their numbers. */
  openAppointments(clinic: string): Promise<OpenAppointment[]>;
  /** Leads received from one instant until before another, removed ones included, from the view `leads`. */
  leads(
    clinic: string,
    asked: { from: Instant; until: Instant; by: LeadColumn | Weekday },
  ): Promise<LeadCounts[]>;
  /** Statuses that the clinic has used and of which nobody has said what they mean. */
  unknownStatuses(clinic: string): Promise<string[]>;
}
