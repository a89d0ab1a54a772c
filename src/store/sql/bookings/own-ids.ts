import { sql } from 'kysely';
import type { BookingVerbs } from '../../ports/bookings.ts';
import type { Db } from '../database.ts';
import { toBooking } from './booking-rows.ts';

const ownOf = (db: Db, clinic: string) =>
  db.selectFrom('bookings').where('clinic', '=', clinic).where('appointment_id', 'is not', null);

export async function highestOwnId(db: Db, clinic: string): Promise<number | undefined> {
  const row = await ownOf(db, clinic)
    .select('appointment_id')
    // Not `max`, which makes SQLite read every booking of the clinic.
    .orderBy('appointment_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.appointment_id ?? undefined;
}

type OwnIds = Pick<
  BookingVerbs,
  'highestOwnId' | 'firstOwnIdAfter' | 'ownIdsBetween' | 'confirmedBetween' | 'linked'
>;

/** Which appointments at the clinic are ours. All by index, so none slows down with history. */
export function ownIds(db: Db): OwnIds {
  const own = (clinic: string) => ownOf(db, clinic);

  return {
    async linked(clinic, appointmentId) {
      const row = await own(clinic)
        .selectAll()
        .where('appointment_id', '=', appointmentId)
        .executeTakeFirst();
      return row && toBooking(row);
    },

    highestOwnId: (clinic) => highestOwnId(db, clinic),

    async firstOwnIdAfter(clinic, above, since) {
      const row = await own(clinic)
        .select('appointment_id')
        .where('appointment_id', '>', above)
        .where('booked_at', '>', since)
        .orderBy('appointment_id')
        .limit(1)
        .executeTakeFirst();
      return row?.appointment_id ?? undefined;
    },

    async ownIdsBetween(clinic, above, below, limit) {
      let query = own(clinic).select('appointment_id').where('appointment_id', '>', above);
      if (below !== null) query = query.where('appointment_id', '<', below);
      const rows = await query.orderBy('appointment_id').limit(limit).execute();
      return rows.flatMap(({ appointment_id }) => appointment_id ?? []);
    },

    async confirmedBetween(clinic, after, until) {
      const row = await own(clinic)
        .select(sql<number>`count(*)`.as('count'))
        .where('booked_at', '>', after)
        .where('booked_at', '<=', until)
        .executeTakeFirstOrThrow();
      return row.count;
    },
  };
}
