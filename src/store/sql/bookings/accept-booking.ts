import { sql } from 'kysely';
import type { Booking } from '../../../model/booking.ts';
import { newBookingRef } from '../../../model/booking-ref.ts';
import { instant, toMs } from '../../../model/clock.ts';
import type { NewBooking } from '../../store.ts';
import type { Trx } from '../database.ts';
import { forgottenSubmissions } from '../forgotten-submissions.ts';
import { insertMany } from '../insert-many.ts';
import type { LogChanges } from '../log-changes.ts';
import { prepared } from '../prepared.ts';
import type { tables } from '../schema.ts';
import { tables as schema } from '../schema.ts';
import { countBooking } from './booking-counts.ts';
import { type BookingRow, toBooking } from './booking-rows.ts';
import { bookingChange, type logSteps } from './booking-steps.ts';
import { sameSlot } from './same-slot.ts';

/** Of a flood with one phone and time each would name all before it; a release asks about those that matter. */
const NAMED_AT_MOST = 5;

interface Accepted {
  booking: Booking;
  result: 'new' | 'same' | 'merged';
}

interface AcceptOptions {
  logChanges: LogChanges;
  logSteps: ReturnType<typeof logSteps>;
}

/** Stores one submission, or finds the booking it already is. The rules are judged and written in one transaction. */
export function acceptBooking({ logChanges, logSteps }: AcceptOptions) {
  const insert = insertMany<BookingRow>(
    Object.keys(schema.bookings) as (keyof typeof tables.bookings)[],
    (trx, rows) => trx.insertInto('bookings').values(rows as unknown as BookingRow[]),
  );

  const forgottenId = forgottenSubmissions();

  const merge = async (trx: Trx, first: Booking, { source, submission_id, received_at }: NewBooking) => {
    const merged = { merged: first.merged + 1, changed_at: received_at };
    await trx.updateTable('bookings').set(merged).where('ref', '=', first.ref).execute();
    // Remembered, or a repetition of this submission after the window would become a booking of its own.
    if (submission_id !== null)
      await trx
        .insertInto('merged_submissions')
        .values({ source, submission_id, ref: first.ref, at: received_at })
        .execute();
    return { ...first, ...merged };
  };

  const store = async (trx: Trx, submitted: NewBooking, alike: readonly { ref: string }[]) => {
    const [resembled] = alike;
    const { content_hash, ...fields } = submitted;
    const booking: Booking = {
      ...fields,
      ref: await unusedRef(trx),
      appointment_id: null,
      attempt: 0,
      sending_since: null,
      merged: 0,
      duplicate_of: resembled?.ref ?? null,
      evidence: null,
      changed_at: fields.received_at,
    };
    const received: Booking = { ...booking, state: 'received', reason: null, message: null };
    if (resembled !== undefined) {
      booking.state = 'held';
      // That this very one may be booked already weighs more.
      if (fields.reason !== 'restored_state') booking.reason = 'duplicate_suspect';
      const refs = alike
        .slice(0, NAMED_AT_MOST)
        .map(({ ref }) => ref)
        .join(' and ');
      booking.message = [`Same phone, date and time as ${refs}.`, fields.message].filter(Boolean).join(' ');
    }
    const steps: [Booking | null, Booking][] =
      booking.state === 'received'
        ? [[null, booking]]
        : [
            [null, received],
            [received, booking],
          ];
    await countBooking(trx, booking, null);
    await insert(trx, [{ ...booking, evidence: null, content_hash, booked_at: null }]);
    await logSteps(
      trx,
      steps.map(([from, after]) => ({
        from: from?.state ?? null,
        after,
        actor: 'daemon',
        by: booking.source,
      })),
    );
    await logChanges(
      trx,
      booking.clinic,
      booking.received_at,
      steps.flatMap(([before, after]) => bookingChange(before, after)),
    );
    return booking;
  };

  return async (trx: Trx, submitted: NewBooking, mergeWithinMs: number): Promise<Accepted> => {
    const { clinic, source, submission_id, content_hash, received_at } = submitted;
    if (submission_id !== null) {
      const forgotten = (await forgottenId(trx, source, submission_id)) ?? submission_id;
      const [same] = await bySubmission(trx, { source, submission_id, forgotten });
      if (same !== undefined) return { booking: toBooking(same), result: 'same' };
    }
    if (content_hash !== null) {
      const since = instant(toMs(received_at) - mergeWithinMs);
      const first = earliest(await byContent(trx, { clinic, source, content_hash, since }));
      if (first !== undefined)
        return { booking: await merge(trx, toBooking(first), submitted), result: 'merged' };
    }
    const alike = await sameSlot(trx, submitted);
    return { booking: await store(trx, submitted, alike), result: 'new' };
  };
}

/** `forgotten`: the id as it is kept when the person behind it was erased. */
const bySubmission = prepared<{ source: string; submission_id: string; forgotten: string }, BookingRow>(
  ['source', 'submission_id', 'forgotten'],
  (db, { source, submission_id, forgotten }) =>
    db
      .selectFrom('bookings')
      .selectAll()
      .where((row) =>
        row.or([
          row.and({ source, submission_id }),
          row(
            'ref',
            '=',
            row
              .selectFrom('merged_submissions')
              .select('ref')
              .where('source', '=', source)
              .where('submission_id', 'in', [submission_id, forgotten])
              .limit(sql.lit(1)),
          ),
        ]),
      ),
);

/**
 * The look-ups find a handful of rows at most and are put in order here: with `ORDER BY` or `LIMIT ?` and a bound
 * value SQLite plans the statement anew for every value, which costs ten times the look-up.
 */
const earliest = <R extends { received_at: string }>(rows: readonly R[]): R | undefined =>
  rows.reduce<R | undefined>(
    (first, row) => (first === undefined || row.received_at < first.received_at ? row : first),
    undefined,
  );

/** What a person dropped takes nothing in: the same lead once more is a new question. */
const byContent = prepared<
  { clinic: string; source: string; content_hash: string; since: string },
  BookingRow
>(['clinic', 'source', 'content_hash', 'since'], (db, { clinic, source, content_hash, since }) =>
  db
    .selectFrom('bookings')
    .selectAll()
    .where('source', '=', source)
    .where('content_hash', '=', content_hash)
    .where('received_at', '>=', since)
    .where('clinic', '=', clinic)
    .where('state', '!=', 'dropped'),
);

const byRef = prepared<{ ref: string }, { ref: string }>(['ref'], (db, { ref }) =>
  db.selectFrom('bookings').select('ref').where('ref', '=', ref),
);

async function unusedRef(trx: Trx): Promise<string> {
  for (;;) {
    const ref = newBookingRef();
    if ((await byRef(trx, { ref })).length === 0) return ref;
  }
}
