import type { Actor, BookingState, Evidence } from '../../../model/booking.ts';
import type { BookingVerbs } from '../../store.ts';
import type { Parts, Trx } from '../database.ts';
import { countClaim } from '../identity.ts';
import type { LogChanges } from '../log-changes.ts';
import { acceptBooking } from './accept-booking.ts';
import { bookingReads } from './booking-reads.ts';
import { findBooking, toBooking } from './booking-rows.ts';
import { logSteps } from './booking-steps.ts';
import { moveBooking } from './move-booking.ts';

const daemon: { actor: Actor; by: string } = { actor: 'daemon', by: 'clinic-sync' };

export function bookingVerbs({ db, write, logChanges }: Parts & { logChanges: LogChanges }): BookingVerbs {
  const steps = { logChanges, logSteps: logSteps() };
  const accept = acceptBooking(steps);
  const { step, move } = moveBooking(steps);

  const claim = async (trx: Trx, ...[clinic, at, only]: Parameters<BookingVerbs['claim']>) => {
    const sending = await trx
      .selectFrom('bookings')
      .select('ref')
      .where('clinic', '=', clinic)
      .where('state', '=', 'sending')
      .executeTakeFirst();
    if (sending !== undefined) return undefined;
    let query = trx
      .selectFrom('bookings')
      .selectAll()
      .where('clinic', '=', clinic)
      .where('state', '=', 'queued')
      // A wait that began in the future, because the clock was set back, would not end for as long.
      .where((row) =>
        row.or([row('not_before', 'is', null), row('not_before', '<=', at), row('changed_at', '>', at)]),
      );
    if (only !== undefined) query = query.where('ref', '=', only.ref);
    const row = await query.orderBy('received_at').orderBy('ref').limit(1).executeTakeFirst();
    if (row === undefined) return undefined;
    const booking = toBooking(row);
    const highest = await highestOwnId(trx, clinic);
    const evidence: Evidence = {
      sent_at: at,
      ...(highest && { highest_own_id: highest }),
      ...only?.evidence,
    };
    const attempt = booking.attempt + 1;
    await countClaim(trx);
    return step(trx, booking, { ...daemon, to: 'sending', at, attempt, evidence });
  };

  return {
    ...bookingReads({ db, write }),

    accept: (booking, mergeWithinMs) => write('accept', (trx) => accept(trx, booking, mergeWithinMs), 'soon'),

    claim: (...asked) => write('claim', (trx) => claim(trx, ...asked)),

    note: (ref, evidence) =>
      write('note', async (trx) => {
        const booking = await findBooking(trx, ref);
        if (booking === undefined) return;
        const merged = JSON.stringify({ ...booking.evidence, ...evidence });
        await trx.updateTable('bookings').set({ evidence: merged }).where('ref', '=', ref).execute();
      }),

    move: (wanted) => write('move', (trx) => move(trx, wanted)),

    interruptSending: (at) =>
      write('interrupt', async (trx) => {
        const rows = await trx.selectFrom('bookings').selectAll().where('state', '=', 'sending').execute();
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

async function highestOwnId(trx: Trx, clinic: string): Promise<number | null> {
  const row = await trx
    .selectFrom('bookings')
    .select((booking) => booking.fn.max('appointment_id').as('id'))
    .where('clinic', '=', clinic)
    .executeTakeFirst();
  return row?.id ?? null;
}
