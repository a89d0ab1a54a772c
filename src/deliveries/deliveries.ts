import type { Connector, MirrorView } from '../connector.ts';
import type { Change } from '../domain/change.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Store } from '../store/store.ts';
import { notPaused } from './event-health.ts';
import { eventLane } from './event-worker.ts';
import { forgetLane } from './forget-worker.ts';
import { type StateLane, stateLane } from './state-worker.ts';
import { strippedChange } from './strip.ts';
import { mirrorView } from './view.ts';
import { type Lane, type LaneResult, type LaneTools, nothingDone, type Turns, turns } from './worker.ts';

/** One configured connector, built. */
export interface RunningConnector {
  name: string;
  connector: Connector;
  /** Keys of the clinics it serves. */
  clinics: readonly string[];
  includePatient: boolean;
}

export interface DeliveriesOptions {
  connectors: readonly RunningConnector[];
  clinics: readonly { clinic: string; timezone: string }[];
  store: Store;
  clock: Clock;
  log: Log;
  /** 0 ≤ x < 1, for jitter. */
  random?: () => number;
  /** False: nothing runs by itself, only `runOnce`. */
  loops?: boolean;
}

export interface DeliveredSummary extends LaneResult {
  connector: string;
  /** Still waiting, and given up, afterwards. */
  pending: number;
  dead: number;
}

/** Every connector is kept in step on its own: one that fails or hangs delays no other. */
export interface Deliveries {
  /** There is something new: for one connector (it noticed something itself) or for all. */
  wake(connector?: string): void;
  /** Everything that can be delivered now, also what waits for a retry; once per connector. */
  runOnce(signal: AbortSignal): Promise<DeliveredSummary[]>;
  /** What this connector may read. Rejects with Failure for one that is not configured, or quarantined. */
  view(connector: string): Promise<MirrorView>;
  /** Names of the connectors that would receive this change as an event. Asks the connectors. */
  receivers(change: Change): Promise<string[]>;
  /** Holds a connector back; everything for it waits. */
  pause(connector: string, by?: string): Promise<void>;
  resume(connector: string, by?: string): Promise<void>;
  /** Delivers the changes from `sequence` on again, with new ids. Rejects with Failure when there is nothing to repeat. */
  replay(connector: string, clinic: string, sequence: number): Promise<void>;
  /** A person's decision on one or all deliveries that were given up. Resolves to how many. */
  decide(connector: string, decision: 'retry' | 'skip', id?: string): Promise<number>;
  /** Has connectors take erased people out of what they wrote, now: for a command while no daemon runs. Does not throw. */
  forget(signal: AbortSignal): Promise<{ connector: string; error: string | null }[]>;
  /** Aborts what is on its way (it is sent again after the next start) and resolves when nothing runs. Idempotent. */
  stop(): Promise<void>;
}

interface Station {
  lanes: { lane: Lane; turn: Turns; loop: Loop | undefined }[];
  state: StateLane | undefined;
  forget: { lane: Lane; turn: Turns } | undefined;
}

