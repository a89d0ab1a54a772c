import {
  type Booking,
  type Evidence,
  mayMove,
  noClinic,
  restoredMeans,
} from '../../../domain/bookings/booking.ts';
import { seenOf } from '../../../domain/bookings/booking-seen.ts';
import type { Instant } from '../../../platform/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { sentences } from '../../../platform/text/sentences.ts';
import type { BookingMove, BookingVerbs } from '../../ports/bookings.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import type { Trx } from '../database.ts';
import { jsonColumns, type StoredBookingRow, selectBooking, toBooking } from './booking-rows.ts';
import { writeSteps } from './booking-steps.ts';
import { renewTerms } from './booking-terms.ts';
import { setLost } from './lost-visits.ts';
import { othersResembling } from './resembling.ts';
import { forgetVisit, trackAppointment } from './tracked-visit.ts';
import { forgetUndo, keepUndo, undone } from './undo.ts';

type Step = Omit<BookingMove, 'ref' | 'from' | 'attempt' | 'as_of' | 'seen' | 'undo'> & {
  attempt?: number;
};

export type StepBooking = (trx: Trx, before: Booking, step: Step) => Promise<Booking>;

interface Put extends Pick<Step, 'actor' | 'by'> {
  /** Columns that are not part of a booking. */
  more?: { booked_at?: Instant };
}

export function moveBooking(logChanges: LogChanges) {
  /** Moves a booking without checking the legal moves, for callers that have. */
  const step: StepBooking = (trx, before, move) =>
    put(trx, before, bookingAfter(before, move), { ...move, more: bookedAt(before, move) });

  const put = async (trx: Trx, before: Booking, after: Booking, { actor, by, more }: Put) => {
    const { ref, ...values } = after;
    await trx
      .updateTable('bookings')
      .set({ ...values, ...more, ...jsonColumns(after) })
      .where('ref', '=', ref)
      .execute();
    await renewTerms(trx, before, after);
    const changes = await trackBooked(trx, after);
    await writeSteps(trx, logChanges, [{ before, after: [after], actor, by, changes }]);
    return after;
  };

  /** Drops the booking that this one replaces; false if it can no longer be replaced. */
  const replace = async (trx: Trx, { ref, instead_of, actor, by, at }: BookingMove): Promise<boolean> => {
    if (instead_of === undefined) return true;
    const replaced = await selectBooking(trx, instead_of.ref);
    if (replaced === undefined || !mayBeReplaced(replaced, instead_of)) return false;
    await step(trx, replaced, { to: 'dropped', actor, by, at, message: `${ref} is taken instead.` });
    return true;
  };

  const move = async (trx: Trx, wanted: BookingMove): Promise<Booking | undefined> => {
    const before = await selectBooking(trx, wanted.ref);
    if (before === undefined || !isAsBelieved(before, wanted)) return undefined;
    assertLegal(before, wanted);
    if (await isBesideAnother(trx, before, wanted)) return undefined;
    if (wanted.to === 'booked') await assertFree(trx, before, wanted);
    if (!(await replace(trx, wanted))) return undefined;
    await takeNumber(trx, wanted);
    await leaveNumber(trx, before);
    const after = await step(trx, before, wanted);
    if (wanted.undo !== undefined) await keepUndo(trx, after, wanted.undo);
    if (wanted.to === 'queued' && wanted.actor === 'person') await noteReleasedBeside(trx, after);
    return after;
  };

  /** The booking that has the number so far is asked about: its visit is not there any more. */
  const takeNumber = async (trx: Trx, { ref, number_from, actor, by, at }: BookingMove) => {
    const former = number_from === undefined ? undefined : await selectBooking(trx, number_from);
    if (former === undefined) return;
    await forgetVisit(trx, former);
    const evidence: Evidence = {
      ...{ verification: 'number_moved', asked_at: at },
      mismatch: [`Appointment ${former.appointment_id} now belongs to ${ref}.`],
    };
    await step(
      trx,
      { ...former, appointment_id: null },
      { ...{ to: 'booked_no_id', actor, by, at, message: `Its number was given to ${ref}.` }, evidence },
    );
    await setLost(trx, former, at);
  };

  /** A booked one gets another number. */
  const leaveNumber = async (trx: Trx, before: Booking) => {
    if (before.appointment_id === null) return;
    await forgetVisit(trx, before);
    await setLost(trx, before, null);
  };

  const undo = async (trx: Trx, wanted: Parameters<BookingVerbs['undo']>[0]) => {
    const found = await undone(trx, wanted);
    if (found === undefined) return undefined;
    const { now, back } = found;
    assertLegal(now, { to: back.state, actor: 'person', by: wanted.by, at: wanted.at });
    await forgetUndo(trx, wanted.ref);
    return await put(trx, now, back, { actor: 'person', by: wanted.by });
  };

  /**
   * Holds what may have been sent since an older copy was made. Includes bookings that waited for a user, who may
   * have released them since and would do so again.
   */
  const holdWaiting = async (trx: Trx, at: Instant): Promise<number> => {
    const rows = await trx
      .selectFrom('bookings')
      .selectAll()
      .where('state', 'in', ['received', 'queued', 'held'])
      .execute();
    const waiting = rows.map(toBooking).filter(({ reason }) => reason !== 'restored_state');
    for (const booking of waiting)
      await step(trx, booking, {
        to: 'held',
        actor: 'daemon',
        by: 'clinic-sync',
        at,
        reason: 'restored_state',
        message: sentences(booking.state === 'held' && booking.message, restoredMeans),
        evidence: { restored: true, absent: false },
      });
    return waiting.length;
  };

  return { step, move, undo, holdWaiting };
}

