import type { Change, NewChange } from '../../domain/clinics/change.ts';
import type { ClinicRecord, ListPoll, Statistics } from '../../domain/clinics/resource.ts';
import type { LoggedTable, MirrorTable, PagedTable, Row } from '../../domain/clinics/tables.ts';
import type { Figures } from '../../domain/status/report.ts';
import type { Instant } from '../../platform/clock.ts';
import type { NewUnreadable } from './polls.ts';

export interface MirrorVerbs {
  /** Id → hash of the present records (not removed). */
  hashes(clinic: string, poll: ListPoll): Promise<Map<string, string>>;
  /** Records by id, present or removed. */
  records(clinic: string, poll: ListPoll, ids: readonly string[]): Promise<Map<string, ClinicRecord>>;
  /**
   * A complete poll: upserts, removals, changes and freshness in one transaction. A removed record that comes back
   * keeps its first_seen_at. `statistics` adds a row to the series if any figure differs from the last. Unchanged
   * records get the new `seen_at`. Resolves to the changes with their sequence.
   */
  record(poll: RecordedPoll): Promise<Change[]>;
  /** Rows for users and connectors, ordered by id, including removed ones. `columns` are the API's field names. */
  rows(table: MirrorTable, clinic: string): Promise<Row[]>;
  /** Each clinic's own name for itself. */
  names(): Promise<ReadonlyMap<string, string | null>>;
  /** Clinics, configured or not, that mirror or mirrored this organization, and whether they have bookings. */
  keysOf(careId: string): Promise<{ key: string; hasBookings: boolean }[]>;
  /** The organization's latest figures, oldest first, at most `limit`. */
  statistics(clinic: string, limit: number): Promise<Figures[]>;
  /**
   * A page of a growing table or of a clinic's list, in the table's order, starting after `after` (the last row of the
   * previous page). Fewer than `limit` means the end.
   */
  page(table: PagedTable, clinic: string, limit: number, after?: Row): Promise<Row[]>;
  /** The rows with these ids (appointment numbers, refs), including removed ones, in no particular order. */
  rowsById(table: LoggedTable, clinic: string, ids: readonly string[]): Promise<Row[]>;
  /**
   * The present rows that the change log mentions after `sequence`, each once, and the sequence up to which it was read
   * (`sequence` itself: nothing new). Reads at most `limit` changes of any resource; continue from `through`. A
   * conversion retracted or repeated comes with its former position only (`converted_at`, `ref`). Does not show what
   * the log does not record: `seen_at`, `next_due_at`, the count of merged submissions.
   */
  rowsChangedSince(
    table: LoggedTable,
    clinic: string,
    sequence: number,
    limit: number,
  ): Promise<{ rows: Row[]; through: number }>;
}

export interface RecordedPoll {
  clinic: string;
  poll: ListPoll;
  at: Instant;
  upserts: ClinicRecord[];
  /** The same content with newer signatures in its addresses: stored, and no change. */
  refreshed?: readonly ClinicRecord[];
  removals: string[];
  changes: NewChange[];
  statistics?: Statistics;
  /** Kept although missing or unreadable in the answer: their `seen_at` stays. */
  unseen?: readonly string[];
  /** All unreadable records of this answer; the rest counts as read. */
  unreadable?: readonly NewUnreadable[];
}
