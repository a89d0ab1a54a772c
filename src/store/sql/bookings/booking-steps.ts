import { type Actor, type Booking, type BookingState, bookingFields } from '../../../domain/booking.ts';
import type { ChangeType, NewChange } from '../../../domain/change.ts';
import type { JsonObject } from '../../../platform/json.ts';
import type { Trx } from '../database.ts';
import { insertMany } from '../insert-many.ts';
import type { Stored } from '../schema.ts';

/** What the change log calls a booking that came to be in this state. `sending` is nobody's news. */
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

/** The change-log row of one step in a booking's life; none for `sending`. */
export function bookingChange(before: Booking | null, after: Booking): NewChange[] {
  const type = changeOf[after.state];
  if (type === undefined) return [];
  const data = bookingFields(after);
  const previous = before === null ? null : formerValues(bookingFields(before), data);
  return [{ type, resource: 'booking', id: after.ref, data, previous }];
}

/** `changed_at` differs with every step, which says nothing. */
function formerValues(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(before).filter(([field, value]) => field !== 'changed_at' && value !== after[field]),
  );
}

export interface Step {
  from: BookingState | null;
  after: Booking;
  actor: Actor;
  by: string;
}

type EventRow = Omit<Stored<'booking_events'>, 'n'>;

/** Writes steps down with who did them and what was known then. */
export function logSteps(): (trx: Trx, steps: readonly Step[]) => Promise<void> {
  const insert = insertMany<EventRow>(
    ['ref', 'at', 'from_state', 'to_state', 'actor', 'by', 'reason', 'message', 'evidence'],
    (trx, rows) => trx.insertInto('booking_events').values(rows as unknown as EventRow[]),
  );
  return (trx, steps) =>
    insert(
      trx,
      steps.map(({ from, after, actor, by }) => ({
        ref: after.ref,
        at: after.changed_at,
        from_state: from,
        to_state: after.state,
        actor,
        by,
        reason: after.reason,
        message: after.message,
        evidence: after.evidence === null ? null : JSON.stringify(after.evidence),
      })),
    );
}
