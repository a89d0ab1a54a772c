import * as z from 'zod';
import { countSchema, maybe } from '../../domain/outward.ts';
import {
  type ClinicReport,
  connectorState,
  type HealthReason,
  resource,
  type StatusReport,
  statusReport,
} from '../../domain/status/report.ts';
import { CLINICS_IN_DATA, clinicsPage } from '../../reports/clinics-page.ts';

const { health, at, clinics } = statusReport.shape;
const { clinic, name } = clinics.element.shape;

/** What strangers see where `http.status` is `public`. */
export const publicReport = z
  .strictObject({
    health,
    at,
    clinics_total: maybe(countSchema),
    clinics_next: maybe(clinic),
    clinics: z.array(
      z.strictObject({
        clinic,
        name,
        resources: z.array(resource.pick({ poll: true, rows: true, last_success_at: true, stale: true })),
      }),
    ),
    connectors: z.array(z.strictObject({ connector: clinic, state: connectorState })),
  })
  .meta({ id: 'PublicStatus' });
export type PublicStatus = z.infer<typeof publicReport>;

/**
 * What strangers may see: nothing that depends on a booking (counts, lag, appointments, the clinic's figures).
 * Otherwise a sender could find out whether a name and phone number are known: a merged submission adds no booking.
 */
export const publicStatus = (report: StatusReport, after?: string) => {
  // Not ordered by needs, which would reveal the clinics whose bookings need attention.
  const reasons = report.reasons.filter(({ kind }) => kind === 'stale');
  const { shown, next } = clinicsPage({ ...report, needs: [], reasons }, { limit: CLINICS_IN_DATA, after });
  return publicPage(report, shown, next);
};

const publicPage = (
  report: StatusReport,
  clinics: readonly ClinicReport[],
  next: string | null,
): PublicStatus => ({
  health: report.health,
  at: report.at,
  ...(clinics.length < report.clinics_total && { clinics_total: report.clinics_total }),
  ...(next !== null && { clinics_next: next }),
  clinics: clinics.map(({ clinic, name, resources }) => ({
    clinic,
    name,
    resources: resources
      .filter(({ poll }) => poll !== 'appointments')
      .map(({ poll, rows, last_success_at, stale }) => ({ poll, rows, last_success_at, stale })),
  })),
  connectors: report.connectors.map(({ connector, state }) => ({ connector, state })),
});

const ofResource: readonly HealthReason['kind'][] = ['stale', 'failing', 'late'];

/** Causes of bad health for strangers: only kinds, and names of resources. */
export const publicReasons = (reasons: readonly HealthReason[]): string[] => [
  ...new Set(reasons.map(({ kind, subject }) => (ofResource.includes(kind) ? `${kind} ${subject}` : kind))),
];
