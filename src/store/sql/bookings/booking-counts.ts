import { sql } from 'kysely';
import type { Booking, BookingState } from '../../../domain/bookings/booking.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { BookingVerbs } from '../../ports/bookings.ts';
import type { Db, Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import type { Stored } from '../schema.ts';

const ALL_TIME = '';

/** The quarter of an hour that contains an instant: `2026-03-02T09:15`. */
function bucketOf(at: Instant): string {
  const minutes = Math.floor(Number(at.slice(14, 16)) / 15) * 15;
  return at.slice(0, 14) + String(minutes).padStart(2, '0');
}

const add = insertMany<Stored<'booking_counts'>>(
  ['clinic', 'bucket', 'source', 'state', 'count'],
  (trx, rows) =>
    trx
      .insertInto('booking_counts')
      .values(rows as unknown as Stored<'booking_counts'>[])
      .onConflict((conflict) =>
        conflict
          .columns(['clinic', 'bucket', 'source', 'state'])
          .doUpdateSet({ count: sql`booking_counts.count + excluded.count` }),
      ),
);

/** A booking as it is now, and as it was counted before. */
export interface Counted {
  after: Booking;
  before: Booking | null;
}

/** Runs in the transaction that stores or moves bookings. A booking removed later stays counted. */
export async function countBookings(trx: Trx, counted: readonly Counted[]): Promise<void> {
  const rows = new Map<string, Stored<'booking_counts'>>();
  const count = ({ clinic, source, state, received_at }: Booking, by: number) => {
    for (const bucket of [ALL_TIME, bucketOf(received_at)]) {
      const key = JSON.stringify([clinic, bucket, source, state]);
      const known = rows.get(key)?.count ?? 0;
      rows.set(key, { clinic, bucket, source, state, count: known + by });
    }
  };
  for (const { after, before } of counted) {
    if (after.state === before?.state && after.clinic === before.clinic) continue;
    count(after, 1);
    if (before !== null) count(before, -1);
  }
  await add(trx, [...rows.values()]);
}

/** By the table's key, so that only rows of the period are read. */
export const leadsPerQuarter =
  (db: Db): BookingVerbs['leadsPerQuarter'] =>
  async (clinic, since) => {
    const rows = await db
      .selectFrom('booking_counts')
      .select(({ fn }) => ['source', 'bucket', fn.sum<number>('count').as('count')])
      .where('clinic', '=', clinic)
      .where('bucket', '>=', bucketOf(since))
      .groupBy(['bucket', 'source'])
      .having(({ fn }) => fn.sum('count'), '>', 0)
      .orderBy('bucket')
      .execute();
    return rows.map(({ source, bucket, count }) => ({
      source,
      at: `${bucket}:00.000Z`,
      count: Number(count),
    }));
  };

/** Goes through the clinics by index, and reads only the requested days of each. */
export function bookingTotals(db: Db): BookingVerbs['totals'] {
  return async (today, week, clinics) => {
    const counts = tableIn(db, 'booking_counts');
    const names =
      clinics === undefined
        ? sql`select min(clinic) from ${counts}
            union all
            select (select min(clinic) from ${counts} where clinic > named.name) from named
            where named.name is not null`
        : sql`values ${sql.join(clinics.map((clinic) => sql`(${clinic})`))}`;
    const { rows } = await sql<{
      source: string;
      state: BookingState;
      today: number;
      week: number;
      all: number;
    }>`
      with recursive named (name) as (${names})
      select source, state,
        sum(case when bucket >= ${bucketOf(today)} then count else 0 end) as today,
        sum(case when bucket >= ${bucketOf(week)} then count else 0 end) as week,
        sum(case when bucket = ${ALL_TIME} then count else 0 end) as "all"
      from (
        select source, state, bucket, count from named join ${counts} on clinic = name and bucket = ${ALL_TIME}
        union all
        select source, state, bucket, count from named join ${counts}
          on clinic = name and bucket >= ${bucketOf(week < today ? week : today)}
      ) as counts
      group by source, state
      having sum(case when bucket = ${ALL_TIME} then count else 0 end) > 0
      order by source, state
    `.execute(db);
    return rows;
  };
}
