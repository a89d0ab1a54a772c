import type { StatusReport } from '../model/report.ts';

/** Sync health in one word. It never turns because something waits for a person. */
export type HealthWord = 'ok' | 'trouble' | 'stale';

const FAILURES_OF_TROUBLE = 2;

export function healthWord({ clinics, connectors, database, stale_reasons }: StatusReport): HealthWord {
  if (stale_reasons.length > 0 || !database.ok) return 'stale';
  const inTrouble =
    clinics.some(
      ({ lane, resources }) =>
        lane.state === 'paused' || resources.some(({ failures }) => failures >= FAILURES_OF_TROUBLE),
    ) || connectors.some(({ state }) => state !== 'ok');
  return inTrouble ? 'trouble' : 'ok';
}

/** What everybody may see where the status page is public. */
export interface PublicStatus {
  health: HealthWord;
  at: string;
  clinics: {
    clinic: string;
    name: string | null;
    resources: { poll: string; rows: number; last_success_at: string | null; stale: boolean }[];
  }[];
  connectors: { connector: string; state: string }[];
  bookings: { source: string; today: number; last_7_days: number }[];
}

/**
 * Counts, and nothing that depends on what became of one booking: no states, no lag, no appointments, no figures of the
 * clinic. Otherwise whoever sends a booking with a stranger's phone number could read here whether it was known.
 */
export const publicStatus = (report: StatusReport): PublicStatus => ({
  health: healthWord(report),
  at: report.at,
  clinics: report.clinics.map(({ clinic, name, resources }) => ({
    clinic,
    name,
    resources: resources
      .filter(({ poll }) => poll !== 'appointments')
      .map(({ poll, rows, last_success_at, stale }) => ({ poll, rows, last_success_at, stale })),
  })),
  connectors: report.connectors.map(({ connector, state }) => ({ connector, state })),
  bookings: report.bookings.map(({ source, today, last_7_days }) => ({ source, today, last_7_days })),
});
