import type { Delivery, NewDelivery } from '../../domain/delivery.ts';
import type { RunReport, SaidBySentence, StandingAsk } from '../../domain/texts/problem.ts';
import type { Instant } from '../../platform/clock.ts';

export interface DeliveryVerbs {
  /** Sequence up to which this connector has taken changes; undefined for a connector never seen. */
  cursor(connector: string, clinic: string): Promise<number | undefined>;
  /**
   * For each clinic with a cursor of this connector: the cursor, the end of the clinic's change log, and whether any
   * delivery still waits. One statement.
   */
  positions(connector: string): Promise<Map<string, Position>>;
  /**
   * Stores deliveries and the new cursor (null: unchanged) in one transaction. Skips ids already present. No effect if
   * there are more replays than `replays`: what was read since that count is out of date.
   */
  enqueue(
    connector: string,
    clinic: string,
    upTo: number | null,
    deliveries: readonly NewDelivery[],
    at: Instant,
    replays?: number,
  ): Promise<void>;
  /**
   * Pending and due, only the oldest per object: later ones wait behind it, even if it is dead. Alternates between
   * clinics, alphabetically from the one after `after`, so that no clinic waits for another's thousands.
   */
  due(connector: string, at: Instant, limit: number, after?: string): Promise<Delivery[]>;
  /** When the next one becomes due; undefined when nothing is pending. */
  nextDue(connector: string): Promise<Instant | undefined>;
  /** What waits and has failed at least once, since when, and one of its errors; undefined when there is none. */
  heldUp(
    connector: string,
  ): Promise<{ count: number; since: Instant; next: Instant; error: string | null } | undefined>;
  settle(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** Newest first; `before`: only those older than the one with that number. */
  list(filter: {
    connector?: string;
    state?: Delivery['state'];
    before?: number;
    limit?: number;
  }): Promise<(Delivery & { n: number })[]>;
  /** One by its number or its id. */
  get(which: { n: number } | { id: string }): Promise<(Delivery & { n: number }) | undefined>;
  /** All deliveries about one object (`resource:id`), for all connectors, oldest first. */
  of(clinic: string, thing: string): Promise<Delivery[]>;
  /**
   * A user's decision on one or all dead deliveries of a connector; `abandon` skips pending ones, too. Resolves to
   * their number.
   */
  decide(
    connector: string,
    decision: 'retry' | 'skip' | 'abandon',
    at: Instant,
    id?: string,
  ): Promise<number>;
  /** Number of replays of a clinic's changes for this connector: part of the ids, so that a replay has new ones. */
  replays(connector: string, clinic: string): Promise<number>;
  /** Makes everything that waits for a later time due at `at`. Resolves to the number. */
  hasten(connector: string, at: Instant): Promise<number>;
  /**
   * Sets the cursor back so that changes from `sequence` on are delivered again, with new ids. False if the cursor is
   * before `sequence`, or missing: the changes between would be skipped.
   */
  replay(connector: string, clinic: string, sequence: number): Promise<boolean>;
  /** How a connector is doing; kept across restarts. */
  connector(connector: string): Promise<ConnectorState>;
  /**
   * `reports`: of some of the connector's workers; those of its other workers are kept. Without it, `problems` and
   * `asks` of `state` replace all.
   */
  report(
    connector: string,
    state: Partial<ConnectorState>,
    reports?: Partial<Record<Reporter, RunReport>>,
  ): Promise<void>;
  counts(connector: string): Promise<{ pending: number; dead: number }>;
  /**
   * Unconfigured connectors for which deliveries still wait. `since`: when `prune` first found it missing; null before.
   */
  leftBehind(
    configured: readonly string[],
  ): Promise<{ connector: string; since: Instant | null; pending: number; dead: number }[]>;
}

interface Position {
  cursor: number;
  latest: number;
  isWaiting: boolean;
}

export interface DeliveryOutcome {
  id: string;
  at: Instant;
  state: 'delivered' | 'pending' | 'dead';
  next_attempt_at?: Instant;
  error?: string;
}

/** Why it is paused: until deliveries succeed, until a user resumes, or because the receiver wants no more (410). */
export type DeliveryPause = 'automatic' | 'person' | 'gone';

/** Who tells problems of a connector that delivers events and keeps a state, too. */
export type Reporter = 'events' | 'state' | 'failed run';

export interface ConnectorState {
  paused: boolean;
  /** Null unless paused. */
  pause_kind: DeliveryPause | null;
  /** For display. */
  paused_reason: string | null;
  paused_at: Instant | null;
  /** The user who paused it; null for the daemon. */
  paused_by: string | null;
  resumed_at: Instant | null;
  resumed_by: string | null;
  /** The last erasure it has applied (`Store.erasures`). */
  forgotten: number;
  last_success_at: Instant | null;
  last_failure_at: Instant | null;
  last_error: string | null;
  failures: number;
  /** Sentences about the last run. */
  problems: string[];
  /** Problems that require a user. */
  asks: StandingAsk[];
  /** For other languages: of those sentences here that the catalogue has. */
  said: SaidBySentence;
}
