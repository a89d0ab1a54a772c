import { sql } from 'kysely';
import type { Booking } from '../../../domain/bookings/booking.ts';
import { newBookingRefs } from '../../../domain/bookings/booking-ref.ts';
import { type Campaign, hasCampaign, type Touches, untouched } from '../../../domain/campaign.ts';
import type { Instant } from '../../../platform/clock.ts';
import { sentences } from '../../../platform/text/sentences.ts';
import type { Beside, BookingVerbs, NewBooking } from '../../ports/bookings.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import type { BatchRun, Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import { lookUp } from '../look-up.ts';
import { type Stored, tables } from '../schema.ts';
import { atOnce } from '../transaction.ts';
import { jsonColumns, type StoredBookingRow, VISITORS } from './booking-rows.ts';
import { type BookingSteps, writeSteps } from './booking-steps.ts';
import { oweTerms } from './booking-terms.ts';
import { forgottenSubmissions } from './forgotten-submissions.ts';
import { type FirstTouch, type GrowingLeads, type LeadToKnow, readKnownLeads } from './known-leads.ts';
import { countIntake, type LimitCounts, readLimitCounts } from './limit-counts.ts';

export type Accepted = Awaited<ReturnType<BookingVerbs['accept']>>;
type MergedRow = Stored<'merged_submissions'>;

/** The writes of a group, in the order in which it was judged. */
interface Writes {
  bookings: { row: StoredBookingRow; steps: BookingSteps; booking: NewBooking }[];
  merged: MergedRow[];
  /** Bookings on which a submission was counted, as they are afterwards. */
  counted: Map<string, Booking>;
  /** Held changes whose first content came again, as they are afterwards. */
  changedBack: Map<string, Booking>;
}

/**
 * Stores the submissions of a group, or finds the bookings they belong to. A few statements read what is known, each
 * submission is judged in order, and a few statements write the result, whatever the size of the group.
 */
export function acceptBookings(logChanges: LogChanges): BatchRun<LeadToKnow, Accepted> {
  const forgottenIds = forgottenSubmissions();

  return async (trx, group) => {
    const limited = group.map(({ booking, over }) => ({ booking, limits: over?.limits ?? [] }));
    const [known, counts, refs] = await atOnce(
      readKnownLeads(trx, group, forgottenIds),
      readLimitCounts(trx, limited),
      unusedRefs(trx, group.length),
    );
    const writes: Writes = { bookings: [], merged: [], counted: new Map(), changedBack: new Map() };
    const accepted = group.map((asked, index) => accept(asked, refs[index] ?? '', { known, counts, writes }));
    await writeAll(trx, logChanges, writes);
    return accepted;
  };
}

interface Group {
  known: GrowingLeads;
  counts: LimitCounts;
  writes: Writes;
}

function accept(asked: LeadToKnow, ref: string, { known, counts, writes }: Group): Accepted {
  const { booking: submitted, judge, over } = asked;
  const judged = judge.judge(known, submitted);
  if (judged.result === 'new') {
    const reached = over === undefined ? [] : counts.reached(submitted, over.limits);
    const sent = { ...submitted, submission_hash: judged.submission_hash };
    const fields = reached.length === 0 ? sent : { ...sent, ...over?.over(reached) };
    const { booking, row, steps } = newBooking(fields, ref, judged.beside, known);
    known.add(booking, row);
    counts.add(submitted);
    writes.bookings.push({ row, steps, booking: submitted });
    return { booking, result: 'new' };
  }

  const { result, first } = judged;
  const merged = (row: MergedRow) => {
    known.addMerged(row);
    writes.merged.push(row);
  };
  const { source, submission_id, content_hash, submission_hash, received_at: at, visitor_ref } = submitted;
  if (visitor_ref !== undefined)
    merged({
      ...{ source: VISITORS, submission_id: visitor_ref, ref: first.ref, at },
      content_hash: null,
      submission_hash: null,
    });
  noteChangedBack(judged, at, { known, writes });
  // A changed submission is counted when it is repeated; a repetition of the first is not.
  if (result === 'same' && first.changed_fields.length === 0) return { booking: first, result };
  // Stored, because otherwise a repetition after the window would be booked again, another source could not query its
  // submission's fate, and nobody would know when the patient asked again.
  if (result === 'merged')
    merged({
      source,
      submission_id: submission_id ?? `${first.merged + 1} merged into ${first.ref}`,
      ref: first.ref,
      at,
      content_hash,
      submission_hash,
    });
  const { touch } = submitted;
  // A repetition without a campaign must not take the lead's campaign away.
  const isNews = touch !== undefined && (hasCampaign(touch) || !hasCampaign(first));
  const touched = isNews ? touchedBy(touch, { ...first, received_at: at }, known) : {};
  // One that is still to be sent has waited for as long, however often it comes again.
  const isOnItsWay = first.state === 'received' || first.state === 'queued';
  const changed_at = isOnItsWay ? first.changed_at : at;
  const booking = { ...first, ...touched, merged: first.merged + 1, changed_at };
  known.change(booking);
  writes.counted.set(first.ref, booking);
  return { booking, result };
}

