import type { Instant } from '../platform/clock.ts';
import type { BookingState } from './booking.ts';
import type { ProbeFault } from './probe.ts';
import type { StandingAsk } from './problem.ts';
import type { Poll, Statistics } from './resource.ts';

/**
 * Whether data flows; what waits for a person is in `needs`.
 * `trouble`: something due has failed for a minute or twice in a row, is paused, or a write was refused.
 * `stale`: data is older than three of its intervals. This word alone is shown to strangers.
 */
export type Health = 'ok' | 'trouble' | 'stale';

export interface HealthReason {
  health: Exclude<Health, 'ok'>;
  /**
   * `database`: cannot be read or written · `unreachable`: no call to the clinic has worked for a minute ·
   * `stale`, `failing`, `late`: a resource · `lane`: bookings are not sent · `connector` · `probe`: of a form · `schedule` ·
   * `fleet`: no daemon does a part of the work.
   */
  kind:
    | 'database'
    | 'unreachable'
    | 'stale'
    | 'failing'
    | 'late'
    | 'lane'
    | 'connector'
    | 'probe'
    | 'schedule'
    | 'fleet';
  clinic: string | null;
  /** The resource's or the connector's name; else the kind. */
  subject: string;
  /** A clause without patient data or full stop: `the clinic has not answered since …`. */
  sentence: string;
  /** Null when unknown. */
  since: Instant | null;
}

/** What a need is about, so that a page can word it in its reader's language. */
export interface NeedSaid {
  name:
    | 'connector_broken'
    | 'connector_paused'
    | 'connector_failing'
    | 'connector_asks'
    | 'connector_left'
    | 'delivery_dead'
    | 'guard'
    | 'schedule'
    | 'database'
    | 'database_warning'
    | 'disk'
    | 'unreachable'
    | 'unreadable'
    | 'certificate_ends'
    | 'certificate_ended'
    | 'lane_person'
    | 'lane_waits'
    | 'proxy'
    | `fleet_${FleetAlarm['kind']}`
    | `probe_${ProbeFault['step']}`;
  count?: number;
  of?: number;
  /** `removed` or `changed`, of a guard. */
  change?: 'removed' | 'changed';
  approvalOnly?: boolean;
  poll?: Poll;
  /** `2026-03-02` */
  day?: string;
  /** A name that is no text: a host, a daemon. */
  what?: string;
  /** What a machine said of it, in its own words, in English. */
  detail?: string | null | undefined;
}

/** Something that only a person can settle. */
export interface Need {
  kind: 'booking' | 'guard' | 'delivery' | 'connector' | 'probe' | 'clinic' | 'database' | 'fleet';
  clinic?: string;
  /** The booking's ref, the guard's id, the connector's name. */
  subject: string;
  /** Of a booking. */
  state?: BookingState;
  reason?: string | null;
  /** One sentence without patient data. */
  sentence: string;
  /** The remedy, as one sentence or a command. */
  action: string;
  /** Missing for bookings, which have a state and a reason, and in what a former version stored. */
  said?: NeedSaid;
  since: Instant;
  urgent: boolean;
}

/** A part of the schedule that does not run as it should. */
export interface Alarm {
  /** Missing: the schedule itself. */
  about?: 'database';
  sentence: string;
  action: string;
  /** False when it passes, or its cause is at the clinic. */
  asksPerson: boolean;
}

export interface ResourceReport {
  poll: Poll;
  rows: number;
  /** Last complete, verified poll, if any. */
  last_success_at: Instant | null;
  /** When a poll last found nothing due, which is no success. Null for resources that are read whole. */
  idle_at: Instant | null;
  last_change_at: Instant | null;
  next_due_at: Instant | null;
  interval_ms: number;
  failures: number;
  last_error: string | null;
  /** When the current run of failures began; null while there is none. */
  failing_since: Instant | null;
  /** Older than three intervals. */
  stale: boolean;
  /** Objects of the newest answer that cannot be read; they keep their former rows. */
  unreadable: UnreadableReport[];
}

export interface UnreadableReport {
  /** Null when not even the id can be read. */
  id: string | null;
  /** `base_fee is missing` */
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
  /** `waiting`: nothing is sent until a comparison is over, at `until` at the latest, once it has begun. */
  lane: {
    state: 'open' | 'waiting' | 'paused';
    reason: string | null;
    since: Instant | null;
    until?: Instant | undefined;
  };
  /** `failing` from the first failed call to the clinic until one succeeds. */
  connection: { state: 'working' | 'failing' | 'unknown'; since: Instant | null };
  appointments_pending: number;
}

