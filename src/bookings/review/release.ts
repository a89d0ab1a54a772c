import type { Booking, Evidence } from '../../domain/bookings/booking.ts';
import { instant, toMs } from '../../platform/clock.ts';
import { askedAbout, doubtAbout, readDoubt } from '../doubt.ts';
import type { IntakeVerdict } from '../intake/check.ts';
import { duplicateFaults, suspectedBeside } from '../same-slot.ts';
import { attemptMove, changedSince, type Decided, decide, type Review, refuseAction } from './transitions.ts';

/**
 * No one compares two bookings this quickly, but the second click of a double click comes sooner, and so may a second
 * user who was shown nothing.
 */
const DOUBLE_CLICK_MS = 3_000;

/** Other bookings that may be the same wish and are or may become an appointment. */
export const twinsOf = async ({ store }: Review, booking: Booking) =>
  (await store.bookings.resembling(booking)).filter(({ ref }) => ref !== booking.ref);

/**
 * Queues the booking, or holds it with what the user has to see first; a second call then releases it. Held if the
 * database may have forgotten a send (the second call states that it is not at the clinic), or if another booking has
 * its phone and slot; an `unknown` booking is not held: the call is refused. Other held bookings do not count, since
 * they list this one or wait for a user too. The store checks for others within the move, because two may be released
 * at once.
 */
export async function release(review: Review, booking: Booking, by: string, more: Decided): Promise<Booking> {
  const { store, clock } = review;
  const shown_at = instant(clock.now());
  const isDoubleClick = wasJustShown(booking, clock.now());
  const kept = await readDoubt(store, booking.clinic);
  const doubt = doubtAbout(booking, kept, shown_at);
  if (doubt !== undefined) {
    const asked = askedAbout(doubt);
    return await decide(review, booking, 'held', by, {
      ...(more.edit && { edit: more.edit }),
      ...asked,
      evidence: { ...asked.evidence, shown_at },
    });
  }
  if (isDoubleClick && booking.reason === 'restored_state') return booking;
  const beside = isDoubleClick ? [] : booking.acknowledged_duplicates;
  const evidence = { ...more.evidence, ...(kept && { doubted_at: kept.at }) };
  const queued = { reason: null, not_before: null, refusals: 0, ...more, evidence, beside };
  const moved = await attemptMove(review, booking, 'queued', by, queued);
  if (moved !== undefined) return moved;
  const twins = (await twinsOf(review, booking)).filter(({ state }) => state !== 'held');
  const others = twins.map(({ ref }) => ref);
  const unseen = others.find((ref) => !beside.includes(ref));
  if (unseen === undefined) throw await changedSince(review, booking);
  const shown = { evidence: { shown_at }, acknowledged_duplicates: others };
  if (booking.state === 'unknown') {
    const { ref, attempt } = booking;
    await store.bookings.note({ ref, attempt, ...shown });
    const [fault] = duplicateFaults(twins);
    throw refuseAction(fault?.message ?? '', 'Compare both. If it is a different patient, do it again.', {
      name: 'same_slot',
      ref,
    });
  }
  return await decide(review, booking, 'held', by, {
    ...suspectedBeside(twins, others, unseen),
    ...shown,
  });
}

/** Another process may have shown it, by a clock slightly ahead; a clock set back further asks once less. */
const wasJustShown = ({ evidence }: Booking, nowMs: number): boolean =>
  evidence?.shown_at !== undefined && Math.abs(nowMs - toMs(evidence.shown_at)) < DOUBLE_CLICK_MS;

/** Releasing a booking of an older copy states that it is not at the clinic. */
export const absentIfRestored = ({ evidence }: Booking): Evidence =>
  evidence?.restored === true ? { absent: true } : {};

/** The clinic's numbers for the given names, as known now. */
export const mappedIds = ({ draft: { doctor_id, treatment_id } }: IntakeVerdict) => ({
  doctor_id,
  treatment_id,
});
