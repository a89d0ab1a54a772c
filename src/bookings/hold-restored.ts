import type { Booking, BookingState, Evidence } from '../domain/booking.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { sentences } from '../platform/sentences.ts';
import type { Store } from '../store/store.ts';
import { holds } from './messages.ts';

interface HoldRestored {
  store: Store;
  clock: Clock;
  onBookingChanged: (booking: Booking) => void;
  clinic: string;
  states: readonly BookingState[];
  /** Those that came later are new leads. */
  receivedUntil: Instant;
  evidence?: Evidence;
  /** A person has released these since: their word counts. */
  exceptReleased?: boolean;
}

/** What waited in an older copy may have been sent since that was made. Resolves to how many are held for it. */
export async function holdRestored(options: HoldRestored): Promise<number> {
  const { store, clock, onBookingChanged, clinic, states, receivedUntil, exceptReleased = false } = options;
  const waiting = await waitingInCopy({ store, clock, key: clinic, receivedUntil }, states);
  const old = waiting.filter(
    (booking) => booking.reason !== 'restored_state' && !(exceptReleased && isReleased(booking)),
  );
  for (const { ref, attempt, state, message } of old) {
    const held = await store.bookings.move({
      ref,
      attempt,
      from: [state],
      to: 'held',
      actor: 'daemon',
      by: 'clinic-sync',
      at: instant(clock.now()),
      reason: 'restored_state',
      message: sentences(state === 'held' && message, holds.restored_state.means),
      evidence: options.evidence ?? { restored: true, absent: false },
    });
    if (held !== undefined) onBookingChanged(held);
  }
  return old.length;
}

/** What an older copy can have brought back: not what came since. One of the future came before the clock was set back. */
export async function waitingInCopy(
  copy: { store: Store; clock: Clock; key: string; receivedUntil: Instant },
  states: readonly BookingState[],
): Promise<Booking[]> {
  const { store, clock, key, receivedUntil } = copy;
  const waiting = await store.bookings.list({ clinic: key, states });
  const now = instant(clock.now());
  return waiting.filter(({ received_at }) => received_at <= receivedUntil || received_at > now);
}

const isReleased = ({ state, evidence }: Booking): boolean =>
  state === 'queued' && evidence?.restored === true && evidence.absent === true;
