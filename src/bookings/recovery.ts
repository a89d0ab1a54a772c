import { instant } from '../platform/clock.ts';
import { failpoint } from '../platform/failpoint.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { holdRestored } from './hold-restored.ts';
import { heldMessage, restoredMessage } from './messages.ts';
import { type BookingParts, moveAsDaemon } from './parts.ts';

type Units = ReadonlyMap<string, { dispatcher: Dispatcher }>;

/** Puts right what a crash or an older copy left behind, before anything is sent. Safe to run again from any point. */
export async function recover(parts: BookingParts, units: Units): Promise<void> {
  const { store } = parts;
  failpoint('bookings.before_recovery');
  const interrupted = await interruptSending(parts);
  failpoint('bookings.after_recovery');
  for (const [clinic, { dispatcher }] of units) {
    await dispatcher.recover(interrupted.filter((booking) => booking.clinic === clinic));
    await distrust(parts, clinic, dispatcher);
  }
  await holdWithoutClinic(parts, units);
  // Only after every clinic's pause is on disk: a crash before this finds the database restored again.
  if (store.identity.restored) await store.settleRestored();
}

/** The same for one clinic that starts again while others are sending. */
export async function recoverClinic(parts: BookingParts, clinic: string, dispatcher: Dispatcher) {
  await dispatcher.recover(await interruptSending(parts, clinic));
  await distrust(parts, clinic, dispatcher);
}

async function interruptSending({ store, clock, log, onBookingChanged }: BookingParts, only?: string) {
  const interrupted = await store.bookings.interruptSending(instant(clock.now()), only);
  for (const booking of interrupted) {
    const { clinic, ref } = booking;
    log.warn('a booking was interrupted: its outcome is unknown', { clinic, ref });
    onBookingChanged(booking);
  }
  return interrupted;
}

/** An older database does not know what it sent since: nothing in it may go out without a person's decision. */
async function distrust(parts: BookingParts, clinic: string, dispatcher: Dispatcher): Promise<void> {
  const { store, clock, log } = parts;
  const waits = dispatcher.view().pause?.kind === 'restored';
  if (!waits && !store.identity.restored) return;
  if (!waits) await dispatcher.pause('restored', restoredMessage);
  failpoint('bookings.restored_paused');
  // What came since the pause is new: it waits until sending resumes, not for a decision about each.
  const since = dispatcher.view().pause?.since ?? instant(clock.now());
  const count = await holdRestored(parts, {
    clinic,
    states: ['received', 'queued'],
    receivedUntil: since,
    exceptReleased: !store.identity.restored,
  });
  log.warn('an older database was opened: bookings are held', { clinic, count });
}

/** No dispatcher would ever send them, nor would they expire: a person has to know. */
async function holdWithoutClinic(parts: BookingParts, units: Units): Promise<void> {
  const waiting = await parts.store.bookings.list({ states: ['received', 'queued'] });
  for (const booking of waiting.filter(({ clinic }) => !units.has(clinic))) {
    const { clinic, ref } = booking;
    const gone = { message: `Its clinic (${clinic}) is not in the configuration any more.` };
    const message = heldMessage('missing_field', [gone]);
    parts.log.warn('a booking waits for a clinic that is not configured', { clinic, ref });
    await moveAsDaemon(parts, booking, { to: 'held', reason: 'missing_field', message });
  }
}
