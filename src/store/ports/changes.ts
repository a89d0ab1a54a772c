import type { Change, NewChange } from '../../domain/change.ts';
import type { Instant } from '../../platform/clock.ts';

export interface ChangeVerbs {
  /**
   * Appends these to the clinic's log, without those whose thing had a change of the same type last: a repeated call adds
   * nothing.
   */
  announce(clinic: string, at: Instant, changes: readonly NewChange[]): Promise<void>;
  /** Changes after `sequence`, in order. */
  after(clinic: string, sequence: number, limit: number): Promise<Change[]>;
  /** Highest sequence of the clinic; 0 when there is none. */
  latest(clinic: string): Promise<number>;
  /** Newest first, over all clinics or one. */
  recent(limit: number, clinic?: string): Promise<Change[]>;
  /** A page of the log, the newest first: of all clinics, of one, of one of its resources, or of one record. */
  page(filter: ChangeFilter): Promise<Change[]>;
  /** Every change of one record, oldest first. */
  history(clinic: string, resource: string, id: string): Promise<Change[]>;
  /**
   * A page of all changes of a resource, record by record, oldest first within each: those after `after`, or the first.
   * Fewer than `limit` means the end.
   */
  historyPage(
    clinic: string,
    resource: string,
    limit: number,
    after?: Pick<Change, 'id' | 'sequence'>,
  ): Promise<Change[]>;
  /** The clinics that have changes or had some, also those no longer configured. */
  clinics(): Promise<string[]>;
  /**
   * Compares the clinic's change log with its hash chain, some 100,000 changes a second, beside a running daemon. What it
   * proves and what not: docs/hash-chain.md.
   */
  verify(clinic: string, options: VerifyOptions): Promise<ChainReport>;
  /** The newest change in the chain, by which the whole log before it can be recognized; undefined without changes. */
  head(clinic: string): Promise<{ sequence: number; hash: string } | undefined>;
  /** Gives changes of versions without a chain their hashes, in short transactions. Resolves to their number. */
  chainOlder(signal?: AbortSignal): Promise<number>;
}

export interface VerifyOptions {
  signal?: AbortSignal;
  onProgress?: (progress: { clinic: string; checked: number; of: number }) => void;
  /** A head that somebody noted outside the database. */
  noted?: { sequence: number; hash: string } | undefined;
}

/**
 * `altered`: a change, or its hash · `removed` · `inserted` · `unchained`: its hash is gone · `beginning`: the first change,
 * or the end point of what retention removed · `head`: the stored head · `noted`: every hash fits, but the log is not the
 * one whose head was noted · `shorter`: it ends before that head.
 */
export type ChainFaultKind =
  | 'altered'
  | 'removed'
  | 'inserted'
  | 'unchained'
  | 'beginning'
  | 'head'
  | 'noted'
  | 'shorter';

export interface ChainFault {
  /** The first change that is not what was written. */
  sequence: number;
  kind: ChainFaultKind;
}

export interface ChainReport {
  clinic: string;
  /** Changes whose hash was calculated again. */
  checked: number;
  /** Those among them whose person was erased: what was erased cannot be compared any more. */
  erased: number;
  /** Changes of an older version that have no hash yet; the daemon adds them. */
  pending: number;
  /** What retention removed; null when the log is complete. */
  removed: { through: number; at: string } | null;
  /** As far as it is whole. */
  head: { sequence: number; hash: string } | null;
  /** The noted head; `unknown`: its change was removed. Null when none was given. */
  noted: 'same' | 'differs' | 'unknown' | null;
  broken: ChainFault | null;
}

export interface ChangeFilter {
  /** Needed for the other two. */
  clinic?: string;
  resource?: string;
  /** The record of that resource. */
  id?: string;
  /** Only what came before this change. */
  before?: Pick<Change, 'at' | 'clinic' | 'sequence'>;
  limit: number;
}
