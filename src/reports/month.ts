import { type MonthPack, readMonth } from '../domain/reports/month-pack.ts';
import type { Store } from '../store/store.ts';

/** A clinic's month as currently known; undefined when it has not begun there. */
export async function monthPack(
  store: Pick<Store, 'reports' | 'mirror' | 'changes'>,
  { clinic, timezone }: { clinic: string; timezone: string },
  month: string,
  now: number,
): Promise<MonthPack | undefined> {
  const name = (await store.mirror.names()).get(clinic) ?? null;
  const head = (await store.changes.head(clinic)) ?? null;
  return readMonth(store.reports, { clinic, name, timezone, month, now, head });
}
