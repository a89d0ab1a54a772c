import type { Booking } from '../../domain/bookings/booking.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import { failureSentence } from '../../platform/text/sentences.ts';
import { heldMessage } from '../messages.ts';
import { type BookingParts, moveAsDaemon } from '../parts.ts';
import { type DispatchEffect, judge, unreachable } from './outcome.ts';
import { settleSend } from './settle.ts';
import type { NotSent } from './submit.ts';

export const AFTER_NOT_SENT_MS = 1_000;

/** Undoes a claim that never reached the network. Affects only the booking that this claim made `sending`. */
export async function takeBack(
  parts: BookingParts,
  { ref, clinic, ...booking }: Booking,
  { claimAt, error }: NotSent,
): Promise<void> {
  let { attempt } = booking;
  // The move wakes the dispatcher, which would claim it again at once.
  const notBeforeMs = parts.clock.now() + AFTER_NOT_SENT_MS;
  if (claimAt !== undefined) {
    const sending = await parts.store.bookings.list({ clinic, states: ['sending'] });
    for (const claimed of sending.filter(({ sending_since }) => sending_since === claimAt)) {
      const settlement = { to: 'queued', proof: 'Nothing was sent yet.' } as const;
      const { refusals } = claimed;
      const settled = await settleSend(parts, claimed, settlement, { refusals, notBeforeMs });
      attempt = settled.attempt;
    }
    failpoint('bookings.after_take_back');
  }
  if (!(error instanceof Failure) || error.kind !== 'refused') return;
  // The client refuses to send it as it is; a retry would only block the queue.
  const message = heldMessage('invalid_field', [error]);
  await moveAsDaemon(
    parts,
    { ref, attempt, state: 'queued' },
    { to: 'held', reason: 'invalid_field', message },
  );
}

/** The effect on the next bookings when the client could not even try. */
export function effectOfNotSent({ outcome, error }: NotSent): DispatchEffect | undefined {
  // The claim cannot be stored, such as beside a marker that cannot be written.
  if (error instanceof Failure && error.lasting) return unreachable(failureSentence(error), true);
  if (outcome === undefined) return undefined;
  // Aborted while waiting for its turn: the clinic never answered.
  if (outcome.class === 'ambiguous' && outcome.cause === 'interrupted') return undefined;
  if (outcome.class === 'never_sent' || outcome.class === 'lane_refusal') return judge(outcome).effect;
  return {
    kind: 'configuration',
    reason: 'A booking was answered that had not been recorded as sent. Please report this.',
    safe: false,
  };
}
