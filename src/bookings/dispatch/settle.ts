import type { Booking, Evidence } from '../../domain/bookings/booking.ts';
import { instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import type { BookingMove } from '../../store/ports/bookings.ts';
import { type BookingParts, DAEMON } from '../booking-parts.ts';
import { answers, bookedMessage, heldMessage, rejectedMessage, unknownMessage } from '../messages.ts';
import type { Settlement } from './outcome.ts';

interface Next {
  /** Earliest next send, for `queued`. */
  notBeforeMs?: number;
  /** Consecutive refusals before processing, this one included. */
  refusals: number;
}

/**
 * Stores the outcome of a send and announces it. Throws `Failure` transient when the store cannot be written: the
 * caller keeps the settlement, retries it, and must send nothing before that succeeds.
 */
export async function settleSend(
  { store, clock, log, onBookingChanged }: BookingParts,
  booking: Booking,
  outcome: Settlement,
  { notBeforeMs, refusals }: Next,
): Promise<Booking> {
  const { ref, attempt, clinic } = booking;
  const at = instant(clock.now());
  const not_before = notBeforeMs === undefined ? null : instant(notBeforeMs);
  const made = { ref, attempt, from: ['sending'], actor: 'daemon', by: DAEMON, at } as const;
  const moveTo = (to: Settlement) => store.bookings.move({ ...made, not_before, refusals, ...moveFor(to) });
  let settlement = outcome;

  failpoint('bookings.before_settle');
  let moved: Booking | undefined;
  try {
    moved = await moveTo(settlement);
  } catch (error) {
    // Another booking already has this number, so we cannot use it; the appointment may well exist.
    if (settlement.to !== 'booked' || !(error instanceof Failure) || error.kind !== 'refused') throw error;
    settlement = { ...alreadyLinked, answered_id: settlement.appointment_id };
    moved = await moveTo(settlement);
  }
  failpoint('bookings.after_settle');

  if (moved !== undefined) log.info('booking settled', { clinic, ref, state: moved.state, attempt });
  // No longer `sending`: an earlier try was committed, but its confirmation was lost.
  const settled = moved ?? (await store.bookings.get(ref));
  if (settled === undefined)
    throw new Failure({ kind: 'transient', message: `Booking ${ref} cannot be read.` });
  if (settled.state !== settlement.to)
    log.error('booking was moved by something else while it was sent', { ref, state: settled.state });
  onBookingChanged(settled);
  return settled;
}

const alreadyLinked: Extract<Settlement, { to: 'unknown' }> = {
  to: 'unknown',
  cause: 'accepted_no_id',
  answer: 'an appointment number that another booking already has',
};

/** `refused` undefined: proven. */
const notExecuted = (refused?: number): Evidence =>
  refused === undefined
    ? { answer: 'not executed', absent: true }
    : { answer: `refused (${refused})`, absent: true, refused };

function moveFor(
  settlement: Settlement,
): Pick<BookingMove, 'to' | 'reason' | 'message' | 'appointment_id' | 'evidence'> {
  const { to } = settlement;
  switch (to) {
    case 'booked': {
      const { appointment_id } = settlement;
      return { to, message: bookedMessage, appointment_id, evidence: { answer: 'booked' } };
    }
    case 'rejected': {
      // The client has already redacted patient data.
      const message = settlement.message.trim() || rejectedMessage;
      return { to, message, evidence: notExecuted(settlement.refused) };
    }
    case 'unknown': {
      const { cause, answer, answered_id } = settlement;
      const evidence = { answer, ...(answered_id !== undefined && { answered_id }) };
      return { to, reason: cause, message: unknownMessage(answer || answers[cause]), evidence };
    }
    case 'queued':
      return { to, message: settlement.proof, evidence: notExecuted(settlement.refused) };
    case 'held': {
      const message = heldMessage('invalid_field', [{ message: settlement.words }]);
      return { to, reason: 'invalid_field', message, evidence: notExecuted(settlement.refused) };
    }
  }
}
