import type { OpenVisitGroup, OpenVisits, VisitPeriod, VisitsRow } from '../domain/clinics/report-columns.ts';
import type { Store } from '../store/store.ts';

/** Open visits by group, the largest groups first. */
export async function openVisits(
  store: Pick<Store, 'reports'>,
  clinic: string,
  by: OpenVisitGroup,
  now: number,
): Promise<OpenVisits[]> {
  const groups = await store.reports.openVisits(clinic, by, now);
  return groups.sort((a, b) => b.open - a.open || String(a.group).localeCompare(String(b.group)));
}

const noneOpen = { open: 0, days_0_7: 0, days_8_30: 0, days_31_90: 0, days_over_90: 0, oldest_days: null };

/** All visits of a period by group, the largest groups first. */
export async function visitsReport(
  { reports }: Pick<Store, 'reports'>,
  asked: { clinic: string; by: OpenVisitGroup; now: number; period: VisitPeriod },
): Promise<VisitsRow[]> {
  const { clinic, by, now, period } = asked;
  const [groups, open] = await Promise.all([
    reports.visitsBy(clinic, by, period),
    reports.openVisits(clinic, by, now, period),
  ]);
  const openOf = new Map(open.map((row) => [row.group, row]));
  return groups
    .map(({ group, visits }) => ({ ...noneOpen, ...openOf.get(group), clinic, group, visits }))
    .sort((a, b) => b.visits - a.visits || String(a.group).localeCompare(String(b.group)));
}
