import { instant } from '../platform/clock.ts';
import { failpoint } from '../platform/failpoint.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { holdRestored } from './hold-restored.ts';
import { heldMessage, restoredMessage } from './messages.ts';
import { type BookingParts, moveAsDaemon } from './parts.ts';

type Units = ReadonlyMap<string, { dispatcher: Dispatcher }>;

/**
 * An older database does not know what it sent since: nothing in it may go out without a person's decision. Before any
 * clinic starts; safe to run again from any point.
 */
export async function distrustRestored(parts: BookingParts, units: Units): Promise<void> {
  const { store } = parts;
  if (!store.identity.restored) return;
  for (const [clinic, { dispatcher }] of units) {
    await dispatcher.loadPause();
    if (dispatcher.view().pause?.kind !== 'restored') await dispatcher.pause('restored', restoredMessage);
    failpoint('bookings.restored_paused');
    await holdOld(parts, clinic, dispatcher, { exceptReleased: false });
  }
  // Only after every clinic's pause is on disk: a crash before this finds the database restored again.
  await store.settleRestored();
}

/** Puts right what a crash left behind at one clinic, before anything is sent to it. Safe to run again from any point. */
export async function recoverClinic(
  parts: BookingParts,
  clinic: string,
  dispatcher: Dispatcher,
): Promise<void> {
  failpoint('bookings.before_recovery');
  const interrupted = await interruptSending(parts, clinic);
  failpoint('bookings.after_recovery');
  await dispatcher.recover(interrupted);
  // A crash may have come between the pause and the hold.
  if (dispatcher.view().pause?.kind === 'restored')
    await holdOld(parts, clinic, dispatcher, { exceptReleased: true });
}

async function interruptSending({ store, clock, log, onBookingChanged }: BookingParts, only: string) {
  const interrupted = await store.bookings.interruptSending(instant(clock.now()), only);
  for (const booking of interrupted) {
    const { clinic, ref } = booking;
    log.warn('a booking was interrupted: its outcome is unknown', { clinic, ref });
    onBookingChanged(booking);
  }
  return interrupted;
}

async function holdOld(
  parts: BookingParts,
  clinic: string,
  dispatcher: Dispatcher,
  { exceptReleased }: { exceptReleased: boolean },
): Promise<void> {
  const { clock, log } = parts;
  // What came since the pause is new: it waits until sending resumes, not for a decision about each.
  const since = dispatcher.view().pause?.since ?? instant(clock.now());
  const states = ['received', 'queued'] as const;
  const count = await holdRestored(parts, { clinic, states, receivedUntil: since, exceptReleased });
  log.warn('an older database was opened: bookings are held', { clinic, count });
}

/**
 * No dispatcher would ever send them, nor would they expire: a person has to know. `known`: clinics that this process or
 * another looks after.
 */
export async function holdWithoutClinic(parts: BookingParts, known: ReadonlySet<string>): Promise<void> {
  const open = await parts.store.bookings.list({ states: ['received', 'queued', 'sending'] });
  const homeless = open.filter(({ clinic }) => !known.has(clinic));
  const sending = homeless.filter(({ state }) => state === 'sending');
  for (const clinic of new Set(sending.map((booking) => booking.clinic)))
    await interruptSending(parts, clinic);
  for (const booking of homeless.filter(({ state }) => state !== 'sending')) {
    const { clinic, ref } = booking;
    const gone = { message: `Its clinic (${clinic}) is not in the configuration any more.` };
    const message = heldMessage('missing_field', [gone]);
    parts.log.warn('a booking waits for a clinic that is not configured', { clinic, ref });
    await moveAsDaemon(parts, booking, { to: 'held', reason: 'missing_field', message });
  }
}
