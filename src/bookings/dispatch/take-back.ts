import type { Booking } from '../../domain/booking.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import { heldMessage } from '../messages.ts';
import { type DispatchEffect, judge } from './outcome.ts';
import { settleSend } from './settle.ts';
import type { Submitted } from './submit.ts';

type NotSent = Extract<Submitted, { kind: 'not_sent' }>;

interface TakeBack {
  store: Store;
  clock: Clock;
  log: Log;
  booking: Booking;
  sent: NotSent;
  onBookingChanged: (booking: Booking) => void;
}

/** A claim that never reached the network goes back. Only what this very claim made `sending` is touched. */
export async function takeBack({
  store,
  clock,
  log,
  booking,
  sent,
  onBookingChanged,
}: TakeBack): Promise<void> {
  const { claimAt, error } = sent;
  let { attempt } = booking;
  if (claimAt !== undefined) {
    const sending = await store.bookings.list({ clinic: booking.clinic, states: ['sending'] });
    for (const claimed of sending.filter(({ sending_since }) => sending_since === claimAt)) {
      const settlement = { to: 'queued', proof: 'Nothing was sent yet.' } as const;
      const { refusals } = claimed;
      const settled = await settleSend({ store, clock, log, booking: claimed, settlement, refusals });
      attempt = settled.attempt;
      onBookingChanged(settled);
    }
    failpoint('bookings.after_take_back');
  }
  if (!(error instanceof Failure) || error.kind !== 'refused') return;
  // The client will not send it as it is; trying again would only keep the others waiting.
  const held = await store.bookings.move({
    ref: booking.ref,
    attempt,
    from: ['queued'],
    to: 'held',
    actor: 'daemon',
    by: 'clinic-sync',
    at: instant(clock.now()),
    reason: 'invalid_field',
    message: heldMessage('invalid_field', [error]),
  });
  if (held !== undefined) onBookingChanged(held);
}

/** What it says about the next ones when the client could not even try. */
export function effectOfNotSent({ outcome }: NotSent): DispatchEffect | undefined {
  if (outcome === undefined) return undefined;
  // Given up while waiting for its turn: the clinic said nothing.
  if (outcome.class === 'ambiguous' && outcome.cause === 'interrupted') return undefined;
  if (outcome.class === 'never_sent' || outcome.class === 'lane_refusal') return judge(outcome).effect;
  return {
    kind: 'configuration',
    reason: 'A booking was answered that had not been recorded as sent. Please report this.',
    safe: false,
  };
}
