import { sql } from 'kysely';
import type { Booking } from '../../../domain/booking.ts';
import { differingFields, fieldWords } from '../../../domain/booking-content.ts';
import { newBookingRef } from '../../../domain/booking-ref.ts';
import { instant, toMs } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import { fold } from '../../../platform/fold.ts';
import { sentences } from '../../../platform/sentences.ts';
import type { NewBooking } from '../../ports/bookings.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import type { Trx } from '../database.ts';
import { forgottenSubmissions } from '../erasure/forgotten-submissions.ts';
import { insertMany } from '../insert-many.ts';
import { prepared } from '../prepared.ts';
import type { tables } from '../schema.ts';
import { tables as schema } from '../schema.ts';
import { countBooking } from './booking-counts.ts';
import { type BookingRow, findBooking, jsonColumns, toBooking } from './booking-rows.ts';
import { bookingChange, type logSteps } from './booking-steps.ts';
import { type SameSlot, sameSlot } from './same-slot.ts';

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

/** Why a submission is held beside another one. */
interface Beside {
  reason: 'duplicate_suspect' | 'changed_submission';
  refs: string[];
  changed_fields: string[];
  says: string;
}

/** Stores one submission, or finds the booking it already is. The rules are judged and written in one transaction. */
export function acceptBooking({ logChanges, logSteps }: AcceptOptions) {
  const store = storeBooking({ logChanges, logSteps });
  const sameSubmission = submissionFinder();

  return async (trx: Trx, submitted: NewBooking, mergeWithinMs: number): Promise<Accepted> => {
    const known = await sameSubmission(trx, submitted);
    if (known.kind === 'same') return { booking: await countAgain(trx, known, submitted), result: 'same' };
    const alike = await sameSlot(trx, submitted);
    if (known.kind === 'changed') {
      const { first, fields } = known;
      const others = namedOf(alike.filter(({ ref }) => ref !== first.ref));
      const says = sentences(
        `It was sent again under the same id as ${first.ref}, with another ${fieldWords(fields)}.`,
        others.length > 0 && sameTimeAs(others),
      );
      const refs = [first.ref, ...others];
      const beside: Beside = { reason: 'changed_submission', refs, changed_fields: fields, says };
      return { booking: await store(trx, submitted, beside), result: 'new' };
    }
    const first =
      (await sameLead(trx, submitted, mergeWithinMs)) ?? (await samePatient(trx, submitted, alike));
    if (first !== undefined) return { booking: await merge(trx, first, submitted), result: 'merged' };
    if (alike.length === 0) return { booking: await store(trx, submitted, undefined), result: 'new' };
    const refs = namedOf(alike);
    const beside: Beside = { reason: 'duplicate_suspect', refs, changed_fields: [], says: sameTimeAs(refs) };
    return { booking: await store(trx, submitted, beside), result: 'new' };
  };
}

const namedOf = (alike: readonly SameSlot[]) => alike.slice(0, NAMED_AT_MOST).map(({ ref }) => ref);
const sameTimeAs = (refs: readonly string[]) => `Same phone, date and time as ${refs.join(' and ')}.`;

