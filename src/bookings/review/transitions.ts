import type { Booking, BookingState } from '../../domain/bookings/booking.ts';
import type { ActionName } from '../../domain/bookings/booking-actions.ts';
import { isSameMove, seenOf } from '../../domain/bookings/booking-seen.ts';
import type { RefusalCode } from '../../domain/bookings/refusals.ts';
import { wallClockAt } from '../../domain/date-time.ts';
import { instant, toMs } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import type { BookingMove } from '../../store/ports/bookings.ts';
import type { Store } from '../../store/store.ts';
import type { BookingParts } from '../booking-parts.ts';
import type { IntakeVerdict } from '../intake/check.ts';
import type { Intake } from '../intake/intake.ts';
import type { StatusReads } from '../status-reads.ts';
import { type Circumstances, whyUnavailable } from './available-actions.ts';

/** What all decisions share. */
export interface Review extends BookingParts {
  intake: Intake;
  /** Undefined for a clinic that is not configured. */
  readsOf: (clinic: string) => StatusReads | undefined;
  /** The facts about a booking now; the verdict is that for a user's decision. */
  circumstances: (booking: Booking) => Promise<Circumstances & { verdict: IntakeVerdict }>;
  zoneOf: (clinic: string) => string;
  /** The database is an older copy that nobody has confirmed yet. */
  isRestored: () => boolean;
  signal: AbortSignal;
}

export interface Decided
  extends Omit<Partial<BookingMove>, 'to' | 'ref' | 'attempt' | 'from' | 'actor' | 'by' | 'at' | 'undo'> {
  /** Allows the decision to be undone for ten seconds, restoring this booking. */
  undo?: Booking | undefined;
}

/** How long a decision can be undone. An approval that can be is not sent before. */
export const UNDO_MS = 10_000;

export async function findBooking(store: Store, ref: string): Promise<Booking> {
  const booking = await store.bookings.get(ref);
  if (booking !== undefined) return booking;
  const refusal: RefusalCode = { name: 'gone', ref };
  throw new Failure({ kind: 'refused', status: 404, message: `There is no booking ${ref}.`, refusal });
}

/** What a front end passes along with a decision. */
export interface DecisionContext {
  /** `seenOf` the booking as shown to the user; the current one if omitted. */
  seen?: string | undefined;
  /** The front end offers to undo the decision: see `UNDO_MS`. */
  undoable?: boolean | undefined;
}

/** The booking and its circumstances. Throws `Failure` refused when it has changed or the action is not available. */
export async function allowed(
  review: Review,
  ref: string,
  action: ActionName,
  { seen }: DecisionContext = {},
) {
  const booking = await findBooking(review.store, ref);
  if (seen !== undefined && seen !== seenOf(booking)) throw await changedSince(review, booking, seen);
  const around = await review.circumstances(booking);
  const refused = whyUnavailable(booking, action, around);
  if (refused !== undefined)
    throw refuseAction(refused.message, refused.hint, refused.name && { name: refused.name, ref });
  return { booking, ...around };
}

/** A user's move, stored with who and when. Undefined when the booking changed meanwhile, or `beside` forbids it. */
export async function attemptMove(
  { store, clock }: Review,
  booking: Booking,
  to: BookingState,
  by: string,
  { undo, ...more }: Decided,
): Promise<Booking | undefined> {
  const nowMs = clock.now();
  const until = instant(nowMs + UNDO_MS);
  failpoint('bookings.before_decision');
  const moved = await store.bookings.move({
    ref: booking.ref,
    attempt: booking.attempt,
    from: [booking.state],
    seen: seenOf(booking),
    to,
    actor: 'person',
    by,
    at: instant(nowMs),
    ...more,
    ...(undo && { undo: { until, booking: undo } }),
    ...(undo && to === 'queued' && { not_before: until }),
  });
  failpoint('bookings.after_decision');
  return moved;
}

/** Like `attempt`; throws when the booking changed meanwhile. */
export async function decide(
  review: Review,
  booking: Booking,
  ...rest: [to: BookingState, by: string, more: Decided]
) {
  const moved = await attemptMove(review, booking, ...rest);
  if (moved === undefined) throw await changedSince(review, booking);
  return moved;
}

export const refuseAction = (message: string, hint?: string, refusal?: RefusalCode) =>
  new Failure({ kind: 'refused', message, refusal, ...(hint !== undefined && { hint }) });

/** The error that names what changed meanwhile, and who changed it. */
export async function changedSince(
  { store, zoneOf }: Review,
  read: Booking,
  seen = seenOf(read),
): Promise<Failure> {
  const { ref, clinic } = read;
  const code: RefusalCode = { name: 'changed', ref };
  const now = await findBooking(store, ref);
  if (seenOf(now) === seen)
    return refuseAction(
      `Another booking beside ${ref} has changed.`,
      'Nothing was done. Look at both again.',
      code,
    );
  const last = (await store.bookings.events(ref)).at(-1);
  const what =
    last === undefined || isSameMove(seenOf(now), seen)
      ? 'more is known about it now'
      : `${last.by} set it to ${now.state} at ${wallClockAt(toMs(last.at), zoneOf(clinic)).time}`;
  return refuseAction(
    `${ref} has changed since you looked at it: ${what}.`,
    'Nothing was done. Look at it again.',
    code,
  );
}

/** The decision, followed by the user's own reason. */
export const because = (message: string, why: string | undefined): string =>
  why ? `${message} ${why}` : message;
