import { type Actor, type Booking, type BookingState, bookingFields } from '../../../domain/booking.ts';
import type { ChangeType, NewChange } from '../../../domain/change.ts';
import type { JsonObject } from '../../../platform/json.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import type { Trx } from '../database.ts';
import { insertMany } from '../insert-many.ts';
import type { Stored } from '../schema.ts';
import { countBooking } from './booking-counts.ts';
import { jsonColumns } from './booking-rows.ts';

/** What the change log calls a booking that enters this state; `sending` is not in the change log. */
const changeOf: Record<BookingState, ChangeType | undefined> = {
  received: 'booking.received',
  held: 'booking.held',
  queued: 'booking.queued',
  sending: undefined,
  booked: 'booking.booked',
  booked_no_id: 'booking.booked',
  rejected: 'booking.rejected',
  unknown: 'booking.unknown',
  expired: 'booking.expired',
  dropped: 'booking.dropped',
};

interface Steps {
  /** The booking after each of its steps, in order. */
  after: readonly [Booking, ...Booking[]];
  /** As it was before the first; null when it is new. */
  before: Booking | null;
  actor: Actor;
  by: string;
  /** What else changed with the last step. */
  changes?: NewChange[];
}

type EventRow = Omit<Stored<'booking_events'>, 'n'>;

const insertEvents = insertMany<EventRow>(
  ['ref', 'at', 'from_state', 'to_state', 'actor', 'by', 'reason', 'message', 'evidence'],
  (trx, rows) => trx.insertInto('booking_events').values(rows as unknown as EventRow[]),
);

/** Counts the booking in its new state and adds its steps to its history and to the change log. */
export async function writeSteps(trx: Trx, logChanges: LogChanges, steps: Steps): Promise<void> {
  const { after, before, actor, by, changes = [] } = steps;
  const last = after.at(-1) ?? after[0];
  const moves = after.map((booking, index) => ({ from: after[index - 1] ?? before, to: booking }));
  await countBooking(trx, last, before?.state ?? null);
  await insertEvents(
    trx,
    moves.map(({ from, to }) => ({
      ref: to.ref,
      at: to.changed_at,
      from_state: from?.state ?? null,
      to_state: to.state,
      actor,
      by,
      reason: to.reason,
      message: to.message,
      evidence: jsonColumns(to).evidence,
    })),
  );
  const rows = moves.flatMap(({ from, to }) => bookingChange(from, to));
  await logChanges(trx, last.clinic, last.changed_at, [...rows, ...changes]);
}

function bookingChange(before: Booking | null, after: Booking): NewChange[] {
  const type = changeOf[after.state];
  if (type === undefined) return [];
  const data = bookingFields(after);
  const previous = before === null ? null : formerValues(bookingFields(before), data);
  return [{ type, resource: 'booking', id: after.ref, data, previous }];
}

/** Without `changed_at`, which differs at every step. */
const formerValues = (before: JsonObject, after: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(before).filter(([field, value]) => field !== 'changed_at' && value !== after[field]),
  );
