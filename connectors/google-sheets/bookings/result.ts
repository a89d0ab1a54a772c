import type { BookingState } from '../../../src/domain/booking.ts';
import type { Content } from '../sheet/cells.ts';
import { type BookingView, type Claim, shownRef } from './claims.ts';
import type { BookingRow } from './read-row.ts';

export interface CellChange {
  row: number;
  column: 'ref' | 'send' | 'state' | 'appointment' | 'message' | 'updated';
  value: Content;
}

/** Our cells of a row; absent ones stay as they are. */
export type CellValues = Partial<Record<CellChange['column'], Content>>;

interface Shown {
  bookings: ReadonlyMap<string, BookingView>;
  /** An instant as a cell. */
  instant: (at: string, clinic: string) => Content;
}

/** The answer in a row that became a booking. */
export function resultCells(claim: Claim, row: BookingRow, { bookings, instant }: Shown): CellValues {
  const booking = bookings.get(claim.booking ?? '');
  const ref = shownRef(claim);
  if (booking === undefined) return { ref, state: 'no longer known', message: null };
  const { state, status, appointment_id, changed_at } = booking;
  return {
    ref,
    state: status === undefined ? state : `${state} (${status})`,
    appointment: appointment_id,
    message: messageOf(booking, row.content !== claim.content),
    updated: instant(changed_at, claim.clinic),
  };
}

/** The answer in a row whose person was erased. */
export function erasedCells(claim: Claim, row: BookingRow, shown: Shown): CellValues {
  const rest = row.blank ? '' : ' Delete what this row still shows of them.';
  return {
    ...(claim.booking === undefined ? { state: null, updated: null } : resultCells(claim, row, shown)),
    message: `The person of this row was erased.${rest} To use the row for another person, clear Ref.`,
  };
}

/** The booking's message and the remedy, after a warning if the row was changed since (a row is read only once). */
function messageOf({ ref, state, message }: BookingView, isChanged: boolean): string | null {
  const again = 'To book the row again as it is now, clear Ref and tick Send.';
  const call =
    'The change to this row was NOT sent: it is still booked as it was. Call the clinic to change it.';
  const after: Partial<Record<BookingState, string | false>> = {
    held: `What is changed in this row is not taken over: correct or drop ${ref} on the status page, or with clinic-sync bookings show ${ref}.`,
    rejected: again,
    expired: again,
    dropped: isChanged && again,
  };
  const before: Partial<Record<BookingState, string>> = { booked: call, booked_no_id: call };
  const late = 'The change to this row was NOT sent: the clinic gets what it said before.';
  const first = isChanged && !(state in after) && (before[state] ?? late);
  return [first, message, after[state]].filter(Boolean).join(' ') || null;
}
