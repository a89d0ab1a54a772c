import { type Booking, type Evidence, type SubmissionField, submissionFields } from '../../domain/booking.ts';
import type { ActionName } from '../../domain/booking-actions.ts';
import { fieldWords } from '../../domain/booking-content.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { clause } from '../../platform/sentences.ts';
import type { Store } from '../../store/store.ts';
import { type Comparison, compare, differences, isSame, leftOut } from '../comparison.ts';
import { blocking, type Verdict } from '../intake/check.ts';
import type { Intake } from '../intake/intake.ts';
import type { Draft, Fault } from '../intake/read-fields.ts';
import { heldMessage, holds } from '../messages.ts';
import type { StatusReads } from '../status-reads.ts';
import { type Circumstances, refusal, stillWorking, unsent } from './available-actions.ts';
import { createRelease, sameAs } from './release.ts';
import { createMoves, movedMeanwhile, refuse } from './transitions.ts';

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

interface DecisionsOptions {
  store: Store;
  readsOf: (clinic: string) => StatusReads | undefined;
  intake: Intake;
  clock: Clock;
  /** What is known around a booking now; the verdict is that of a person's decision. */
  circumstances: (booking: Booking) => Promise<Circumstances & { verdict: Verdict }>;
  signal: AbortSignal;
}

/** What people decide. Each is one move with its actor, time and reason; refused ones throw `Failure` and change nothing. */
export interface Decisions {
  approve(ref: string, by: string, why?: string): Promise<Booking>;
  /** A changed submission in place of the first, which was not sent yet and is dropped in the same step. */
  take(ref: string, by: string, why?: string): Promise<Booking>;
  edit(ref: string, fields: Edit, by: string): Promise<Booking>;
  resolve(ref: string, decision: Decision, by: string): Promise<Resolved>;
  drop(ref: string, by: string, why?: string): Promise<Booking>;
}

