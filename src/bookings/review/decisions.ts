import type { Booking } from '../../domain/bookings/booking.ts';
import { seenOf } from '../../domain/bookings/booking-seen.ts';
import { instant } from '../../platform/clock.ts';
import { blocking } from '../intake/check.ts';
import { heldMessage } from '../messages.ts';
import { unsent } from './available-actions.ts';
import { correct, type Edit, reopen } from './correction.ts';
import { absentIfRestored, mappedIds, release } from './release.ts';
import { type Decision, type Resolved, resolve } from './resolution.ts';
import { allowed, because, type DecisionContext, decide, type Review, refuseAction } from './transitions.ts';

/** Users' decisions, each one move with actor, time and reason; a refused one throws `Failure` and changes nothing. */
export interface Decisions {
  approve(ref: string, by: string, why?: string, asked?: DecisionContext): Promise<Booking>;
  /**
   * Takes a changed submission in place of the first, which must be unsent and is dropped in the same step. `fields`
   * correct it first; it is then held, and nothing is dropped, if a fault remains that the user was not shown.
   */
  take(ref: string, by: string, why?: string, asked?: DecisionContext & { fields?: Edit }): Promise<Booking>;
  /** `send`: also approves it, when no fault remains that the user was not shown. */
  edit(ref: string, fields: Edit, by: string, asked?: EditContext): Promise<Booking>;
  resolve(ref: string, decision: Decision, by: string, asked?: DecisionContext): Promise<Resolved>;
  drop(ref: string, by: string, why?: string, asked?: DecisionContext): Promise<Booking>;
  /** Holds a dropped booking that was never sent. */
  reopen(ref: string, by: string, why?: string, asked?: DecisionContext): Promise<Booking>;
  /** The token that `undo` expects as `seen`; undefined when there is nothing to undo. */
  undoable(ref: string): Promise<string | undefined>;
  /** Undoes an `undoable` decision: the booking is held as before. `seen`: its `seenOf` after the decision. */
  undo(ref: string, by: string, seen: string): Promise<Booking>;
}

export function createDecisions(review: Review): Decisions {
  const { store, onBookingChanged } = review;
  const announced = (booking: Booking): Booking => {
    onBookingChanged(booking);
    return booking;
  };
  return {
    approve: async (ref, by, why, asked) => announced(await approve(review, { ref, by, why, asked })),
    async take(ref, by, why, asked) {
      const request = { ref, by, why, asked };
      const taken = await (asked?.fields === undefined
        ? take(review, request)
        : takeCorrected(review, request, asked.fields));
      const dropped = taken.duplicate_of === null ? undefined : await store.bookings.get(taken.duplicate_of);
      if (dropped?.state === 'dropped') onBookingChanged(dropped);
      return announced(taken);
    },
    async edit(ref, fields, by, asked) {
      const { booking } = await allowed(review, ref, 'edit', asked);
      return announced(await edit(review, booking, fields, { by, ...asked }));
    },
    async resolve(ref, decision, by, asked) {
      const resolved = await resolve(review, ref, { ...decision, ...asked }, by);
      if (resolved.ok) onBookingChanged(resolved.booking);
      return resolved;
    },
    async drop(ref, by, why, asked) {
      const { booking } = await allowed(review, ref, 'drop', asked);
      const undo = asked?.undoable === true && booking.state !== 'unknown' ? booking : undefined;
      return announced(await decide(review, booking, 'dropped', by, { message: why ?? null, undo }));
    },
    async reopen(ref, by, why, asked) {
      const { booking } = await allowed(review, ref, 'reopen', asked);
      return announced(await reopen(review, booking, by, why));
    },
    undoable: (ref) => store.bookings.undoable(ref, instant(review.clock.now())),
    async undo(ref, by, seen) {
      const undone = await store.bookings.undo({ ref, by, seen, at: instant(review.clock.now()) });
      if (undone === undefined)
        throw refuseAction(
          `The decision about ${ref} can no longer be undone.`,
          'Ten seconds have passed, or it has changed since. Look at it again.',
          { name: 'too_late', ref },
        );
      return announced(undone);
    },
  };
}

type EditContext = DecisionContext & { send?: boolean; why?: string | undefined };

interface DecisionRequest {
  ref: string;
  by: string;
  why: string | undefined;
  asked: DecisionContext | undefined;
}

async function approve(review: Review, { ref, by, why, asked }: DecisionRequest): Promise<Booking> {
  const { booking, verdict } = await allowed(review, ref, 'approve', asked);
  return await release(review, booking, by, {
    message: why ?? null,
    edit: mappedIds(verdict),
    evidence: absentIfRestored(booking),
    undo: asked?.undoable === true ? booking : undefined,
  });
}

/** A queued booking stays queued if it is sound. */
async function edit(
  review: Review,
  booking: Booking,
  fields: Edit,
  { send, ...asked }: EditContext & { by: string },
): Promise<Booking> {
  const { held, isSound, isSeen } = await correct(review, booking, fields, asked);
  // What that clinic has, and lacks, was not to be seen before.
  if (held.clinic !== booking.clinic) return held;
  const isReady = send === true ? isSeen : booking.state === 'queued' && isSound;
  if (!isReady) return held;
  const undo = asked.undoable === true ? booking : undefined;
  return await release(review, held, asked.by, { message: asked.why ?? null, undo });
}

async function takeCorrected(review: Review, request: DecisionRequest, fields: Edit): Promise<Booking> {
  const { ref, by, asked } = request;
  const { booking, first } = await allowed(review, ref, 'take', asked);
  const { held, isSeen } = await correct(review, booking, fields, { by });
  const { first: still } = await review.circumstances(held);
  if (!isSeen || still?.ref !== first?.ref) return held;
  return await take(review, { ...request, asked: { seen: seenOf(held) } });
}

async function take(review: Review, { ref, by, why, asked }: DecisionRequest): Promise<Booking> {
  const { booking, verdict, first } = await allowed(review, ref, 'take', asked);
  const instead_of = { ref: first?.ref ?? '', from: unsent };
  const edit = { ...mappedIds(verdict), duplicate_of: instead_of.ref };
  const message = because(`Taken instead of ${instead_of.ref}.`, why);
  const wrong = verdict.faults.find(({ reason }) => blocking.has(reason));
  const reason = booking.unreadable_fields.length > 0 ? 'invalid_field' : wrong?.reason;
  if (reason === undefined && !verdict.waits) {
    const more = { message, edit, evidence: absentIfRestored(booking), instead_of };
    return await release(review, booking, by, more);
  }
  const held = { reason: reason ?? 'mapping', message: heldMessage(reason ?? 'mapping', verdict.faults) };
  return await decide(review, booking, 'held', by, {
    ...held,
    edit: { duplicate_of: instead_of.ref },
    instead_of,
  });
}
