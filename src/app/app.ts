import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from '../config/config.ts';
import type { HttpIntake } from '../connector.ts';
import type { Poll } from '../domain/clinics/resource.ts';
import type { Alarm, StatusReport } from '../domain/status/report.ts';
import { configHash, startFleet } from '../fleet/fleet.ts';
import { type Http, type HttpOptions, startHttp } from '../http/http.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import type { Log, LogOutput } from '../platform/log.ts';
import { startLoop } from '../platform/loop.ts';
import { within } from '../platform/wait-for.ts';
import { createActivity } from '../status/activity-status.ts';
import { type CallWatch, createCallWatch } from '../status/call-watch.ts';
import { applyClocks } from './clocks.ts';
import { watchDatabase } from './database-watch.ts';
import { emptyView } from './empty-view.ts';
import { installationKey } from './installation-key.ts';
import { clockNeeds, logNeeds } from './machine-needs.ts';
import { adminOperations } from './operations.ts';
import { adminData } from './page-data/admin-data.ts';
import { reportFigures } from './page-data/cached-figures.ts';
import { changeLog } from './page-data/change-log.ts';
import { leadSource } from './page-data/lead-source.ts';
import { tryLead } from './page-data/lead-trial.ts';
import { withLiveView } from './page-data/live-view.ts';
import { shownDelivery } from './page-data/shown-delivery.ts';
import { buildParts, type Parts } from './parts.ts';
import { createReload, type Reloaded } from './reload.ts';
import { shareCalls } from './share-calls.ts';
import { createStatusReport, noteStart } from './status-report.ts';
import type { ClinicWork } from './units/clinic-work.ts';
import { clinicUnits, ownedUnits, upkeepUnit } from './units/owned-units.ts';
import { startTidying } from './upkeep.ts';

export interface Daemon {
  /** URL of the status page. */
  readonly url: string;
  readonly parts: Parts;
  /** Each can be stopped and started alone. Connectors are in `parts`. */
  readonly clinics: ReadonlyMap<string, ClinicWork>;
  report(): Promise<StatusReport>;
  /** Applies what can change while it runs; see `createReload`. */
  reload(next: Config): Promise<Reloaded>;
  /** Polls one resource of a clinic, or all, in full and as soon as possible. */
  syncNow(clinic: string, poll?: Poll): Promise<void>;
  /** Resolves with the reason when this process must be replaced by a new one. */
  readonly ended: Promise<Failure>;
  /** Finishes or records what is in flight, within 10 s. Idempotent. */
  stop(): Promise<void>;
}

export interface DaemonOptions {
  config: Config;
  clock: Clock;
  log: Log;
  /** Absent where lines cannot be dropped. */
  logOutput?: LogOutput;
  version: string;
  /** Ends a start between two of its steps; `startDaemon` rejects with its reason. */
  signal?: AbortSignal | undefined;
}

type Intakes = HttpOptions['intakes'];

/** Poll interval for outside changes, with and without notifications from the database. */
const LISTEN_MS = { notified: 2_000, alone: 1_000 };

/**
 * Builds every part, starts them, and stops them in reverse. Throws `Failure` when it cannot start; then nothing runs.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { clock } = options;
  const process: Process = {
    http: undefined,
    calls: createCallWatch(clock),
    activity: undefined,
    started: [],
    stopping: new AbortController(),
  };
  const parts = await buildParts({
    ...options,
    mode: 'daemon',
    onClinicEvent(clinic, event) {
      process.calls.observe(clinic, event);
      process.activity?.observe(clinic, event);
      process.http?.observeCall(clinic, event);
    },
    onDelivery: (...ended) => process.http?.observeDelivery(...ended),
  });
  try {
    return await run(process, parts, options);
  } catch (error) {
    await stopAll(process, parts, clock);
    throw error;
  }
}

/** What has been started in this process so far. */
interface Process {
  http: Http | undefined;
  readonly calls: CallWatch;
  activity: ReturnType<typeof createActivity> | undefined;
  readonly started: { stop(): Promise<void> }[];
  readonly stopping: AbortController;
}

