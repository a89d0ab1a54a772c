import { type Alarm, type Need, nothingLearned } from '../domain/status/report.ts';
import type { Clock, Instant } from '../platform/clock.ts';
import type { CallState } from '../status/call-watch.ts';
import { createStatus, type Status } from '../status/status.ts';
import type { Store } from '../store/store.ts';
import { backupNeeds, backupReport } from './backups.ts';
import { certificateNeeds } from './certificates.ts';
import type { Parts } from './parts.ts';

interface ReportOptions {
  parts: Parts;
  clock: Clock;
  version: string;
  /** Absent in a command, which only knows what is stored. */
  startedAt?: Instant;
  /** Only in the daemon. */
  watch?: { alarms: () => Alarm[]; calls: (clinic: string) => CallState; needs: () => Need[] };
}

const START = ['health', 'started_at'] as const;

/** Noted for commands: what was not due before is not old. */
export async function noteStart({ keyValue, fleet }: Store, at: Instant): Promise<void> {
  const [scope, key] = START;
  if (fleet === undefined) await keyValue.set(scope, { [key]: at });
}

/** When the running daemon started; of several, the first. */
export async function daemonStart({ keyValue, fleet }: Store): Promise<Instant | null> {
  if (fleet === undefined) return (await keyValue.get(...START)) ?? null;
  const starts = (await fleet.report()).members.map(({ since }) => since);
  return starts.toSorted()[0] ?? null;
}

/** The status report of these parts, built at each call. */
export const createStatusReport = ({ parts, clock, version, startedAt, watch }: ReportOptions): Status => {
  const { store, config, clinics, connectors, bookings } = parts;
  let hasDaemon = false;
  let since: Instant | null = null;
  const status = createStatus({
    store,
    clinics: config.clinics,
    connectors: connectors.map((unit) => ({
      name: unit.settings.name,
      use: unit.settings.use,
      on: unit.settings.on,
      get quarantined() {
        return unit.quarantined;
      },
      get delivers() {
        const { connector } = unit;
        return connector === undefined || connector.events !== undefined || connector.state !== undefined;
      },
    })),
    retention: config.retention,
    clock,
    version,
    startedAt: startedAt ?? null,
    running: () => hasDaemon,
    runningSince: () => since,
    bookingNeeds: () => bookings.needs(),
    loadLanes: bookings.loadPauses,
    toldTo: async (target) => (await import('../notify/outbox.ts')).toldTo(target, store),
    watchedNeeds: async () => [...(await certificateNeeds(store)), ...(await backupNeeds(config, store))],
    backup: () => backupReport(config, store),
    live: {
      limiter: (key) => clinics.get(key)?.clinic.limiter() ?? nothingLearned,
      lane: (key) => bookings.sendingState(key),
      alarms: watch?.alarms ?? (() => []),
      needs: watch?.needs ?? (() => []),
      ...(watch && { calls: watch.calls }),
    },
  });
  if (startedAt !== undefined) return status;
  return {
    ...status,
    async report(...given) {
      hasDaemon = await store.hasDaemon().catch(() => hasDaemon);
      since = hasDaemon ? await daemonStart(store).catch(() => since) : null;
      return status.report(...given);
    },
  };
};
