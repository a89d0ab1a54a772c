import { sql } from 'kysely';
import type { Booking } from '../../../domain/booking.ts';
import { differingFields, fieldWords } from '../../../domain/booking-content.ts';
import { newBookingRef } from '../../../domain/booking-ref.ts';
import { instant, toMs } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import { fold } from '../../../platform/fold.ts';
import { sentences } from '../../../platform/sentences.ts';
import type { BookingVerbs, NewBooking } from '../../ports/bookings.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import type { Trx } from '../database.ts';
import { forgottenSubmissions } from '../erasure/forgotten-submissions.ts';
import { insertMany } from '../insert-many.ts';
import { prepared } from '../prepared.ts';
import { type Stored, tables } from '../schema.ts';
import { type BookingRow, findBooking, jsonColumns, keepVisitorRef, toBooking } from './booking-rows.ts';
import { writeSteps } from './booking-steps.ts';
import { type SameSlot, sameSlot } from './same-slot.ts';

/** In a flood with one phone and time each message would otherwise list every predecessor. */
const NAMED_AT_MOST = 5;

type Accepted = Awaited<ReturnType<BookingVerbs['accept']>>;

/** What is known under a submission's id: the booking with its content, or the first of those with other content. */
type Known = { same: Booking } | { first: Booking; fields: string[] };

/** Why a submission is held beside others. */
interface Beside {
  reason: 'duplicate_suspect' | 'changed_submission';
  refs: string[];
  changed_fields: string[];
  says: string;
}

/** Stores one submission, or finds the booking it already is. The rules are judged and written in one transaction. */
export function acceptBooking(logChanges: LogChanges) {
  const forgottenId = forgottenSubmissions();

  const judged = async (trx: Trx, submitted: NewBooking, mergeWithinMs: number): Promise<Accepted> => {
    const { source, submission_id } = submitted;
    const ids = submission_id === null ? [] : [submission_id, await forgottenId(trx, source, submission_id)];
    const known = await knownSubmission(trx, submitted, ids);
    if (known !== undefined && 'same' in known)
      return { booking: await countAgain(trx, known.same, submitted), result: 'same' };
    const alike = await sameSlot(trx, submitted);
    const first =
      known === undefined &&
      ((await sameLead(trx, submitted, mergeWithinMs)) ?? (await samePatient(trx, submitted, alike)));
    if (first) return { booking: await merge(trx, first, submitted), result: 'merged' };
    const booking = await storeBooking(trx, logChanges, submitted, besideOf(known, alike));
    return { booking, result: 'new' };
  };

  return async (trx: Trx, submitted: NewBooking, mergeWithinMs: number): Promise<Accepted> => {
    const accepted = await judged(trx, submitted, mergeWithinMs);
    const { visitor_ref, received_at } = submitted;
    if (visitor_ref !== undefined && accepted.result !== 'new')
      await keepVisitorRef(trx, visitor_ref, accepted.booking.ref, received_at);
    return accepted;
  };
}

function besideOf(known: Exclude<Known, { same: Booking }> | undefined, alike: readonly SameSlot[]) {
  const others = alike.filter(({ ref }) => ref !== known?.first.ref).slice(0, NAMED_AT_MOST);
  const refs = others.map(({ ref }) => ref);
  const sameTime = refs.length === 0 ? '' : `Same phone, date and time as ${refs.join(' and ')}.`;
  if (known === undefined)
    return refs.length === 0
      ? undefined
      : ({ reason: 'duplicate_suspect', refs, changed_fields: [], says: sameTime } satisfies Beside);
  const { first, fields } = known;
  const changed = `It was sent again under the same id as ${first.ref}, with another ${fieldWords(fields)}.`;
  return {
    reason: 'changed_submission',
    refs: [first.ref, ...refs],
    changed_fields: fields,
    says: sentences(changed, sameTime),
  } satisfies Beside;
}

const insert = insertMany<BookingRow>(
  Object.keys(tables.bookings) as (keyof Stored<'bookings'>)[],
  (trx, rows) => trx.insertInto('bookings').values(rows as unknown as BookingRow[]),
);

