import type { Actor, BookingState } from '../../../model/booking.ts';
import type { BookingVerbs } from '../../store.ts';
import type { Parts } from '../database.ts';
import { bookingTotals } from './booking-counts.ts';
import { toBooking } from './booking-rows.ts';
import { countBookings } from './count-bookings.ts';
import { sameSlot } from './same-slot.ts';

type Reads = Pick<
  BookingVerbs,
  'get' | 'list' | 'events' | 'linked' | 'sameSlot' | 'ownIds' | 'countSince' | 'totals'
>;

export function bookingReads({ db }: Parts): Reads {
  return {
    async get(ref) {
      const row = await db.selectFrom('bookings').selectAll().where('ref', '=', ref).executeTakeFirst();
      return row && toBooking(row);
    },

    async list({ clinic, source, states, since, limit }) {
      let query = db.selectFrom('bookings').selectAll().orderBy('received_at', 'desc').orderBy('ref');
      if (clinic !== undefined) query = query.where('clinic', '=', clinic);
      if (source !== undefined) query = query.where('source', '=', source);
      if (states !== undefined) query = query.where('state', 'in', states);
      if (since !== undefined) query = query.where('received_at', '>=', since);
      if (limit !== undefined) query = query.limit(limit);
      return (await query.execute()).map(toBooking);
    },

    async events(ref) {
      const rows = await db
        .selectFrom('booking_events')
        .select(['ref', 'at', 'from_state as from', 'to_state as to', 'actor', 'by', 'reason', 'message'])
        .where('ref', '=', ref)
        .orderBy('n')
        .execute();
      return rows.map((row) => ({
        ...row,
        from: row.from as BookingState | null,
        to: row.to as BookingState,
        actor: row.actor as Actor,
      }));
    },

    async linked(clinic, appointmentId) {
      const row = await db
        .selectFrom('bookings')
        .select('ref')
        .where('clinic', '=', clinic)
        .where('appointment_id', '=', appointmentId)
        .executeTakeFirst();
      return row?.ref;
    },

    sameSlot: (slot) => sameSlot(db, slot),

    async ownIds(clinic) {
      const rows = await db
        .selectFrom('bookings')
        .select(['appointment_id', 'booked_at', 'changed_at'])
        .where('clinic', '=', clinic)
        .where('appointment_id', 'is not', null)
        .orderBy('appointment_id')
        .execute();
      return rows.flatMap(({ appointment_id, booked_at, changed_at }) =>
        appointment_id === null ? [] : [{ appointment_id, at: booked_at ?? changed_at }],
      );
    },

    countSince: countBookings(db),

    totals: bookingTotals(db),
  };
}