function noteChangedBack(
  { change: before }: { change?: Booking | undefined },
  changed_back: Instant,
  { known, writes }: Pick<Group, 'known' | 'writes'>,
): void {
  if (before === undefined) return;
  const change = { ...before, evidence: { ...before.evidence, changed_back } };
  known.change(change);
  writes.changedBack.set(change.ref, change);
}

/** Sets the latest campaign and keeps the one with which the phone number first came. */
function touchedBy(touch: Campaign, lead: Lead, known: GrowingLeads): Touches {
  const { campaign, channel } = touch;
  const own = {
    ...{ first_campaign: campaign, first_channel: channel },
    first_touch_at: hasCampaign(touch) ? lead.received_at : null,
  };
  const { first_campaign, first_channel, first_touch_at } = lead;
  const before = first_touch_at ? { first_campaign, first_channel, first_touch_at } : known.firstTouch(lead);
  return { ...touch, ...own, ...(before as Partial<FirstTouch>) };
}

type Lead = Pick<NewBooking, 'clinic' | 'phone_e164' | 'received_at'> & Partial<FirstTouch>;

function newBooking(
  { content_hash, submission_hash, visitor_ref: _notStored, version: _said, touch, ...fields }: NewBooking,
  ref: string,
  beside: Beside | undefined,
  known: GrowingLeads,
): { booking: Booking; row: StoredBookingRow; steps: BookingSteps } {
  // A possible earlier booking outweighs a duplicate, and approving a duplicate would not compare it.
  const isRestored = fields.reason === 'restored_state';
  const booking: Booking = {
    ...fields,
    ...(touch ? touchedBy(touch, fields, known) : { ...untouched, ...known.firstTouch(fields) }),
    ref,
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
  return {
    booking,
    row: {
      ...booking,
      ...jsonColumns(booking),
      content_hash,
      submission_hash,
      booked_at: null,
      ...notCompleted,
    },
    steps: {
      before: null,
      after: booking.state === 'received' ? [booking] : [received, booking],
      actor: 'daemon',
      by: booking.source,
    },
  };
}

const touchColumns = Object.keys(untouched) as (keyof Touches)[];
const pick = (from: Touches, columns: readonly (keyof Touches)[]) =>
  Object.fromEntries(columns.map((column) => [column, from[column]])) as unknown as Touches;

const notCompleted = { completed_at: null, retracted_at: null, fee: null, currency: null, lost_at: null };

const insertBookings = insertMany<StoredBookingRow>(
  Object.keys(tables.bookings) as (keyof Stored<'bookings'>)[],
  (trx, rows) => trx.insertInto('bookings').values(rows as unknown as StoredBookingRow[]),
);

/** Keeps an existing row with the same id. */
const insertMerged = insertMany<MergedRow>(
  ['source', 'submission_id', 'ref', 'at', 'content_hash', 'submission_hash'],
  (trx, rows) =>
    trx
      .insertInto('merged_submissions')
      .values(rows as unknown as MergedRow[])
      .onConflict((conflict) => conflict.doNothing()),
);

async function writeAll(
  trx: Trx,
  logChanges: LogChanges,
  { bookings, merged, counted, changedBack }: Writes,
): Promise<void> {
  const rows = bookings.map(({ row }) => row);
  const steps = bookings.map((one) => one.steps);
  const submitted = bookings.map(({ booking }) => booking);
  const stored = insertBookings(trx, rows);
  // The rest refers to them, and would be issued before the second statement.
  if (rows.length > insertBookings.perStatement) await stored;
  await atOnce<unknown[]>(
    stored,
    oweTerms(trx, rows),
    writeSteps(trx, logChanges, steps),
    countIntake(trx, submitted),
    insertMerged(trx, merged),
    ...[...counted.values()].map(({ ref, merged, changed_at, ...booking }) =>
      trx
        .updateTable('bookings')
        .set({ merged, changed_at, ...pick(booking, touchColumns) })
        .where('ref', '=', ref)
        .execute(),
    ),
    ...[...changedBack.values()].map((change) =>
      trx
        .updateTable('bookings')
        .set({ evidence: jsonColumns(change).evidence })
        .where('ref', '=', change.ref)
        .where('state', '=', 'held')
        .execute(),
    ),
  );
}

const usedRefs = lookUp<{ ref: string }, { ref: string }>(
  ['ref'],
  (db) =>
    sql`select bookings.ref from wanted cross join ${tableIn(db, 'bookings')} as bookings
      where bookings.ref = wanted.ref`,
);

async function unusedRefs(trx: Trx, count: number): Promise<string[]> {
  const free = new Set<string>();
  while (free.size < count) {
    const drawn = newBookingRefs(count - free.size);
    const used = new Set(
      (
        await usedRefs(
          trx,
          drawn.map((ref) => ({ ref })),
        )
      ).map(({ ref }) => ref),
    );
    for (const ref of drawn) if (!used.has(ref)) free.add(ref);
  }
  return [...free];
}
