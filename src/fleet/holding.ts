import type { Clock } from '../platform/clock.ts';
import { type FleetVerbs, notOurs, type Taken, type Tenure } from '../store/ports/fleet.ts';
import type { OwnedUnit } from './owned-unit.ts';

/** A unit that this process owns. */
export interface Holding {
  readonly unit: OwnedUnit;
  start(): Promise<void>;
  /** Ends its work at once, including requests in flight. */
  abort(): void;
  /** Resolves to whether it stopped cleanly. */
  stop(): Promise<boolean>;
  readonly hasEnded: boolean;
  /** Its last start failed, here or elsewhere. */
  readonly isFailing: boolean;
}

interface HoldingOptions {
  unit: OwnedUnit;
  taken: Taken;
  owner: string;
  clock: Clock;
  /** Milliseconds of trust left, and how many of them a booking needs. */
  leftMs: () => number;
  sendMs: number;
  /** Called when another process owns it. */
  onLost: () => void;
}

export function holding(options: HoldingOptions): Holding {
  const { unit, taken, owner, clock, leftMs, sendMs, onLost } = options;
  const end = new AbortController();
  const sendsFrom = clock.monotonic() + taken.sendsInMs;
  const sendsInMs = () => Math.max(0, sendsFrom - clock.monotonic());
  const tenure: Tenure = {
    ...{ unit: unit.unit, owner, fence: taken.fence },
    signal: end.signal,
    lost: onLost,
    sendsInMs,
    maySend: () => !end.signal.aborted && sendsInMs() === 0 && leftMs() >= sendMs,
  };
  let stopping: Promise<boolean> | undefined;
  return {
    unit,
    isFailing: taken.isFailing,
    async start() {
      if (!end.signal.aborted && stopping === undefined) await unit.start(tenure);
    },
    abort: () => end.abort(notOurs(unit.unit)),
    stop() {
      stopping ??= unit.stop().then(
        () => true,
        () => false,
      );
      return stopping;
    },
    get hasEnded() {
      return end.signal.aborted || stopping !== undefined;
    },
  };
}

/** All units owned during one term. */
export function holdings(id: string, verbs: FleetVerbs) {
  const held = new Map<string, Holding>();
  let isUnsure = false;

  /** Resolves to the names of the units that stopped cleanly. */
  const stop = async (some: readonly Holding[]): Promise<string[]> => {
    const stopped: string[] = [];
    await Promise.all(
      some.map(async (one) => {
        const { unit } = one.unit;
        if (await one.stop()) stopped.push(unit);
        else isUnsure = true;
        one.abort();
        held.delete(unit);
      }),
    );
    return stopped;
  };

  return {
    all: () => [...held.values()],
    names: () => [...held.keys()],
    add: (one: Holding) => void held.set(one.unit.unit, one),
    stop,
    async giveBack(some: readonly Holding[]): Promise<void> {
      const stopped = await stop(some);
      if (stopped.length > 0) await verbs.giveBack(id, stopped);
    },
    /** Does not leave the fleet if a unit failed to stop: its next owner must wait, as after a crash. */
    async leave(): Promise<void> {
      if (!isUnsure) await verbs.leave(id).catch(() => {});
    },
  };
}
