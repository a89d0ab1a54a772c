import type { Instant } from '../../platform/clock.ts';
import type { Said } from '../../texts/texts.ts';
import type { BookingState } from '../bookings/booking.ts';
import type { FaultyField } from '../bookings/faulty-fields.ts';
import type { ProbeFault } from '../bookings/probe.ts';
import type { Poll, Statistics } from '../clinics/resource.ts';
import type { SaidBySentence, StandingAsk } from '../texts/problem.ts';
import type { Told } from './target-report.ts';

/**
 * Whether data flows; what waits for a user is in `needs`. `trouble`: something due has failed for a minute or twice in
 * a row, is paused, or a write was refused. `stale`: data is older than three of its intervals. Strangers see only this
 * word.
 */
export type Health = 'ok' | 'trouble' | 'stale';

/**
 * `database`: cannot be read or written · `unreachable`: no call to the clinic has succeeded for a minute ·
 * `stale`, `failing`, `late`: a resource · `lane`: bookings are not sent · `connector` · `probe`: of a form · `schedule` ·
 * `fleet`: a unit has no daemon.
 */
export const causes = [
  'database',
  'stale',
  'unreachable',
  'failing',
  'late',
  'lane',
  'connector',
  'probe',
  'schedule',
  'fleet',
] as const;

export interface HealthReason {
  health: Exclude<Health, 'ok'>;
  kind: (typeof causes)[number];
  clinic: string | null;
  /** Name of the resource or connector; else the kind. */
  subject: string;
  /** A clause without patient data or full stop: `the clinic has not answered since …`. */
  sentence: string;
  /** Its detail for other languages, of a connector or of a failed poll. */
  said?: Said | undefined;
  /** Null when unknown. */
  since: Instant | null;
}

/** What a need is about, so that pages and messages can express it in the reader's language. */
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
    | 'asks_to_wait'
    | 'unreadable'
    | 'stale'
    | 'certificate_ends'
    | 'certificate_ended'
    | 'lane_person'
    | 'lane_waits'
    | 'proxy'
    | 'log'
    | 'visitors'
    | 'silence_day'
    | 'silence_week'
    | 'database_works'
    | 'test'
    | `fleet_${FleetAlarm['kind']}`
    | `probe_${ProbeFault['step']}`;
  count?: number;
  of?: number;
  /** For a guard. */
  change?: 'removed' | 'changed';
  approvalOnly?: boolean;
  poll?: Poll;
  /** `2026-03-02` */
  day?: string;
  /** How long it has lasted, in milliseconds. */
  ms?: number;
  /** A name that is not translated: a host, a daemon. */
  what?: string;
  /** What a connector says, and of how many more things. */
  problem?: Said | undefined;
  more?: number;
  /** A technical detail in its original English. */
  detail?: string | null | undefined;
}

/** Something that only a user can settle. */
export interface Need {
  kind: 'booking' | 'guard' | 'delivery' | 'connector' | 'probe' | 'clinic' | 'database' | 'fleet';
  clinic?: string;
  /** The booking's ref, the guard's id or the connector's name. */
  subject: string;
  /** For a booking: the connector it came from. */
  source?: string;
  /** For bookings that came and are held together: up to a thousand of them, and their number. */
  refs?: readonly string[];
  count?: number;
  /** For a booking. */
  state?: BookingState;
  /** `task`: a cancellation or move, which a user does by hand. */
  reason?: string | null;
  /** Why it is held, if that is about some of its fields. */
  fields?: readonly FaultyField[];
  /** `2026-03-02 09:30`, on the clinic’s clock. */
  visit?: string;
  /** One sentence without patient data. */
  sentence: string;
  /** The remedy, as one sentence or a command. */
  action: string;
  /** Undefined for bookings, which have a state and a reason, and for needs stored by earlier versions. */
  said?: NeedSaid;
  since: Instant;
  urgent: boolean;
}

/** A part of the schedule that is not running as it should. */
export interface Alarm {
  /** Undefined: about the schedule itself. */
  about?: 'database';
  sentence: string;
  action: string;
  /** False if it ends without a user, or its cause is at the clinic. */
  asksPerson: boolean;
}

export interface ResourceReport {
  poll: Poll;
  rows: number;
  /** Last complete, verified poll, if any. */
  last_success_at: Instant | null;
  /** When a poll last found nothing due, which is not a success. Null for resources read as a whole. */
  idle_at: Instant | null;
  last_change_at: Instant | null;
  next_due_at: Instant | null;
  interval_ms: number;
  failures: number;
  last_error: string | null;
  /** The same for other languages. */
  said?: Said | undefined;
  /** When the current series of failures began; null if there is none. */
  failing_since: Instant | null;
  /** Older than three intervals. */
  stale: boolean;
  /** Objects of the latest answer that cannot be read; their former rows are kept. */
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
  /** `waiting`: nothing is sent until a comparison is over, at `until` at the latest (set once it has begun). */
  lane: {
    state: 'open' | 'waiting' | 'paused';
    reason: string | null;
    since: Instant | null;
    until?: Instant | undefined;
  };
  /** `failing` from the first failed call to the clinic until one succeeds. */
  connection: { state: 'working' | 'failing' | 'unknown'; since: Instant | null };
  appointments_pending: number;
  /** The day on which it opens again, if it was said to be closed: nobody is told that no leads arrive. */
  closed_until: string | null;
}