async function storeBooking(
  trx: Trx,
  logChanges: LogChanges,
  { content_hash, visitor_ref: _notStored, ...fields }: NewBooking,
  beside: Beside | undefined,
): Promise<Booking> {
  // That it may be booked already outweighs a duplicate, and approving that compares nothing.
  const isRestored = fields.reason === 'restored_state';
  const booking: Booking = {
    ...fields,
    ref: await unusedRef(trx),
    appointment_id: null,
    attempt: 0,
    sending_since: null,
    merged: 0,
    duplicate_of: beside?.refs[0] ?? null,
    acknowledged_duplicates: isRestored ? [] : (beside?.refs ?? []),
    changed_fields: beside?.changed_fields ?? [],
    refusals: 0,
    verified_at: null,
    evidence: null,
    changed_at: fields.received_at,
  };
  if (beside !== undefined) {
    booking.state = 'held';
    if (!isRestored) booking.reason = beside.reason;
    booking.message = sentences(beside.says, fields.message);
  }
  const received: Booking = { ...booking, state: 'received', reason: null, message: null };
  await insert(trx, [{ ...booking, ...jsonColumns(booking), content_hash, booked_at: null }]);
  await writeSteps(trx, logChanges, {
    before: null,
    after: booking.state === 'received' ? [booking] : [received, booking],
    actor: 'daemon',
    by: booking.source,
  });
  return booking;
}

async function addOne(trx: Trx, booking: Booking, at: string): Promise<Booking> {
  const merged = { merged: booking.merged + 1, changed_at: at };
  await trx.updateTable('bookings').set(merged).where('ref', '=', booking.ref).execute();
  return { ...booking, ...merged };
}

/** Counts a submission on the booking that it is. */
async function merge(trx: Trx, first: Booking, submitted: NewBooking): Promise<Booking> {
  const { source, submission_id, content_hash, received_at } = submitted;
  // Stored, because otherwise a repetition after the window would be booked again, and another source could not ask what
  // became of its submission.
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
  return await addOne(trx, first, received_at);
}

/** A change of a submission is counted when it comes again; a repetition of the first is not. */
const countAgain = async (trx: Trx, booking: Booking, { received_at }: NewBooking): Promise<Booking> =>
  booking.changed_fields.length === 0 ? booking : await addOne(trx, booking, received_at);

/** `ids`: the submission's own id, and its keyed hash after the person was erased. */
async function knownSubmission(
  trx: Trx,
  submitted: NewBooking,
  [submission_id, forgotten]: readonly (string | undefined)[],
): Promise<Known | undefined> {
  if (submission_id === undefined) return undefined;
  const { source, content_hash } = submitted;
  const rows = await bySubmission(trx, { source, submission_id, forgotten: forgotten ?? submission_id });
  const first = earliest(rows);
  if (first === undefined) return undefined;
  const [merged] = await mergedHash(trx, { source, submission_id });
  const hasSameHash = (row: BookingRow): boolean => {
    const isItsOwn = row.source === source && row.submission_id === submission_id;
    // Version 0.1.0 stored no hash of merged submissions: they were the same as the first.
    const hash = isItsOwn ? row.content_hash : (merged?.content_hash ?? row.content_hash);
    if (hash === content_hash || content_hash === null) return true;
    // A row of an erased person has neither hash nor id.
    return hash === null && !isItsOwn;
  };
  const fieldsOf = (row: BookingRow) => differingFields(row, submitted);
  // The country may have been learned since, or a person may have corrected the booking to just this.
  const same = rows.find(hasSameHash) ?? rows.find((row) => fieldsOf(row).length === 0);
  return same === undefined
    ? { first: toBooking(first), fields: fieldsOf(first) }
    : { same: toBooking(same) };
}

/** The same lead from the same source within the window: a second click. */
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

/** The same name, phone and slot from any source within a day: one patient who asked twice, no family. */
async function samePatient(
  trx: Trx,
  { patient_name, received_at, reason }: NewBooking,
  alike: readonly SameSlot[],
): Promise<Booking | undefined> {
  // A booking that may exist already must reach a person.
  if (patient_name === null || reason === 'restored_state') return undefined;
  const since = instant(toMs(received_at) - DAY);
  const name = fold(patient_name);
  const first = alike.find(
    (other) =>
      other.state !== 'dropped' && other.received_at >= since && fold(other.patient_name ?? '') === name,
  );
  return first && (await findBooking(trx, first.ref));
}

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
 * The queries return a handful of rows, sorted here: with `ORDER BY` or `LIMIT ?` and a bound value SQLite plans the
 * statement again for every value, which costs ten times the query.
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

/** Nothing is merged into a dropped booking: the same lead again is a new question. */
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