async function run(
  process: Process,
  parts: Parts,
  { config, clock, log, logOutput, version, signal: asked }: DaemonOptions,
): Promise<Daemon> {
  const { store, bookings, deliveries, connectors } = parts;
  const { calls, started } = process;
  const startedAt = instant(clock.now());
  // Only commands read it: a start that cannot write it has reason enough to say so elsewhere.
  await noteStart(store, startedAt).catch(() => {});
  asked?.throwIfAborted();
  started.push(deliveries);
  await bookings.begin();
  started.push(bookings);
  asked?.throwIfAborted();

  const onChanged = (clinic?: string) => {
    deliveries.wake(clinic === undefined ? undefined : { clinic });
    bookings.wake(clinic);
  };
  const onRecovered = () => upkeep.wake();
  const { signal } = process.stopping;
  const clinics = clinicUnits({ parts, calls, onChanged, onRecovered, stopping: signal, clock, log });
  const sharing = store.fleet && shareCalls({ fleet: store.fleet, store, clinics, calls, clock, log });
  if (sharing !== undefined) started.push(sharing);
  const alarms = () =>
    distinct([...clinics.values(), upkeep, ...(sharing ? [sharing] : [])].flatMap((one) => one.alarms()));
  const needs = () => [
    ...(process.http?.needs() ?? []),
    ...logNeeds(logOutput, clock),
    ...clockNeeds(parts.trust),
  ];
  const watch = { alarms, calls: calls.of, needs };
  const status = createStatusReport({ parts, clock, version, startedAt, watch });
  const { report } = status;
  process.activity = createActivity({ store, lags: status.lags, clock, log });
  started.push(process.activity.start());
  const probeSecret = randomBytes(24).toString('base64url');
  // A function, because the port is not open yet; upkeep starts after it.
  const probeEntry = () => ({ url: process.http?.intakeUrl ?? '', secret: probeSecret });
  const upkeep = upkeepUnit({ parts, status, entry: probeEntry, clock, log });
  const units = ownedUnits(clinics, connectors, upkeep);
  const heard = (some: Iterable<string> = clinics.keys()) => {
    deliveries.wake();
    for (const clinic of some) {
      bookings.wake(clinic);
      clinics.get(clinic)?.wake();
    }
  };
  const ended = Promise.withResolvers<Failure>();
  started.push(
    startTidying(parts, clock, log),
    startListening({ parts, clock, log, heard, ended: ended.resolve }),
  );

  const syncNow = async (clinic: string, poll?: Poll) => clinics.get(clinic)?.syncNow(poll);
  const http = await listen({
    parts,
    visitorKey: await installationKey(store, config, 'visitor_key'),
    probes: { word: probeSecret, rehearse: bookings.rehearse },
    syncNow,
    report,
    config,
    clock,
    log,
    ...(logOutput && { logOutput }),
    version,
  });
  process.http = http;
  asked?.throwIfAborted();
  // Before the clinics: leads need not wait for a thousand of them, and a port in use ends the start with nothing sent.
  log.info('listening', { port: http.port });
  await applyClocks(parts, clock);
  asked?.throwIfAborted();
  const config_hash = configHash(config);
  const host = hostname();
  started.push(await startFleet({ verbs: store.fleet, units, version, config_hash, host, clock, log }));
  // Last, because it reads the whole file and nothing depends on it.
  started.push(watchDatabase({ store, clock, log }));
  log.info('daemon started', { version, count: clinics.size });

  const reload = createReload({ config, clinics, connectors, upkeep, ended: ended.resolve });
  let stopping: Promise<void> | undefined;
  return {
    url: http.url,
    parts,
    clinics,
    report,
    syncNow,
    reload,
    ended: ended.promise,
    stop() {
      stopping ??= stopAll(process, parts, clock);
      return stopping;
    },
  };
}

/**
 * How long a load balancer may take to notice that a daemon is not ready: three checks of the shipped one. Until then,
 * leads are taken, because a form tool that does not retry would lose them.
 */
const NOTICED_MS = 3_000;

/**
 * Stops everything in parallel, because the parts share ten seconds. The port closes last: until then, senders are
 * asked to retry. See docs/decisions/0039.
 */
async function stopAll({ http, started, stopping }: Process, parts: Parts, clock: Clock): Promise<void> {
  const { bookings } = parts;
  stopping.abort(new Failure({ kind: 'transient', message: 'clinic-sync is stopping.' }));
  http?.withdraw();
  const others = await hasOthers(parts, clock);
  const stopped = Promise.allSettled(started.filter((one) => one !== bookings).map((one) => one.stop()));
  if (http !== undefined && others) await clock.sleep(NOTICED_MS, new AbortController().signal);
  http?.drain();
  await Promise.allSettled([stopped, bookings.stop()]);
  await http?.stop();
  await parts.close();
}

