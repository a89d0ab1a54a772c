import type { Instant } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';

/**
 * What one process at a time looks after: a clinic, a connector, or the upkeep of the whole database. `clinic/main`,
 * `connector/accounts`, `upkeep`.
 */
export type UnitKind = 'clinic' | 'connector' | 'upkeep';

export interface FleetTimes {
  /** Between two signs of life. */
  beatMs: number;
  /** After a sign of life a member counts as living for so long, by the database's clock. */
  ttlMs: number;
  /** So much earlier it stops trusting that it does. */
  marginMs: number;
  /** So much of that trust must be left before a booking goes on the wire. */
  sendMs: number;
}

export const fleetTimes = (ttlMs = 15_000): FleetTimes => ({
  ...{ beatMs: ttlMs / 5, ttlMs, marginMs: ttlMs / 5, sendMs: ttlMs / 3 },
});

/** A running process that may be given units. */
export interface Member {
  id: string;
  version: string;
  /** Of the configuration, without what belongs to the host. Members should have the same. */
  config_hash: string;
}

/** What there is of one kind, for one member. */
export interface Supply {
  kind: UnitKind;
  units: number;
  /** Of them, those that no living member has, or that this one has without knowing. */
  free: number;
  /** Living members. */
  members: number;
}

export interface Taken {
  unit: string;
  fence: number;
  /** Milliseconds until a booking may be sent: the one before did not say that it had stopped. */
  sendsInMs: number;
}

export interface FleetReport {
  /** By the database's clock. */
  at: Instant;
  /** Living ones. */
  members: MemberReport[];
  /** `since`: when this owner took it, or the last one gave it back. */
  units: { unit: string; kind: UnitKind; owner: string | null; fence: number; since: Instant | null }[];
  /** Those that left or went silent within a day. */
  left: MemberReport[];
}

export interface MemberReport extends Member {
  host: string;
  since: Instant;
  beat_at: Instant;
  /** Milliseconds that its clock is ahead of the database's, at least; negative when it is behind. */
  skew_ms: number;
  /** Null for one that lives or went silent. */
  left_at: Instant | null;
}

/**
 * Who looks after what, in the database. Timed by its clock alone. `held`: the units that the member knows it has.
 */
export interface FleetVerbs {
  readonly times: FleetTimes;
  /** A new member; an id lives once. */
  join(member: Member): Promise<void>;
  /** A sign of life. False when its time was over: then it is no member any more. */
  beat(id: string): Promise<boolean>;
  /** Gives back everything, and says that nothing of it runs any more. */
  leave(id: string): Promise<void>;
  /** Makes units known, of which no fence is known yet. */
  register(units: readonly { unit: string; kind: UnitKind }[]): Promise<void>;
  /** Among these units. */
  supply(id: string, units: readonly string[], held: readonly string[]): Promise<Supply[]>;
  /** At most so many of these that are free, each under a fence that none had before; none for one that does not live. */
  take(id: string, units: readonly string[], held: readonly string[], atMost: number): Promise<Taken[]>;
  /** Says that nothing of these runs any more. */
  giveBack(id: string, units: readonly string[]): Promise<void>;
  /** Clinics whose change log has grown since the last call, whoever did it; costs what changed, not what there is. */
  news(): Promise<string[]>;
  /** A person has done something here that others should look at. */
  announce(): Promise<void>;
  /** Calls soon after another process has written something, where that can be heard of; `news` says what. */
  watch(onNews: () => void): NewsWatch;
  report(): Promise<FleetReport>;
}

export interface NewsWatch {
  /** It has been proven lately that it hears of everything; otherwise `news` must be asked more often. */
  readonly isHeard: boolean;
  stop(): Promise<void>;
}

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

/** Of a process that does not look after the unit. */
export const noTenure: Tenure = { ...alone, unit: 'nothing', maySend: () => false };

const NOT_OURS = Symbol('not ours');

/** Nothing was written, because another process has the unit now, or may take it. */
export const notOurs = (unit: string): Failure =>
  new Failure({
    kind: 'transient',
    message: `This process does not look after ${unit} any more; nothing was written.`,
    hint: 'Another daemon goes on with it.',
    cause: NOT_OURS,
  });

export const isNotOurs = (error: unknown): boolean => error instanceof Failure && error.cause === NOT_OURS;
