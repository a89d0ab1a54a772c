import type { BookingOutcome } from '../../clinic/clinic.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import { backoffMs, UPPER_HALF } from '../../platform/backoff.ts';
import { MINUTE } from '../../platform/duration.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import { clause, failureSentence } from '../../platform/text/sentences.ts';
import { isNotOurs } from '../../store/ports/fleet.ts';
import { type BookingParts, moveAsDaemon } from '../booking-parts.ts';
import { heldMessage } from '../messages.ts';
import type { CounterReading, Dispatch } from './dispatch.ts';
import { storeLateConfirmation } from './late-confirmation.ts';
import { type DispatchEffect, judgeOutcome, type Settlement, unreachable, unseenRefusal } from './outcome.ts';
import { settleSend } from './settle.ts';
import { applyEffect } from './stored-state.ts';
import { type NotSent, type SentBooking, submit } from './submit.ts';

/** Consecutive refusals before processing, of this booking alone, after which it is held instead of pausing sending. */
const SET_ASIDE_AFTER = 3;
/** Soft refusals of one booking before people are asked: in maintenance, reads fail first, and nothing is sent. */
const DEFERRED_AT_MOST = 12;
/** Backoff before resending a booking that was certainly not created. */
const resend = { floor: 5_000, cap: 10 * MINUTE, jitter: UPPER_HALF };

/** Stores the outcome of the last send, if that has not succeeded yet. */
export async function storePendingOutcome(d: Dispatch): Promise<void> {
  if (d.pendingOutcome === undefined) return;
  const { settle, lateConfirmation } = d.pendingOutcome;
  try {
    await settle();
  } catch (error) {
    if (!isNotOurs(error)) throw error;
    // The new owner has made it unknown, or will.
    await lateConfirmation?.();
  }
  d.pendingOutcome = undefined;
}

/** Sends one booking and stores the outcome. Resolves to the milliseconds until the next. */
export async function sendBooking(
  d: Dispatch,
  booking: Booking,
  counter: CounterReading,
  stop: AbortSignal,
): Promise<number> {
  const trusted = () =>
    d.reading === counter &&
    d.trust.leapsAhead().count === d.leapsNoted &&
    d.state.pause === null &&
    d.store.unwritable() === undefined &&
    d.tenure.maySend();
  d.sending = true;
  const sent = await submit(d, { booking, counter, trusted, stop, lost: d.tenure.signal }).finally(() => {
    d.sending = false;
  });
  if (sent.kind === 'not_sent') {
    const settle = async () => {
      await takeBack(d, booking, sent);
      const effect = effectOfNotSent(sent);
      if (effect !== undefined) await applyEffect(d, effect);
    };
    d.pendingOutcome = { settle };
    await storePendingOutcome(d);
    return AFTER_NOT_SENT_MS;
  }
  const { claimed, outcome } = sent;
  const { settlement, effect } = judged(d, sent);
  if (settlement.to !== 'booked') d.reading = undefined;
  const { attempt } = claimed;
  d.log.info('booking sent', { clinic: d.key, ref: booking.ref, kind: outcome.class, attempt });
  const notBeforeMs = d.clock.now() + backoffMs(d.state.faults + 1, resend, d.random());
  const isRefused = outcome.class === 'deferred' || unseenRefusal(outcome) !== undefined;
  const refusals = isRefused ? claimed.refusals + 1 : 0;
  const settle = async () => {
    const settled = await settleSend(d, claimed, settlement, { notBeforeMs, refusals });
    await applyEffect(d, effect, settled.state === 'unknown' ? settled : undefined);
  };
  d.pendingOutcome = {
    settle,
    ...(settlement.to === 'booked' && {
      lateConfirmation: () => storeLateConfirmation(d, claimed, settlement),
    }),
  };
  await storePendingOutcome(d);
  return 0;
}

/** What a send means for its booking and for the next ones, considering earlier refusals. */
function judged(
  { state }: Dispatch,
  { claimed, outcome }: SentBooking,
): { settlement: Settlement; effect: DispatchEffect } {
  const { booking: settlement, effect: judgedEffect } = judgeOutcome(outcome);
  if (outcome.class === 'deferred' && claimed.refusals + 1 >= DEFERRED_AT_MOST)
    return setAside({ status: outcome.status, words: outcome.message });
  const refusal = unseenRefusal(outcome);
  const effect = isOldToken(outcome) && state.faults === 0 ? tokenRefused : judgedEffect;
  if (refusal === undefined || settlement.to !== 'queued') return { settlement, effect };
  const { ref } = claimed;
  const alone = state.refused.every((other) => other === ref);
  if (alone && claimed.refusals + 1 >= SET_ASIDE_AFTER) return setAside(refusal);
  const reason = 'reason' in effect ? effect.reason : refusalWords(refusal);
  return { settlement, effect: { kind: 'refused', reason, ref } };
}

const isOldToken = (outcome: BookingOutcome): boolean =>
  (outcome.class === 'lane_refusal' && outcome.status === 401) ||
  (outcome.class === 'deferred' && outcome.why === 'token');

/** Usually the clinic's server was restarted. If a new token is refused, too, a user is told. */
const tokenRefused: DispatchEffect = {
  kind: 'limit',
  reason: 'The clinic’s API refused the token: a new one is asked for.',
};

const setAside = (refusal: { status: number; words: string }) => ({
  settlement: { to: 'held', words: refusalWords(refusal), refused: refusal.status } as const,
  effect: { kind: 'set_aside' } as const,
});

const refusalWords = ({ status, words }: { status: number; words: string }): string =>
  `The clinic’s API refuses this booking (${status})${words.trim() === '' ? '.' : `: ${clause(words)}.`}`;

const AFTER_NOT_SENT_MS = 1_000;

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
function effectOfNotSent({ outcome, error }: NotSent): DispatchEffect | undefined {
  // The claim cannot be stored, such as beside a marker that cannot be written.
  if (error instanceof Failure && error.lasting) return unreachable(failureSentence(error), true);
  if (outcome === undefined) return undefined;
  // Aborted while waiting for its turn: the clinic never answered.
  if (outcome.class === 'ambiguous' && outcome.cause === 'interrupted') return undefined;
  if (outcome.class === 'never_sent' || outcome.class === 'lane_refusal') return judgeOutcome(outcome).effect;
  return {
    kind: 'configuration',
    reason: 'A booking was answered that had not been recorded as sent. Please report this.',
    safe: false,
  };
}
