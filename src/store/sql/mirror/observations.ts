import type { Instant } from '../../../platform/clock.ts';
import type { ObservedInterval } from '../../ports/appointments.ts';
import type { Db, Trx } from '../database.ts';
import type { Stored } from '../schema.ts';

/**
 * Records what a read shows about the time since the previous one: no change, or one somewhere in between. Adjacent
 * intervals without a change are merged, so that the table grows with changes, not with reads.
 */
export async function recordObservation(
  trx: Trx,
  before: Stored<'appointments'>,
  status: string,
  at: Instant,
): Promise<void> {
  const { clinic, appointment_id, seen_at, date, time } = before;
  if (seen_at === null || before.status === null || date === null || time === null) return;
  const changed = Number(status !== before.status);
  if (changed === 0) {
    const { numUpdatedRows } = await trx
      .updateTable('observations')
      .set({ to_at: at })
      .where((row) => row.and({ clinic, appointment_id, to_at: seen_at, changed: 0, status, date, time }))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
  }
  await trx
    .insertInto('observations')
    .values({
      clinic,
      appointment_id,
      status: before.status,
      date,
      time,
      from_at: seen_at,
      to_at: at,
      changed,
    })
    .execute();
}

export async function readObservations(
  db: Db,
  clinic: string,
  { to, n }: Pick<ObservedInterval, 'to' | 'n'>,
  limit: number,
): Promise<ObservedInterval[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['n', 'appointment_id', 'status', 'date', 'time', 'from_at as from', 'to_at as to', 'changed'])
    .where('clinic', '=', clinic)
    .where('to_at', '>=', to)
    .where(({ or, eb }) => or([eb('to_at', '>', to), eb('n', '>', n)]))
    .orderBy('to_at')
    .orderBy('n')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, changed: row.changed === 1 }));
}
