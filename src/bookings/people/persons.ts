import { type Booking, type BookingState, submissionFields } from '../../model/booking.ts';
import { type Clock, instant } from '../../model/clock.ts';
import { asFailure, Failure } from '../../model/failure.ts';
import type { Store } from '../../store/store.ts';
import type { Verdict } from '../accepting/check.ts';
import type { Intake } from '../accepting/intake.ts';
import type { Draft } from '../accepting/read-fields.ts';
import { type Comparison, compare, differences, isSame } from '../finding-out/compare.ts';
import { isSettled, settledAtMs } from '../finding-out/counter.ts';
import { raiseFlag } from '../finding-out/mismatch.ts';
import type { StatusReads } from '../finding-out/status-reads.ts';
import { heldMessage, holds, isTask, taskTodo } from '../sentences.ts';
import { createMoves, refuse } from './moves.ts';
import { assertSendable, createRelease, sameAs } from './release.ts';

/** By an edit; a release names every one that is sent or to be sent. */
const NAMED_AT_MOST = 5;
/** What a person says about a booking whose outcome is unknown. */
export type Decision =
  /** It is there, with this number. `confirm`: although the clinic shows something else, or cannot be asked. */
  | { as: 'booked'; appointment_id: number; confirm?: boolean; why?: string | undefined }
  | { as: 'booked-no-id'; why?: string | undefined }
  /** It is not there. `confirm`: although the clinic may still be working on it. */
  | { as: 'not-booked'; send_again: boolean; confirm?: boolean; why?: string | undefined };

export type Resolved =
  | { ok: true; booking: Booking; comparison?: Comparison }
  /** Nothing was changed: the number's appointment differs. Ask again with `confirm`. */
  | { ok: false; comparison: Comparison; differences: string[] };

export type Edit = Partial<Draft>;

interface Persons {
  store: Store;
  reads: ReadonlyMap<string, StatusReads>;
  intake: Intake;
  clock: Clock;
  signal: AbortSignal;
}

/** What people decide. Each is one move with its actor, time and reason; refused ones throw `Failure` and change nothing. */
export interface PersonsActions {
  approve(ref: string, by: string, why?: string): Promise<Booking>;
  edit(ref: string, fields: Edit, by: string): Promise<Booking>;
  resolve(ref: string, decision: Decision, by: string): Promise<Resolved>;
  drop(ref: string, by: string, why?: string): Promise<Booking>;
}

