import { type Booking, type BookingState, type Evidence, noClinic } from '../../domain/bookings/booking.ts';
import { type ActionName, type AvailableAction, actionNames } from '../../domain/bookings/booking-actions.ts';
import type { RefusalCode } from '../../domain/bookings/refusals.ts';
import { mayBeThere } from '../../domain/bookings/resemblance.ts';
import { MINUTE } from '../../platform/duration.ts';
import { blocking, type IntakeVerdict } from '../intake/check.ts';
import { taskTodo } from '../messages.ts';

/** The facts on which the available actions depend. */
export interface Circumstances {
  clinicKnown: boolean;
  /** The check of the booking as it is now. */
  verdict: Pick<IntakeVerdict, 'faults' | 'waits'>;
  /** Milliseconds until the outcome of a send may be examined. */
  settlesInMs: number;
  /** Probing is enabled (`bookings.reconcile`). */
  mayProbe: boolean;
  /** The booking that this changed submission would replace. */
  first: Pick<Booking, 'ref' | 'state' | 'reason' | 'clinic'> | undefined;
}

interface ActionRefusal {
  message: string;
  hint?: string;
  name?: RefusalCode['name'];
}

const approvable: readonly BookingState[] = ['held', 'rejected', 'expired'];
const editable: readonly BookingState[] = ['received', 'held', 'queued', 'rejected', 'expired'];
const droppable: readonly BookingState[] = [...editable, 'unknown'];
/** Dropped, never sent and not erased: an erased booking has neither name nor phone. */
const mayReopen = (booking: Booking): boolean =>
  booking.state === 'dropped' &&
  booking.attempt === 0 &&
  !mayBeThere(booking) &&
  (booking.patient_name !== null || booking.patient_phone !== null);

/** Not sent yet, but may still be. */
export const unsent: readonly BookingState[] = ['received', 'held', 'queued'];

/** What a user may do with a booking now, and what each action needs. Pure; the only source for all front ends. */
export const availableActions = (booking: Booking, around: Circumstances): AvailableAction[] =>
  actionNames
    .filter((action) => whyUnavailable(booking, action, around) === undefined)
    .map((action) => ({ action, needs: needsOf(booking, action, around) }));

/** Why an action is not available, with the remedy; undefined when it is. */
export function whyUnavailable(
  booking: Booking,
  action: ActionName,
  around: Circumstances,
): ActionRefusal | undefined {
  const { ref, state } = booking;
  if (!isFor(booking, action))
    return { message: `${ref} is ${state}: ${nothingTo[action]}.`, name: 'moved_on' };
  if (action === 'drop' || action === 'acknowledge') return undefined;
  if (booking.kind !== 'booking')
    return { message: `${ref} is a task for a person and is never sent.`, hint: taskTodo };
  if (booking.clinic === noClinic && action === 'edit' && state === 'held') return undefined;
  if (booking.clinic === noClinic)
    return { message: `${ref} names none of the clinics.`, hint: 'Choose its clinic first, or drop it.' };
  if (action === 'reconcile') return probeRefusal(booking, around);
  if (action === 'booked' || action === 'booked_no_id') return undefined;
  if (!around.clinicKnown)
    return {
      message: `The clinic of ${ref} (${booking.clinic}) is not in the configuration.`,
      hint: `Put its clinic back into the configuration. Or: ${ADD_AGAIN}`,
    };
  if (action === 'edit' || action === 'reopen') return undefined;
  if (action === 'take') return takeRefusal(booking, around);
  return sendRefusal(booking, around);
}

const ADD_AGAIN = 'Drop it, and add it again.';

/** Whether the action applies to the booking's state at all. */
function isFor(booking: Booking, action: ActionName): boolean {
  const { state, evidence, changed_fields } = booking;
  switch (action) {
    case 'approve':
      return approvable.includes(state);
    case 'take':
      return state === 'held' && changed_fields.length > 0;
    case 'edit':
      return editable.includes(state);
    case 'acknowledge':
      return (state === 'booked' || state === 'booked_no_id') && (evidence?.mismatch ?? []).length > 0;
    case 'booked':
      return state === 'unknown' || state === 'booked_no_id' || (state === 'booked' && isLost(evidence));
    case 'reopen':
      return mayReopen(booking);
    case 'drop':
      return droppable.includes(state);
    default:
      return state === 'unknown';
  }
}

