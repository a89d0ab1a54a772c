import type { Booking, Evidence } from '../../../domain/bookings/booking.ts';
import type { Instant } from '../../../platform/clock.ts';
import { fold } from '../../../platform/text/fold.ts';
import type { Observation } from '../../ports/appointments.ts';
import type { Trx } from '../database.ts';
import type { Stored } from '../schema.ts';
import { jsonColumns, selectBooking } from './booking-rows.ts';

type Row = Stored<'appointments'>;

/** What a user is asked, when a number no longer leads to the visit that was booked. */
interface Question {
  verification: 'missing' | 'someone_else' | 'number_moved';
  sentence: string;
  shows: NonNullable<Evidence['shows']>;
}

/**
 * Whether the clinic has another patient under the number of a booking. Then a user is asked and the answer must not be
 * stored. A name that a user has accepted once becomes the visit's name.
 */
export async function isSomeoneElse(trx: Trx, before: Row, { seen, at }: Observation): Promise<boolean> {
  const booking = before.ref === null ? undefined : await selectBooking(trx, before.ref);
  if (booking === undefined || seen === null) return false;
  const isOurs = [booking.patient_name, before.name].some((name) => isSameName(name, seen.name));
  const { verification, mismatch = [], shows } = booking.evidence ?? {};
  const doubtsName = shows?.name_matches === false;
  if (isOurs || booking.patient_name === null) {
    if (verification === 'someone_else') await withdraw(trx, booking);
    return false;
  }
  if (doubtsName && (verification === 'acknowledged' || verification === 'linked')) {
    await write(trx, booking, { shows: { ...shows, name_matches: null } });
    return false;
  }
  // The first comparison asks by itself.
  if (booking.verified_at === null || (doubtsName && mismatch.length > 0)) return true;
  await ask(trx, booking, at, {
    verification: 'someone_else',
    sentence: `The clinic has another patient under appointment ${before.appointment_id}.`,
    shows: { date: null, time: null, name_matches: false },
  });
  return true;
}

/** A name that the clinic leaves out tells nothing. */
const isSameName = (ours: string | null, seen: string | null) =>
  seen === null || (ours !== null && fold(ours) === fold(seen));

/** Asks about a visit that the clinic no longer has, unless it had ended before; withdrawn when it is read again. */
export async function noteMissing(trx: Trx, before: Row, { seen, at, missed }: Observation): Promise<void> {
  const isBack = seen !== null && before.removed_at !== null;
  const isGone = missed?.missing === true && before.removed_at === null;
  if (before.ref === null || !(isBack || isGone)) return;
  const booking = await selectBooking(trx, before.ref);
  if (booking === undefined) return;
  if (isBack) {
    await setLost(trx, booking, null);
    if (booking.evidence?.verification === 'missing') await withdraw(trx, booking);
    return;
  }
  await setLost(trx, booking, at);
  if (before.done === 1) return;
  await ask(trx, booking, at, {
    verification: 'missing',
    sentence: `The clinic no longer knows appointment ${before.appointment_id}.`,
    shows: { date: before.date, time: before.time?.slice(0, 5) ?? null, name_matches: null },
  });
}

export const setLost = (trx: Trx, { ref }: Pick<Booking, 'ref'>, lost_at: Instant | null) =>
  trx.updateTable('bookings').set({ lost_at }).where('ref', '=', ref).execute();

async function ask(
  trx: Trx,
  booking: Booking,
  at: Instant,
  { verification, sentence, shows }: Question,
): Promise<void> {
  const { verification: now = 'matches', mismatch = [], shows: shown, before_asked } = booking.evidence ?? {};
  const former = isAsked(now)
    ? (before_asked ?? {})
    : { verification: now, mismatch, ...(shown !== undefined && { shows: shown }) };
  const question = { verification, mismatch: [sentence], shows, asked_at: at };
  await write(trx, booking, { ...question, before_asked: former });
}

const isAsked = (verification: Evidence['verification']) =>
  verification === 'missing' || verification === 'someone_else';

/** Leaves what was asked before, if anything. */
async function withdraw(trx: Trx, booking: Booking): Promise<void> {
  const {
    asked_at: _at,
    before_asked,
    verification: _now,
    mismatch: _asked,
    shows: _shown,
    ...facts
  } = booking.evidence ?? {};
  const { verification = 'matches', mismatch = [], shows } = before_asked ?? {};
  const before = { verification, mismatch, ...(shows !== undefined && { shows }) };
  await write(trx, { ...booking, evidence: facts }, before);
}

const write = (trx: Trx, booking: Booking, evidence: Evidence) =>
  trx
    .updateTable('bookings')
    .set(jsonColumns({ ...booking, evidence: { ...booking.evidence, ...evidence } }))
    .where('ref', '=', booking.ref)
    .execute();