export function startDeliveries(options: DeliveriesOptions): Deliveries {
  const { connectors, store, clock, log, random = Math.random, loops = true } = options;
  const tools: LaneTools = { store, clock, log, random };
  const running = new Map(connectors.map((one) => [one.name, one]));
  const stations = new Map(connectors.map((one) => [one.name, station(one)]));

  const known = (name: string): RunningConnector => {
    const found = running.get(name);
    if (found === undefined)
      throw new Failure({
        kind: 'refused',
        message: `The connector ${name} is not running.`,
        hint: 'See: clinic-sync connectors list',
      });
    return found;
  };

  function station(one: RunningConnector): Station {
    const { name, connector, clinics, includePatient } = one;
    const { events, state } = connector;
    const common = { ...tools, connector: name, clinics };
    const lanes: Lane[] = [];
    if (events) lanes.push(eventLane({ ...common, includePatient, events }));
    const ofState =
      state && stateLane({ ...common, beside: events !== undefined, state, view: () => viewOf(one) });
    if (ofState) lanes.push(ofState);
    const own = lanes.map((lane) => started(name, lane));
    const forget = connector.forget?.bind(connector);
    // In turn with the state: two at once would undo each other.
    const ofForget =
      forget && started(name, forgetLane({ ...common, forget, view: () => viewOf(one) }), own.at(-1)?.turn);
    if (ofForget) own.push(ofForget);
    return { lanes: own, state: ofState, forget: ofForget };
  }

  function started(name: string, lane: Lane, turn: Turns = turns()): Station['lanes'][number] {
    const tick = (signal: AbortSignal) => turn(() => lane.tick(signal));
    return {
      lane,
      turn,
      loop: loops ? startLoop({ clock, log, name: `deliveries of ${name}`, tick }) : undefined,
    };
  }

  const viewOf = ({ name, clinics, includePatient }: RunningConnector) =>
    mirrorView({
      store,
      connector: name,
      includePatient,
      clinics: options.clinics.filter(({ clinic }) => clinics.includes(clinic)),
    });

  const wakeLoops = (name: string) => {
    for (const { loop } of stations.get(name)?.lanes ?? []) loop?.wake();
  };

  async function drained(name: string, signal: AbortSignal): Promise<DeliveredSummary> {
    const { lanes } = stations.get(name) ?? { lanes: [] };
    const results = await allOf(lanes.map(({ lane, turn }) => turn(() => lane.runOnce(signal))));
    const counts = await store.deliveries.counts(name);
    return { connector: name, ...results.reduce(together, nothingDone), ...counts };
  }

  return {
    wake(name) {
      if (name === undefined) {
        for (const each of running.keys()) wakeLoops(each);
        return;
      }
      stations.get(name)?.state?.want();
      wakeLoops(name);
    },
    runOnce: (signal) => allOf([...running.keys()].map((name) => drained(name, signal))),
    view: async (name) => viewOf(known(name)),

    async receivers(change) {
      const names: string[] = [];
      for (const { name, connector, clinics, includePatient } of connectors) {
        const shown = includePatient ? change : strippedChange(change);
        if (clinics.includes(change.clinic) && (await connector.events?.wants(shown))) names.push(name);
      }
      return names;
    },

    async pause(name, by) {
      known(name);
      await store.deliveries.report(name, {
        paused: true,
        pause_kind: 'person',
        paused_reason: by === undefined ? 'Paused by a person.' : `Paused by ${by}.`,
        paused_at: instant(clock.now()),
        paused_by: by ?? null,
      });
    },
    async resume(name, by) {
      known(name);
      await store.deliveries.report(name, {
        ...notPaused,
        resumed_at: instant(clock.now()),
        resumed_by: by ?? null,
        failures: 0,
        last_error: null,
      });
      stations.get(name)?.state?.hurry();
      wakeLoops(name);
    },
    async replay(name, clinic, sequence) {
      const { connector } = known(name);
      // In the lane's turn: a batch that is just being taken would move the cursor forward again.
      const turn = stations.get(name)?.lanes[0]?.turn ?? turns();
      await turn(async () => {
        const cursor = connector.events && (await store.deliveries.cursor(name, clinic));
        if (cursor === undefined || sequence > cursor) throw nothingToReplay(name, clinic, cursor);
        await store.deliveries.replay(name, clinic, sequence);
      });
      wakeLoops(name);
    },
    async decide(name, decision, id) {
      known(name);
      const count = await store.deliveries.decide(name, decision, instant(clock.now()), id);
      wakeLoops(name);
      return count;
    },
    async forget(signal) {
      const able = [...stations].flatMap(([connector, { forget }]) =>
        forget ? [{ connector, forget }] : [],
      );
      return Promise.all(
        able.map(async ({ connector, forget: { lane, turn } }) => {
          const { error } = await turn(() => lane.runOnce(signal));
          return { connector, error };
        }),
      );
    },
    async stop() {
      const all = [...stations.values()].flatMap(({ lanes }) => lanes);
      await Promise.all(all.map(({ loop }) => loop?.stop()));
    },
  };
}

/** Setting the cursor ahead would be the opposite of a replay: what is in between would never be delivered. */
const nothingToReplay = (name: string, clinic: string, cursor: number | undefined): Failure =>
  cursor === undefined
    ? new Failure({
        kind: 'refused',
        message: `${name} was never given the changes of ${clinic} one by one.`,
        hint: 'Files and sheets are kept up to date without it; a new connector starts with everything there is.',
      })
    : new Failure({
        kind: 'refused',
        message: `${name} has only been given the changes of ${clinic} up to sequence ${cursor}.`,
        hint: 'Name one of those; later ones are on their way anyway.',
      });

/** Like Promise.all, but when one throws the others have ended too: nothing runs on behind the caller's back. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

const together = (one: LaneResult, other: LaneResult): LaneResult => ({
  delivered: one.delivered + other.delivered,
  failed: one.failed + other.failed,
  written: { ...one.written, ...other.written },
  problems: [...one.problems, ...other.problems],
  error: one.error ?? other.error,
});
