import type { Instant } from '../../../platform/clock.ts';
import type { Trx } from '../database.ts';
import type { Stored } from '../schema.ts';

/**
 * What one look says about the time since the look before it: nothing changed, or the status changed somewhere in
 * between. Neighbouring intervals without a change say the same as one long one, so that they are stored as one and the
 * table grows with the changes, not with the looks.
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
      .where('clinic', '=', clinic)
      .where('appointment_id', '=', appointment_id)
      .where('to_at', '=', seen_at)
      .where('changed', '=', 0)
      .where('status', '=', status)
      .where('date', '=', date)
      .where('time', '=', time)
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
