import type { Booking } from '../../../domain/booking.ts';
import type { BookingVerbs } from '../../ports/bookings.ts';
import { type Db, slices } from '../database.ts';
import { type BookingRow, toBooking } from './booking-rows.ts';

const IDS_PER_STATEMENT = 500;

export const bookingsOfSource =
  (db: Db): BookingVerbs['ofSource'] =>
  async (clinic, source, by) => {
    const found: Booking[] = [];
    const ids = 'refs' in by ? by.refs : by.submission_ids;
    for (const some of slices([...new Set(ids)], IDS_PER_STATEMENT)) {
      const rows = 'refs' in by ? await byRef(db, source, some) : await bySubmission(db, source, some);
      found.push(...rows.filter((row) => row.clinic === clinic).map(toBooking));
    }
    return found.sort(newestFirst);
  };

const bySubmission = (db: Db, source: string, ids: readonly string[]): Promise<BookingRow[]> =>
  db
    .selectFrom('bookings')
    .selectAll()
    .where('source', '=', source)
    .where('submission_id', 'in', ids)
    .execute();

/** Two statements: in one, SQLite would go through all bookings of a clinic to find those merged into. */
async function byRef(db: Db, source: string, refs: readonly string[]): Promise<BookingRow[]> {
  const rows = await db.selectFrom('bookings').selectAll().where('ref', 'in', refs).execute();
  const others = rows.flatMap((row) => (row.source === source ? [] : [row.ref]));
  const merged = await db
    .selectFrom('merged_submissions')
    .select('ref')
    .where('source', '=', source)
    .where('ref', 'in', others)
    .execute();
  const theirs = new Set(merged.map(({ ref }) => ref));
  return rows.filter((row) => row.source === source || theirs.has(row.ref));
}

function newestFirst(a: Booking, b: Booking): number {
  if (a.received_at !== b.received_at) return a.received_at < b.received_at ? 1 : -1;
  return a.ref < b.ref ? -1 : 1;
}
