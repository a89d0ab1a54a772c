import type { Connector, MirrorView } from '../connector.ts';
import type { Change } from '../domain/clinics/change.ts';
import { said, saidOf } from '../domain/texts/problem.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import { type Turns, turns } from '../platform/in-turn.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { ConnectorState } from '../store/ports/deliveries.ts';
import type { Store } from '../store/store.ts';
import type { ObserveCall } from './call.ts';
import { notPaused } from './circuit-breaker.ts';
import { eventWorker } from './event-worker.ts';
import { forgetWorker } from './forget-worker.ts';
import { StateWorker } from './state-worker.ts';
import { strippedChange } from './strip.ts';
import { mirrorView } from './view.ts';
import { nothingDone, type Worker, type WorkerResult } from './worker.ts';

/** One configured connector, built. */
export interface RunningConnector {
  name: string;
  connector: Connector;
  /** Keys of the clinics it serves. */
  clinics: readonly string[];
  includePatient: boolean;
  includeHashed?: boolean;
  /** The only host that may run it. */
  on?: string | undefined;
}

export interface DeliveriesOptions {
  connectors?: readonly RunningConnector[];
  clinics: readonly { clinic: string; timezone: string }[];
  /** This process's host, if others may share the database. */
  host?: string | undefined;
  store: Store;
  clock: Clock;
  log: Log;
  /** 0 ≤ x < 1, for jitter. */
  random?: () => number;
  /** Hears of each delivery, and of each run of a connector that keeps files or sheets. */
  onDelivery?: (connector: string, ...ended: Parameters<ObserveCall>) => void;
  /** False: connectors only deliver on `runOnce`. */
  loops?: boolean;
}

interface DeliveredSummary extends WorkerResult {
  connector: string;
  /** Counts afterwards. */
  pending: number;
  dead: number;
}

/** Keeps every connector up to date on its own: one that fails or hangs delays no other. */
export interface Deliveries {
  /**
   * Adds a connector, replacing one of the same name. It delivers continuously if `store` is given, else only on
   * `runOnce`. `stop` removes it and resolves when none of its work is running. Idempotent.
   */
  start(connector: RunningConnector, store?: Store): { stop(): Promise<void> };
  /**
   * There may be work: for one connector, for those of a clinic that changed, or for all. `soon`: a user is waiting, so
   * skip the pause after failures.
   */
  wake(whom?: { connector: string; soon?: 'now' } | { clinic: string }): void;
  /**
   * Delivers everything that waits, retries included; once per connector, except those that only another host may run.
   */
  runOnce(signal: AbortSignal): Promise<DeliveredSummary[]>;
  /** What this connector may read. Rejects with `Failure` for one that is not configured, or quarantined. */
  view(connector: string): Promise<MirrorView>;
  /** Names of the connectors that would receive this change as an event, as decided by the connectors. */
  receivers(change: Change): Promise<string[]>;
  /** Pauses a connector, also one that does not run here; its deliveries wait. */
  pause(connector: string, by?: string): Promise<void>;
  resume(connector: string, by?: string): Promise<void>;
  /** Delivers the changes from `sequence` on again, with new ids. Rejects with `Failure` when there are none. */
  replay(connector: string, clinic: string, sequence: number): Promise<void>;
  /** A user's decision on one or all dead deliveries; `abandon` skips pending ones, too. Resolves to their number. */
  decide(connector: string, decision: 'retry' | 'skip' | 'abandon', id?: string): Promise<number>;
  /** Makes the same connectors remove erased people now; for a command while no daemon runs. Does not throw. */
  forget(signal: AbortSignal): Promise<{ connector: string; error: string | null }[]>;
  /** Aborts calls in progress (they are repeated after the next start); resolves when nothing runs. Idempotent. */
  stop(): Promise<void>;
}

/** What a person's pause changes. A running daemon reads it from the database. */
function pausedBy(by: string | undefined, at: Instant): Partial<ConnectorState> {
  const why = by === undefined ? said('paused_by_person', {}) : said('paused_by', { who: by });
  return {
    paused: true,
    pause_kind: 'person',
    paused_reason: why.sentence,
    said: saidOf([why]),
    paused_at: at,
    paused_by: by ?? null,
  };
}

/** What a person's resuming changes. */
const resumedBy = (by: string | undefined, at: Instant): Partial<ConnectorState> => ({
  ...notPaused,
  resumed_at: at,
  resumed_by: by ?? null,
  failures: 0,
  last_error: null,
});

/** One connector with its workers. */
interface Station {
  one: RunningConnector;
  workers: RunningWorker[];
  state: StateWorker | undefined;
  forget: RunningWorker | undefined;
  view: () => Promise<MirrorView>;
}

interface RunningWorker {
  worker: Worker;
  turn: Turns;
  loop: Loop | undefined;
}

