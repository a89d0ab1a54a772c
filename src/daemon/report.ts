import type { Clock, Instant } from '../model/clock.ts';
import { type Need, nothingLearned, type StatusReport } from '../model/report.ts';
import { createStatusReport } from '../status/status.ts';
import type { Parts } from './parts.ts';

interface ReportOptions {
  parts: Parts;
  clock: Clock;
  version: string;
  /** When the daemon started; absent for a command beside it, which knows only what is stored. */
  startedAt?: Instant;
  alarms?: () => string[];
  /** What the running HTTP server found. */
  httpNeeds?: () => Need[];
}

/** The report of these parts, as it is at each call. */
export const statusReport = ({
  parts,
  clock,
  version,
  startedAt,
  alarms = () => [],
  httpNeeds = () => [],
}: ReportOptions): (() => Promise<StatusReport>) => {
  const { store, config, clinics, connectors, bookings } = parts;
  return createStatusReport({
    store,
    clinics: config.clinics,
    connectors: connectors.map(({ settings: { name, use }, quarantined }) => ({
      name,
      use,
      ...(quarantined !== undefined && { quarantined }),
    })),
    clock,
    version,
    startedAt: startedAt ?? null,
    bookingNeeds: () => bookings.needs(),
    live: {
      limiter: (key) => clinics.get(key)?.clinic.limiter() ?? nothingLearned,
      lane: (key) => bookings.lane(key),
      alarms,
      needs: httpNeeds,
    },
  });
};
