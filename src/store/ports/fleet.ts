import { Failure } from '../../platform/failure.ts';

/**
 * What one process at a time looks after: a clinic, a connector, or the upkeep of the whole database. `clinic/main`,
 * `connector/accounts`, `upkeep`.
 */
export type UnitKind = 'clinic' | 'connector' | 'upkeep';

/** By what the database knows the one who has a unit. Each taking has a higher fence than all before it. */
export interface Fence {
  readonly unit: string;
  /** The member's id. */
  readonly owner: string;
  readonly fence: number;
  /** The database said that another has it now, or may have. */
  lost(): void;
}

/** The time for which this process has a unit. Ends for good: whoever takes the unit again gets a new one. */
export interface Tenure extends Fence {
  /** Aborted at its end: then nothing is sent, and what is on the wire ends at once. */
  readonly signal: AbortSignal;
  /** Milliseconds until a booking may be sent: the one who had it before may still have one on the wire. */
  sendsInMs(): number;
  /** Whether enough of the time is left, for sure, for a booking to go on the wire now. */
  maySend(): boolean;
}

/** Of a process that has the database to itself. */
export const alone: Tenure = {
  unit: 'everything',
  owner: '',
  fence: 0,
  signal: new AbortController().signal,
  lost() {},
  sendsInMs: () => 0,
  maySend: () => true,
};

const NOT_OURS = Symbol('not ours');

/** Nothing was written, because another process has the unit now, or may take it. */
export const isNotOurs = (error: unknown): boolean => error instanceof Failure && error.cause === NOT_OURS;
