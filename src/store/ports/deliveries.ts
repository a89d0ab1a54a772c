import type { Delivery, NewDelivery } from '../../domain/delivery.ts';
import type { StandingAsk } from '../../domain/problem.ts';
import type { Instant } from '../../platform/clock.ts';

export interface DeliveryVerbs {
  /** Sequence up to which this connector has taken changes; undefined for a connector never seen. */
  cursor(connector: string, clinic: string): Promise<number | undefined>;
  /**
   * Of each clinic this connector has a cursor for: that, where the clinic's change log ends, and whether any delivery
   * still waits. In one statement.
   */
  positions(connector: string): Promise<Map<string, Position>>;
  /** Deliveries and the new cursor (null: it stays) in one transaction. Ids already present are left alone. */
  enqueue(
    connector: string,
    clinic: string,
    upTo: number | null,
    deliveries: readonly NewDelivery[],
    at: Instant,
  ): Promise<void>;
  /**
   * Pending and due, at most one per object: its oldest. Later ones wait behind it, even when it is dead. From each clinic
   * in turn, beginning with the one behind `after` in their alphabet: no clinic waits for another's thousands.
   */
  due(connector: string, at: Instant, limit: number, after?: string): Promise<Delivery[]>;
  /** When the next one becomes due; undefined when nothing is pending. */
  nextDue(connector: string): Promise<Instant | undefined>;
  settle(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** Newest first; `before`: only those older than the one of that number. */
  list(filter: {
    connector?: string;
    state?: Delivery['state'];
    before?: number;
    limit?: number;
  }): Promise<(Delivery & { n: number })[]>;
  /** All deliveries about one object (`resource:id`), for all connectors, oldest first. */
  of(clinic: string, thing: string): Promise<Delivery[]>;
  /**
   * A person's decision on one or all dead deliveries of a connector; `abandon` skips pending ones, too. Resolves to how
   * many.
   */
  decide(
    connector: string,
    decision: 'retry' | 'skip' | 'abandon',
    at: Instant,
    id?: string,
  ): Promise<number>;
  /** How often this connector's changes of a clinic were replayed: part of the ids, so that a replay has new ones. */
  replays(connector: string, clinic: string): Promise<number>;
  /** Makes whatever waits for a later time due at `at`. Resolves to how many. */
  hasten(connector: string, at: Instant): Promise<number>;
  /** Sets the cursor back so that changes from `sequence` on are delivered again, with new ids. */
  replay(connector: string, clinic: string, sequence: number): Promise<void>;
  /** How connectors are doing; kept over restarts. */
  connector(connector: string): Promise<ConnectorState>;
  report(connector: string, state: Partial<ConnectorState>): Promise<void>;
  counts(connector: string): Promise<{ pending: number; dead: number }>;
  /**
   * Connectors not among these for which deliveries still wait. `since`: when `prune` first found one missing; null until
   * then.
   */
  leftBehind(
    configured: readonly string[],
  ): Promise<{ connector: string; since: Instant | null; pending: number; dead: number }[]>;
}

export interface Position {
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

/** Who has to end a pause: it ends on its own when deliveries succeed, a person ends it, or the receiver wants no more. */
export type PauseKind = 'automatic' | 'person' | 'gone';

export interface ConnectorState {
  paused: boolean;
  /** Null unless paused. */
  pause_kind: PauseKind | null;
  /** For people. */
  paused_reason: string | null;
  paused_at: Instant | null;
  /** The person who paused it; null for the daemon. */
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
  /** Those that ask a person. */
  asks: StandingAsk[];
}
