import type { OpenVisits, openVisitGroups } from '../domain/report-rows.ts';
import { toMs } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import type { Store } from '../store/store.ts';

/** Open visits by group, the largest groups first. */
export async function openVisits(
  store: Pick<Store, 'reports'>,
  clinic: string,
  by: (typeof openVisitGroups)[number],
  now: number,
): Promise<OpenVisits[]> {
  const groups = await store.reports.openVisits(clinic, by, now);
  return groups
    .map(({ oldest_at, ...counts }) => ({
      ...{ clinic, ...counts },
      oldest_days: Math.max(0, Math.floor((now - toMs(oldest_at)) / DAY)),
    }))
    .sort((a, b) => b.open - a.open || String(a.group).localeCompare(String(b.group)));
}
