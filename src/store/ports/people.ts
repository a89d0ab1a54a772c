import type { AuditEntry, Session } from '../../domain/audit.ts';
import type { Instant } from '../../platform/clock.ts';

/** Append-only: the database itself rejects changes, and the deletion of rows younger than 30 days. */
export interface AuditVerbs {
  /** For views and attempts, which have no transaction to share. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Runs an action. `entry` records its success and is written in the transaction of the action's first change, so that
   * neither exists without the other; after an action without changes, it is written separately. If the action throws,
   * the row is what `refused` makes of the error. If a separate row cannot be written, `lost` is called and the action
   * still succeeds.
   */
  perform<T>(
    entry: AuditEntry,
    work: () => Promise<T>,
    on: { refused: (error: unknown) => string; lost: (error: unknown) => void },
  ): Promise<T>;
  /** Newest first; `before`: only rows older than the one with that number. */
  list(filter: { since?: Instant; before?: number; limit: number }): Promise<(AuditEntry & { n: number })[]>;
}

export interface SessionVerbs {
  get(id: string): Promise<Session | undefined>;
  /** Stores a session and deletes expired ones. */
  start(session: Session): Promise<void>;
  seen(id: string, at: Instant): Promise<void>;
  /** Ends those of these sessions that exist, in one transaction. */
  end(ids: readonly string[]): Promise<void>;
  /** Unexpired sessions, most recently used first. */
  list(at: Instant): Promise<Session[]>;
}