/** Of the newest figures; so many are shown over time. */
export const STATISTICS_SHOWN = 400;

/** The organization's figures from `at` on; null where the clinic gave none. */
export type Figures = { at: Instant } & Record<keyof Statistics, number | null>;

/** The learned limit of one credential. */
export interface LimiterReport {
  /** Learned limit of calls a minute; null while none was refused. */
  ceiling_per_minute: number | null;
  window_ms: number | null;
  blocked_until: Instant | null;
  /** Null outside the daemon. */
  refused_last_hour: number | null;
  calls_last_hour: number | null;
  /** When these two began to be counted, if that is less than an hour ago. */
  counted_since: Instant | null;
  token_expires_at: Instant | null;
  /** Median time of the last complete answers, milliseconds; null before the first. */
  answer_ms: number | null;
}

/** For a clinic that this process has not called. */
export const nothingLearned: LimiterReport = {
  ceiling_per_minute: null,
  window_ms: null,
  blocked_until: null,
  refused_last_hour: 0,
  calls_last_hour: 0,
  counted_since: null,
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
  /** About its last run. */
  problems: string[];
  /** Those of them that ask a person. */
  asks: StandingAsk[];
  /** In a row. */
  failures: number;
  /** Why it is paused or could not start; else null. */
  reason: string | null;
  /** Since when it has been paused or failing, if known. */
  since: Instant | null;
}

/** Retention in milliseconds; null: no limit. */
export type RetentionReport = Record<'bookings' | 'dropped' | 'changes' | 'inbox', number | null>;

export interface BookingReport {
  source: string;
  today: number;
  last_7_days: number;
  states: Partial<Record<BookingState, number>>;
}

/** One of several daemons on the database. */
export interface MemberStatus {
  id: string;
  /** The host; with the id's beginning where several are on one. */
  name: string;
  host: string;
  version: string;
  config_hash: string;
  since: Instant;
  /** When it was last heard. */
  beat_at: Instant;
  /** Milliseconds that its clock is ahead of the database's, at least. */
  skew_ms: number;
  clinics: number;
  connectors: number;
  /** Names of what it does; the first twenty. */
  units: string[];
}

export interface FleetAlarm {
  kind: 'configuration' | 'version' | 'gone' | 'clock';
  /** What one alarm of a kind is told from another by. */
  subject: string;
  /** The machine it is about. */
  what?: string;
  sentence: string;
  action: string;
  since: Instant;
}

/** Who shares the work on one database server. */
export interface FleetStatus {
  members: MemberStatus[];
  alarms: FleetAlarm[];
  /** Of this configuration, and done by none; `on`: only a daemon of that host may. */
  free: { unit: string; since: Instant; on?: string }[];
  /** When a part of the work last changed hands; null before the first time. */
  handed_over_at: Instant | null;
}

/** Everything the status page, `/status.json` and `clinic-sync status` show. No patient data. */
export interface StatusReport {
  health: Health;
  /** When health stopped being `ok`; null while it is. */
  since: Instant | null;
  /** The causes, the worst first. */
  reasons: HealthReason[];
  /** When trouble last ended and had begun; null while it lasts or if there never was any. */
  recovered: { at: Instant; since: Instant; sentence: string } | null;
  /** False when no daemon has the database. */
  running: boolean;
  /** The one sentence at the top. */
  sentence: string;
  at: Instant;
  version: string;
  started_at: Instant | null;
  /** The most urgent first; `needs_total` counts all. */
  needs: Need[];
  needs_total: number;
  needs_by_kind: Partial<Record<Need['kind'], number>>;
  /** All of them, or one page; then `clinics_total` counts all. */
  clinics: ClinicReport[];
  clinics_total: number;
  /** What to ask for after this page: `?after=…`; missing on the last one. */
  clinics_next?: string;
  connectors: ConnectorReport[];
  /** Missing where one daemon has the database to itself, and while the database does not answer. */
  fleet?: FleetStatus;
  bookings: BookingReport[];
  /** Null until the database has answered once. */
  retention: RetentionReport | null;
  changes: { clinic: string; sequence: number; at: Instant; type: string; id: string; summary: string }[];
  database: {
    ok: boolean;
    problem: string | null;
    bytes: number | null;
    log_bytes?: number | null;
    /** A problem that will stop it unless a person acts. */
    warning?: string | null;
  };
}
