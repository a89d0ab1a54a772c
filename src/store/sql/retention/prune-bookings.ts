import { sql } from 'kysely';
import type { Booking, BookingState } from '../../../domain/bookings/booking.ts';
import { type Instant, toMs } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import type { Keep } from '../../ports/removal.ts';
import { selectBooking, toBooking } from '../bookings/booking-rows.ts';
import type { Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { takeOutPerson, takeOutRecord } from '../erasure/erase.ts';
import { logErasure } from '../erasure/erasures.ts';
import { cursorsNeeded, type PruneParts } from './prune-changes.ts';

/** Bookings per transaction; each rewrites its rows of the change log. */
const PORTION = 10;
const PAGE = 200;

/** States in which nothing is outstanding: no user, no send, no check at the clinic. */
const settled: readonly BookingState[] = ['booked', 'booked_no_id', 'rejected', 'expired', 'dropped'];

export async function removeBookings(parts: PruneParts): Promise<number> {
  const { bookings, dropped } = parts.keep;
  let count = 0;
  for (const state of settled) {
    const limits = [bookings, state === 'dropped' ? dropped : undefined].filter((one) => one !== undefined);
    const newest = limits.toSorted().at(-1);
    if (newest !== undefined) count += await removeSettled(parts, state, newest);
  }
  return count;
}

async function removeSettled(
  { db, write, keep, signal }: PruneParts,
  state: BookingState,
  olderThan: Instant,
): Promise<number> {
  const cursors = await cursorsNeeded(db, keep.connectors);
  let count = 0;
  let after = { changed_at: '', ref: '' };
  for (;;) {
    signal?.throwIfAborted();
    const rows = await db
      .selectFrom('bookings')
      .selectAll()
      .where('state', '=', state)
      .where('changed_at', '<', olderThan)
      .where((row) =>
        row.or([
          row('changed_at', '>', after.changed_at),
          row.and([row('changed_at', '=', after.changed_at), row('ref', '>', after.ref)]),
        ]),
      )
      .orderBy('changed_at')
      .orderBy('ref')
      .limit(PAGE)
      .execute();
    const over = rows.map(toBooking).filter((booking) => isDateOver(booking, keep.now));
    for (let start = 0; start < over.length; start += PORTION) {
      signal?.throwIfAborted();
      const some = over.slice(start, start + PORTION);
      count += await write('prune', (trx) => removeUnneeded(trx, some, cursors, keep));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return count;
    after = last;
  }
}

/**
 * The row stays until its date has passed, because a repeated submission would otherwise be booked again. Later
 * repetitions are held as past.
 */
function isDateOver({ appointment_date }: Booking, now: Instant): boolean {
  const day = Date.parse(`${appointment_date ?? ''}T00:00:00Z`);
  return !Number.isFinite(day) || day + 2 * DAY < toMs(now);
}

async function removeUnneeded(
  trx: Trx,
  some: readonly Booking[],
  cursors: ReadonlyMap<string, number>,
  { connectors, now }: Keep,
): Promise<number> {
  const removed: Booking[] = [];
  for (const { ref, changed_at } of some) {
    const booking = await selectBooking(trx, ref);
    // A user may have acted on it since.
    if (booking === undefined || booking.changed_at !== changed_at) continue;
    if (await isNeeded(trx, booking, cursors, connectors)) continue;
    await removeBooking(trx, booking);
    removed.push(booking);
  }
  // Connectors remove them from their files, as after an erasure.
  await logErasure(trx, now, {
    refs: removed.map(({ ref }) => ref),
    appointments: removed.flatMap(({ clinic, appointment_id }) =>
      appointment_id === null ? [] : [{ clinic, appointment_id }],
    ),
  });
  return removed.length;
}

async function isNeeded(
  trx: Trx,
  booking: Booking,
  cursors: ReadonlyMap<string, number>,
  connectors: readonly string[],
): Promise<boolean> {
  const { clinic, ref, appointment_id, state, evidence } = booking;
  // A user has yet to acknowledge that the clinic booked something else.
  if (state === 'booked' && (evidence?.mismatch ?? []).length > 0) return true;
  if (appointment_id !== null) {
    const followed = await trx
      .selectFrom('appointments')
      .select('done')
      .where((row) => row.and({ clinic, appointment_id }))
      .executeTakeFirst();
    if (followed?.done === 0) return true;
  }
  const things = [`booking:${ref}`, ...(appointment_id === null ? [] : [`appointment:${appointment_id}`])];
  const waiting = await trx
    .selectFrom('deliveries')
    .select('n')
    .where('thing', 'in', things)
    .where('clinic', '=', clinic)
    .where('state', 'in', ['pending', 'dead'])
    // Never empty, which not every database accepts.
    .where('connector', 'in', [...connectors, ''])
    .limit(1)
    .executeTakeFirst();
  if (waiting !== undefined) return true;
  const last = await trx
    .selectFrom('changes')
    .select('sequence')
    .where((row) => row.and({ clinic, resource: 'booking', id: ref }))
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (last?.sequence ?? 0) > (cursors.get(clinic) ?? Number.POSITIVE_INFINITY);
}

/** Removes the row, which stays counted (`booking_counts`), and the person from the change log. */
async function removeBooking(trx: Trx, booking: Booking): Promise<void> {
  const { ref, clinic, appointment_id } = booking;
  await archiveLead(trx, ref);
  await takeOutPerson(trx, booking);
  if (appointment_id !== null) await removeAppointment(trx, clinic, appointment_id);
  await trx.deleteFrom('bookings').where('ref', '=', ref).execute();
}

/** Removes appointments tracked by number, without a booking. */
export async function removeAppointments({ write, keep, signal }: PruneParts): Promise<number> {
  if (keep.bookings === undefined) return 0;
  const olderThan = keep.bookings;
  let total = 0;
  for (let count = PORTION; count === PORTION; total += count) {
    signal?.throwIfAborted();
    count = await write('prune', (trx) => removeTracked(trx, olderThan));
  }
  return total;
}

async function removeTracked(trx: Trx, olderThan: Instant): Promise<number> {
  const rows = await trx
    .selectFrom('appointments')
    .select(['clinic', 'appointment_id'])
    .where(sql<boolean>`done = 1`)
    .where('changed_at', '<', olderThan)
    .where('ref', 'is', null)
    .limit(PORTION)
    .execute();
  for (const { clinic, appointment_id } of rows) {
    await takeOutRecord(trx, { resource: 'appointment', id: String(appointment_id), clinic });
    await removeAppointment(trx, clinic, appointment_id);
  }
  return rows.length;
}

/** Removes one, which stays counted (`archived_visits`). */
async function removeAppointment(trx: Trx, clinic: string, appointment_id: number): Promise<void> {
  await archiveVisit(trx, clinic, appointment_id);
  await trx
    .deleteFrom('appointments')
    .where((row) => row.and({ clinic, appointment_id }))
    .execute();
}

/** Rounds down to the quarter of an hour, as in `booking_counts`. */
const quarter = (column: string) =>
  sql.raw(`substr(${column}, 1, 14) || CASE WHEN substr(${column}, 15, 2) < '15' THEN '00'
    WHEN substr(${column}, 15, 2) < '30' THEN '15' WHEN substr(${column}, 15, 2) < '45' THEN '30'
      ELSE '45' END || ':00.000Z'`);

/** Keeps what reports count of a removed lead, without anything that identifies a person. */
async function archiveLead(trx: Trx, ref: string): Promise<void> {
  const columns = sql.raw(
    'clinic, source, campaign, channel, first_campaign, first_channel, state, outcome, lost_reason',
  );
  await sql`
    insert into ${tableIn(trx, 'archived_leads')} (${columns}, received_at, booked_at, completed_at, treatment_id,
      doctor_id, fee, currency, days_to_visit, minutes_to_booking)
    select ${columns}, ${quarter('received_at')}, ${quarter('booked_at')}, ${quarter('completed_at')}, treatment_id,
      doctor_id, fee_as_sent, currency, days_to_visit, minutes_to_booking
    from ${tableIn(trx, 'leads')} where ref = ${ref}
  `.execute(trx);
}

/** Counts a removed visit by its day and last known status. */
async function archiveVisit(trx: Trx, clinic: string, appointmentId: number): Promise<void> {
  await sql`
    insert into ${tableIn(trx, 'archived_visits')} (clinic, date, status, visits)
    select clinic, date, coalesce(status, ''), 1 from ${tableIn(trx, 'appointments')}
    where clinic = ${clinic} and appointment_id = ${appointmentId} and date is not null
    on conflict (clinic, date, status) do update set visits = archived_visits.visits + 1
  `.execute(trx);
}
