import { startReachability } from '../clinic/reachability.ts';
import type { Config } from '../config/config.ts';
import type { HttpIntake, MirrorView } from '../connector.ts';
import type { StatusReport } from '../domain/report.ts';
import { type Poll, polls } from '../domain/resource.ts';
import { type Http, type HttpOptions, startHttp } from '../http/http.ts';
import type { Clock } from '../platform/clock.ts';
import { instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { createCallWatch } from '../status/call-watch.ts';
import { startHealthWatch } from '../status/health-watch.ts';
import { startSchedule } from '../sync/schedule/schedule.ts';
import { adminActions, adminData } from './admin.ts';
import { watchDatabase } from './database-watch.ts';
import { startUpkeep } from './housekeeping.ts';
import { createRequests, jobsOf } from './jobs.ts';
import { withLiveView } from './live-view.ts';
import { buildParts, type Parts } from './parts.ts';
import { statusReport } from './report.ts';

export interface Daemon {
  /** Where the status page is. */
  readonly url: string;
  readonly parts: Parts;
  report(): Promise<StatusReport>;
  /** Polls as soon as possible, leaving nothing out: one resource of a clinic, or all of them. */
  syncNow(clinic: string, poll?: Poll): Promise<void>;
  /** Resolves when it cannot go on in this process, with the reason: it has to be stopped and started anew. */
  readonly ended: Promise<Failure>;
  /** Finishes or records what is in flight, within 10 s. Idempotent. */
  stop(): Promise<void>;
}

export interface DaemonOptions {
  config: Config;
  clock: Clock;
  log: Log;
  version: string;
}

type Intakes = HttpOptions['intakes'];

const LISTEN_EVERY_MS = 1000;

/** Builds every part, starts them, and stops them in reverse. Throws `Failure` when it cannot start; then nothing runs. */
export async function startDaemon({ config, clock, log, version }: DaemonOptions): Promise<Daemon> {
  let http: Http | undefined;
  const calls = createCallWatch(clock);
  const parts = await buildParts({
    config,
    clock,
    log,
    version,
    mode: 'daemon',
    loops: true,
    onClinicEvent(clinic, event) {
      calls.observe(clinic, event);
      http?.observeCall(clinic, event);
    },
  });
  const { store, bookings, deliveries, clinics } = parts;
  const started: { stop(): Promise<void> }[] = [deliveries];
  // All at once: each may need seconds for what it has in flight, and together they have ten. Meanwhile senders are
  // still told to come back; a closed port would tell them nothing.
  const stopAll = async () => {
    http?.drain();
    await Promise.allSettled(started.map((one) => one.stop()));
    await http?.stop();
    await parts.close();
  };

  try {
    await bookings.start();
    started.push(bookings);
    const changed = () => {
      deliveries.wake();
      bookings.wake();
    };
    const requests = createRequests();
    let health: Loop | undefined;
    const schedule = startSchedule({
      jobs: jobsOf(clinics.values(), requests, changed),
      store,
      clock,
      log,
      onRecovered: () => health?.wake(),
    });
    const syncNow = async (clinic: string, poll?: Poll) => {
      for (const one of poll ? [poll] : polls) {
        requests.add(clinic, one);
        await store.runs.due(clinic, one, instant(clock.now()));
      }
      schedule.wake();
    };
    const heard = () => {
      changed();
      schedule.wake();
    };
    const ended = Promise.withResolvers<Failure>();
    const listening = startListening({ parts, clock, log, heard, ended: ended.resolve });
    started.push(schedule, startUpkeep(parts, clock, log), listening);
    for (const { key, base_url } of config.clinics) {
      const ask = () => schedule.ask(key);
      started.push(startReachability({ base_url, clock, log, calls: () => calls.of(key), ask }));
    }

    const startedAt = instant(clock.now());
    const watch = { alarms: schedule.alarms, calls: calls.of, needs: () => http?.needs() ?? [] };
    const { report, reasons } = statusReport({ parts, clock, version, startedAt, watch });
    health = startHealthWatch({ reasons, store, clock, log });
    started.push(health);
    const running = await startHttp({
      ...config.http,
      intakeAddress: config.http.intake,
      room: () => !store.space().below,
      onUntrustedProxy: () =>
        void store.keyValue.set('http', { unnamed_proxy: instant(clock.now()) }).catch(() => {}),
      sessions: store.sessions,
      audit: store.audit,
      version,
      report,
      intakes: intakesOf(parts, clock),
      bookings,
      ready: () => store.health(),
      admin: adminActions({ parts, clock, syncNow }),
      adminData: adminData(parts),
      clock,
      log,
    });
    http = running;
    // Last: it reads the whole file, and nobody waits for it.
    started.push(watchDatabase({ store, clock, log }));
    log.info('daemon started', { version, port: running.port, count: clinics.size });

    let stopping: Promise<void> | undefined;
    return {
      url: running.url,
      parts,
      report,
      syncNow,
      ended: ended.promise,
      stop() {
        stopping ??= stopAll();
        return stopping;
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** The connectors that take bookings over HTTP, each with what it may read for its pages. */
function intakesOf({ connectors, deliveries }: Parts, clock: Clock): Intakes {
  const found: [string, { intake: HttpIntake; view: MirrorView }][] = [];
  for (const { settings, connector } of connectors) {
    if (connector === undefined) found.push([settings.name, { intake: notStarted, view: nothing }]);
    else if (connector.intake !== undefined)
      found.push([
        settings.name,
        {
          intake: withLiveView(connector.intake, () => deliveries.view(settings.name), clock),
          view: nothing,
        },
      ]);
  }
  return new Map(found);
}

/** In place of a connector that could not be built: its senders are asked to come back, or each lead would be lost. */
const notStarted: HttpIntake = {
  authorize: () => ({ kind: 'refused', status: 404, message: 'This connector could not be started' }),
  async receive() {
    throw new Failure({ kind: 'transient', message: 'The connector could not be started.' });
  },
};
const nothing: MirrorView = {
  clinics: [],
  rows: async () => [],
  page: async () => [],
  rowsChangedSince: async (_table, _clinic, sequence) => ({ rows: [], through: sequence }),
  rowsById: async () => [],
  ownBookings: async () => [],
  ownBookingsBySubmission: async () => [],
  changes: async () => [],
  freshness: async () => [],
};

interface Listening {
  parts: Parts;
  clock: Clock;
  log: Log;
  heard: () => void;
  ended: (why: Failure) => void;
}

/** Notices what a command beside the daemon wrote, so that nobody has to wait for the next turn; and a database in doubt. */
const startListening = ({ parts: { store }, clock, log, heard, ended }: Listening): Loop =>
  startLoop({
    clock,
    log,
    name: 'listening',
    async tick() {
      const failure = store.commitFailure();
      if (failure !== undefined) ended(failure);
      if (await store.changedElsewhere()) heard();
      return LISTEN_EVERY_MS;
    },
  });
