import type { AppointmentStatus } from '../../clinic/clinic.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import { fieldWords } from '../../domain/bookings/booking-content.ts';
import { instant } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import { clause } from '../../platform/text/sentences.ts';
import { type Comparison, compare, differences, isSame, leftOut, shows } from '../comparison.ts';
import { stillWorking } from './available-actions.ts';
import { mappedIds, release } from './release.ts';
import {
  allowed,
  because,
  type DecisionContext,
  decide,
  findBooking,
  type Review,
  refuseAction,
} from './transitions.ts';

/** What a user states about a booking whose outcome is unknown. */
export type Decision =
  /** It is at the clinic, with this number. `confirm`: even if the clinic shows something else or cannot be read. */
  | { as: 'booked'; appointment_id: number; confirm?: boolean; why?: string | undefined }
  | { as: 'booked-no-id'; why?: string | undefined }
  /** It is not at the clinic. `confirm`: even if the clinic may still be processing it. */
  | { as: 'not-booked'; send_again: boolean; confirm?: boolean; why?: string | undefined };

export type Resolved =
  | { ok: true; booking: Booking }
  /** Nothing was changed, because the appointment with this number differs. Repeat with `confirm`. */
  | { ok: false; comparison: Comparison; differences: string[] };

export async function resolve(
  review: Review,
  ref: string,
  decision: Decision & DecisionContext,
  by: string,
): Promise<Resolved> {
  switch (decision.as) {
    case 'booked':
      return await linkNumber(review, ref, decision, by);
    case 'booked-no-id': {
      const { booking } = await allowed(review, ref, 'booked_no_id', decision);
      const message = because('A person confirmed that it is there; its number is not known.', decision.why);
      return { ok: true, booking: await decide(review, booking, 'booked_no_id', by, { message }) };
    }
    case 'not-booked':
      return { ok: true, booking: await notThere(review, ref, decision, by) };
  }
}

async function linkNumber(
  review: Review,
  ref: string,
  { appointment_id, confirm = false, why, ...asked }: Extract<Decision, { as: 'booked' }> & DecisionContext,
  by: string,
): Promise<Resolved> {
  const { booking } = await allowed(review, ref, 'booked', asked);
  assertNumber(booking, appointment_id);
  const shown = await lookUp(review, booking, appointment_id, confirm);
  const former = await formerOwner(review, booking, appointment_id, shown);
  const seen = typeof shown === 'string' ? shown : compare(booking, appointment_id, shown);
  const mismatch = typeof seen === 'string' ? [seen] : differences(seen);
  const same = typeof seen !== 'string' && isSame(seen);
  if (typeof seen !== 'string' && !same && !confirm)
    return { ok: false, comparison: seen, differences: [...mismatch, ...leftOutSentence(seen)] };
  const given = same
    ? 'A person entered its number; the clinic shows the same.'
    : 'A person entered its number.';
  const linked = await decide(review, booking, 'booked', by, {
    message: because(given, why),
    appointment_id,
    ...(former !== undefined && { number_from: former.ref }),
    evidence: {
      ...{ verification: 'linked', seen_by: by, mismatch },
      ...(typeof seen !== 'string' && mismatch.length > 0 && { shows: shows(seen) }),
    },
    verified_at: instant(review.clock.now()),
  });
  if (former !== undefined) {
    review.log.warn('an appointment number was given to another booking', { clinic: booking.clinic, ref });
    review.onBookingChanged(await findBooking(review.store, former.ref));
  }
  return { ok: true, booking: linked };
}

/**
 * The booking that has this number so far, if the number is no longer that of its visit: the clinic shows another name
 * than its. Throws if it still is, or if the clinic cannot tell.
 */
async function formerOwner(
  { store }: Review,
  { ref, clinic }: Booking,
  id: number,
  shown: AppointmentStatus | string,
): Promise<Booking | undefined> {
  const owner = await store.bookings.linked(clinic, id);
  if (owner === undefined || owner.ref === ref) return undefined;
  if (typeof shown !== 'string' && compare(owner, id, shown).name_matches === false) return owner;
  throw refuseAction(`Appointment ${id} already belongs to ${owner.ref}.`, 'Check the number.', {
    name: 'number_taken',
    ref: owner.ref,
  });
}

function assertNumber({ ref }: Booking, id: number): void {
  if (Number.isSafeInteger(id) && id > 0) return;
  throw refuseAction('The appointment number must be a whole number above zero.', undefined, {
    name: 'number_unread',
    ref,
  });
}

/** The clinic's appointment with this number, or why it cannot be compared; throws the latter without `confirm`. */
async function lookUp(
  { readsOf, signal }: Review,
  booking: Booking,
  id: number,
  confirm: boolean,
): Promise<AppointmentStatus | string> {
  let problem = 'The number could not be checked at the clinic.';
  try {
    const seen = await readsOf(booking.clinic)?.appointmentStatus(id, signal, 'awaited');
    if (seen !== undefined) return seen;
    problem = `The clinic does not know an appointment ${id}.`;
  } catch (error) {
    if (!confirm) throw asFailure(error, 'Asking the clinic about this number');
  }
  if (confirm) return problem;
  throw refuseAction(problem, 'Check the number, or confirm that it is right anyway.', {
    name: 'number_unknown',
    ref: booking.ref,
  });
}

function leftOutSentence(comparison: Comparison): string[] {
  const fields = leftOut(comparison);
  return fields.length === 0 ? [] : [`The clinic’s record leaves out the ${fieldWords(fields)}.`];
}

async function notThere(
  review: Review,
  ref: string,
  { send_again, confirm, why, seen }: Extract<Decision, { as: 'not-booked' }> & DecisionContext,
  by: string,
): Promise<Booking> {
  // Stating that it is not there needs the same permission as stating that it is.
  const { booking: found, settlesInMs } = await allowed(review, ref, 'booked_no_id', { seen });
  if (settlesInMs > 0 && confirm !== true) {
    const { message, hint = '' } = stillWorking(ref, settlesInMs, 'Look again');
    throw refuseAction(message, `${clause(hint)}, or confirm that it is not there.`, {
      name: 'still_working',
      ref,
    });
  }
  const evidence = { absent: true };
  if (!send_again) {
    const message = because('A person confirmed that it is not at the clinic.', why);
    return await decide(review, found, 'dropped', by, { message, evidence });
  }
  const { booking, verdict } = await allowed(review, ref, 'send_again', { seen });
  const message = because('A person confirmed that it is not at the clinic, and sends it again.', why);
  return await release(review, booking, by, { message, edit: mappedIds(verdict), evidence });
}
