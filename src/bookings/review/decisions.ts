import type { Booking } from '../../domain/booking.ts';
import { blocking } from '../intake/check.ts';
import { heldMessage } from '../messages.ts';
import { unsent } from './available-actions.ts';
import { correct, type Edit } from './correction.ts';
import { absentIfRestored, mappedIds, release } from './release.ts';
import { type Decision, type Resolved, resolve } from './resolution.ts';
import { allowed, because, decide, type Review } from './transitions.ts';

/** What people decide. Each is one move with its actor, time and reason; refused ones throw `Failure` and change nothing. */
export interface Decisions {
  approve(ref: string, by: string, why?: string): Promise<Booking>;
  /** A changed submission in place of the first, which was not sent yet and is dropped in the same step. */
  take(ref: string, by: string, why?: string): Promise<Booking>;
  edit(ref: string, fields: Edit, by: string): Promise<Booking>;
  resolve(ref: string, decision: Decision, by: string): Promise<Resolved>;
  drop(ref: string, by: string, why?: string): Promise<Booking>;
}

export function createDecisions(review: Review): Decisions {
  const { store, onBookingChanged } = review;
  const announced = (booking: Booking): Booking => {
    onBookingChanged(booking);
    return booking;
  };
  return {
    approve: async (ref, by, why) => announced(await approve(review, ref, by, why)),
    async take(ref, by, why) {
      const taken = await take(review, ref, by, why);
      const dropped = taken.duplicate_of === null ? undefined : await store.bookings.get(taken.duplicate_of);
      if (dropped?.state === 'dropped') onBookingChanged(dropped);
      return announced(taken);
    },
    async edit(ref, fields, by) {
      const { booking } = await allowed(review, ref, 'edit');
      return announced(await correct(review, booking, fields, by));
    },
    async resolve(ref, decision, by) {
      const resolved = await resolve(review, ref, decision, by);
      if (resolved.ok) onBookingChanged(resolved.booking);
      return resolved;
    },
    async drop(ref, by, why) {
      const { booking } = await allowed(review, ref, 'drop');
      return announced(await decide(review, booking, 'dropped', by, { message: why ?? null }));
    },
  };
}

async function approve(review: Review, ref: string, by: string, why?: string): Promise<Booking> {
  const { booking, verdict } = await allowed(review, ref, 'approve');
  const more = { message: why ?? null, edit: mappedIds(verdict), evidence: absentIfRestored(booking) };
  return await release(review, booking, by, more);
}

async function take(review: Review, ref: string, by: string, why?: string): Promise<Booking> {
  const { booking, verdict, first } = await allowed(review, ref, 'take');
  const instead_of = { ref: first?.ref ?? '', from: unsent };
  const message = because(`Taken instead of ${instead_of.ref}.`, why);
  const wrong = verdict.faults.find(({ reason }) => blocking.has(reason));
  const reason = booking.unreadable_fields.length > 0 ? 'invalid_field' : wrong?.reason;
  if (reason === undefined && !verdict.waits) {
    const more = { message, edit: mappedIds(verdict), evidence: absentIfRestored(booking), instead_of };
    return await release(review, booking, by, more);
  }
  const held = { reason: reason ?? 'mapping', message: heldMessage(reason ?? 'mapping', verdict.faults) };
  return await decide(review, booking, 'held', by, { ...held, instead_of });
}
