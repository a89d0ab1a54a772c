import type { MonthSources } from '../../domain/month-pack.ts';
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

/** What reports are made of. Each reads what the report asks for, and no more. */
export interface ReportVerbs extends MonthSources {
  /** The followed visits of a clinic, in the order of their numbers. */
  openAppointments(clinic: string): Promise<OpenAppointment[]>;
}