/** Whether another daemon runs on this database, to which a load balancer can send. */
async function hasOthers({ store: { fleet } }: Pick<Parts, 'store'>, clock: Clock): Promise<boolean> {
  if (fleet === undefined) return false;
  const asked = fleet.report().then(
    ({ members }) => members.length > 1,
    () => false,
  );
  return await within({ clock, ms: SECOND, late: () => false }, asked);
}

/** A database that does not answer is one problem, not one for each clinic. */
const distinct = (alarms: readonly Alarm[]): Alarm[] => [
  ...new Map(alarms.map((alarm) => [alarm.sentence, alarm])).values(),
];

interface Listen extends DaemonOptions {
  parts: Parts;
  visitorKey: string;
  probes: HttpOptions['probes'] & {};
  syncNow: Daemon['syncNow'];
  report: Daemon['report'];
}

function listen({
  parts,
  syncNow,
  report,
  config,
  clock,
  log,
  logOutput,
  version,
  ...secrets
}: Listen): Promise<Http> {
  const { store, bookings } = parts;
  return startHttp({
    ...config.http,
    intakeAddress: config.http.intake,
    room: () => !store.space().below,
    onUntrustedProxy: () =>
      void store.keyValue.set('http', { unnamed_proxy: instant(clock.now()) }).catch(() => {}),
    store,
    figures: reportFigures(parts, clock),
    sessions: store.sessions,
    audit: store.audit,
    version,
    timezone: sharedZone(config.clinics),
    report,
    intakes: intakesOf(parts, clock),
    ...secrets,
    bookings,
    ready: () => store.health(),
    oneTaps: parts.oneTaps,
    admin: adminOperations({ ...parts, clock, syncNow }),
    adminData: adminData({ ...parts, clock }),
    delivery: (n) => shownDelivery(parts, { n }),
    leadSource: (asked) => leadSource({ ...parts, config, clock }, asked),
    tryLead: (name, body) => tryLead(parts, name, body),
    changeLog: changeLog(parts),
    clock,
    log,
    logOutput,
  });
}

/** The time zone that all clinics share, otherwise UTC. */
function sharedZone(clinics: readonly { timezone: string }[]): string {
  const [zone = 'UTC', ...others] = new Set(clinics.map(({ timezone }) => timezone));
  return others.length === 0 ? zone : 'UTC';
}

/** The connectors that take bookings over HTTP now, each with the view that its pages may read. */
function intakesOf({ connectors, deliveries }: Parts, clock: Clock): Intakes {
  const units = new Map(connectors.map((unit) => [unit.settings.name, unit]));
  const live = new WeakMap<HttpIntake, HttpIntake>();
  const liveIntake = (intake: HttpIntake, name: string) => {
    const known = live.get(intake);
    if (known !== undefined) return known;
    const made = withLiveView(intake, () => deliveries.view(name), clock);
    live.set(intake, made);
    return made;
  };
  return {
    keys: () => units.keys(),
    get(name) {
      const unit = units.get(name);
      if (unit === undefined) return undefined;
      const { connector } = unit;
      if (connector === undefined) return { intake: notStarted, view: emptyView };
      const { intake } = connector;
      return intake && { intake: liveIntake(intake, name), view: emptyView };
    },
  };
}

/** Stands in for a connector that could not be built: its senders are asked to retry, so that no lead is lost. */
const notStarted: HttpIntake = {
  authorize: () => ({ kind: 'refused', status: 404, message: 'This connector could not be started' }),
  async receive() {
    throw new Failure({ kind: 'transient', message: 'The connector could not be started.' });
  },
};

interface Listening {
  parts: Parts;
  clock: Clock;
  log: Log;
  /** Called after outside changes to these clinics, or to any. */
  heard: (clinics?: Iterable<string>) => void;
  ended: (why: Failure) => void;
}

/**
 * Notices a failed COMMIT, and what a command or another daemon wrote: through the database's notifications where it
 * has them, and always by polling.
 */
function startListening({ parts: { store }, clock, log, heard, ended }: Listening): {
  stop(): Promise<void>;
} {
  const loop = startLoop({
    clock,
    log,
    name: 'listening',
    async tick() {
      const failure = store.commitFailure();
      if (failure !== undefined) ended(failure);
      if (await store.changedElsewhere()) heard();
      const grown = (await store.fleet?.news()) ?? [];
      if (grown.length > 0) heard(grown);
      return watch?.isHeard ? LISTEN_MS.notified : LISTEN_MS.alone;
    },
  });
  const watch = store.fleet?.watch(() => loop.wake());
  return {
    async stop() {
      await Promise.all([loop.stop(), watch?.stop()]);
    },
  };
}
