import { sql } from 'kysely';
import type { Booking, BookingState } from '../../../domain/booking.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { BookingVerbs } from '../../ports/bookings.ts';
import type { Db, Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import { prepared } from '../prepared.ts';
import type { Stored } from '../schema.ts';

const ALL_TIME = '';

/** The quarter of an hour of an instant: `2026-03-02T09:15`. */
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

/** Runs in the transaction that stores or moves a booking. A booking removed later stays counted. */
export async function countBooking(trx: Trx, after: Booking, from: BookingState | null): Promise<void> {
  const { clinic, source, state, received_at } = after;
  if (state === from) return;
  const counted = (of: BookingState, count: number) =>
    [ALL_TIME, bucketOf(received_at)].map((bucket) => ({ clinic, bucket, source, state: of, count }));
  await add(trx, [...counted(state, 1), ...(from === null ? [] : counted(from, -1))]);
}

/** Goes from clinic to clinic by the index, and reads only the requested days there. */
export function bookingTotals(db: Db): BookingVerbs['totals'] {
  return async (today, week, clinic) => {
    const counts = tableIn(db, 'booking_counts');
    const names =
      clinic === undefined
        ? sql`select min(clinic) from ${counts}
            union all
            select (select min(clinic) from ${counts} where clinic > named.name) from named
            where named.name is not null`
        : sql`select ${clinic}`;
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
        select source, state, bucket, count from named join ${counts} on clinic = name and bucket >= ${bucketOf(week < today ? week : today)}
      ) as counts
      group by source, state
      having sum(case when bucket = ${ALL_TIME} then count else 0 end) > 0
      order by source, state
    `.execute(db);
    return rows;
  };
}

/** Rows instead of a count: a count over a limited selection is a subquery, which costs more than the rows do. */
const recent = (column: 'source' | 'phone_e164') =>
  prepared<{ clinic: string; since: string; value: string; at_most: number }, { one: number }>(
    ['clinic', 'since', 'value', 'at_most'],
    (db, { clinic, since, value, at_most }) =>
      db
        .selectFrom('bookings')
        .select(sql.lit(1).as('one'))
        .where('clinic', '=', clinic)
        .where(column, '=', value)
        .where('received_at', '>=', since)
        .limit(at_most),
  );
const recentFromSource = recent('source');
const recentWithPhone = recent('phone_e164');

/** Runs twice for every submission. */
export const countSince =
  (db: Db): BookingVerbs['countSince'] =>
  async (clinic, since, by, at_most = Number.MAX_SAFE_INTEGER) => {
    const rows =
      'source' in by
        ? await recentFromSource(db, { clinic, since, value: by.source, at_most })
        : await recentWithPhone(db, { clinic, since, value: by.phone_e164, at_most });
    return rows.length;
  };
