import { type Alarm, type Need, nothingLearned } from '../domain/report.ts';
import type { Clock, Instant } from '../platform/clock.ts';
import type { Calls } from '../status/call-watch.ts';
import { createStatus, type Status } from '../status/status.ts';
import { certificateNeeds } from './certificates.ts';
import type { Parts } from './parts.ts';

interface ReportOptions {
  parts: Parts;
  clock: Clock;
  version: string;
  /** Absent in a command, which only knows what is stored. */
  startedAt?: Instant;
  /** Only in the daemon. */
  watch?: { alarms: () => Alarm[]; calls: (clinic: string) => Calls; needs: () => Need[] };
}

/** The status report of these parts, built at each call. */
export const statusReport = ({ parts, clock, version, startedAt, watch }: ReportOptions): Status => {
  const { store, config, clinics, connectors, bookings } = parts;
  let hasDaemon = false;
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
    })),
    retention: config.retention,
    clock,
    version,
    startedAt: startedAt ?? null,
    running: () => hasDaemon,
    bookingNeeds: () => bookings.needs(),
    loadLanes: bookings.loadPauses,
    watchedNeeds: () => certificateNeeds(store),
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
      return status.report(...given);
    },
  };
};
