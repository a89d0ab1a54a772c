import type { Booking } from '../../../domain/bookings/booking.ts';
import type { NewChange } from '../../../domain/clinics/change.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { Trx } from '../database.ts';
import { forgetUnreadable } from '../polls/unreadable.ts';
import type { Stored } from '../schema.ts';

type Row = Stored<'appointments'>;

type Facts = Partial<Record<'ref' | 'date' | 'time', string | null | undefined>>;

/** Starts tracking an appointment; undefined if it is tracked already (it may still get its booking's ref). */
export async function trackAppointment(
  trx: Trx,
  clinic: string,
  appointmentId: number,
  at: Instant,
  { ref, date, time }: Facts,
): Promise<NewChange | undefined> {
  const known = await findAppointment(trx, clinic, appointmentId);
  const row: Row = {
    clinic,
    appointment_id: appointmentId,
    status: known?.status ?? null,
    name: known?.name ?? null,
    // Prefer the clinic's own date and time to the requested ones.
    date: known?.date ?? date ?? null,
    time: known?.time ?? time ?? null,
    ref: ref ?? known?.ref ?? null,
    status_changed_at: known?.status_changed_at ?? null,
    next_due_at: at,
    done: 0,
    first_seen_at: known?.first_seen_at ?? at,
    changed_at: known?.changed_at ?? at,
    seen_at: known?.seen_at ?? null,
    removed_at: null,
    raw: known?.raw ?? null,
    missed_at: null,
    misses: 0,
    followed_until: null,
  };
  const followed = known?.done === 0;
  if (followed && row.ref === known.ref) return undefined;
  const { clinic: _clinic, appointment_id: _id, ...values } = row;
  await trx
    .insertInto('appointments')
    .values(row)
    .onConflict((conflict) => conflict.columns(['clinic', 'appointment_id']).doUpdateSet(values))
    .execute();
  if (followed) return undefined;
  return {
    type: 'appointment.tracked',
    resource: 'appointment',
    id: String(appointmentId),
    data: toFields(row),
    previous: null,
  };
}

/** Of a booking that loses its number: what was read under it is not another patient's. */
export async function forgetVisit(
  trx: Trx,
  { clinic, appointment_id }: Pick<Booking, 'clinic' | 'appointment_id'>,
): Promise<void> {
  if (appointment_id === null) return;
  await trx
    .deleteFrom('appointments')
    .where((row) => row.and({ clinic, appointment_id }))
    .execute();
  await forgetUnreadable(trx, clinic, 'appointments', [String(appointment_id)]);
}

const toFields = ({ appointment_id, status, name, date, time, ref }: Row) => {
  return { appointment_id, status, name, date, time, ref };
};

export const findAppointment = (trx: Trx, clinic: string, id: number): Promise<Row | undefined> =>
  trx
    .selectFrom('appointments')
    .selectAll()
    .where((row) => row.and({ clinic, appointment_id: id }))
    .executeTakeFirst();
