import type { Instant } from '../platform/clock.ts';
import type { BookingState } from './booking.ts';
import type { Poll, Statistics } from './resource.ts';

/**
 * Whether data flows, and nothing else: what waits for a person is in `needs`.
 * `trouble`: something that was due has not worked for a minute, or twice in a row, or is paused, or a write was refused.
 * `stale`: data is older than three of its intervals. This word alone is fit for strangers.
 */
export type Health = 'ok' | 'trouble' | 'stale';

/** One cause of health other than `ok`. */
export interface HealthReason {
  health: Exclude<Health, 'ok'>;
  /**
   * `database`: cannot be read or written · `unreachable`: no call to the clinic has worked for a minute ·
   * `stale`, `failing`, `late`: a resource · `lane`: bookings are not sent · `connector` · `schedule`.
   */
  kind: 'database' | 'unreachable' | 'stale' | 'failing' | 'late' | 'lane' | 'connector' | 'schedule';
  clinic: string | null;
  /** The resource's or the connector's name; else the kind. */
  subject: string;
  /** A clause without patient data and without a full stop: `the clinic has not answered since …`. */
  sentence: string;
  /** Since when; null where that is not known. */
  since: Instant | null;
}

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

/** Something of the schedule that does not run as it should. */
export interface Alarm {
  sentence: string;
  action: string;
  /** False: it passes, or has its cause at the clinic. */
  asksPerson: boolean;
}

export interface ResourceReport {
  poll: Poll;
  rows: number;
  /** Last complete, verified poll; null when there was none yet. */
  last_success_at: Instant | null;
  /** When nothing of it was due: neither a success nor a failure. Null for what is always read whole. */
  idle_at: Instant | null;
  last_change_at: Instant | null;
  next_due_at: Instant | null;
  interval_ms: number;
  failures: number;
  last_error: string | null;
  /** When the first of the failures in a row was; null while there is none. */
  failing_since: Instant | null;
  /** Older than three intervals. */
  stale: boolean;
  /** Things that the newest answer showed in a form that cannot be read; they keep their former rows. */
  unreadable: UnreadableReport[];
}

export interface UnreadableReport {
  /** Null when not even the id can be read. */
  id: string | null;
  /** What is wrong with it: `base_fee is missing`. */
  problem: string;
  since: Instant;
}

export interface ClinicReport {
  clinic: string;
  name: string | null;
  timezone: string;
  resources: ResourceReport[];
  limiter: LimiterReport;
  /** Figures over time, oldest first. */
  statistics: Figures[];
  lane: { state: 'open' | 'paused'; reason: string | null; since: Instant | null };
  /** Whether calls to the clinic work; `failing` from the first that does not, until one does. */
  connection: { state: 'working' | 'failing' | 'unknown'; since: Instant | null };
  appointments_pending: number;
}

/** The organization's figures from `at` on; null where the clinic did not give one. */
export type Figures = { at: Instant } & Record<keyof Statistics, number | null>;

/** The learned limit of one credential. */
export interface LimiterReport {
  /** Accepted calls a minute, as learned; null while nothing was ever refused. */
  ceiling_per_minute: number | null;
  window_ms: number | null;
  blocked_until: Instant | null;
  /** Since the start where that is less than an hour ago; null beside the daemon, whose calls they are. */
  refused_last_hour: number | null;
  calls_last_hour: number | null;
  token_expires_at: Instant | null;
  /** What a complete answer takes, milliseconds: the median of the last ones; null before the first. */
  answer_ms: number | null;
}

/** Of a clinic that was not called yet, or of which only the calling process would know. */
export const nothingLearned: LimiterReport = {
  ceiling_per_minute: null,
  window_ms: null,
  blocked_until: null,
  refused_last_hour: 0,
  calls_last_hour: 0,
  token_expires_at: null,
  answer_ms: null,
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
  /** In a row. */
  failures: number;
  /** Why it is paused or could not be started; else null. */
  reason: string | null;
  /** Since when it has been paused or failing, where that is known. */
  since: Instant | null;
}

/** How long data is kept, in milliseconds; null: without a limit. */
export type RetentionReport = Record<'bookings' | 'dropped' | 'changes' | 'inbox', number | null>;

export interface BookingReport {
  source: string;
  today: number;
  last_7_days: number;
  states: Partial<Record<BookingState, number>>;
}

/** Everything the status page, `/status.json` and `clinic-sync status` show. No patient data. */
export interface StatusReport {
  health: Health;
  /** Since when health is not `ok`; null while it is. */
  since: Instant | null;
  /** Why health is not `ok`, the worst first. */
  reasons: HealthReason[];
  /** The last time that trouble ended, and when it had begun; null while it lasts or when there never was any. */
  recovered: { at: Instant; since: Instant; sentence: string } | null;
  /** False: made from the database alone, and no daemon has it. */
  running: boolean;
  /** The one sentence at the top. */
  sentence: string;
  at: Instant;
  version: string;
  started_at: Instant | null;
  /** The most urgent first; `needs_total` says how many there are. */
  needs: Need[];
  needs_total: number;
  needs_by_kind: Partial<Record<Need['kind'], number>>;
  clinics: ClinicReport[];
  connectors: ConnectorReport[];
  bookings: BookingReport[];
  /** Null while the database has never answered. */
  retention: RetentionReport | null;
  changes: { clinic: string; sequence: number; at: Instant; type: string; id: string; summary: string }[];
  database: {
    ok: boolean;
    problem: string | null;
    bytes: number | null;
    log_bytes?: number | null;
    /** It works, and will not for long unless a person acts. */
    warning?: string | null;
  };
}
