import type { VisitPlace } from '../../../domain/bookings/visit-now.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { Trx } from '../database.ts';
import { jsonColumns, selectBooking } from './booking-rows.ts';
import { othersResembling } from './resembling.ts';

interface Moved {
  ref: string;
  at: Instant;
  before: VisitPlace;
  after: VisitPlace;
}

/**
 * Call after another time of a booking's visit was stored: a lead for that time may have been booked before the move
 * was read. If there is another booking of the phone number then, a user is asked.
 */
export async function noteMovedBeside(trx: Trx, { ref, at, before, after }: Moved): Promise<void> {
  if (after.date === before.date && after.time === before.time) return;
  const booking = await selectBooking(trx, ref);
  if (booking?.state !== 'booked') return;
  const slot = { appointment_date: after.date, appointment_time: after.time?.slice(0, 5) ?? null };
  const others = await othersResembling(trx, { ...booking, ...slot }, []);
  const sent = others.filter(
    ({ state, resembles }) => resembles === 'slot' && state !== 'received' && state !== 'queued',
  );
  if (sent.length === 0) return;
  const sentence =
    `The clinic moved it to ${after.date} ${slot.appointment_time}, when ` +
    `${sent.map((one) => one.ref).join(' and ')} is booked for the same phone number.`;
  const evidence = {
    ...booking.evidence,
    verification: 'differs' as const,
    mismatch: [sentence],
    shows: { date: after.date, time: slot.appointment_time, name_matches: null },
  };
  await trx
    .updateTable('bookings')
    .set({ ...jsonColumns({ ...booking, evidence }), verified_at: at })
    .where('ref', '=', ref)
    .execute();
}
