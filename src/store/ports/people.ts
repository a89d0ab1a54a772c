import type { AuditEntry, Session } from '../../domain/audit.ts';
import type { Instant } from '../../platform/clock.ts';

/** Append-only: the database itself refuses changes, and deletion of rows younger than 30 days. */
export interface AuditVerbs {
  /** For what was only viewed or attempted: it has no transaction to share. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Runs an action. `entry` says that it succeeded, and is written in the transaction of the action's first change, so
   * that neither exists without the other; after an action without changes, it is written separately. For an action
   * that throws, the row is what `refused` makes of the error. When a separate row cannot be written, `lost` is called
   * and the action still succeeds.
   */
  perform<T>(
    entry: AuditEntry,
    deed: () => Promise<T>,
    on: { refused: (error: unknown) => string; lost: (error: unknown) => void },
  ): Promise<T>;
  /** Newest first; `before`: only rows older than the one of that number. */
  list(filter: { since?: Instant; before?: number; limit: number }): Promise<(AuditEntry & { n: number })[]>;
}

export interface SessionVerbs {
  get(id: string): Promise<Session | undefined>;
  /** Deletes expired sessions. */
  start(session: Session): Promise<void>;
  seen(id: string, at: Instant): Promise<void>;
  /** Ends those that exist, in one transaction. */
  end(ids: readonly string[]): Promise<void>;
  /** Sessions that have not expired, the most recently used first. */
  list(at: Instant): Promise<Session[]>;
}
