import { statistics as figures, type Statistics } from '../../../domain/clinics/resource.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { Trx } from '../database.ts';

/** Adds a row when a figure changes; otherwise only updates `seen_at` of the newest row. */
export async function recordStatistics(
  trx: Trx,
  clinic: string,
  at: Instant,
  statistics: Statistics,
): Promise<void> {
  const last = await trx
    .selectFrom('organization_statistics')
    .selectAll()
    .where('clinic', '=', clinic)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined && figures.every((figure) => last[figure] === statistics[figure])) {
    await trx
      .updateTable('organization_statistics')
      .set({ seen_at: at })
      .where((row) => row.and({ clinic, at: last.at }))
      .execute();
    return;
  }
  const { total_users, total_patients, total_appointments, total_doctors } = statistics;
  const row = { total_users, total_patients, total_appointments, total_doctors };
  const seen = { ...row, seen_at: at, raw: JSON.stringify(statistics) };
  // Of two answers within the same millisecond, the later one wins.
  await trx
    .insertInto('organization_statistics')
    .values({ clinic, at, ...seen })
    .onConflict((conflict) => conflict.columns(['clinic', 'at']).doUpdateSet(seen))
    .execute();
}
