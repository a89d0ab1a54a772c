import type { BookingState } from './booking.ts';
import type { Instant } from './clock.ts';
import type { Poll, Statistics } from './resource.ts';

/** `ok` · `attention`: a person is needed · `not_syncing`: data is stale or a part does not run. Exit codes 0, 1, 2. */
export type Health = 'ok' | 'attention' | 'not_syncing';

/** Something only a person can settle. */
export interface Need {
  kind: 'booking' | 'guard' | 'delivery' | 'connector' | 'clinic' | 'database';
  clinic?: string;
  /** The booking's ref, the guard's id, the connector's name. */
  subject: string;
  /** One plain sentence without patient data. */
  sentence: string;
  /** What to do, as one sentence or a command. */
  action: string;
  since: Instant;
  urgent: boolean;
}

export interface ResourceReport {
  poll: Poll;
  rows: number;
  /** Last complete, verified poll; null when there was none yet. */
  last_success_at: Instant | null;
  last_change_at: Instant | null;
  next_due_at: Instant | null;
  interval_ms: number;
  failures: number;
  last_error: string | null;
  /** Older than three intervals. */
  stale: boolean;
}

export interface ClinicReport {
  clinic: string;
  name: string | null;
  timezone: string;
  resources: ResourceReport[];
  limiter: LimiterReport;
  /** Figures over time, oldest first. */
  statistics: ({ at: Instant } & Statistics)[];
  lane: { state: 'open' | 'paused'; reason: string | null; since: Instant | null };
  appointments_pending: number;
}

/** The learned limit of one credential. */
export interface LimiterReport {
  /** Accepted calls a minute, as learned; null while nothing was ever refused. */
  ceiling_per_minute: number | null;
  window_ms: number | null;
  blocked_until: Instant | null;
  refused_last_hour: number;
  calls_last_hour: number;
  token_expires_at: Instant | null;
}

/** Of a clinic that was not called yet, or of which only the calling process would know. */
export const nothingLearned: LimiterReport = {
  ceiling_per_minute: null,
  window_ms: null,
  blocked_until: null,
  refused_last_hour: 0,
  calls_last_hour: 0,
  token_expires_at: null,
};

export interface ConnectorReport {
  connector: string;
  use: string;
  state: 'ok' | 'failing' | 'paused' | 'quarantined';
  /** Changes not yet with the connector. */
  lag: number;
  pending: number;
  dead: number;
  last_success_at: Instant | null;
  last_error: string | null;
  problems: string[];
}

export interface BookingReport {
  source: string;
  today: number;
  last_7_days: number;
  states: Partial<Record<BookingState, number>>;
}

/** Everything the status page, `/status.json` and `clinic-sync status` show. No patient data. */
export interface StatusReport {
  health: Health;
  /** The one sentence at the top. */
  sentence: string;
  at: Instant;
  version: string;
  started_at: Instant | null;
  needs: Need[];
  clinics: ClinicReport[];
  connectors: ConnectorReport[];
  bookings: BookingReport[];
  changes: { clinic: string; sequence: number; at: Instant; type: string; id: string; summary: string }[];
  database: {
    ok: boolean;
    problem: string | null;
    bytes: number | null;
    log_bytes?: number | null;
    /** It works, and will not for long unless a person acts. */
    warning?: string | null;
  };
  /** Why `/syncz` says 503; empty when it says 200. */
  stale_reasons: string[];
}
