import type { AuditEntry } from '../../domain/audit.ts';
import type { Instant } from '../../platform/clock.ts';

/** Append-only: the database itself refuses changes, and deletions of what is younger than 30 days. */
export interface AuditVerbs {
  /** Of what was looked at or tried: there is nothing it could share a transaction with. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Runs a deed. `entry`, which says that it succeeded, is written in the transaction of the first verb that the deed
   * changes something with, so that neither is there without the other; after a deed that changed nothing, alone.
   * A deed that throws leaves a row with what `refused` makes of the error. `lost` hears of a row that stands alone and
   * could not be written: nothing fails for it.
   */
  perform<T>(
    entry: AuditEntry,
    deed: () => Promise<T>,
    on: { refused: (error: unknown) => string; lost: (error: unknown) => void },
  ): Promise<T>;
  /** Newest first; `before`: only what is older than the row of that number. */
  list(filter: { since?: Instant; before?: number; limit: number }): Promise<(AuditEntry & { n: number })[]>;
}