export function createDecisions({
  store,
  readsOf,
  intake,
  clock,
  circumstances,
  signal,
}: DecisionsOptions): Decisions {
  const { attempt, decide } = createMoves({ store, clock });
  const { release, twinsOf } = createRelease({ store, clock });

  const get = async (ref: string): Promise<Booking> => {
    const booking = await store.bookings.get(ref);
    if (booking === undefined)
      throw new Failure({ kind: 'refused', status: 404, message: `There is no booking ${ref}.` });
    return booking;
  };

  /** The booking, with what is known around it; throws when the action is not available. */
  const allowed = async (ref: string, action: ActionName) => {
    const booking = await get(ref);
    const around = await circumstances(booking);
    const refused = refusal(booking, action, around);
    if (refused !== undefined) throw refuse(refused.message, refused.hint);
    return { booking, ...around };
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
    const same = comparison !== undefined && isSame(comparison);
    if (comparison !== undefined && !same && !confirm) {
      const missing = leftOut(comparison);
      const unsaid =
        missing.length === 0 ? [] : [`The clinic’s record leaves out the ${fieldWords(missing)}.`];
      return { ok: false, comparison, differences: [...found, ...unsaid] };
    }
    const moved = await decide(booking, 'booked', by, {
      reason: null,
      message: because(
        same ? 'A person gave its number; the clinic shows the same.' : 'A person gave its number.',
        why,
      ),
      appointment_id,
      evidence: { verification: 'linked', seen_by: by, mismatch: found },
      verified_at: instant(clock.now()),
    });
    return comparison === undefined ? { ok: true, booking: moved } : { ok: true, booking: moved, comparison };
  };

  /** What the clinic has under this number. A clinic that cannot be asked is overruled by `confirm` only. */
  const look = async (booking: Booking, id: number, confirm: boolean) => {
    const clinic = readsOf(booking.clinic);
    let problem = 'The number could not be checked at the clinic.';
    try {
      const seen = await clinic?.appointmentStatus(id, signal, 'status');
      if (seen !== undefined) return { comparison: compare(booking, id, seen), problem };
      problem = `The clinic does not know an appointment ${id}.`;
    } catch (error) {
      if (!confirm) throw asFailure(error, 'Asking the clinic about this number');
    }
    if (!confirm) throw refuse(problem, 'Check the number, or confirm that it is right anyway.');
    return { comparison: undefined, problem };
  };

  const notThere = async (
    ref: string,
    { send_again, confirm, why }: Extract<Decision, { as: 'not-booked' }>,
    by: string,
  ): Promise<Booking> => {
    // Whoever may say that it is there may say that it is not.
    const { booking: found, settlesInMs } = await allowed(ref, 'booked_no_id');
    if (settlesInMs > 0 && confirm !== true) {
      const { message, hint = '' } = stillWorking(ref, settlesInMs, 'Look again');
      throw refuse(message, `${clause(hint)}, or confirm that it is not there.`);
    }
    if (!send_again) {
      const message = because('A person says that it is not at the clinic.', why);
      return await decide(found, 'dropped', by, { reason: null, message, evidence: { absent: true } });
    }
    const { booking, verdict } = await allowed(ref, 'send_again');
    const message = because('A person says that it is not at the clinic, and sends it again.', why);
    return await release(booking, by, { message, edit: mappedIn(verdict), evidence: { absent: true } });
  };

  const correct = async (booking: Booking, fields: Edit, by: string): Promise<Booking> => {
    const changed = merged(booking, fields);
    const verdict = await intake.checkAgain(changed, booking, 'person');
    const { draft, phone_e164 } = verdict;
    const unreadable_fields = stillUnreadable(booking, fields);
    const edit = { ...draft, phone_e164, unreadable_fields };
    const twins = (await twinsOf({ ...booking, ...edit })).slice(0, NAMED_AT_MOST).map(({ ref }) => ref);
    const faults = [...verdict.faults, ...unreadable_fields.map(unreadable)];
    // Whatever else is wrong with it: that it may be booked already comes first, until a person approves it.
    if (booking.state === 'held' && booking.reason === 'restored_state')
      faults.unshift({ field: 'booking', message: holds.restored_state.means, reason: 'restored_state' });
    if (twins.length > 0) faults.push(sameAs(twins));
    const reason = faults[0]?.reason ?? keepsWaiting(booking);
    const ready = faults.length === 0 && !verdict.waits;
    // A queued one is taken out of the lane's hands first, so that it is never sent half corrected.
    const held = await decide(booking, 'held', by, {
      reason,
      message: heldMessage(reason, faults),
      refusals: 0,
      acknowledged_duplicates: reason === 'duplicate_suspect' ? twins : [],
      edit: { ...edit, duplicate_of: twins[0] ?? stillBeside(booking) },
    });
    return ready && booking.state === 'queued' ? await release(held, by, { message: null }) : held;
  };

  return {
    async approve(ref, by, why) {
      const { booking, verdict } = await allowed(ref, 'approve');
      const more = { message: why ?? null, edit: mappedIn(verdict), evidence: lookedFor(booking) };
      return await release(booking, by, more);
    },

    async take(ref, by, why) {
      const { booking, verdict, first } = await allowed(ref, 'take');
      const instead_of = { ref: first?.ref ?? '', from: unsent };
      const message = because(`Taken instead of ${instead_of.ref}.`, why);
      const wrong = verdict.faults.find(({ reason }) => blocking.has(reason));
      const reason = booking.unreadable_fields.length > 0 ? 'invalid_field' : wrong?.reason;
      if (reason === undefined && !verdict.waits)
        return await release(booking, by, {
          message,
          edit: mappedIn(verdict),
          evidence: lookedFor(booking),
          instead_of,
        });
      const held = { reason: reason ?? 'mapping', message: heldMessage(reason ?? 'mapping', verdict.faults) };
      const taken = await attempt(booking, 'held', by, { ...held, instead_of });
      if (taken === undefined) throw movedMeanwhile(booking);
      return taken;
    },

    async edit(ref, fields, by) {
      const { booking } = await allowed(ref, 'edit');
      return await correct(booking, fields, by);
    },

    async resolve(ref, decision, by) {
      if (decision.as === 'booked') {
        const { booking } = await allowed(ref, 'booked');
        return await linkNumber(booking, decision, by);
      }
      if (decision.as === 'booked-no-id') {
        const { booking } = await allowed(ref, 'booked_no_id');
        const message = because('A person says that it is there; its number is not known.', decision.why);
        return { ok: true, booking: await decide(booking, 'booked_no_id', by, { reason: null, message }) };
      }
      return { ok: true, booking: await notThere(ref, decision, by) };
    },

    async drop(ref, by, why) {
      const { booking } = await allowed(ref, 'drop');
      return await decide(booking, 'dropped', by, { reason: null, message: why ?? null });
    },
  };
}

/** What was decided, and why in the person's own words. */
const because = (message: string, why: string | undefined): string => (why ? `${message} ${why}` : message);

/** Who releases what an older copy brought back says that it is not at the clinic. */
const lookedFor = ({ evidence }: Booking): Evidence => (evidence?.restored === true ? { absent: true } : {});

/** The numbers that names stand for, by what is known now. */
const mappedIn = ({ draft: { doctor_id, treatment_id } }: Verdict) => ({ doctor_id, treatment_id });

const isField = (field: string): field is SubmissionField =>
  (submissionFields as readonly string[]).includes(field);

/** What its source could not read is not in the fields any more: only a correction of that very field clears it. */
const stillUnreadable = ({ unreadable_fields }: Booking, fields: Edit): string[] =>
  unreadable_fields.filter((field) => {
    const kind = field.replace(/_id$/, '');
    return isField(field) && !(field in fields || kind in fields || `${kind}_id` in fields);
  });

const unreadable = (field: string): Fault => ({
  field,
  message: `Its source sent a ${field.replaceAll('_', ' ')} that cannot be read.`,
  reason: 'invalid_field',
});

/** A changed submission stays beside the first it came after. */
const stillBeside = ({ changed_fields, duplicate_of }: Booking): string | null =>
  changed_fields.length > 0 ? duplicate_of : null;

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
    'changed_submission',
    'source_limit',
    'restored_state',
    'outside_hours',
    'too_far',
  ] as const;
  return kept.find((reason) => booking.state === 'held' && reason === booking.reason) ?? 'approval';
}
