import type { Booking } from '../../domain/booking.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { BookingMove } from '../../store/ports/bookings.ts';
import type { Store } from '../../store/store.ts';
import { answers, bookedMessage, heldMessage, rejectedMessage, unknownMessage } from '../messages.ts';
import type { Settlement } from './outcome.ts';

const DAEMON = 'clinic-sync';

interface Settle {
  store: Store;
  clock: Clock;
  log: Log;
  booking: Booking;
  settlement: Settlement;
  /** Earliest next send, for `queued`. */
  notBeforeMs?: number;
  /** How often in a row the clinic has now refused it unseen. */
  refusals?: number;
}

/**
 * Writes down what became of a send; resolves to the booking as it is then. Throws `Failure` transient when the store
 * cannot be written: the caller keeps the settlement and tries again, and must not send anything before that.
 */
export async function settleSend(send: Settle): Promise<Booking> {
  const { store, clock, log, booking } = send;
  const { ref } = booking;
  const at = instant(clock.now());
  let settlement = send.settlement;

  failpoint('bookings.before_settle');
  let moved: Booking | undefined;
  try {
    moved = await store.bookings.move({
      ...moveFor(booking, settlement, at, send.notBeforeMs),
      refusals: send.refusals ?? 0,
    });
  } catch (error) {
    // Linked to another booking: the clinic's number is not usable, and the appointment may well exist.
    const taken = settlement.to === 'booked' && error instanceof Failure && error.kind === 'refused';
    if (!taken) throw error;
    settlement = alreadyLinked;
    moved = await store.bookings.move(moveFor(booking, settlement, at));
  }
  failpoint('bookings.after_settle');

  if (moved !== undefined) {
    log.info('booking settled', {
      clinic: booking.clinic,
      ref,
      state: moved.state,
      attempt: booking.attempt,
    });
    return moved;
  }
  // Not `sending` any more: an earlier try of ours was committed although its answer was lost.
  const now = await store.bookings.get(ref);
  if (now === undefined) throw new Failure({ kind: 'transient', message: `Booking ${ref} cannot be read.` });
  if (now.state !== settlement.to)
    log.error('booking was moved by something else while it was sent', { ref, state: now.state });
  return now;
}

const alreadyLinked: Settlement = {
  to: 'unknown',
  cause: 'accepted_no_id',
  answer: 'an appointment number that another booking already has',
};

function moveFor(booking: Booking, settlement: Settlement, at: string, notBeforeMs?: number): BookingMove {
  const { ref, attempt } = booking;
  const base = { ref, attempt, from: ['sending'], actor: 'daemon', by: DAEMON, at } as const;
  switch (settlement.to) {
    case 'booked':
      return {
        ...base,
        to: 'booked',
        reason: null,
        message: bookedMessage,
        appointment_id: settlement.appointment_id,
        evidence: { answer: 'booked' },
      };
    case 'rejected':
      return {
        ...base,
        to: 'rejected',
        reason: null,
        // The client has taken the patient out of the clinic's words.
        message: settlement.message.trim() || rejectedMessage,
        evidence: { answer: 'refused', absent: true },
      };
    case 'unknown':
      return {
        ...base,
        to: 'unknown',
        reason: settlement.cause,
        message: unknownMessage(settlement.answer || answers[settlement.cause]),
        evidence: { answer: settlement.answer },
      };
    case 'queued':
      return {
        ...base,
        to: 'queued',
        reason: null,
        message: settlement.proof,
        not_before: notBeforeMs === undefined ? null : instant(notBeforeMs),
        evidence: { answer: 'not executed', absent: true },
      };
    case 'held':
      return {
        ...base,
        to: 'held',
        reason: 'invalid_field',
        message: heldMessage('invalid_field', [{ message: settlement.words }]),
        evidence: { answer: 'not executed', absent: true },
      };
  }
}
