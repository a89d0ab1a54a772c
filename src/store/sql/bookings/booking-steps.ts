import {
  type Actor,
  type Booking,
  type BookingState,
  bookingFields,
} from '../../../domain/bookings/booking.ts';
import type { ChangeType, NewChange } from '../../../domain/clinics/change.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { JsonObject } from '../../../platform/json.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import type { Trx } from '../database.ts';
import { insertMany } from '../insert-many.ts';
import type { Stored } from '../schema.ts';
import { atOnce } from '../transaction.ts';
import { countBookings } from './booking-counts.ts';

/** Change type of a booking that enters this state; `sending` is not in the change log. */
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

export interface BookingSteps {
  /** The booking after each step, in order. */
  after: readonly [Booking, ...Booking[]];
  /** The booking before the first step; null if new. */
  before: Booking | null;
  actor: Actor;
  by: string;
  /** Further changes of the last step. */
  changes?: NewChange[];
}

type EventRow = Omit<Stored<'booking_events'>, 'n'>;

const insertEvents = insertMany<EventRow>(
  ['ref', 'at', 'from_state', 'to_state', 'actor', 'by', 'reason', 'message', 'evidence'],
  (trx, rows) => trx.insertInto('booking_events').values(rows as unknown as EventRow[]),
);

/** Counts each booking in its new state, and adds its steps to its history and the change log. */
export async function writeSteps(
  trx: Trx,
  logChanges: LogChanges,
  all: readonly BookingSteps[],
): Promise<void> {
  const counted = all.map(({ after, before }) => ({ after: after.at(-1) ?? after[0], before }));
  const moves = all.flatMap(({ after, before, actor, by }) =>
    after.map((booking, index) => ({ from: after[index - 1] ?? before, to: booking, actor, by })),
  );
  const events = moves.map(({ from, to, actor, by }) => ({
    ref: to.ref,
    at: to.changed_at,
    from_state: from?.state ?? null,
    to_state: to.state,
    actor,
    by,
    reason: to.reason,
    message: to.message,
    evidence: to.evidence === null ? null : JSON.stringify(to.evidence),
  }));
  const logged = new Map<string, (NewChange & { at: Instant })[]>();
  for (const { after, before, changes = [] } of all) {
    const { clinic, changed_at: at } = after.at(-1) ?? after[0];
    const rows = bookingChanges(before, after);
    const known = logged.get(clinic) ?? [];
    logged.set(clinic, known);
    for (const change of [...rows, ...changes]) known.push({ ...change, at });
  }
  await atOnce<unknown[]>(
    countBookings(trx, counted),
    insertEvents(trx, events),
    logChanges(
      trx,
      ...[...logged].map(([clinic, changes]) => ({ clinic, at: changes[0]?.at ?? '', changes })),
    ),
  );
}

function bookingChanges(before: Booking | null, after: readonly Booking[]): NewChange[] {
  const found: NewChange[] = [];
  let former = before === null ? null : bookingFields(before);
  for (const booking of after) {
    const type = changeOf[booking.state];
    const data = bookingFields(booking);
    const previous = former === null ? null : formerValues(former, data);
    if (type !== undefined) found.push({ type, resource: 'booking', id: booking.ref, data, previous });
    former = data;
  }
  return found;
}

/** Leaves out `changed_at`, which differs at every step. */
function formerValues(before: JsonObject, after: JsonObject): JsonObject {
  const former: JsonObject = {};
  for (const [field, value] of Object.entries(before))
    if (field !== 'changed_at' && value !== after[field]) former[field] = value;
  return former;
}
