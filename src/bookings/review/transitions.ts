import type { Booking, BookingState } from '../../domain/booking.ts';
import type { ActionName } from '../../domain/booking-actions.ts';
import { instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import type { BookingMove } from '../../store/ports/bookings.ts';
import type { Store } from '../../store/store.ts';
import type { Verdict } from '../intake/check.ts';
import type { Intake } from '../intake/intake.ts';
import type { BookingParts } from '../parts.ts';
import type { StatusReads } from '../status-reads.ts';
import { type Circumstances, refusal } from './available-actions.ts';

/** What the decisions of people share. */
export interface Review extends BookingParts {
  intake: Intake;
  /** Undefined for a clinic that is not configured. */
  readsOf: (clinic: string) => StatusReads | undefined;
  /** What is known around a booking now; the verdict is that of a person's decision. */
  circumstances: (booking: Booking) => Promise<Circumstances & { verdict: Verdict }>;
  signal: AbortSignal;
  /** When a user was last shown the duplicates of a booking, by its ref, on the monotonic clock. */
  shownAt: Map<string, number>;
}

export type Decided = Omit<Partial<BookingMove>, 'to' | 'ref' | 'attempt' | 'from' | 'actor' | 'by' | 'at'>;

export async function findBooking(store: Store, ref: string): Promise<Booking> {
  const booking = await store.bookings.get(ref);
  if (booking !== undefined) return booking;
  throw new Failure({ kind: 'refused', status: 404, message: `There is no booking ${ref}.` });
}

/** The booking and its circumstances. Throws `Failure` refused when the action is not available. */
export async function allowed(
  review: Pick<Review, 'store' | 'circumstances'>,
  ref: string,
  action: ActionName,
) {
  const booking = await findBooking(review.store, ref);
  const around = await review.circumstances(booking);
  const refused = refusal(booking, action, around);
  if (refused !== undefined) throw refuse(refused.message, refused.hint);
  return { booking, ...around };
}

/** A person's move, stored with who and when. Undefined when the booking changed meanwhile, or `beside` forbids it. */
export async function attempt(
  { store, clock }: Review,
  booking: Booking,
  to: BookingState,
  by: string,
  more: Decided,
): Promise<Booking | undefined> {
  failpoint('bookings.before_decision');
  const moved = await store.bookings.move({
    ref: booking.ref,
    attempt: booking.attempt,
    from: [booking.state],
    as_of: booking.changed_at,
    to,
    actor: 'person',
    by,
    at: instant(clock.now()),
    ...more,
  });
  failpoint('bookings.after_decision');
  return moved;
}

/** As `attempt`; throws when the booking changed meanwhile. */
export async function decide(
  review: Review,
  booking: Booking,
  ...rest: [to: BookingState, by: string, more: Decided]
) {
  const moved = await attempt(review, booking, ...rest);
  if (moved === undefined) throw movedMeanwhile(booking);
  return moved;
}

export const refuse = (message: string, hint?: string) =>
  new Failure({ kind: 'refused', message, ...(hint !== undefined && { hint }) });

export const movedMeanwhile = ({ ref }: Booking) =>
  refuse(`${ref} has moved in the meantime.`, 'Look at it again.');

/** The decision, followed by the person's own reason. */
export const because = (message: string, why: string | undefined): string =>
  why ? `${message} ${why}` : message;