/** The clinic may have the visit under another number. */
const isLost = (evidence: Evidence | null) =>
  (evidence?.mismatch ?? []).length > 0 &&
  (evidence?.verification === 'missing' || evidence?.verification === 'someone_else');

const nothingTo: Record<ActionName, string> = {
  approve: 'there is nothing to approve',
  take: 'it replaces no other booking',
  edit: 'it can no longer be changed',
  acknowledge: 'it has no difference to acknowledge',
  reconcile: 'its outcome is known',
  booked: 'there is nothing to resolve',
  booked_no_id: 'there is nothing to resolve',
  send_again: 'there is nothing to resolve',
  reopen: 'only a dropped booking that was never sent can be reopened',
  drop: 'it cannot be dropped',
};

/** Approval cannot repair a booking that has no correct request. */
function sendRefusal(
  { ref, state, unreadable_fields }: Booking,
  { verdict: { faults, waits } }: Circumstances,
): ActionRefusal | undefined {
  const wrong = faults.filter(({ reason }) => blocking.has(reason)).map(({ message }) => message);
  if (unreadable_fields.length > 0)
    wrong.push(`Its source sent something unreadable (${unreadable_fields.join(', ')}).`);
  if (wrong.length > 0)
    return {
      message: `${ref} cannot be sent as it is. ${wrong.join(' ')}`,
      hint: state === 'unknown' ? ADD_AGAIN : 'Correct it first, or drop it.',
      name: 'cannot_be_sent',
    };
  if (waits)
    return {
      message: 'The clinic’s lists are not known yet.',
      hint: 'Wait until they have been read once.',
      name: 'lists_unknown',
    };
  return undefined;
}

function takeRefusal({ ref, clinic }: Booking, { first }: Circumstances): ActionRefusal | undefined {
  if (first !== undefined && first.clinic !== clinic)
    return {
      message: `${first.ref} is for another clinic: ${ref} cannot take its place.`,
      hint: `Approve ${ref}, and drop ${first.ref} if it is not wanted, too.`,
    };
  if (first?.reason === 'restored_state')
    return {
      message: `${first.ref} may have been booked already: ${ref} cannot take its place.`,
      hint: `Look for ${first.ref} at the front desk and settle it first.`,
    };
  if (first !== undefined && unsent.includes(first.state)) return undefined;
  return {
    message: `${first?.ref ?? 'The first one'} is ${first?.state ?? 'gone'}: ${ref} cannot take its place.`,
    hint: 'Approve it beside the first, or drop it and change the appointment at the clinic.',
    name: 'moved_on',
  };
}

function probeRefusal({ ref }: Booking, { mayProbe, settlesInMs }: Circumstances): ActionRefusal | undefined {
  if (!mayProbe)
    return {
      message: 'Probing other appointment numbers is switched off.',
      hint: 'Set bookings.reconcile to on_request or auto for this clinic.',
    };
  return settlesInMs > 0 ? stillWorking(ref, settlesInMs, 'Ask again') : undefined;
}

/** An appointment may appear minutes after its send. */
export const stillWorking = (ref: string, settlesInMs: number, todo: string): ActionRefusal => {
  const minutes = Math.ceil(settlesInMs / MINUTE);
  return {
    message: `The clinic may still be working on ${ref}.`,
    hint: `${todo} in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    name: 'still_working',
  };
};

function needsOf(booking: Booking, action: ActionName, { verdict, settlesInMs }: Circumstances): string[] {
  if (action === 'booked') return ['appointment_id'];
  if (action === 'send_again') return settlesInMs > 0 ? ['confirm'] : [];
  if (action !== 'edit') return [];
  if (booking.clinic === noClinic) return ['clinic'];
  const wrong = verdict.faults.filter(({ reason }) => blocking.has(reason)).map(({ field }) => field);
  return [...new Set([...wrong, ...booking.unreadable_fields])];
}
