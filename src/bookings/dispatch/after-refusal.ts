import type { Booking, Evidence } from '../../domain/bookings/booking.ts';
import { instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { moveAsDaemon } from '../booking-parts.ts';
import { compare, mayBeSame } from '../comparison.ts';
import { answers, unknownMessage } from '../messages.ts';
import { failed, refusedRead, upward } from '../unattended.ts';
import { readAppointment } from './clinic-reading.ts';
import type { CounterReading, Dispatch } from './dispatch.ts';
import { applyEffect } from './stored-state.ts';

/** What a comparison found; undefined: nothing that may be the booking. */
type Found = Pick<Evidence, 'probed_ids' | 'matching_ids'> | undefined;

/**
 * Servers and proxies exist that commit a booking and then refuse it. So before a refused one is sent again, the
 * clinic's number of appointments is compared with that before the refusal. If it rose by more than our own bookings,
 * the appointments since are read: one that may be this booking, or too many to read, makes its outcome unknown. False
 * when it must not be sent now.
 */
export async function maySendAgain(
  d: Dispatch,
  booking: Booking,
  now: CounterReading,
  signal: AbortSignal,
): Promise<boolean> {
  const { ref, attempt, evidence } = booking;
  if (evidence?.refused == null) return true;
  const own_between = await ownSince(d, evidence, now);
  const risen = risenBy(evidence, now, own_between);
  if (risen !== undefined && risen <= 0) return true;
  const found = await look(d, booking, { mayBeThere: risen !== undefined }, signal);
  if (found === failed) return false;
  d.failedLooks = 0;
  if (found === undefined) {
    // The next try has a fresh reading to be sent with, and nothing left to compare.
    await d.store.bookings.note({ ref, attempt, evidence: { refused: null } });
    return false;
  }
  failpoint('bookings.found_after_refusal');
  const counter_after = { value: now.value, at: now.at };
  const moved = await moveAsDaemon(d, booking, {
    ...{ to: 'unknown', reason: 'refused_but_there', message: unknownMessage(answers.refused_but_there) },
    evidence: { ...found, absent: false, answer: answers.refused_but_there, counter_after, own_between },
  });
  await applyEffect(d, { kind: 'unknown' }, moved);
  return false;
}

const ownSince = ({ store, key }: Dispatch, { counter_before, sent_at }: Evidence, now: CounterReading) =>
  store.bookings.confirmedBetween(key, counter_before?.at ?? sent_at ?? instant(0), now.at);

/** How many appointments are not ours since; undefined if the clinic does not say. */
function risenBy({ counter_before }: Evidence, { value }: CounterReading, own: number): number | undefined {
  if (counter_before?.value == null || value === null) return undefined;
  return value - counter_before.value - own;
}

/**
 * Reads the appointments above our highest number before the refusal, except our own. Without such a number, what is
 * known to have risen cannot be searched.
 */
async function look(
  d: Dispatch,
  booking: Booking,
  { mayBeThere }: { mayBeThere: boolean },
  signal: AbortSignal,
): Promise<Found | typeof failed> {
  const highest = booking.evidence?.highest_own_id;
  if (highest === undefined) return mayBeThere ? { probed_ids: [] } : undefined;
  const own = new Set(await d.store.bookings.ownIdsBetween(d.key, highest, null, OWN_AT_MOST));
  const probed_ids: number[] = [];
  const numbers = upward(highest);
  let next = numbers.next();
  while (!next.done) {
    const id = next.value;
    if (own.has(id)) {
      next = numbers.next(true);
      continue;
    }
    const seen = await readAppointment(d, id, signal);
    if (seen === failed) return failed;
    if (seen === refusedRead) return { probed_ids };
    probed_ids.push(id);
    if (seen !== undefined && mayBeSame(compare(booking, id, seen)))
      return { probed_ids, matching_ids: [id] };
    next = numbers.next(seen !== undefined);
  }
  return next.value ? undefined : { probed_ids };
}

/** More than are ever read. */
const OWN_AT_MOST = 1_000;
