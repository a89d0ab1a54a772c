import type { ClinicSettings } from '../config/config.ts';
import { type Booking, type BookingState, holdReasons } from '../domain/bookings/booking.ts';
import { instant } from '../platform/clock.ts';
import type { ClockTrust } from '../platform/clock-trust.ts';
import { DAY, MINUTE } from '../platform/duration.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure } from '../platform/failure.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { type BookingParts, moveAsDaemon } from './booking-parts.ts';
import { isCounted } from './clinic-counter.ts';
import { applyLateConfirmations } from './dispatch/late-confirmation.ts';
import { expiresAt } from './intake/expiry.ts';
import type { Intake } from './intake/intake.ts';
import { expiredAheadMessage, expiredMessage, heldMessage } from './messages.ts';
import { createVerification } from './reconciliation/verification.ts';
import { slotAt } from './slot.ts';
import type { StatusReads } from './status-reads.ts';

const EVERY_MS = 30_000;
/** While nothing waits. A booking change here ends the rest early; this bounds how long one elsewhere goes unseen. */
const RESTING_MS = 5 * MINUTE;
const waitingStates: readonly BookingState[] = ['received', 'held', 'queued', 'unknown'];

interface HousekeepingParts extends BookingParts {
  clinic: StatusReads;
  settings: ClinicSettings;
  intake: Intake;
  trust: ClockTrust;
  probe: (booking: Booking, signal: AbortSignal) => Promise<Booking>;
}

/** Everything that happens to bookings besides sending: names are mapped, slots pass, appointments are verified. */
export function createHousekeeping(parts: HousekeepingParts) {
  const { settings, store, clock, log } = parts;
  const verification = createVerification(parts);
  const probed = new Set<string>();
  let loop: Loop | undefined;
  let resting = false;

  /** Runs one part; its failure must not stop the others. */
  const part = async (kind: string, run: () => Promise<void>, signal: AbortSignal) => {
    if (signal.aborted) return;
    try {
      await run();
    } catch (error) {
      if (signal.aborted) return;
      const problem = asFailure(error, kind).message;
      log.warn('booking housekeeping failed', { clinic: settings.key, kind, problem });
    }
  };

  const tick = async (signal: AbortSignal) => {
    // Set before the read, so that a change during it ends the rest.
    resting = true;
    // In a large installation most clinics have nothing waiting: one cheap read tells.
    const present = await store.bookings.statesAmong(settings.key, waitingStates);
    await part('expired by mistake', () => holdExpiredAhead(parts), signal);
    if (present.size === 0 && !verification.isWaiting()) return RESTING_MS;
    resting = false;
    if (present.size > 0) await part('expiry', () => expire(parts), signal);
    if (present.has('received')) await part('check', () => checkReceived(parts), signal);
    await part('verification', () => verification.run(signal), signal);
    if (present.has('unknown')) await part('late answers', () => settleLateConfirmations(parts), signal);
    if (present.has('unknown'))
      await part('reconciliation', () => probeUnknown(parts, probed, signal), signal);
    return EVERY_MS;
  };

  return {
    async start() {
      // Bookings confirmed just before a crash are not verified yet.
      for (const booking of await store.bookings.unverified(settings.key))
        verification.onBookingChanged(booking);
      loop ??= startLoop({ clock, log, name: 'bookings care', tick });
    },
    wake: () => loop?.wake(),
    onBookingChanged(booking: Booking): void {
      verification.onBookingChanged(booking);
      if (resting) loop?.wake();
      resting = false;
    },
    stop: async () => loop?.stop(),
  };
}

async function expire(parts: HousekeepingParts): Promise<void> {
  const { settings, store, clock, trust } = parts;
  if (!trust.isTrusted()) return;
  const nowMs = clock.now();
  // A clinic's date is at most one day ahead of UTC in any time zone.
  const lastDay = instant(nowMs + DAY).slice(0, 10);
  for (const booking of await store.bookings.waitingUntil(settings.key, lastDay)) {
    if ((expiresAt(booking, settings.timezone) ?? Infinity) > nowMs) continue;
    failpoint('bookings.before_expiry');
    // `as_of`: a user may have corrected the date since this read.
    const as_of = booking.changed_at;
    await moveAsDaemon(parts, booking, { to: 'expired', as_of, message: expiredMessage });
    failpoint('bookings.after_expiry');
  }
}

/**
 * What expired at a time that is still to come expired by a clock that was ahead. If its slot lies ahead, too, a person
 * decides about it as before.
 */
async function holdExpiredAhead(parts: HousekeepingParts): Promise<void> {
  const { settings, store, clock, log } = parts;
  const nowMs = clock.now();
  const expired = await store.bookings.changedSince(['expired'], instant(nowMs + 1));
  for (const booking of expired.filter(({ clinic }) => clinic === settings.key)) {
    const slot = slotAt(booking.appointment_date, booking.appointment_time, settings.timezone);
    if ((slot?.lastMs ?? 0) <= nowMs) continue;
    const events = await store.bookings.events(booking.ref);
    const held = events.findLast(({ to }) => to === 'held')?.reason;
    const reason = holdReasons.find((one) => one === held) ?? 'approval';
    log.warn('a booking had expired by a clock that was ahead: it is held again', {
      ...{ clinic: booking.clinic, ref: booking.ref, reason },
    });
    const message = heldMessage(reason, [{ message: expiredAheadMessage }]);
    await moveAsDaemon(parts, booking, { to: 'held', reason, message });
  }
}

/** Rechecks `received` bookings: the mirror may know their dentist or treatment by now. */
async function checkReceived(parts: HousekeepingParts): Promise<void> {
  const { settings, store, intake } = parts;
  for (const booking of await store.bookings.list({ clinic: settings.key, states: ['received'] })) {
    const { state, reason, faults, draft } = await intake.checkAgain(booking, booking, 'daemon');
    if (state === 'received') continue;
    await moveAsDaemon(parts, booking, {
      to: state,
      reason,
      message: reason === null ? null : heldMessage(reason, faults),
      edit: { doctor_id: draft.doctor_id, treatment_id: draft.treatment_id },
    });
  }
}

async function settleLateConfirmations(parts: HousekeepingParts): Promise<void> {
  await applyLateConfirmations(
    parts,
    await parts.store.bookings.list({ clinic: parts.settings.key, states: ['unknown'] }),
  );
}

/** `reconcile: auto`: probes once per unknown outcome, after it has settled and the counter was read again. */
async function probeUnknown(
  { settings, store, onBookingChanged, probe }: HousekeepingParts,
  probed: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  if (settings.bookings.reconcile !== 'auto') return;
  for (const booking of await store.bookings.list({ clinic: settings.key, states: ['unknown'] })) {
    const send = `${booking.ref}/${booking.attempt}`;
    if (!isCounted(booking) || booking.evidence?.verdict || probed.has(send)) continue;
    onBookingChanged(await probe(booking, signal));
    probed.add(send);
  }
}