export function createPersons({ store, reads, intake, clock, signal }: Persons): PersonsActions {
  const { decide } = createMoves({ store, clock });
  const { release, twinsOf } = createRelease({ store, clock });

  const get = async (ref: string): Promise<Booking> => {
    const booking = await store.bookings.get(ref);
    if (booking === undefined)
      throw new Failure({ kind: 'refused', status: 404, message: `There is no booking ${ref}.` });
    return booking;
  };

  const linkNumber = async (
    booking: Booking,
    { appointment_id, confirm = false, why }: Extract<Decision, { as: 'booked' }>,
    by: string,
  ): Promise<Resolved> => {
    if (!Number.isSafeInteger(appointment_id) || appointment_id <= 0)
      throw refuse('The appointment number must be a whole number above zero.');
    const owner = await store.bookings.linked(booking.clinic, appointment_id);
    if (owner !== undefined && owner !== booking.ref)
      throw refuse(`Appointment ${appointment_id} already belongs to ${owner}.`, 'Check the number.');
    const { comparison, problem } = await look(booking, appointment_id, confirm);
    const found = comparison === undefined ? [problem] : differences(comparison);
    if (comparison !== undefined && !isSame(comparison) && !confirm)
      return { ok: false, comparison, differences: found };
    if (found.length > 0) await raiseFlag(store, booking.ref);
    const moved = await decide(booking, 'booked', by, {
      reason: null,
      message: because(
        found.length === 0
          ? 'A person gave its number; the clinic shows the same.'
          : 'A person gave its number.',
        why,
      ),
      appointment_id,
      evidence: { verdict: `Linked by a person to appointment ${appointment_id}.`, mismatch: found },
    });
    return comparison === undefined ? { ok: true, booking: moved } : { ok: true, booking: moved, comparison };
  };

  /** What the clinic has under this number. A clinic that cannot be asked is overruled by `confirm` only. */
  const look = async (booking: Booking, id: number, confirm: boolean) => {
    const clinic = reads.get(booking.clinic);
    let problem = 'The number could not be checked at the clinic.';
    try {
      const seen = await clinic?.appointmentStatus(id, signal, 'status');
      if (seen !== undefined) return { comparison: compare(booking, id, seen), problem };
      problem = `The clinic does not know an appointment ${id}.`;
    } catch (error) {
      if (!confirm) throw asFailure(error, 'Asking the clinic about this number');
    }
    if (!confirm)
      throw refuse(problem, 'Check the number, or confirm (--confirm) that it is right all the same.');
    return { comparison: undefined, problem };
  };

  return {
    async approve(ref, by, why) {
      const booking = await get(ref);
      if (booking.state !== 'held' && booking.state !== 'rejected' && booking.state !== 'expired')
        throw refuse(`${ref} is ${booking.state}: there is nothing to approve.`);
      refuseTask(booking);
      const verdict = await intake.checkAgain(booking, booking, 'person');
      if (booking.state === 'held' && isUnreadable(booking))
        throw refuse(
          `${ref} cannot be sent as it is. ${booking.message ?? ''}`.trim(),
          'Correct it first, or drop it.',
        );
      assertSendable(booking, verdict);
      return await release(booking, by, { message: why ?? null, edit: mappedIn(verdict) });
    },

    async edit(ref, fields, by) {
      const booking = await get(ref);
      if (!['received', 'held', 'queued', 'rejected', 'expired'].includes(booking.state))
        throw refuse(`${ref} is ${booking.state}: it cannot be changed any more.`);
      refuseTask(booking);
      const changed = merged(booking, fields);
      const verdict = await intake.checkAgain(changed, booking, 'person');
      const { draft, phone_e164 } = verdict;
      const edit = { ...draft, phone_e164 };
      const twins = (await twinsOf({ ...booking, ...edit })).slice(0, NAMED_AT_MOST).map(({ ref }) => ref);
      const faults = [...verdict.faults];
      // Whatever else is wrong with it: that it may be booked already comes first, until a person approves it.
      if (booking.state === 'held' && booking.reason === 'restored_state')
        faults.unshift({ field: 'booking', message: holds.restored_state.means, reason: 'restored_state' });
      if (twins.length > 0) faults.push(sameAs(twins));
      const reason = faults[0]?.reason ?? keepsWaiting(booking);
      const held = {
        reason,
        message: heldMessage(reason, faults),
        edit: { ...edit, duplicate_of: twins[0] ?? null },
      };
      const ready = faults.length === 0 && !verdict.waits;
      if (!ready || booking.state !== 'queued') return await decide(booking, 'held', by, held);
      // A queued one is taken out of the lane's hands first, so that it is never sent half corrected.
      const taken = await decide(booking, 'held', by, held);
      return await release(taken, by, { message: null });
    },

    async resolve(ref, decision, by) {
      const booking = await get(ref);
      if (decision.as === 'booked') {
        if (booking.state !== 'unknown' && booking.state !== 'booked_no_id')
          throw refuse(`${ref} is ${booking.state}: there is nothing to resolve.`);
        return await linkNumber(booking, decision, by);
      }
      if (booking.state !== 'unknown')
        throw refuse(`${ref} is ${booking.state}: there is nothing to resolve.`);
      if (decision.as === 'booked-no-id') {
        const message = because('A person says that it is there; its number is not known.', decision.why);
        return { ok: true, booking: await decide(booking, 'booked_no_id', by, { reason: null, message }) };
      }
      // "Not there" a minute after the send may become "there" a minute later.
      if (!isSettled(booking, clock.now()) && decision.confirm !== true)
        throw refuse(
          `The clinic may still be working on ${ref}.`,
          `Look again after ${instant(settledAtMs(booking))}, or confirm (--confirm).`,
        );
      if (!decision.send_again) {
        const message = because('A person says that it is not at the clinic.', decision.why);
        const dropped = { reason: null, message, evidence: { absent: true } };
        return { ok: true, booking: await decide(booking, 'dropped', by, dropped) };
      }
      const verdict = await intake.checkAgain(booking, booking, 'person');
      assertSendable(booking, verdict);
      const message = because(
        'A person says that it is not at the clinic, and sends it again.',
        decision.why,
      );
      const again = { message, edit: mappedIn(verdict), evidence: { absent: true } };
      return { ok: true, booking: await release(booking, by, again) };
    },

    async drop(ref, by, why) {
      const booking = await get(ref);
      const allowed: BookingState[] = ['received', 'held', 'queued', 'rejected', 'unknown', 'expired'];
      if (!allowed.includes(booking.state)) throw refuse(`${ref} is ${booking.state}: it cannot be dropped.`);
      return await decide(booking, 'dropped', by, { reason: null, message: why ?? null });
    },
  };
}

/** What was decided, and why in the person's own words. */
const because = (message: string, why: string | undefined): string => (why ? `${message} ${why}` : message);

function refuseTask(booking: Booking): void {
  if (isTask(booking)) throw refuse(`${booking.ref} is a task for a person and is never sent.`, taskTodo);
}

/** The numbers that names stand for, by what is known now. */
const mappedIn = ({ draft: { doctor_id, treatment_id } }: Verdict) => ({ doctor_id, treatment_id });

/** What its connector could not read is not in the fields any more: only a correction clears it. */
const isUnreadable = ({ reason, message }: Booking) =>
  reason === 'invalid_field' || message?.includes(holds.invalid_field.means) === true;

/** A new name asks for a new number, and a number alone leaves the old name behind. */
function merged(booking: Booking, fields: Edit): Draft {
  const draft = Object.fromEntries(
    submissionFields.map((field) => [field, field in fields ? fields[field] : booking[field]]),
  ) as unknown as Draft;
  for (const kind of ['doctor', 'treatment'] as const) {
    if (kind in fields && !(`${kind}_id` in fields)) draft[`${kind}_id`] = null;
    if (`${kind}_id` in fields && !(kind in fields)) draft[kind] = null;
  }
  return draft;
}

/** Corrected, it still waits for what only an approval can settle; without such a reason, for the approval of the correction. */
function keepsWaiting(booking: Booking) {
  const kept = [
    'approval',
    'duplicate_suspect',
    'source_limit',
    'restored_state',
    'outside_hours',
    'too_far',
  ] as const;
  return kept.find((reason) => booking.state === 'held' && reason === booking.reason) ?? 'approval';
}
