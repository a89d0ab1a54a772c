import { sql } from 'kysely';
import type { Actor, Booking, BookingState } from '../../../domain/bookings/booking.ts';
import type { BookingVerbs } from '../../ports/bookings.ts';
import { type Db, slices } from '../database.ts';
import { comparedValue, isDiffering, tableIn } from '../dialects.ts';
import { lookUp } from '../look-up.ts';
import { prepared } from '../prepared.ts';
import { findByVisitorRef, type StoredBookingRow, selectBooking, toBooking } from './booking-rows.ts';
import { findResembling } from './resembling.ts';

const IDS_PER_STATEMENT = 500;

const found = async (query: { execute(): Promise<StoredBookingRow[]> }) =>
  (await query.execute()).map(toBooking);

const present = lookUp<{ clinic: string; state: BookingState }, { state: BookingState }>(
  ['clinic', 'state'],
  (db) => sql`select wanted.state from wanted where exists (
      select 1 from ${tableIn(db, 'bookings')} as bookings
      where bookings.clinic = wanted.clinic and bookings.state = wanted.state
    )`,
);

export function bookingReads(db: Db) {
  const all = () => db.selectFrom('bookings').selectAll();
  const mergedFrom = (source: string, refs: readonly string[]) =>
    db
      .selectFrom('merged_submissions')
      .select('ref')
      .where('source', '=', source)
      .where('ref', 'in', refs)
      .execute();

  const bySubmission = (source: string, ids: readonly string[]) =>
    all().where('source', '=', source).where('submission_id', 'in', ids).execute();

  /** Two statements, because in a single one SQLite would scan all bookings of a clinic for merged ones. */
  const byRef = async (source: string, refs: readonly string[]) => {
    const rows = await all().where('ref', 'in', refs).execute();
    const others = rows.flatMap((row) => (row.source === source ? [] : [row.ref]));
    const theirs = new Set((await mergedFrom(source, others)).map(({ ref }) => ref));
    return rows.filter((row) => row.source === source || theirs.has(row.ref));
  };

  return {
    get: async (ref) => (await selectBooking(db, ref)) ?? (await findByVisitorRef(db, ref)),

    async list({ clinic, source, states, since, until, behind, limit }) {
      let query = all().orderBy('received_at', 'desc').orderBy('ref');
      if (clinic !== undefined) query = query.where('clinic', '=', comparedValue(clinic));
      if (source !== undefined) query = query.where('source', '=', source);
      if (states !== undefined) query = query.where('state', 'in', states.map(sql.lit));
      if (since !== undefined) query = query.where('received_at', '>=', since);
      if (until !== undefined) query = query.where('received_at', '<', until);
      if (behind !== undefined)
        // Only the first condition determines where the index is entered.
        query = query
          .where('received_at', '<=', behind.received_at)
          .where((row) => row.or([row('received_at', '<', behind.received_at), row('ref', '>', behind.ref)]));
      if (limit !== undefined) query = query.limit(limit);
      return await found(query);
    },

    async statesAmong(clinic, states) {
      const rows = await present(
        db,
        states.map((state) => ({ clinic, state })),
      );
      return new Set(rows.map(({ state }) => state));
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

    resembling: (lead) => findResembling(db, lead),

    ofPhone: ({ clinic, phone_e164 }, limit) =>
      found(
        all()
          .where((row) => row.and({ clinic, phone_e164 }))
          .orderBy('received_at', 'desc')
          .limit(limit),
      ),

    ofVisitDays: (days, limit) => findVisits(db, days, limit),

    atTime: (clinic, appointment_date, appointment_time) =>
      found(all().where((row) => row.and({ clinic, appointment_date, appointment_time }))),

    async cameFrom(ref, source) {
      const booking = await selectBooking(db, ref);
      return booking?.source === source || (await mergedFrom(source, [ref])).length > 0;
    },

    async ofSource(clinic, source, by) {
      const rows: StoredBookingRow[] = [];
      const ids = 'refs' in by ? by.refs : by.submission_ids;
      for (const some of slices([...new Set(ids)], IDS_PER_STATEMENT))
        rows.push(...(await ('refs' in by ? byRef(source, some) : bySubmission(source, some))));
      return rows
        .filter((row) => row.clinic === clinic)
        .sort((a, b) => b.received_at.localeCompare(a.received_at) || a.ref.localeCompare(b.ref))
        .map(toBooking);
    },
  } satisfies Partial<BookingVerbs>;
}

const sendable = prepared<{ clinic: string; at: string; limit: number }, StoredBookingRow>(
  ['clinic', 'at', 'limit'],
  (db, { clinic, at, limit }) =>
    db
      .selectFrom('bookings')
      .selectAll()
      .where('clinic', '=', comparedValue(clinic))
      .where('state', '=', sql.lit('queued'))
      .where((row) =>
        row.or([row('not_before', 'is', null), row('not_before', '<=', at), row('changed_at', '>', at)]),
      )
      .orderBy(sql`(refusals > 0)`)
      .orderBy('received_at')
      .orderBy('ref')
      .limit(sql<number>`(select cast(${limit} as integer))`),
);

const due = prepared<{ clinic: string; at: string }, { not_before: string | null }>(
  ['clinic', 'at'],
  (db, { clinic, at }) =>
    db
      .selectFrom('bookings')
      .select('not_before')
      .where('clinic', '=', comparedValue(clinic))
      .where('state', '=', sql.lit('queued'))
      .where('not_before', '>', at)
      .orderBy('not_before')
      .limit(sql.lit(1)),
);

/** The daemon's due work. States are literals, because SQLite does not use a partial index for bound values. */
export function bookingsDue(db: Db) {
  const all = () => db.selectFrom('bookings').selectAll();
  return {
    nextSendable: async (clinic, at, limit) => (await sendable(db, { clinic, at, limit })).map(toBooking),

    nextDue: async (clinic, at) => (await due(db, { clinic, at }))[0]?.not_before ?? undefined,

    unverified: (clinic) =>
      found(
        all()
          .where('clinic', '=', clinic)
          .where('state', '=', sql.lit('booked'))
          .where('appointment_id', 'is not', null)
          .where('verified_at', 'is', null),
      ),

    differing: () => found(all().where(isDiffering(db))),

    changedSince: (states, since) =>
      found(all().where('state', 'in', states).where('changed_at', '>=', since)),

    waitingUntil: (clinic, date) =>
      found(
        all()
          .where('clinic', '=', clinic)
          .where('appointment_date', '<=', date)
          .where(sql<boolean>`state in ('received', 'held', 'queued')`)
          .where(sql<boolean>`coalesce(reason, '') <> 'restored_state'`)
          .orderBy('appointment_date'),
      ),
  } satisfies Partial<BookingVerbs>;
}

interface VisitDays {
  clinics: readonly string[];
  from: string;
  to: string;
}

/**
 * Reads only these days, by two indexes that the search for duplicates needs anyway: `bookings_slot` for what was asked
 * for, `appointments_at_time` for where the clinic has it now.
 */
async function findVisits(db: Db, { clinics, from, to }: VisitDays, limit: number): Promise<Booking[]> {
  const bookings = () => db.selectFrom('bookings').selectAll();
  const asked = await bookings()
    .where('clinic', 'in', clinics)
    .where('appointment_date', '>=', from)
    .where('appointment_date', '<=', to)
    .orderBy('appointment_date')
    .orderBy('appointment_time')
    .limit(limit)
    .execute();
  const shown = db
    .selectFrom('appointments')
    .select('ref')
    .where('clinic', 'in', clinics)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where('ref', 'is not', null)
    .orderBy('date')
    .orderBy('time')
    .limit(limit);
  const moved = await bookings().where('ref', 'in', shown).execute();
  return [...new Map([...asked, ...moved].map((row) => [row.ref, toBooking(row)])).values()];
}
