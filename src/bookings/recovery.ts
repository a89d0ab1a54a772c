import type { Booking } from '../domain/booking.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { failpoint } from '../platform/failpoint.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { holdRestored } from './hold-restored.ts';
import { heldMessage, restoredMessage } from './messages.ts';

interface RecoveryOptions {
  store: Store;
  units: ReadonlyMap<string, { dispatcher: Dispatcher }>;
  clock: Clock;
  log: Log;
  onBookingChanged: (booking: Booking) => void;
}

/** Puts right what a crash or an older copy left behind, before anything is sent. Safe to run again from any point. */
export async function recover(options: RecoveryOptions): Promise<void> {
  const { store, units, clock } = options;
  failpoint('bookings.before_recovery');
  const interrupted = await store.bookings.interruptSending(instant(clock.now()));
  failpoint('bookings.after_recovery');
  announce(options, interrupted);
  for (const [clinic, { dispatcher }] of units) {
    await dispatcher.recover(interrupted.filter((booking) => booking.clinic === clinic));
    await distrust(options, clinic, dispatcher);
  }
  await holdHomeless(options);
  // Only now that every clinic is paused on disk: a crash before this finds the database restored again.
  if (store.identity.restored) await store.settleRestored();
}

/** The same for one clinic that starts again while others are sending. */
export async function recoverClinic(
  options: Omit<RecoveryOptions, 'units'>,
  clinic: string,
  dispatcher: Dispatcher,
): Promise<void> {
  const { store, clock } = options;
  const interrupted = await store.bookings.interruptSending(instant(clock.now()), clinic);
  announce(options, interrupted);
  await dispatcher.recover(interrupted);
  await distrust(options, clinic, dispatcher);
}

function announce(
  { log, onBookingChanged }: Pick<RecoveryOptions, 'log' | 'onBookingChanged'>,
  interrupted: readonly Booking[],
): void {
  for (const booking of interrupted) {
    const { clinic, ref } = booking;
    log.warn('a booking was interrupted: its outcome is unknown', { clinic, ref });
    onBookingChanged(booking);
  }
}

/** An older database does not know what it sent since: nothing in it may go out without a person's decision. */
async function distrust(
  { store, clock, log, onBookingChanged }: Omit<RecoveryOptions, 'units'>,
  clinic: string,
  dispatcher: Dispatcher,
): Promise<void> {
  const waits = dispatcher.view().pause?.kind === 'restored';
  if (!waits && !store.identity.restored) return;
  if (!waits) await dispatcher.pause('restored', restoredMessage);
  failpoint('bookings.restored_paused');
  // Those that came since the pause are new leads: they wait until sending resumes, not for a decision about each.
  const states = ['received', 'queued'] as const;
  const since = dispatcher.view().pause?.since ?? instant(clock.now());
  const parts = { store, clock, onBookingChanged, clinic, states, receivedUntil: since };
  const count = await holdRestored({ ...parts, exceptReleased: !store.identity.restored });
  log.warn('an older database was opened: bookings are held', { clinic, count });
}

/** No dispatcher would ever send them, nor would their time end them: a person has to know. */
async function holdHomeless({ store, units, clock, log, onBookingChanged }: RecoveryOptions): Promise<void> {
  const waiting = await store.bookings.list({ states: ['received', 'queued'] });
  for (const { ref, attempt, clinic } of waiting.filter((booking) => !units.has(booking.clinic))) {
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
}