function storeBooking({ logChanges, logSteps }: AcceptOptions) {
  const insert = insertMany<BookingRow>(
    Object.keys(schema.bookings) as (keyof typeof tables.bookings)[],
    (trx, rows) => trx.insertInto('bookings').values(rows as unknown as BookingRow[]),
  );

  return async (trx: Trx, submitted: NewBooking, beside: Beside | undefined): Promise<Booking> => {
    const { content_hash, ...fields } = submitted;
    const booking: Booking = {
      ...fields,
      ref: await unusedRef(trx),
      appointment_id: null,
      attempt: 0,
      sending_since: null,
      merged: 0,
      duplicate_of: beside?.refs[0] ?? null,
      // A weightier reason stands in front of them: whoever looks at that has not compared them.
      acknowledged_duplicates: fields.reason === 'restored_state' ? [] : (beside?.refs ?? []),
      changed_fields: beside?.changed_fields ?? [],
      refusals: 0,
      verified_at: null,
      evidence: null,
      changed_at: fields.received_at,
    };
    const received: Booking = { ...booking, state: 'received', reason: null, message: null };
    if (beside !== undefined) {
      booking.state = 'held';
      // That this very one may be booked already weighs more.
      if (fields.reason !== 'restored_state') booking.reason = beside.reason;
      booking.message = sentences(beside.says, fields.message);
    }
    const steps: [Booking | null, Booking][] =
      booking.state === 'received'
        ? [[null, booking]]
        : [
            [null, received],
            [received, booking],
          ];
    await countBooking(trx, booking, null);
    await insert(trx, [{ ...booking, ...jsonColumns(booking), content_hash, booked_at: null }]);
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
}

/** Counts a submission on the booking that it is. */
async function merge(trx: Trx, first: Booking, submitted: NewBooking): Promise<Booking> {
  const { source, submission_id, content_hash, received_at } = submitted;
  const merged = { merged: first.merged + 1, changed_at: received_at };
  await trx.updateTable('bookings').set(merged).where('ref', '=', first.ref).execute();
  // Remembered, or a repetition of this submission after the window would become a booking of its own, and another
  // source could not ask what became of it.
  if (submission_id !== null || source !== first.source)
    await trx
      .insertInto('merged_submissions')
      .values({
        source,
        submission_id: submission_id ?? `merged into ${first.ref}`,
        ref: first.ref,
        at: received_at,
        content_hash,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return { ...first, ...merged };
}

/** The same change of a submission sent once more is counted; a mere repetition of the first is not. */
async function countAgain(trx: Trx, { booking }: Same, { received_at }: NewBooking): Promise<Booking> {
  if (booking.changed_fields.length === 0) return booking;
  const merged = { merged: booking.merged + 1, changed_at: received_at };
  await trx.updateTable('bookings').set(merged).where('ref', '=', booking.ref).execute();
  return { ...booking, ...merged };
}

interface Same {
  kind: 'same';
  booking: Booking;
}

/** Finds what is known under a submission's id, and whether its content is the same. */
function submissionFinder() {
  const forgottenId = forgottenSubmissions();

  return async (
    trx: Trx,
    submitted: NewBooking,
  ): Promise<Same | { kind: 'changed'; first: Booking; fields: string[] } | { kind: 'unknown' }> => {
    const { source, submission_id, content_hash } = submitted;
    if (submission_id === null) return { kind: 'unknown' };
    const forgotten = (await forgottenId(trx, source, submission_id)) ?? submission_id;
    const rows = await bySubmission(trx, { source, submission_id, forgotten });
    const first = earliest(rows);
    if (first === undefined) return { kind: 'unknown' };
    const [merged] = await mergedHash(trx, { source, submission_id });
    for (const row of rows) {
      const isItsOwn = row.source === source && row.submission_id === submission_id;
      // Version 0.1.0 kept none of those that were merged: they were the same as the first.
      const hash = isItsOwn ? row.content_hash : (merged?.content_hash ?? row.content_hash);
      if (hash === content_hash || content_hash === null) return same(row);
      // None is kept of erased people; the id of such a row is gone as well.
      if (hash === null && !isItsOwn) return same(row);
    }
    // The country may have been learned since, or a person may have corrected it to just this.
    const equal = rows.find((row) => differingFields(row, submitted).length === 0);
    return equal === undefined
      ? { kind: 'changed', first: toBooking(first), fields: differingFields(first, submitted) }
      : same(equal);
  };
}

const same = (row: BookingRow): Same => ({ kind: 'same', booking: toBooking(row) });

/** The same lead from the same source, a moment later: a second click. */
async function sameLead(
  trx: Trx,
  { clinic, source, content_hash, received_at, ...fields }: NewBooking,
  mergeWithinMs: number,
): Promise<Booking | undefined> {
  const { patient_name, patient_phone, appointment_date, appointment_time } = fields;
  const isComplete = patient_name && patient_phone && appointment_date && appointment_time;
  if (content_hash === null || !isComplete) return undefined;
  const since = instant(toMs(received_at) - mergeWithinMs);
  const first = earliest(await byContent(trx, { clinic, source, content_hash, since }));
  return first && toBooking(first);
}

/** The same name, too, within a day and from any source: no family, but one patient who asked twice. */
async function samePatient(
  trx: Trx,
  { patient_name, received_at, reason }: NewBooking,
  alike: readonly SameSlot[],
): Promise<Booking | undefined> {
  // That this very one may be booked already must reach a person.
  if (patient_name === null || reason === 'restored_state') return undefined;
  const since = instant(toMs(received_at) - DAY);
  const name = fold(patient_name);
  const first = alike.find(
    (other) =>
      other.state !== 'dropped' && other.received_at >= since && fold(other.patient_name ?? '') === name,
  );
  return first && (await findBooking(trx, first.ref));
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

const mergedHash = prepared<{ source: string; submission_id: string }, { content_hash: string | null }>(
  ['source', 'submission_id'],
  (db, { source, submission_id }) =>
    db
      .selectFrom('merged_submissions')
      .select('content_hash')
      .where('source', '=', source)
      .where('submission_id', '=', submission_id),
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
