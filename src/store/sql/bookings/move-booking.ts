import { type Booking, mayMove } from '../../../domain/booking.ts';
import type { Instant } from '../../../platform/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import type { BookingMove } from '../../ports/bookings.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import type { Trx } from '../database.ts';
import { trackAppointment } from '../mirror/appointments.ts';
import { countBooking } from './booking-counts.ts';
import { findBooking, jsonColumns } from './booking-rows.ts';
import { bookingChange, type logSteps } from './booking-steps.ts';
import { othersAtSlot } from './same-slot.ts';

interface MoveOptions {
  logChanges: LogChanges;
  logSteps: ReturnType<typeof logSteps>;
}

export type Step = Omit<BookingMove, 'ref' | 'from' | 'attempt'> & { attempt?: number };

export function moveBooking({ logChanges, logSteps }: MoveOptions) {
  /** Takes a booking from where it is to `to`, whatever the table of moves says: only for callers that know. */
  const step = async (trx: Trx, before: Booking, move: Step): Promise<Booking> => {
    const after: Booking = {
      ...before,
      ...move.edit,
      state: move.to,
      reason: move.reason ?? null,
      message: move.message ?? null,
      not_before: move.to === 'queued' ? (move.not_before ?? null) : null,
      sending_since: sendingSince(before, move),
      attempt: move.attempt ?? before.attempt,
      refusals: move.refusals ?? before.refusals,
      verified_at: move.verified_at ?? before.verified_at,
      acknowledged_duplicates: [...(move.acknowledged_duplicates ?? before.acknowledged_duplicates)],
      evidence: move.to === 'sending' ? (move.evidence ?? null) : merged(before.evidence, move.evidence),
      appointment_id: move.appointment_id ?? before.appointment_id,
      changed_at: move.at,
    };
    const { ref, ...values } = after;
    await trx
      .updateTable('bookings')
      .set({ ...values, ...bookedAt(before, move), ...jsonColumns(after) })
      .where('ref', '=', ref)
      .execute();
    await countBooking(trx, after, before.state);
    await logSteps(trx, [{ from: before.state, after, actor: move.actor, by: move.by }]);
    const changes = bookingChange(before, after);
    if (move.to === 'booked' && after.appointment_id !== null) {
      const facts = { ref, date: after.appointment_date, time: after.appointment_time };
      const tracked = await trackAppointment(trx, after.clinic, after.appointment_id, move.at, facts);
      if (tracked !== undefined) changes.push(tracked);
    }
    await logChanges(trx, after.clinic, move.at, changes);
    return after;
  };

  const move = async (
    trx: Trx,
    { ref, from, as_of, ...wanted }: BookingMove,
  ): Promise<Booking | undefined> => {
    const before = await findBooking(trx, ref);
    if (as_of !== undefined && before?.changed_at !== as_of) return undefined;
    if (before === undefined || !from.includes(before.state) || before.attempt !== wanted.attempt)
      return undefined;
    if (wanted.to === 'sending' || !mayMove(before.state, wanted.to, wanted.actor))
      throw new Failure({
        kind: 'refused',
        message: `Booking ${ref} is ${before.state}: a ${wanted.actor} may not make it ${wanted.to}.`,
      });
    const { beside } = wanted;
    const here = { ...before, ...wanted.edit };
    const named = [...(beside ?? []), ...(wanted.instead_of === undefined ? [] : [wanted.instead_of.ref])];
    if (beside !== undefined && (await othersAtSlot(trx, here, named)).length > 0) return undefined;
    const replaced = await replacedBy(trx, wanted.instead_of);
    if (replaced === 'moved') return undefined;
    if (wanted.to === 'booked') await assertFree(trx, before, wanted.appointment_id);
    else if (wanted.appointment_id !== undefined)
      throw new Failure({ kind: 'refused', message: `Only a booked booking has an appointment (${ref}).` });
    if (replaced !== undefined) {
      const { actor, by, at } = wanted;
      await step(trx, replaced, { to: 'dropped', actor, by, at, message: `${ref} is taken instead.` });
    }
    return step(trx, before, wanted);
  };

  return { step, move };
}

/** The one that is to be dropped for another; `moved` when it is not where the caller believes it to be. */
async function replacedBy(
  trx: Trx,
  instead: BookingMove['instead_of'],
): Promise<Booking | 'moved' | undefined> {
  if (instead === undefined) return undefined;
  const replaced = await findBooking(trx, instead.ref);
  if (replaced === undefined || !instead.from.includes(replaced.state)) return 'moved';
  // It may have been sent before the copy that brought it back was put in place.
  if (replaced.reason === 'restored_state') return 'moved';
  return mayMove(replaced.state, 'dropped', 'person') ? replaced : 'moved';
}

/** Two bookings linked to one appointment would hide that the other was never made. */
async function assertFree(
  trx: Trx,
  { ref, clinic }: Booking,
  appointmentId: number | undefined,
): Promise<void> {
  if (appointmentId === undefined || !Number.isSafeInteger(appointmentId) || appointmentId <= 0)
    throw new Failure({
      kind: 'refused',
      message: `Booking ${ref} cannot be booked without an appointment's number.`,
    });
  const other = await trx
    .selectFrom('bookings')
    .select('ref')
    .where('clinic', '=', clinic)
    .where('appointment_id', '=', appointmentId)
    .where('ref', '!=', ref)
    .executeTakeFirst();
  if (other === undefined) return;
  throw new Failure({
    kind: 'refused',
    message: `Appointment ${appointmentId} already belongs to booking ${other.ref}.`,
    hint: 'Look the appointment up at the clinic: its note starts with the reference of its booking.',
  });
}

/**
 * When it was made at the clinic, as far as we know. One that is linked later was made when it was sent: counted to the
 * time of the linking it would explain away another one's appointment, and a person would send that one again.
 */
function bookedAt(before: Booking, { to, at }: Step): { booked_at?: Instant } {
  if (to !== 'booked' && to !== 'booked_no_id') return {};
  if (before.state === 'booked_no_id') return {};
  return { booked_at: before.state === 'unknown' ? (before.sending_since ?? at) : at };
}

/** Kept while the outcome is unknown: it is when the request may have been sent. */
function sendingSince(before: Booking, { to, at }: Step): Instant | null {
  if (to === 'sending') return at;
  return to === 'unknown' ? before.sending_since : null;
}

const merged = (before: Booking['evidence'], added: Booking['evidence'] | undefined) =>
  added === undefined ? before : { ...before, ...added };
