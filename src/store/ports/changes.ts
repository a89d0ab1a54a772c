import type { Change, NewChange } from '../../domain/clinics/change.ts';
import type { Instant } from '../../platform/clock.ts';

export interface ChangeVerbs {
  /**
   * Appends changes to the clinic's log, except those whose object last had a change of the same type: a repeated call
   * adds nothing.
   */
  announce(clinic: string, at: Instant, changes: readonly NewChange[]): Promise<void>;
  /** Changes after `sequence`, in order. */
  after(clinic: string, sequence: number, limit: number): Promise<Change[]>;
  /** Highest sequence of the clinic; 0 when there is none. */
  latest(clinic: string): Promise<number>;
  /** A page of the log, newest first: of all clinics, one clinic, one of its resources, or one record. */
  page(filter: ChangeFilter): Promise<Change[]>;
  /** Every change of one record, oldest first. */
  history(clinic: string, resource: string, id: string): Promise<Change[]>;
  /**
   * A page of all changes of a resource, record by record, oldest first within each, starting after `after`. Fewer than
   * `limit` means the end.
   */
  historyPage(
    clinic: string,
    resource: string,
    limit: number,
    after?: Pick<Change, 'id' | 'sequence'>,
  ): Promise<Change[]>;
  /**
   * Clinics that have or had changes, or of which something is stored that comes with one; also those no longer
   * configured.
   */
  clinics(): Promise<string[]>;
  /**
   * Compares the clinic's change log with its hash chain, about 100,000 changes a second, beside a running daemon. For
   * what this does and does not prove, see docs/hash-chain.md.
   */
  verify(clinic: string, options: VerifyOptions): Promise<ChainReport>;
  /** The newest change in the chain, which identifies the whole log before it; undefined without changes. */
  head(clinic: string): Promise<{ sequence: number; hash: string } | undefined>;
  /** Adds the missing hashes to changes of older versions, in short transactions. Resolves to their number. */
  chainOlder(signal?: AbortSignal): Promise<number>;
}

export interface VerifyOptions {
  signal?: AbortSignal;
  onProgress?: (progress: { clinic: string; checked: number; of: number }) => void;
  /** A head noted outside the database. */
  noted?: { sequence: number; hash: string } | undefined;
}

/**
 * `altered`: a change or its hash · `removed` · `inserted` · `unchained`: its hash is missing · `beginning`: the first
 * change, or the end point of what retention removed · `head`: the stored head · `noted`: every hash is right, but the
 * log is not the one whose head was noted · `shorter`: it ends before that head ·
 * `gone`: that head was removed · `unasked`: changes were removed although nothing asks for it.
 */
export type ChainFaultKind =
  | 'altered'
  | 'removed'
  | 'inserted'
  | 'unchained'
  | 'beginning'
  | 'head'
  | 'noted'
  | 'shorter'
  | 'gone'
  | 'unasked';

export interface ChainFault {
  /** The first change that is not as written. */
  sequence: number;
  kind: ChainFaultKind;
}

/** A row that is not what the change log says. Never about a person. */
export interface Difference {
  resource: string;
  id: string;
  /** Null: the row itself is missing, or was never logged. */
  field: string | null;
  stored: string | null;
  logged: string | null;
  /** The change that says so. */
  sequence: number | null;
}

export interface ChainReport {
  clinic: string;
  /** Changes whose hash was recalculated. */
  checked: number;
  /** Those with an erased person: the erased part can no longer be compared. */
  erased: number;
  /** Changes of an older version without a hash so far; the daemon adds them. */
  pending: number;
  /** What retention removed; null when the log is complete. */
  removed: { through: number; at: string } | null;
  /** Head of the intact part. */
  head: { sequence: number; hash: string } | null;
  /** Result for the noted head; `unknown`: its change was removed. Null if none was given. */
  noted: 'same' | 'differs' | 'unknown' | null;
  broken: ChainFault | null;
  /** The first difference between the log and the rows that reports print; looked for only in an intact log. */
  differs: Difference | null;
}

export interface ChangeFilter {
  /** Required for the other two. */
  clinic?: string;
  resource?: string;
  /** A record of that resource. */
  id?: string;
  /** Only changes before this one. */
  before?: Pick<Change, 'at' | 'clinic' | 'sequence'>;
  limit: number;
}
