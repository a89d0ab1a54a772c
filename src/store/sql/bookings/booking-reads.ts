import { sql } from 'kysely';
import type { Actor, BookingState } from '../../../domain/booking.ts';
import type { BookingVerbs } from '../../ports/bookings.ts';
import type { Parts } from '../database.ts';
import { bookingTotals } from './booking-counts.ts';
import { toBooking } from './booking-rows.ts';
import { bookingsOfSource } from './bookings-of-source.ts';
import { countBookings } from './count-bookings.ts';
import { ownIds } from './own-ids.ts';
import { sameSlot } from './same-slot.ts';

type Reads = Pick<
  BookingVerbs,
  | keyof ReturnType<typeof ownIds>
  | 'get'
  | 'list'
  | 'events'
  | 'sameSlot'
  | 'atTime'
  | 'nextSendable'
  | 'nextDue'
  | 'unverified'
  | 'differing'
  | 'changedSince'
  | 'waitingUntil'
  | 'ofSource'
  | 'cameFrom'
  | 'countSince'
  | 'totals'
>;

export function bookingReads({ db }: Parts): Reads {
  const all = () => db.selectFrom('bookings').selectAll();

  return {
    ...ownIds(db),

    async get(ref) {
      const row = await db.selectFrom('bookings').selectAll().where('ref', '=', ref).executeTakeFirst();
      return row && toBooking(row);
    },

    async list({ clinic, source, states, since, behind, limit }) {
      let query = all().orderBy('received_at', 'desc').orderBy('ref');
      if (clinic !== undefined) query = query.where('clinic', '=', clinic);
      if (source !== undefined) query = query.where('source', '=', source);
      if (states !== undefined) query = query.where('state', 'in', states);
      if (since !== undefined) query = query.where('received_at', '>=', since);
      if (behind !== undefined)
        query = query.where((row) =>
          row.or([
            row('received_at', '<', behind.received_at),
            row.and([row('received_at', '=', behind.received_at), row('ref', '>', behind.ref)]),
          ]),
        );
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

    sameSlot: async (slot) => (await sameSlot(db, slot)).map(({ ref, state }) => ({ ref, state })),

    async atTime(clinic, date, time) {
      const rows = await all()
        .where('clinic', '=', clinic)
        .where('appointment_date', '=', date)
        .where('appointment_time', '=', time)
        .execute();
      return rows.map(toBooking);
    },

    // The states stand in the statements themselves: a partial index serves no bound value.
    async nextSendable(clinic, at, limit) {
      const rows = await all()
        .where('clinic', '=', clinic)
        .where('state', '=', sql.lit('queued'))
        .where((row) =>
          row.or([row('not_before', 'is', null), row('not_before', '<=', at), row('changed_at', '>', at)]),
        )
        .orderBy(sql`(refusals > 0)`)
        .orderBy('received_at')
        .orderBy('ref')
        .limit(limit)
        .execute();
      return rows.map(toBooking);
    },

    async nextDue(clinic, at) {
      const row = await db
        .selectFrom('bookings')
        .select('not_before')
        .where('clinic', '=', clinic)
        .where('state', '=', sql.lit('queued'))
        .where('not_before', '>', at)
        .orderBy('not_before')
        .limit(1)
        .executeTakeFirst();
      return row?.not_before ?? undefined;
    },

    async unverified(clinic) {
      const rows = await all()
        .where('clinic', '=', clinic)
        .where('state', '=', sql.lit('booked'))
        .where('appointment_id', 'is not', null)
        .where('verified_at', 'is', null)
        .execute();
      return rows.map(toBooking);
    },

    async differing() {
      // The index's own condition, word for word, and no other: SQLite would rather go through all that are booked.
      const rows = await all().where(sql<boolean>`json_array_length(evidence, '$.mismatch') > 0`).execute();
      return rows.map(toBooking);
    },

    async changedSince(states, since) {
      const rows = await all().where('state', 'in', states).where('changed_at', '>=', since).execute();
      return rows.map(toBooking);
    },

    async waitingUntil(clinic, date) {
      const rows = await all()
        .where('clinic', '=', clinic)
        .where('appointment_date', '<=', date)
        .where(sql<boolean>`state in ('received', 'held', 'queued')`)
        .where(sql<boolean>`coalesce(reason, '') <> 'restored_state'`)
        .orderBy('appointment_date')
        .execute();
      return rows.map(toBooking);
    },

    async cameFrom(ref, source) {
      const brought = db
        .selectFrom('bookings')
        .select('ref')
        .where('ref', '=', ref)
        .where('source', '=', source);
      const merged = db
        .selectFrom('merged_submissions')
        .select('ref')
        .where('ref', '=', ref)
        .where('source', '=', source);
      return (await brought.union(merged).execute()).length > 0;
    },

    ofSource: bookingsOfSource(db),

    countSince: countBookings(db),

    totals: bookingTotals(db),
  };
}
