import {
  type Booking,
  noClinic,
  type SubmissionField,
  submissionFields,
} from '../../domain/bookings/booking.ts';
import { sentences } from '../../platform/text/sentences.ts';
import { blocking } from '../intake/check.ts';
import type { BookingFields, Fault } from '../intake/read-fields.ts';
import { heldMessage, holds } from '../messages.ts';
import { duplicateFaults } from '../same-slot.ts';
import { twinsOf } from './release.ts';
import { type Decided, type DecisionContext, decide, type Review, refuseAction } from './transitions.ts';

/** Duplicates listed after an edit; a release lists all. */
const NAMED_AT_MOST = 5;

/** `clinic`: for a booking that names none of several. */
export type Edit = Partial<BookingFields> & { clinic?: string };

interface Corrected {
  held: Booking;
  /** No fault remains. */
  isSound: boolean;
  /** No fault remains that the user was not shown: the correction may be released at once. */
  isSeen: boolean;
}

/** Stores a user's corrections and holds the booking, also a queued one, so that it is never sent half corrected. */
export async function correct(
  review: Review,
  booking: Booking,
  { clinic, ...fields }: Edit,
  { by, undoable, why }: DecisionContext & Pick<Held, 'by' | 'why'>,
): Promise<Corrected> {
  const named =
    clinic === undefined || clinic === booking.clinic ? {} : { clinic: chosen(review, booking, clinic) };
  const verdict = await review.intake.checkAgain(merged(booking, fields), { ...booking, ...named }, 'person');
  const unreadable_fields = stillUnreadable(booking, fields);
  const edit = { ...verdict.draft, phone_e164: verdict.phone_e164, unreadable_fields, ...named };
  // Undone, the clinic that has been told of it would keep it.
  const isUndoable = undoable === true && edit.clinic === undefined;
  return await hold(review, booking, { verdict, edit, by, why, undo: isUndoable ? booking : undefined });
}

function chosen(review: Review, { ref, clinic }: Booking, key: string): string {
  if (clinic !== noClinic)
    throw refuseAction(
      `${ref} is for ${clinic}, and stays there.`,
      'If that is wrong, drop it and add it again for the right clinic.',
    );
  if (review.readsOf(key) !== undefined) return key;
  const refusal = { name: 'clinic_unknown', ref } as const;
  throw refuseAction(`There is no clinic ${key}.`, 'Choose one of the configured clinics.', refusal);
}

/** Holds a dropped booking again, as it was. Writes no field of the person, who may be erased at this moment. */
export async function reopen(review: Review, booking: Booking, by: string, why?: string): Promise<Booking> {
  const verdict = await review.intake.checkAgain(booking, booking, 'person');
  return (await hold(review, booking, { verdict, edit: {}, by, why })).held;
}

interface Held {
  verdict: Awaited<ReturnType<Review['intake']['checkAgain']>>;
  edit: NonNullable<Decided['edit']>;
  by: string;
  why?: string | undefined;
  undo?: Booking | undefined;
}

async function hold(
  review: Review,
  booking: Booking,
  { verdict, edit, by, why, undo }: Held,
): Promise<Corrected> {
  const after = { ...booking, ...edit };
  const found = (await twinsOf(review, after)).slice(0, NAMED_AT_MOST);
  const twins = found.map(({ ref }) => ref);
  const faults = [...verdict.faults, ...after.unreadable_fields.map(unreadable)];
  const isForgotten = booking.state === 'dropped' && review.isRestored();
  // A possible earlier booking outweighs every other fault until a user approves it.
  if ((booking.state === 'held' && booking.reason === 'restored_state') || isForgotten)
    faults.unshift({ field: 'booking', message: holds.restored_state.means, reason: 'restored_state' });
  const wereShown = faults.every((fault) => wasShown(booking, fault));
  faults.push(...duplicateFaults(found));
  const reason = faults[0]?.reason ?? keepsWaiting(booking);
  const held = await decide(review, booking, 'held', by, {
    reason,
    message: sentences(why, heldMessage(reason, faults)),
    refusals: 0,
    acknowledged_duplicates: reason === 'duplicate_suspect' ? twins : [],
    edit: { ...edit, duplicate_of: twins[0] ?? stillBeside(booking) },
    ...(isForgotten && { evidence: { restored: true, absent: false } }),
    undo,
  });
  const areKnown = twins.every((ref) => booking.acknowledged_duplicates.includes(ref));
  return {
    held,
    isSound: faults.length === 0 && !verdict.waits,
    isSeen: wereShown && areKnown && !verdict.waits,
  };
}

/** True for a fault that the user already saw and approval settles; never for a possible earlier booking. */
const wasShown = (booking: Booking, { reason }: Fault): boolean =>
  reason === booking.reason && !blocking.has(reason) && reason !== 'restored_state';

const isField = (field: string): field is SubmissionField =>
  (submissionFields as readonly string[]).includes(field);

/** An unreadable value is not in the fields: only a correction of the same field clears it. */
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

/** A changed submission stays linked to the first. */
const stillBeside = ({ changed_fields, duplicate_of }: Booking): string | null =>
  changed_fields.length > 0 ? duplicate_of : null;

/** A new name clears the old number, and a new number clears the old name. */
function merged(booking: Booking, fields: Edit): BookingFields {
  const draft = Object.fromEntries(
    submissionFields.map((field) => [field, field in fields ? fields[field] : booking[field]]),
  ) as unknown as BookingFields;
  for (const kind of ['doctor', 'treatment'] as const) {
    if (kind in fields && !(`${kind}_id` in fields)) draft[`${kind}_id`] = null;
    if (`${kind}_id` in fields && !(kind in fields)) draft[kind] = null;
  }
  return draft;
}

const onlyApprovalSettles = [
  'approval',
  'duplicate_suspect',
  'changed_submission',
  'source_limit',
  'restored_state',
  'outside_hours',
  'too_far',
] as const;

/** Why a corrected booking is still held: the former reason if only approval settles it, else `approval`. */
const keepsWaiting = (booking: Booking) =>
  onlyApprovalSettles.find((reason) => booking.state === 'held' && reason === booking.reason) ?? 'approval';
