import type { ClinicReport, StatusReport } from './report.ts';

/** Clinics in one answer of `/status.json`, and of the command with `--json`. */
export const CLINICS_IN_DATA = 100;

export interface ClinicsPage {
  shown: ClinicReport[];
  /** The last one shown, to ask for what follows; null when nothing does. */
  next: string | null;
  /** How many follow. */
  left: number;
}

/**
 * One page of clinics. With more than `limit`, those that need attention come first; otherwise in the order of the
 * configuration. `after`: the page that follows this clinic; the first page when it is unknown. Pure.
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
