import type { Change, NewChange } from '../../domain/change.ts';
import type { Figures } from '../../domain/report.ts';
import type { ClinicRecord, ListPoll, Statistics } from '../../domain/resource.ts';
import type { LoggedTable, MirrorTable, PagedTable, Row } from '../../domain/tables.ts';
import type { Instant } from '../../platform/clock.ts';
import type { NewUnreadable } from './polls.ts';

export interface MirrorVerbs {
  /** Id → hash of the records now present (not removed). */
  hashes(clinic: string, poll: ListPoll): Promise<Map<string, string>>;
  /** Records by id, present or removed. */
  records(clinic: string, poll: ListPoll, ids: readonly string[]): Promise<Map<string, ClinicRecord>>;
  /**
   * A complete poll: upserts, removals, changes and freshness in one transaction. A removed record that comes back is
   * upserted with its first_seen_at kept. `statistics` adds a row to the series when any figure differs from the last.
   * Unchanged records get the new `seen_at`. Resolves to the changes with their sequence.
   */
  record(poll: RecordedPoll): Promise<Change[]>;
  /** Rows for people and connectors, ordered by id, removed ones included. `columns` are the API's field names. */
  rows(table: MirrorTable, clinic: string): Promise<Row[]>;
  /** What each clinic calls itself. */
  names(): Promise<ReadonlyMap<string, string | null>>;
  /** The newest figures of the organization, oldest first, at most `limit`. */
  statistics(clinic: string, limit: number): Promise<Figures[]>;
  /**
   * A page of the rows of a growing table, or of a list of the clinic, in the same order: those after `after` (the last row of the previous page),
   * or the first. Fewer than `limit` means the end.
   */
  page(table: PagedTable, clinic: string, limit: number, after?: Row): Promise<Row[]>;
  /** The rows with these ids (appointment numbers, refs), removed ones included, in no order. */
  rowsById(table: LoggedTable, clinic: string, ids: readonly string[]): Promise<Row[]>;
  /**
   * The present rows of what the change log names after `sequence`, each once, and the sequence that was read up to
   * (`sequence` itself: nothing new). Reads at most `limit` changes, of whatever resource; ask again from `through`.
   * A conversion that was taken back or made again comes with its former place alone (`converted_at`, `ref`).
   * What the log does not record does not show: `seen_at`, `next_due_at`, the count of merged submissions.
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
  removals: string[];
  changes: NewChange[];
  statistics?: Statistics;
  /** Kept although the answer lacks them or has them unreadable: their `seen_at` stays. */
  unseen?: readonly string[];
  /** Everything unreadable in this answer; the rest counts as read. */
  unreadable?: readonly NewUnreadable[];
}