/** Maximum number of figures shown over time. */
export const STATISTICS_SHOWN = 400;

/** The organization's figures since `at`; null where the clinic gave none. */
export type Figures = { at: Instant } & Record<keyof Statistics, number | null>;

/** The learned limit of one credential. */
export interface LimiterReport {
  /** Learned limit in calls per minute; null while none was refused. */
  ceiling_per_minute: number | null;
  window_ms: number | null;
  /** When it is called again although it asked us to wait. */
  blocked_until: Instant | null;
  blocked_since: Instant | null;
  /** Null outside the daemon. */
  refused_last_hour: number | null;
  calls_last_hour: number | null;
  /** When counting of these two began, if less than an hour ago. */
  counted_since: Instant | null;
  token_expires_at: Instant | null;
  /** Median duration of the last complete answers, milliseconds; null before the first. */
  answer_ms: number | null;
}

/** For a clinic that this process has not called. */
export const nothingLearned: LimiterReport = {
  ceiling_per_minute: null,
  window_ms: null,
  blocked_until: null,
  blocked_since: null,
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
  /** Changes not yet delivered. */
  lag: number;
  pending: number;
  dead: number;
  last_success_at: Instant | null;
  last_error: string | null;
  /** Problems of its last run. */
  problems: string[];
  /** Those that require a user. */
  asks: StandingAsk[];
  /** For other languages: what the catalogue has of the sentences here. */
  said?: SaidBySentence | undefined;
  /** Consecutive failures. */
  failures: number;
  /** Why it is paused or could not start; else null. */
  reason: string | null;
  /** When it was paused or began to fail, if known. */
  since: Instant | null;
}

export interface TargetReport extends Told, Pick<ConnectorReport, 'state' | 'last_error'> {
  target: string;
}

/** Retention in milliseconds; null: no limit. */
export type RetentionReport = Record<'bookings' | 'dropped' | 'changes' | 'inbox', number | null>;

export interface BookingReport {
  source: string;
  today: number;
  last_7_days: number;
  states: Partial<Record<BookingState, number>>;
}

/** The host, with the beginning of the id if several of these daemons share it. */
export function memberName(
  { id, host }: Pick<MemberStatus, 'id' | 'host'>,
  among: readonly Pick<MemberStatus, 'id' | 'host'>[],
): string {
  const isAlone = among.every((other) => other.host !== host || other.id === id);
  return isAlone ? host : `${host} (${id.slice(0, 4)})`;
}

/** One of several daemons sharing the database. */
export interface MemberStatus {
  id: string;
  /** By `memberName`. */
  name: string;
  host: string;
  version: string;
  config_hash: string;
  since: Instant;
  /** Its last heartbeat. */
  beat_at: Instant;
  /** Milliseconds by which its clock is ahead of the database's, at least. */
  skew_ms: number;
  clinics: number;
  connectors: number;
  /** Names of the units it owns; the first twenty. */
  units: string[];
}

export interface FleetAlarm {
  kind: 'configuration' | 'version' | 'gone' | 'clock';
  /** Distinguishes alarms of the same kind. */
  subject: string;
  /** The host it is about. */
  what?: string;
  sentence: string;
  action: string;
  since: Instant;
}

/** The daemons that share the work on one database server. */
export interface FleetStatus {
  members: MemberStatus[];
  alarms: FleetAlarm[];
  /**
   * Configured units that no daemon runs. `on`: only a daemon on that host may. `failed`: where they last failed to
   * start, and why.
   */
  free: { unit: string; since: Instant; on?: string; failed?: { host: string; problem: string } }[];
  /** When a unit last changed its owner; null before the first time. */
  handed_over_at: Instant | null;
}

/** Everything shown by the status page, `/status.json` and `clinic-sync status`. No patient data. */
export interface StatusReport {
  health: Health;
  /** When health stopped being `ok`; null while it is. */
  since: Instant | null;
  /** The causes, worst first. */
  reasons: HealthReason[];
  /** The last trouble that ended, with its beginning; null while trouble lasts or if there never was any. */
  recovered: { at: Instant; since: Instant; sentence: string } | null;
  /** False when no daemon is running on the database. */
  running: boolean;
  /** The one sentence at the top. */
  sentence: string;
  at: Instant;
  version: string;
  started_at: Instant | null;
  /** Most urgent first; `needs_total` counts all. */
  needs: Need[];
  needs_total: number;
  needs_by_kind: Partial<Record<Need['kind'], number>>;
  /** All clinics, or one page of them; `clinics_total` counts all. */
  clinics: ClinicReport[];
  clinics_total: number;
  /** Where the next page starts: `?after=…`; undefined on the last one. */
  clinics_next?: string;
  connectors: ConnectorReport[];
  /** The targets of notifications, which are among the connectors, too. */
  notify: TargetReport[];
  heartbeat: Pick<ConnectorReport, 'last_success_at' | 'last_error'> | null;
  /** Undefined for a single daemon, and while the database does not answer. */
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
    /** A problem that will stop it unless a user acts. */
    warning?: string | null;
  };
}
