import type { BookingState } from '../../../src/domain/bookings/booking.ts';
import type { Content } from '../sheet/cells.ts';
import { inputLabel, type inputs } from '../tabs/columns.ts';
import { type BookingView, type Claim, changedInputs, over, shownRef } from './claims.ts';
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

/** A row that says something else than what was sent. */
export interface Outdated {
  ref: string;
  /** Labels of its columns. */
  changed: string[];
  /** It is about another person, who is not booked. */
  isOther: boolean;
}

/** The answer in a row that became a booking. */
export function bookedRow(
  claim: Claim,
  row: BookingRow,
  { bookings, instant }: Shown,
): { cells: CellValues; outdated?: Outdated } {
  const booking = bookings.get(claim.booking ?? '');
  const ref = shownRef(claim);
  if (booking === undefined) return { cells: { ref, state: 'no longer known', message: null } };
  const { state, status, appointment_id, changed_at } = booking;
  const found = changedInputs(claim, row).filter((key) => !isAtClinic(key, row, booking));
  const isOther = found.includes('patient') && found.includes('phone');
  const changed = found.map(inputLabel);
  const cells: CellValues = {
    ref,
    state: status === undefined ? state : `${state} (${status})`,
    appointment: appointment_id,
    message: messageOf(booking, { changed, isOther, isTicked: row.send }),
    updated: instant(changed_at, claim.clinic),
  };
  const isAsked = isOther || found.some((key) => key !== 'address');
  return isAsked && !over.has(state) ? { cells, outdated: { ref, changed, isOther } } : { cells };
}

/** The clinic moved the visit to what the row says. */
const isAtClinic = (key: keyof typeof inputs, { fields }: BookingRow, { date, time }: BookingView): boolean =>
  (key === 'date' && fields.appointment_date === date) ||
  (key === 'time' && fields.appointment_time === time);

/** The answer in a row whose person was erased. */
export function erasedCells(claim: Claim, row: BookingRow, shown: Shown): CellValues {
  const rest = row.blank ? '' : ' Delete what this row still shows of them.';
  return {
    ...(claim.booking === undefined ? { state: null, updated: null } : bookedRow(claim, row, shown).cells),
    message: `The person of this row was erased.${rest} To use the row for another person, clear Ref.`,
  };
}

interface RowNow {
  changed: readonly string[];
  isOther: boolean;
  isTicked: boolean;
}

/** The day in words, the booking's message and the remedy, after a warning if the row was changed since. */
function messageOf(booking: BookingView, { changed, isOther, isTicked }: RowNow): string | null {
  const { ref, state, message, date, time } = booking;
  const isChanged = changed.length > 0;
  const again = 'To book the row again as it is now, clear Ref and tick Send.';
  const after: Partial<Record<BookingState, string | false>> = {
    held:
      `What is changed in this row is not taken over: correct or drop ${ref} on the status page, or with ` +
      `clinic-sync bookings show ${ref}.`,
    rejected: again,
    expired: again,
    dropped: isChanged && again,
  };
  const isBooked = state === 'booked' || state === 'booked_no_id';
  const became = isBooked
    ? 'it is still booked as it was. Call the clinic to change it.'
    : 'the clinic gets what it said before.';
  const other =
    `This row belongs to ${ref}: the patient who is typed over it now is NOT booked. Enter them in a row of ` +
    'their own.';
  const notSent = `The change to this row (${changed.join(', ')}) was NOT sent: ${became}`;
  return (
    [
      isOther && !over.has(state) ? other : isChanged && !(state in after) && notSent,
      !isTicked && !over.has(state) && 'Unticking cancels nothing: call the clinic to cancel.',
      date !== null && time !== null && `${dayAndTime(date, time)}.`,
      message,
      after[state],
    ]
      .filter(Boolean)
      .join(' ') || null
  );
}

const words = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
});

/** `Fri 1 May 2027, 10:30`: in words, because 05/01 and 01/05 look alike. */
export function dayAndTime(date: string, time: string): string {
  const ms = Date.parse(date);
  return `${Number.isNaN(ms) ? date : words.format(ms).replace(',', '')}, ${time}`;
}
