import type { ClinicReport, StatusReport } from '../domain/status/report.ts';

/** Maximum number of clinics in `/status.json`, and in the command's `--json`. */
export const CLINICS_IN_DATA = 100;

export interface ClinicsPage {
  shown: ClinicReport[];
  /** The last clinic of this page, to request the next page; null on the last one. */
  next: string | null;
  /** Number of clinics after this page. */
  left: number;
}

/**
 * One page of clinics. If there are more than `limit`, those that need attention come first; otherwise in configuration
 * order. `after`: the last clinic of the previous page; the first page if unknown. Pure.
 */
export function clinicsPage(
  { clinics, needs, reasons }: Pick<StatusReport, 'clinics' | 'needs' | 'reasons'>,
  { limit, after }: { limit: number; after?: string | undefined },
): ClinicsPage {
  if (clinics.length <= limit) return { shown: clinics, next: null, left: 0 };
  const first = new Set([...reasons, ...needs].map(({ clinic }) => clinic));
  const ordered = [
    ...clinics.filter(({ clinic }) => first.has(clinic)),
    ...clinics.filter(({ clinic }) => !first.has(clinic)),
  ];
  const from = ordered.findIndex(({ clinic }) => clinic === after) + 1;
  const shown = ordered.slice(from, from + limit);
  const left = ordered.length - from - shown.length;
  return { shown, left, next: left === 0 ? null : (shown.at(-1)?.clinic ?? null) };
}
