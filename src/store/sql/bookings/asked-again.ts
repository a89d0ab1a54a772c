import { isChanged, type VisitPlace } from '../../../domain/bookings/visit-now.ts';
import { type Instant, toMs } from '../../../platform/clock.ts';
import { MINUTE } from '../../../platform/duration.ts';
import type { Trx } from '../database.ts';
import { jsonColumns, selectBooking, VISITORS } from './booking-rows.ts';
import { visitChanges } from './changed-visits.ts';

/** A read is stored after the clinic's answer, on another clock than a lead may have been. */
const TOLERANCE_MS = 2 * MINUTE;

interface Read {
  ref: string;
  at: Instant;
  /** The visit until then, and when it was read last. */
  before: VisitPlace & { seen_at: Instant | null };
}

/**
 * Call after a change of a booking's visit, or another meaning of its status, was stored. If the visit was cancelled or
 * moved, a user is asked about a lead that was merged into the booking after it was last seen to stand, or before a
 * form tool reported the cancellation: it may have been a request of its own.
 */
export async function noteAskedAgain(trx: Trx, { ref, at, before }: Read): Promise<void> {
  const booking = await selectBooking(trx, ref);
  if (booking?.state !== 'booked' || booking.merged === 0) return;
  const asked = await lastMerged(trx, ref);
  if (asked === undefined || asked <= (booking.evidence?.asked_again ?? '')) return;
  const { visits, reported } = await visitChanges(trx, [booking]);
  // A lead may have asked for the time to which it was moved before.
  if (!visits.some((visit) => isChanged(visit, [before]))) return;
  if (reported.length === 0 && (await stoodAfter(trx, { ref, at, before }, asked))) return;
  const { mismatch = [], ...evidence } = booking.evidence ?? {};
  const sentence =
    'The visit was cancelled or moved, and the patient asked for it again at ' +
    `${asked.slice(0, 16).replace('T', ' ')} UTC, perhaps because of that.`;
  const question = { verification: 'asked_again' as const, asked_again: asked };
  const noted = { ...evidence, ...question, mismatch: [...mismatch, sentence] };
  await trx
    .updateTable('bookings')
    .set({ ...jsonColumns({ ...booking, evidence: noted }), verified_at: at })
    .where('ref', '=', ref)
    .execute();
}

/** Whether the visit was seen to stand after a lead. A time in the future tells nothing: the clock was set back. */
async function stoodAfter(trx: Trx, { ref, at, before }: Read, asked: Instant): Promise<boolean> {
  const stood = before.seen_at ?? (await bookedAt(trx, ref));
  return stood !== null && stood <= at && toMs(asked) < toMs(stood) - TOLERANCE_MS;
}

/** When it was sent, if its number became known later. */
async function bookedAt(trx: Trx, ref: string): Promise<Instant | null> {
  const row = await trx.selectFrom('bookings').select('booked_at').where('ref', '=', ref).executeTakeFirst();
  return row?.booked_at ?? null;
}

async function lastMerged(trx: Trx, ref: string): Promise<Instant | undefined> {
  const row = await trx
    .selectFrom('merged_submissions')
    .select((of) => of.fn.max('at').as('at'))
    .where('ref', '=', ref)
    .where('source', '<>', VISITORS)
    .executeTakeFirst();
  return row?.at ?? undefined;
}
