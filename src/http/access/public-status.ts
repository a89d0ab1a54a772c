import type { HealthReason, StatusReport } from '../../domain/report.ts';

/**
 * Counts, and nothing that depends on what became of one booking: no states, no lag, no appointments, no figures of the
 * clinic. Otherwise whoever sends a booking with a stranger's phone number could read here whether it was known.
 */
export const publicStatus = (report: StatusReport) => ({
  health: report.health,
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

export type PublicStatus = ReturnType<typeof publicStatus>;

const ofResource: readonly HealthReason['kind'][] = ['stale', 'failing', 'late'];

/** What keeps health from `ok`, in words that anybody may read: kinds, and the names of resources. */
export const publicReasons = (reasons: readonly HealthReason[]): string[] => [
  ...new Set(reasons.map(({ kind, subject }) => (ofResource.includes(kind) ? `${kind} ${subject}` : kind))),
];
