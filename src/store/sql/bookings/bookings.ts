import { sql } from 'kysely';
import type { Actor, Booking, BookingState, Evidence } from '../../../domain/bookings/booking.ts';
import { seenOf } from '../../../domain/bookings/booking-seen.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { BookingNote, BookingVerbs, Rehearsal } from '../../ports/bookings.ts';
import { type LogChanges, logChanges } from '../changes/log-changes.ts';
import type { StoreParts, Trx, WriteEach } from '../database.ts';
import { countClaim } from '../installation/identity.ts';
import { noteClinicUnattended } from '../installation/note-unattended.ts';
import { acceptBookings } from './accept-bookings.ts';
import { bookingTotals, leadsPerQuarter } from './booking-counts.ts';
import { bookingReads, bookingsDue } from './booking-reads.ts';
import { jsonColumns, selectBooking, toBooking } from './booking-rows.ts';
import { fillTerms, termsDue, withTerms } from './booking-terms.ts';
import type { LeadToKnow } from './known-leads.ts';
import { moveBooking } from './move-booking.ts';
import { highestOwnId, ownIds } from './own-ids.ts';
import { readUndo } from './undo.ts';

const daemon: { actor: Actor; by: string } = { actor: 'daemon', by: 'clinic-sync' };

export function bookingVerbs({
  db,
  write,
  writeEach,
  logChanges,
}: StoreParts & { writeEach: WriteEach; logChanges: LogChanges }): BookingVerbs {
  const accept = acceptBookings(logChanges);
  const { step, move, undo } = moveBooking(logChanges);

  const claim = async (trx: Trx, ...[clinic, at, wanted]: Parameters<BookingVerbs['claim']>) => {
    const sending = await trx
      .selectFrom('bookings')
      .select('ref')
      .where('clinic', '=', clinic)
      .where('state', '=', 'sending')
      .executeTakeFirst();
    if (sending !== undefined) return undefined;
    const booking = await selectBooking(trx, wanted.ref);
    if (booking?.clinic !== clinic || booking.state !== 'queued' || !isDue(booking, at)) return undefined;
    const highest = await highestOwnId(trx, clinic);
    const evidence: Evidence = {
      ...(highest === undefined ? {} : { highest_own_id: highest }),
      ...wanted.evidence,
      sent_at: at,
    };
    const attempt = booking.attempt + 1;
    await countClaim(trx);
    return step(trx, booking, { ...daemon, to: 'sending', at, attempt, evidence });
  };

  const note = async (trx: Trx, { ref, attempt, seen, evidence, ...columns }: BookingNote) => {
    const booking = await selectBooking(trx, ref);
    if (booking?.attempt !== attempt || (seen !== undefined && seenOf(booking) !== seen)) return false;
    const { verified_at = booking.verified_at, acknowledged_duplicates } = columns;
    const noted = { ...booking, evidence: { ...booking.evidence, ...evidence } };
    const acknowledged = [...(acknowledged_duplicates ?? booking.acknowledged_duplicates)];
    await trx
      .updateTable('bookings')
      .set({ ...jsonColumns({ ...noted, acknowledged_duplicates: acknowledged }), verified_at })
      .where('ref', '=', ref)
      .execute();
    return true;
  };

  return {
    ...bookingReads(db),
    ...bookingsDue(db),
    ...ownIds(db),
    totals: bookingTotals(db),
    withTerms: (beginnings, limit) => withTerms(db, beginnings, limit),
    termsDue: () => termsDue(db),
    fillTerms: (signal) => fillTerms({ db, write }, signal),
    leadsPerQuarter: leadsPerQuarter(db),

    accept: (booking, judge, over) => writeEach('accept', accept, { booking, judge, over }),

    rehearse: (booking, judge, over) =>
      write('accept', (trx) => rehearse(trx, { booking, judge, over }), 'soon'),

    // `soon`: while leads come in, sends share their commits.
    claim: (...asked) => write('claim', (trx) => claim(trx, ...asked), 'soon'),

    note: (wanted) => write('note', (trx) => note(trx, wanted), 'soon'),

    move: (wanted) => write('move', (trx) => move(trx, wanted), 'soon'),

    undoable: async (ref, at) => (await readUndo(db, ref, at))?.seen,

    undo: (wanted) => write('move', (trx) => undo(trx, wanted), 'soon'),

    noteLeap: (clinic, at, before) =>
      write('interrupt', (trx) => noteClinicUnattended(trx, clinic, { at, checkedAt: before, leapt: true })),

    interruptSending: (at, clinic) =>
      write('interrupt', async (trx) => {
        const sending = trx.selectFrom('bookings').selectAll().where('state', '=', 'sending');
        const rows = await (clinic === undefined ? sending : sending.where('clinic', '=', clinic)).execute();
        const interrupted = [];
        for (const row of rows) {
          const unknown = { to: 'unknown' as BookingState, at, reason: 'interrupted', message: INTERRUPTED };
          interrupted.push(await step(trx, toBooking(row), { ...daemon, ...unknown }));
        }
        return interrupted;
      }),
  };
}

const INTERRUPTED = 'The program stopped while this booking was being sent; it may exist at the clinic.';

/** A wait that began in the future counts as over: the clock was set back, and it would last too long. */
const isDue = ({ not_before, changed_at }: Booking, at: Instant): boolean =>
  not_before === null || not_before <= at || changed_at > at;

/**
 * Stores a submission like `accept`, then rolls everything back: rows, counts, changes and their numbers. It is stored
 * as `held`, whatever its judgement, so that it could not be claimed either.
 */
async function rehearse(trx: Trx, asked: LeadToKnow): Promise<Rehearsal> {
  const { state, reason } = asked.booking;
  const held = { state: 'held', reason: reason ?? 'approval' } as const;
  // With a log of its own: its changes are rolled back, so they must not count as written by this process.
  const accept = acceptBookings(logChanges());
  await sql`savepoint rehearsal`.execute(trx);
  try {
    const [accepted] = await accept(trx, [{ ...asked, booking: { ...asked.booking, ...held } }]);
    if (accepted === undefined) throw new Error('The rehearsal has no result.');
    const { booking, result } = accepted;
    // Judged inside: held beside another, or over a limit.
    const isJudged = result === 'new' && booking.reason !== held.reason;
    return result === 'new' && !isJudged
      ? { result, state, reason, ref: null }
      : {
          ...{ result, state: booking.state, reason: booking.reason },
          ref: result === 'new' ? booking.duplicate_of : booking.ref,
        };
  } finally {
    await sql`rollback to rehearsal`.execute(trx);
    await sql`release rehearsal`.execute(trx);
  }
}
