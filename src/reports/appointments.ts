import type { OpenVisits, openVisitGroups } from '../domain/report-rows.ts';
import type { Store } from '../store/store.ts';

/** Open visits by group, the largest groups first. */
export async function openVisits(
  store: Pick<Store, 'reports'>,
  clinic: string,
  by: (typeof openVisitGroups)[number],
  now: number,
): Promise<OpenVisits[]> {
  const groups = await store.reports.openVisits(clinic, by, now);
  return groups.sort((a, b) => b.open - a.open || String(a.group).localeCompare(String(b.group)));
}
