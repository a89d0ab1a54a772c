import type { AuditEntry, Session } from '../../domain/audit.ts';
import type { Instant } from '../../platform/clock.ts';

/** Append-only: the database itself refuses changes, and deletion of rows younger than 30 days. */
export interface AuditVerbs {
  /** For what was only viewed or attempted: it has no transaction to share. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Runs an action. `entry`, which says that it succeeded, is written in the transaction of the action's first verb that
   * changes something, so that neither exists without the other; after an action that changed nothing, it is written alone.
   * An action that throws leaves a row with what `refused` makes of the error. `lost` is told of a lone row that could
   * not be written; the action does not fail because of it.
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
