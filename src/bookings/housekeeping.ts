import type { ClinicSettings } from '../config/config.ts';
import type { Booking } from '../domain/booking.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Store } from '../store/store.ts';
import { isCounted } from './clinic-counter.ts';
import { expiresAt } from './intake/expiry.ts';
import type { Intake } from './intake/intake.ts';
import { expiredMessage, heldMessage } from './messages.ts';
import { createVerification } from './reconciliation/verification.ts';
import type { StatusReads } from './status-reads.ts';

const EVERY_MS = 30_000;

export interface Housekeeping {
  start(): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
  onBookingChanged(booking: Booking): void;
}

interface HousekeepingOptions {
  clinic: StatusReads;
  settings: ClinicSettings;
  store: Store;
  intake: Intake;
  clock: Clock;
  log: Log;
  onBookingChanged: (booking: Booking) => void;
  probe: (booking: Booking, signal: AbortSignal) => Promise<Booking>;
}

/** What becomes of bookings beside being sent: lists that arrive, time that passes, numbers to be verified. */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { clinic, settings, store, clock, log, onBookingChanged, probe } = options;
  const key = settings.key;
  const verification = createVerification({ clinic, store, clock, log });
  const probed = new Set<string>();
  let loop: Loop | undefined;

  const expire = async () => {
    const nowMs = clock.now();
    // Wherever the clinic is, its day is at most the one after the day of UTC.
    const lastDay = instant(nowMs + DAY).slice(0, 10);
    const waiting = await store.bookings.waitingUntil(key, lastDay);
    for (const booking of waiting) {
      if ((expiresAt(booking, settings.timezone) ?? Infinity) > nowMs) continue;
      failpoint('bookings.before_expiry');
      const expired = await store.bookings.move({
        ref: booking.ref,
        attempt: booking.attempt,
        from: [booking.state],
        // A person may have corrected its date since it was read.
        as_of: booking.changed_at,
        to: 'expired',
        actor: 'daemon',
        by: 'clinic-sync',
        at: instant(nowMs),
        reason: null,
        message: expiredMessage,
      });
      failpoint('bookings.after_expiry');
      if (expired !== undefined) onBookingChanged(expired);
    }
  };

  const check = async () => {
    const received = await store.bookings.list({ clinic: key, states: ['received'] });
    for (const booking of received) {
      const checked = await recheck(options, booking);
      if (checked !== undefined) onBookingChanged(checked);
    }
  };

  /** `reconcile: auto`: once for each unknown outcome, after it has settled and the counter was read again. */
  const lookFor = async (signal: AbortSignal) => {
    if (settings.bookings.reconcile !== 'auto') return;
    const unknown = await store.bookings.list({ clinic: key, states: ['unknown'] });
    for (const booking of unknown) {
      const send = `${booking.ref}/${booking.attempt}`;
      if (!isCounted(booking) || booking.evidence?.verdict || probed.has(send)) continue;
      onBookingChanged(await probe(booking, signal));
      probed.add(send);
    }
  };

  /** One part that fails must not keep the others from running. */
  const part = async (what: string, run: () => Promise<void>, signal: AbortSignal) => {
    if (signal.aborted) return;
    try {
      await run();
    } catch (error) {
      if (signal.aborted) return;
      log.warn('looking after bookings failed', {
        clinic: key,
        kind: what,
        problem: asFailure(error, what).message,
      });
    }
  };

  const tick = async (signal: AbortSignal) => {
    await part('expiry', expire, signal);
    await part('check', check, signal);
    await part('verification', () => verification.run(signal), signal);
    await part('reconciliation', () => lookFor(signal), signal);
    return EVERY_MS;
  };

  return {
    async start() {
      // Booked just before a crash, and not verified yet.
      for (const booking of await store.bookings.unverified(key)) verification.onBookingChanged(booking);
      loop ??= startLoop({ clock, log, name: 'bookings care', tick });
    },
    wake() {
      loop?.wake();
    },
    onBookingChanged: verification.onBookingChanged,
    async stop() {
      await loop?.stop();
    },
  };
}

/** A `received` booking again, now that the mirror may know the names in it; undefined when it still waits for them. */
async function recheck(
  { store, intake, clock }: HousekeepingOptions,
  booking: Booking,
): Promise<Booking | undefined> {
  const { state, reason, faults, draft } = await intake.checkAgain(booking, booking, 'daemon');
  if (state === 'received') return undefined;
  return await store.bookings.move({
    ref: booking.ref,
    attempt: booking.attempt,
    from: ['received'],
    to: state,
    actor: 'daemon',
    by: 'clinic-sync',
    at: instant(clock.now()),
    reason,
    message: reason === null ? null : heldMessage(reason, faults),
    edit: { doctor_id: draft.doctor_id, treatment_id: draft.treatment_id },
  });
}