function bookingAfter(before: Booking, move: Step): Booking {
  const { to, at, edit, reason = null, message = null, not_before = null } = move;
  const { attempt, refusals, verified_at, appointment_id, acknowledged_duplicates } = { ...before, ...move };
  return {
    ...before,
    ...edit,
    state: to,
    reason,
    message,
    not_before: to === 'queued' ? not_before : null,
    sending_since: sendingSince(before, move),
    attempt,
    refusals,
    verified_at,
    acknowledged_duplicates: [...acknowledged_duplicates],
    evidence: to === 'sending' ? (move.evidence ?? null) : merged(before.evidence, move.evidence),
    appointment_id,
    changed_at: at,
  };
}

const isAsBelieved = (before: Booking, { from, attempt, as_of, seen }: BookingMove): boolean =>
  from.includes(before.state) &&
  before.attempt === attempt &&
  (as_of === undefined || before.changed_at === as_of) &&
  (seen === undefined || seenOf(before) === seen) &&
  !isGone(before);

/** Dropped, and its person erased since: that changes neither state nor time. */
const isGone = ({ state, patient_name, patient_phone }: Booking): boolean =>
  state === 'dropped' && patient_name === null && patient_phone === null;

async function isBesideAnother(trx: Trx, before: Booking, { beside, edit, instead_of }: BookingMove) {
  if (beside === undefined) return false;
  const named = [...beside, ...(instead_of === undefined ? [] : [instead_of.ref])];
  return (await othersResembling(trx, { ...before, ...edit }, named)).length > 0;
}

/** Tracks a booked appointment from the same transaction on, unless its person was erased: its status has the name. */
async function trackBooked(trx: Trx, { state, clinic, appointment_id, ...booking }: Booking) {
  if (state !== 'booked' || appointment_id === null || booking.patient_name === null) return [];
  const facts = { ref: booking.ref, date: booking.appointment_date, time: booking.appointment_time };
  const tracked = await trackAppointment(trx, clinic, appointment_id, booking.changed_at, facts);
  return tracked === undefined ? [] : [tracked];
}

function assertLegal({ ref, state, clinic }: Booking, { to, actor, appointment_id, edit }: Step): void {
  const isMeant = edit?.clinic === undefined || (clinic === noClinic && state === 'held' && to === 'held');
  if (!isMeant) throw refused(`Booking ${ref} stays with its clinic, ${clinic}.`);
  if (to === 'sending' || !mayMove(state, to, actor))
    throw refused(`Booking ${ref} is ${state}: a ${actor} may not make it ${to}.`);
  if (to !== 'booked' && appointment_id !== undefined)
    throw refused(`Only a booked booking has an appointment (${ref}).`);
}

/** Requires an expected state. A restored booking may have been sent before the copy was put in place. */
const mayBeReplaced = (
  { state, reason }: Booking,
  { from }: NonNullable<BookingMove['instead_of']>,
): boolean => from.includes(state) && reason !== 'restored_state' && mayMove(state, 'dropped', 'person');

/** Two bookings linked to one appointment would hide that the other was never made. */
async function assertFree(
  trx: Trx,
  { ref, clinic }: Booking,
  { appointment_id: id, number_from }: BookingMove,
): Promise<void> {
  if (id === undefined || !Number.isSafeInteger(id) || id <= 0)
    throw refused(`Booking ${ref} cannot be booked without an appointment's number.`);
  const other = await trx
    .selectFrom('bookings')
    .select('ref')
    .where('clinic', '=', clinic)
    .where('appointment_id', '=', id)
    .where('ref', '!=', ref)
    .executeTakeFirst();
  if (other !== undefined && other.ref !== number_from)
    throw refused(
      `Appointment ${id} already belongs to booking ${other.ref}.`,
      'Look the appointment up at the clinic: its note starts with the reference of its booking.',
    );
}

const refused = (message: string, hint?: string) =>
  new Failure({ kind: 'refused', message, ...(hint !== undefined && { hint }) });

/**
 * When the appointment was made at the clinic, as far as we know. One linked later was made when it was sent: using the
 * link time would attribute another appointment to us, and a user would send that one again.
 */
function bookedAt(before: Booking, { to, at }: Step): { booked_at?: Instant } {
  if (to !== 'booked' && to !== 'booked_no_id') return {};
  if (before.state === 'booked_no_id' || before.state === 'booked') return {};
  return { booked_at: before.state === 'unknown' ? (before.sending_since ?? at) : at };
}

/** Kept while the outcome is unknown, because the request may have been sent then. */
function sendingSince(before: Booking, { to, at }: Step): Instant | null {
  if (to === 'sending') return at;
  return to === 'unknown' ? (before.sending_since ?? before.evidence?.sent_at ?? null) : null;
}

const merged = (before: Booking['evidence'], added: Booking['evidence'] | undefined) =>
  added === undefined ? before : { ...before, ...added };

/**
 * Notes a release on what waits of the same submission, in the same transaction: a decision made on a page that does
 * not show it is refused.
 */
async function noteReleasedBeside(trx: Trx, released: Booking): Promise<void> {
  const { ref, clinic, source, submission_id, changed_at } = released;
  if (submission_id === null) return;
  const waiting: StoredBookingRow[] = await trx
    .selectFrom('bookings')
    .selectAll()
    .where('source', '=', source)
    .where('submission_id', '=', submission_id)
    .where('clinic', '=', clinic)
    .where('state', '=', 'held')
    .where('ref', '<>', ref)
    .execute();
  for (const booking of waiting.map(toBooking)) {
    const evidence = { ...booking.evidence, released_beside: changed_at };
    await trx
      .updateTable('bookings')
      .set({ evidence: jsonColumns({ ...booking, evidence }).evidence })
      .where('ref', '=', booking.ref)
      .execute();
  }
}
