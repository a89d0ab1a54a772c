import type { Alarm } from '../domain/status/report.ts';
import { instant } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure } from '../platform/failure.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { type BookingParts, moveAsDaemon } from './booking-parts.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { holdRestored } from './hold-restored.ts';
import { heldMessage, restoredMessage } from './messages.ts';

type Units = ReadonlyMap<string, { dispatcher: Dispatcher }>;

/**
 * An older database does not know what was sent since: nothing in it may be sent without a user's decision. Run before
 * any clinic starts; safe to repeat from any point.
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
  // Only after every clinic's pause is stored: after a crash before this, the database still counts as restored.
  await store.settleRestored();
}

/** Repairs what a crash left behind at one clinic, before anything is sent to it. Safe to repeat from any point. */
export async function recoverClinic(
  parts: BookingParts,
  clinic: string,
  dispatcher: Dispatcher,
): Promise<void> {
  failpoint('bookings.before_recovery');
  const interrupted = await interruptSending(parts, clinic);
  failpoint('bookings.after_recovery');
  await dispatcher.recover(interrupted);
  // The process may have crashed between the pause and the hold.
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
  // Bookings received since the pause are new: they wait for sending to resume, not for a decision each.
  const since = dispatcher.view().pause?.since ?? instant(clock.now());
  const states = ['received', 'queued'] as const;
  const count = await holdRestored(parts, { clinic, states, receivedUntil: since, exceptReleased });
  // Most were held, and said to be, when the database was opened.
  if (count > 0) log.warn('an older database was opened: bookings are held', { clinic, count });
}

/**
 * No dispatcher would send or expire these bookings, so a user has to know about them: at once, and every hour, because
 * the last process with a clinic may go. `known`: clinics that this process or another one owns. Starts even if the
 * first look fails, because the rest of the upkeep tells people so.
 */
export async function startHoldingWithoutClinic(
  parts: BookingParts,
  known: () => Promise<ReadonlySet<string>>,
): Promise<Loop & { alarms(): Alarm[] }> {
  let problem: string | undefined;
  const look = async () => {
    try {
      await holdWithoutClinic(parts, await known());
      problem = undefined;
    } catch (error) {
      problem = asFailure(error, 'Holding them').message;
      throw error;
    }
  };
  await look().catch(() => {});
  const loop = startLoop({
    ...{ clock: parts.clock, log: parts.log, name: 'bookings without a clinic', afterErrorMs: MINUTE },
    firstAfterMs: problem === undefined ? HOUR : 0,
    async tick() {
      await look();
      return HOUR;
    },
  });
  const alarms = () => (problem === undefined ? [] : [notHeld(problem)]);
  return { ...loop, alarms };
}

const notHeld = (problem: string): Alarm => ({
  sentence: `Bookings of clinics that are not configured could not be held: ${problem}`,
  action: 'See the log, and what `clinic-sync doctor` says.',
  asksPerson: true,
});

async function holdWithoutClinic(parts: BookingParts, known: ReadonlySet<string>): Promise<void> {
  const open = await parts.store.bookings.list({ states: ['received', 'queued', 'sending'] });
  const homeless = open.filter(({ clinic }) => !known.has(clinic));
  const sending = homeless.filter(({ state }) => state === 'sending');
  for (const clinic of new Set(sending.map((booking) => booking.clinic)))
    await interruptSending(parts, clinic);
  for (const booking of homeless.filter(({ state }) => state !== 'sending')) {
    const { clinic, ref } = booking;
    const gone = { message: `Its clinic (${clinic}) is no longer in the configuration.` };
    const message = heldMessage('missing_field', [gone]);
    parts.log.warn('a booking waits for a clinic that is not configured', { clinic, ref });
    await moveAsDaemon(parts, booking, { to: 'held', reason: 'missing_field', message });
  }
}