export function startDeliveries(options: DeliveriesOptions): Deliveries {
  const { connectors = [], store, clock, host } = options;
  const stations = new Map(
    connectors.map((one) => [one.name, startStation(one, options, options.loops ?? true)]),
  );

  const known = (name: string): Station => {
    const found = stations.get(name);
    if (found === undefined)
      throw new Failure({
        kind: 'refused',
        message: `The connector ${name} is not running.`,
        hint: 'See: clinic-sync connectors list',
      });
    return found;
  };
  const ofThisHost = () =>
    [...stations.values()].filter(({ one: { on } }) => on === undefined || host === undefined || on === host);
  const hurry = (name: string) => {
    const station = stations.get(name);
    station?.state?.hurry();
    if (station !== undefined) wake(station);
  };

  return {
    start(one, owned) {
      const station = startStation(one, { ...options, store: owned ?? store }, owned !== undefined);
      stations.set(one.name, station);
      return {
        async stop() {
          if (stations.get(one.name) === station) stations.delete(one.name);
          await stopStation(station);
        },
      };
    },
    wake(whom) {
      const toldOf = [...stations.values()].filter(({ one }) => concerns(one, whom));
      for (const station of toldOf) {
        if (whom !== undefined && 'connector' in whom)
          station.state?.[whom.soon === 'now' ? 'hurry' : 'want']();
        wake(station);
      }
    },
    runOnce: (signal) => allOf(ofThisHost().map((station) => drain(station, store, signal))),
    view: async (name) => known(name).view(),

    async receivers(change) {
      const names: string[] = [];
      for (const { one } of stations.values()) {
        const { name, connector, clinics, includePatient } = one;
        const shown = includePatient ? change : strippedChange(change);
        if (clinics.includes(change.clinic) && (await connector.events?.wants(shown))) names.push(name);
      }
      return names;
    },

    pause: (name, by) => store.deliveries.report(name, pausedBy(by, instant(clock.now()))),
    async resume(name, by) {
      await store.deliveries.report(name, resumedBy(by, instant(clock.now())));
      hurry(name);
    },
    async replay(name, clinic, sequence) {
      // Another daemon of a fleet may be the one that delivers to it.
      const station = stations.get(name);
      if (station !== undefined && station.one.connector.events === undefined)
        throw nothingToReplay(name, clinic, undefined);
      if (!(await store.deliveries.replay(name, clinic, sequence)))
        throw nothingToReplay(name, clinic, await store.deliveries.cursor(name, clinic));
      if (station !== undefined) wake(station);
    },
    async decide(name, decision, id) {
      const count = await store.deliveries.decide(name, decision, instant(clock.now()), id);
      hurry(name);
      return count;
    },
    async forget(signal) {
      const able = ofThisHost().flatMap(({ one, forget }) => (forget ? [{ ...forget, one }] : []));
      return Promise.all(
        able.map(async ({ one, worker, turn }) => {
          const { error } = await turn(() => worker.runOnce(signal));
          return { connector: one.name, error };
        }),
      );
    },
    async stop() {
      await Promise.all([...stations.values()].map(stopStation));
    },
  };
}

function startStation(one: RunningConnector, options: DeliveriesOptions, loops: boolean): Station {
  const { store, clock, log, random = Math.random, onDelivery } = options;
  const { name, connector, includePatient, includeHashed = false, clinics } = one;
  const { events, state } = connector;
  const view = () =>
    mirrorView({
      store,
      connector: name,
      includePatient,
      includeHashed,
      clinics: options.clinics.filter(({ clinic }) => clinics.includes(clinic)),
    });
  const start = (worker: Worker, turn = turns()): RunningWorker => {
    const tick = (signal: AbortSignal) => turn(() => worker.tick(signal));
    const loop = loops ? startLoop({ clock, log, name: `deliveries of ${name}`, tick }) : undefined;
    return { worker, turn, loop };
  };

  const observe: ObserveCall = (...ended) => onDelivery?.(name, ...ended);
  const common = { store, clock, log, random, connector: name, clinics, observe };
  const eventsWorker =
    events && start(eventWorker({ ...common, includePatient, beside: state !== undefined, events }));
  const ofState = state && new StateWorker({ ...common, beside: events !== undefined, state, view });
  const stateRunning = ofState && start(ofState);
  const others = [eventsWorker, stateRunning].filter((worker) => worker !== undefined);
  const forget = connector.forget?.bind(connector);
  // Takes turns with the state worker: two writers would undo each other.
  const ofForget = forget && start(forgetWorker({ ...common, forget, view }), others.at(-1)?.turn);
  return { one, workers: ofForget ? [...others, ofForget] : others, state: ofState, forget: ofForget, view };
}

async function stopStation({ workers }: Station): Promise<void> {
  await Promise.all(workers.map(({ loop }) => loop?.stop()));
}

function concerns({ name, clinics }: RunningConnector, whom: Parameters<Deliveries['wake']>[0]): boolean {
  if (whom === undefined) return true;
  return 'connector' in whom ? whom.connector === name : clinics.includes(whom.clinic);
}

function wake({ workers }: Station): void {
  for (const { loop } of workers) loop?.wake();
}

async function drain(
  { one, workers }: Station,
  store: Store,
  signal: AbortSignal,
): Promise<DeliveredSummary> {
  const results = await allOf(workers.map(({ worker, turn }) => turn(() => worker.runOnce(signal))));
  const counts = await store.deliveries.counts(one.name);
  return { connector: one.name, ...results.reduce(together, nothingDone), ...counts };
}

/** A replay from beyond the cursor would skip the changes before it. */
export const nothingToReplay = (name: string, clinic: string, cursor: number | undefined): Failure =>
  cursor === undefined
    ? new Failure({
        kind: 'refused',
        message: `${name} does not receive the changes of ${clinic} as events.`,
        hint: 'Files and sheets stay up to date without a replay; a new connector starts with a snapshot.',
      })
    : new Failure({
        kind: 'refused',
        message: `${name} has only received the changes of ${clinic} up to sequence ${cursor}.`,
        hint: 'Choose one of those; later ones are delivered anyway.',
      });

/** Like Promise.all, but rejects only when all have ended. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

const together = (one: WorkerResult, other: WorkerResult): WorkerResult => ({
  delivered: one.delivered + other.delivered,
  failed: one.failed + other.failed,
  written: { ...one.written, ...other.written },
  problems: [...one.problems, ...other.problems],
  error: one.error ?? other.error,
});
