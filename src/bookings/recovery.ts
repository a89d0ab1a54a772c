import type { Booking } from '../domain/booking.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { failpoint } from '../platform/failpoint.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { holdRestored } from './hold-restored.ts';
import type { Intake } from './intake/intake.ts';
import { heldMessage, restoredMessage } from './messages.ts';

interface RecoveryOptions {
  store: Store;
  dispatchers: ReadonlyMap<string, Dispatcher>;
  intake: Intake;
  clock: Clock;
  log: Log;
  onBookingChanged: (booking: Booking) => void;
}

/** What has to be put right before anything is sent. */
export function createRecovery({
  store,
  dispatchers,
  intake,
  clock,
  log,
  onBookingChanged,
}: RecoveryOptions) {
  /** An older database does not know what it sent since: nothing in it may go out by itself. */
  const distrust = async (clinic: string, dispatcher: Dispatcher) => {
    const waits = dispatcher.view().pause?.kind === 'restored';
    if (!waits && !store.identity.restored) return;
    if (!waits) await dispatcher.pause('restored', restoredMessage);
    failpoint('bookings.restored_paused');
    // Those that came since the pause are new leads: they wait with the dispatcher, not with a person.
    const states = ['received', 'queued'] as const;
    const since = dispatcher.view().pause?.since ?? instant(clock.now());
    const parts = { store, clock, onBookingChanged, clinic, states, receivedUntil: since };
    const count = await holdRestored({ ...parts, exceptReleased: !store.identity.restored });
    log.warn('an older database was opened: bookings are held', { clinic, count });
  };

  /** No dispatcher would ever send them, nor would their time end them: a person has to know. */
  const holdHomeless = async () => {
    const waiting = await store.bookings.list({ states: ['received', 'queued'] });
    for (const { ref, attempt, clinic } of waiting.filter((booking) => !dispatchers.has(booking.clinic))) {
      const gone = { message: `Its clinic (${clinic}) is not in the configuration any more.` };
      const held = await store.bookings.move({
        ref,
        attempt,
        from: ['received', 'queued'],
        to: 'held',
        actor: 'daemon',
        by: 'clinic-sync',
        at: instant(clock.now()),
        reason: 'missing_field',
        message: heldMessage('missing_field', [gone]),
      });
      log.warn('a booking waits for a clinic that is not configured', { clinic, ref });
      if (held !== undefined) onBookingChanged(held);
    }
  };

  return {
    /** Before the dispatchers start. Safe to run again from any point. */
    async recover(): Promise<void> {
      failpoint('bookings.before_recovery');
      const interrupted = await store.bookings.interruptSending(instant(clock.now()));
      failpoint('bookings.after_recovery');
      for (const booking of interrupted) {
        log.warn('a booking was interrupted: its outcome is unknown', {
          clinic: booking.clinic,
          ref: booking.ref,
        });
        onBookingChanged(booking);
      }
      for (const [clinic, dispatcher] of dispatchers) {
        await dispatcher.recover(interrupted.filter((booking) => booking.clinic === clinic));
        await distrust(clinic, dispatcher);
      }
      await holdHomeless();
      // Only now that every dispatcher is paused on disk: a crash before this finds the database restored again.
      if (store.identity.restored) await store.settleRestored();
    },

    /** A `received` booking again, now that the mirror may know the names in it. */
    async recheck(booking: Booking): Promise<Booking | undefined> {
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
    },
  };
}
