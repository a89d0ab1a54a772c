import type { OpenVisits, openVisitGroups } from '../domain/report-rows.ts';
import { toMs } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import type { OpenAppointment } from '../store/ports/reports.ts';
import type { Store } from '../store/store.ts';

/** The largest groups first. */
export async function openVisits(
  store: Pick<Store, 'reports'>,
  clinic: string,
  by: (typeof openVisitGroups)[number],
  now: number,
): Promise<OpenVisits[]> {
  const groups = Map.groupBy(await store.reports.openAppointments(clinic), (visit) => visit[by]);
  return [...groups]
    .map(([group, visits]) => aged(clinic, group, visits, now))
    .sort((a, b) => b.open - a.open || String(a.group).localeCompare(String(b.group)));
}

function aged(
  clinic: string,
  group: string | null,
  visits: readonly OpenAppointment[],
  now: number,
): OpenVisits {
  const days = visits.map(({ booked_at }) => Math.max(0, Math.floor((now - toMs(booked_at)) / DAY)));
  const count = (from: number, to: number) => days.filter((age) => age >= from && age <= to).length;
  return {
    clinic,
    group,
    open: visits.length,
    days_0_7: count(0, 7),
    days_8_30: count(8, 30),
    days_31_90: count(31, 90),
    days_over_90: count(91, Number.POSITIVE_INFINITY),
    oldest_days: days.reduce((oldest, age) => Math.max(oldest, age), 0),
  };
}
