import type { Instant } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';

/**
 * What only one process at a time may run: a clinic, a connector, or the upkeep of the whole database. `clinic/main`,
 * `connector/accounts`, `upkeep`.
 */
export type UnitKind = 'clinic' | 'connector' | 'upkeep';

export interface FleetTimes {
  /** Interval of heartbeats. */
  beatMs: number;
  /** For how long a member counts as living after a heartbeat, by the database's clock. */
  ttlMs: number;
  /** How much earlier the member itself stops trusting that it does. */
  marginMs: number;
  /** How much of that trust must be left before a booking is sent. */
  sendMs: number;
}

export const fleetTimes = (ttlMs = 15_000): FleetTimes => ({
  ...{ beatMs: ttlMs / 5, ttlMs, marginMs: ttlMs / 5, sendMs: ttlMs / 3 },
});

/** A running process that may take units. */
interface Member {
  id: string;
  version: string;
  /** Hash of the configuration without host-specific settings. Members should have the same. */
  config_hash: string;
}

/** The units of one kind that the same members can run, from the point of view of one of them. */
export interface Supply {
  units: number;
  /** Those owned by no living member, or by this one without its knowledge. */
  free: string[];
  /** Those that this member knows it owns. */
  held: string[];
  /** Living members that can run them. */
  members: number;
}

export interface Taken {
  unit: string;
  fence: number;
  /** Milliseconds until a booking may be sent, if the previous owner did not confirm that it had stopped. */
  sendsInMs: number;
  /** Its last start failed. */
  isFailing: boolean;
}

/** The last failed start of a unit, and since when no start has succeeded. */
interface FailingStart {
  since: Instant;
  host: string;
  problem: string;
}

export interface FleetReport {
  /** By the database's clock. */
  at: Instant;
  /** Living members. */
  members: MemberReport[];
  /** `since`: when its owner took it, or the last one gave it back. */
  units: UnitReport[];
  /** Members that left or went silent within a day. */
  left: MemberReport[];
}

export interface UnitReport {
  unit: string;
  kind: UnitKind;
  owner: string | null;
  fence: number;
  since: Instant | null;
  failing?: FailingStart;
}

export interface MemberReport extends Member {
  host: string;
  since: Instant;
  beat_at: Instant;
  /** Milliseconds by which its clock is ahead of the database's, at least; negative if behind. */
  skew_ms: number;
  /** Null unless it left in an orderly way. */
  left_at: Instant | null;
}

/**
 * Ownership of units, in the database and timed by its clock alone. `held`: the units that the member knows it owns.
 */
export interface FleetVerbs {
  readonly times: FleetTimes;
  /** Adds a member; an id is used only once. */
  join(member: Member): Promise<void>;
  /** A heartbeat. False if it came too late: then the process is no longer a member. */
  beat(id: string): Promise<boolean>;
  /** Gives back everything, confirming that none of it is running. */
  leave(id: string): Promise<void>;
  /** Adds units that do not exist yet. */
  register(units: readonly { unit: string; kind: UnitKind }[]): Promise<void>;
  /**
   * `units`: all that the member can run now. Other members see at their next call which ones it cannot; those of an
   * older version, which do not say so, are not counted.
   */
  supply(id: string, units: readonly string[], held: readonly string[]): Promise<Supply[]>;
  /** Takes at most `atMost` free ones of these, each under a new fence; none if the member is not living. */
  take(id: string, units: readonly string[], held: readonly string[], atMost: number): Promise<Taken[]>;
  /** Stores why a start failed, or that it succeeded after others had failed. */
  noteStart(id: string, unit: string, problem: string | undefined): Promise<void>;
  /** Gives these back, confirming that none of them is running. */
  giveBack(id: string, units: readonly string[]): Promise<void>;
  /**
   * Clinics to whose change log another process has added since the last call; at the first call, all. The cost depends
   * on the changes, not on the clinics, except once a minute.
   */
  news(): Promise<string[]>;
  /** Tells other processes that a user changed something here. */
  announce(): Promise<void>;
  /** Calls `onNews` soon after another process has written, if notices arrive; `news` tells what. */
  watch(onNews: () => void): NewsWatch;
  report(): Promise<FleetReport>;
}

/** The first and the last number that a transaction added to each clinic's change log. */
export type Grown = Map<string, { from: number; to: number }>;

export interface NewsWatch {
  /** Notices were recently proven to arrive; otherwise `news` must be polled more often. */
  readonly isHeard: boolean;
  stop(): Promise<void>;
}

/** Identifies the owner of a unit to the database. Each owner gets a higher fence than all before. */
export interface Fence {
  readonly unit: string;
  /** The member's id. */
  readonly owner: string;
  readonly fence: number;
  /** Call when the database says that another process owns the unit, or may. */
  lost(): void;
}

/** The time for which this process owns a unit. Its end is final: whoever takes the unit again gets a new tenure. */
export interface Tenure extends Fence {
  /** Aborted at its end: then nothing is sent, and what is on the wire ends at once. */
  readonly signal: AbortSignal;
  /** Milliseconds until a booking may be sent, since the previous owner may still have one on the wire. */
  sendsInMs(): number;
  /** Whether enough time is certainly left to send a booking now. */
  maySend(): boolean;
}

/** For a process that has the database to itself. */
export const alone: Tenure = {
  unit: 'everything',
  owner: '',
  fence: 0,
  signal: new AbortController().signal,
  lost() {},
  sendsInMs: () => 0,
  maySend: () => true,
};

/** For a process that does not own the unit. */
export const noTenure: Tenure = { ...alone, unit: 'nothing', maySend: () => false };

const NOT_OURS = Symbol('not ours');

/** Nothing was written, because another process owns the unit or may take it. */
export const notOurs = (unit: string): Failure =>
  new Failure({
    kind: 'transient',
    message: `This process no longer owns ${unit}; nothing was written.`,
    hint: 'Another daemon has taken over.',
    cause: NOT_OURS,
  });

export const isNotOurs = (error: unknown): boolean => error instanceof Failure && error.cause === NOT_OURS;
