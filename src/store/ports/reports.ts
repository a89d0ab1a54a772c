import type { Change } from '../../domain/change.ts';
import type { FeePeriod } from '../../domain/fees.ts';
import type { Statistics } from '../../domain/resource.ts';
import type { Instant } from '../../platform/clock.ts';

/** A visit that is booked and has not ended as far as we know. */
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

interface VisitCount {
  status: string | null;
  visits: number;
}

export interface LeadCount {
  source: string;
  leads: number;
  booked: number;
  completed: number;
}

interface Gap {
  poll: string;
  from_at: Instant;
  to_at: Instant;
}

/** What reports are made of. Each reads what the report asks for, and no more. */
export interface ReportVerbs {
  /** The followed visits of a clinic, in the order of their numbers. */
  openAppointments(clinic: string): Promise<OpenAppointment[]>;
  /** Periods of fees that touch the time from `from` up to `to`, treatments first, each thing's in their order. */
  feePeriods(clinic: string, from: Instant, to: Instant): Promise<FeePeriod[]>;
  /** When the clinic was first read; undefined before that. */
  knownSince(clinic: string): Promise<Instant | undefined>;
  /** Followed visits on these days of the clinic's calendar, the last not included, by the clinic's status. */
  visits(clinic: string, from: string, to: string): Promise<VisitCount[]>;
  /** Leads received from `from` up to `to`, by source; without those that retention removed. */
  leadCounts(clinic: string, from: Instant, to: Instant): Promise<LeadCount[]>;
  /** The organization's figures as last read before `at`. */
  figures(clinic: string, at: Instant): Promise<(Statistics & { at: Instant }) | undefined>;
  /** Changes of visits logged from `from` up to `to`, in their order. */
  visitChanges(clinic: string, from: Instant, to: Instant): Promise<Change[]>;
  /** Times of more than two hours without an answer about treatments or dentists that touch this time. */
  gaps(clinic: string, from: Instant, to: Instant): Promise<Gap[]>;
}
