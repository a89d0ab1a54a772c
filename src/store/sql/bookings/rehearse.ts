import { sql } from 'kysely';
import type { Rehearsal } from '../../ports/bookings.ts';
import { logChanges } from '../changes/log-changes.ts';
import type { Trx } from '../database.ts';
import { acceptBookings } from './accept-bookings.ts';
import type { Asked } from './known-leads.ts';

/**
 * Stores a submission like `accept`, then rolls everything back: rows, counts, changes and their numbers. It is stored
 * as `held`, whatever its judgement, so that it could not be claimed either.
 */
export async function rehearse(trx: Trx, asked: Asked): Promise<Rehearsal> {
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
      ? { result, state, reason }
      : { result, state: booking.state, reason: booking.reason };
  } finally {
    await sql`rollback to rehearsal`.execute(trx);
    await sql`release rehearsal`.execute(trx);
  }
}
