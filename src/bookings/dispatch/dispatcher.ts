import type { Booking } from '../../domain/bookings/booking.ts';
import type { Unattended } from '../../domain/bookings/counter.ts';
import { instant, toMs } from '../../platform/clock.ts';
import { dueIn } from '../../platform/due-in.ts';
import { MINUTE } from '../../platform/duration.ts';
import { type Loop, startLoop } from '../../platform/loop.ts';
import { moveAsDaemon } from '../booking-parts.ts';
import { uncounted } from '../clinic-counter.ts';
import { askedAbout, doubtAbout, readDoubt } from '../doubt.ts';
import { suspectedBeside } from '../same-slot.ts';
import { slotAt } from '../slot.ts';
import { readUnattended } from '../unattended.ts';
import { maySendAgain } from './after-refusal.ts';
import { countAfterUnknown, freshReading, readCounter } from './clinic-reading.ts';
import { type Dispatch, type DispatchParts, newDispatch } from './dispatch.ts';
import { type DispatcherState, type PauseKind, withDoubt, withPause } from './dispatcher-state.ts';
import { isRenumbered } from './renumbered.ts';
import { sendBooking, storePendingOutcome } from './send.ts';
import { applyResumeRequest, loadState, requestResume, resume, storeState } from './stored-state.ts';

const IDLE_MS = MINUTE;
/** While nothing is queued or unknown. A new booking ends the rest early; this bounds the cost of a lost wake-up. */
const RESTING_MS = 5 * MINUTE;
const UNWRITABLE_MS = 5_000;
/** Candidates per tick; housekeeping expires those with a past slot within half a minute. */
const CANDIDATES = 20;

/** Sends one clinic's bookings: one at a time, and none while something is wrong. */
export interface Dispatcher {
  start(): void;
  wake(): void;
  /** The booking on the wire gets a grace period; then it is recorded as unknown. */
  stop(): Promise<void>;
  /** True while a booking may be on the wire or its outcome is not stored yet. */
  isSending(): boolean;
  loadPause(): Promise<void>;
  /** What is stored, of a clinic that another process runs. */
  show(state: DispatcherState, unattended: Unattended | undefined): void;
  /** Reads the stored state and counts the bookings that a crash left unknown. Before `start`. */
  recover(interrupted: readonly Booking[]): Promise<void>;
  /** Call after another read of the clinic failed: a successful one must precede the next send. */
  invalidateReading(): void;
  pause(kind: PauseKind, reason: string): Promise<void>;
  /** Takes effect at once in the daemon; from another process, at the daemon's next tick. False: nothing is paused. */
  resume(by: string): Promise<boolean>;
  view(): DispatcherState;
  /** Set while waiting bookings are compared with the clinic's newest appointments; nothing is sent meanwhile. */
  comparing(): Unattended | undefined;
}

export function createDispatcher(parts: DispatchParts): Dispatcher {
  const { clock, log } = parts;
  const d = newDispatch(parts);
  let loop: Loop | undefined;

  return {
    async loadPause() {
      d.state = await loadState(d);
      d.unattended = await readUnattended(d.store, d.key);
    },
    show(state, unattended) {
      d.state = state;
      d.unattended = unattended;
    },
    recover: (interrupted) => recover(d, interrupted),
    start() {
      loop ??= startLoop({ clock, log, name: 'bookings dispatcher', tick: (signal) => tick(d, signal) });
    },
    wake() {
      loop?.wake();
    },
    async stop() {
      await loop?.stop();
      // Last try to store the outcome; a booking still `sending` becomes unknown at the next start.
      await storePendingOutcome(d).catch(() => {});
    },
    isSending: () => d.sending || d.pendingOutcome !== undefined,
    invalidateReading() {
      d.reading = undefined;
    },
    async pause(kind, reason) {
      await storeState(d, withPause(d.state, kind, reason, instant(clock.now())));
    },
    async resume(by) {
      if (loop === undefined) return await requestResume(d, by);
      const wasPaused = d.state.pause !== null;
      await resume(d, by);
      loop.wake();
      return wasPaused;
    },
    view: () => d.state,
    comparing: () => d.unattended,
  };
}

async function recover(d: Dispatch, interrupted: readonly Booking[]): Promise<void> {
  const nowMs = d.clock.now();
  d.state = await loadState(d);
  d.unattended = await readUnattended(d.store, d.key);
  d.doubt = await readDoubt(d.store, d.key);
  let recovered = d.state;
  // A crash may have lost the stored doubts; the bookings themselves still show them.
  const unknown = await d.store.bookings.list({ clinic: d.key, states: ['unknown'] });
  const doubts = new Map([...unknown, ...interrupted].map((booking) => [booking.ref, booking]));
  // Not when it changed last: a merge changes a booking, too.
  for (const { ref, attempt, sending_since, changed_at } of doubts.values())
    recovered = withDoubt(recovered, { ref, attempt, at: sending_since ?? changed_at }, nowMs);
  d.isStored = false;
  await storeState(d, recovered);
}

/** One step of the loop; resolves to the milliseconds until the next. */
async function tick(d: Dispatch, signal: AbortSignal): Promise<number> {
  // Nothing may be sent without a durable claim; the database watch reports the remedy.
  if (d.store.unwritable() !== undefined) return UNWRITABLE_MS;
  await storePendingOutcome(d);
  if (d.tenure.signal.aborted) return IDLE_MS;
  await applyResumeRequest(d);
  if (!d.isStored) await storeState(d, { ...d.state });
  await noteLeap(d);
  const nowMs = d.clock.now();

  const unknown = await d.store.bookings.list({ clinic: d.key, states: ['unknown'] });
  const toCount = uncounted(unknown, d.settling);
  const idleMs = Math.min(restOf(d, unknown), toCount.inMs);
  const waitMs = waitOf(d.state, nowMs);
  if (waitMs <= 0 || waitMs === Infinity) {
    if (d.unattended !== undefined) {
      await readCounter(d, signal);
      const { pause } = d.state;
      if (pause !== null) return pause.until === null ? idleMs : 1;
    }
    await countAfterUnknown(d, toCount.due, signal);
  }
  return waitMs > 0 ? Math.min(idleMs, waitMs) : await sendNext(d, idleMs, signal);
}

/** A machine put back to a snapshot with its memory looks like this: what waits may have been sent since. */
async function noteLeap(d: Dispatch): Promise<void> {
  const { count, before } = d.trust.leapsAhead();
  if (count === d.leapsNoted) return;
  await d.store.bookings.noteLeap(d.key, instant(d.clock.now()), before);
  d.unattended = await readUnattended(d.store, d.key);
  d.compareUntil = undefined;
  d.reading = undefined;
  d.leapsNoted = count;
}

const restOf = ({ state, unattended }: Dispatch, unknown: readonly Booking[]): number =>
  unknown.length === 0 && state.pause === null && unattended === undefined ? RESTING_MS : IDLE_MS;

async function sendNext(d: Dispatch, idleMs: number, signal: AbortSignal): Promise<number> {
  const waitMs = d.tenure.sendsInMs();
  if (waitMs > 0) return Math.min(idleMs, waitMs);
  const { next, inMs } = await nextSendable(d);
  if (next === undefined && d.state.pause === null) return Math.min(idleMs, inMs);
  const before = await freshReading(d, signal);
  if (before === undefined || d.state.pause !== null || signal.aborted) return 1;
  if (next === undefined) return Math.min(idleMs, inMs);
  if ((await isHeldInDoubt(d, next)) || (await isHeldBesideMoved(d, next)) || (await isRenumbered(d, next)))
    return 1;
  if (!(await maySendAgain(d, next, before, signal)) || d.reading !== before) return 1;
  return await sendBooking(d, next, before, signal);
}

/** Catches bookings queued past `release`: before the comparison ended, or by a command at this moment. */
async function isHeldInDoubt(d: Dispatch, booking: Booking): Promise<boolean> {
  const doubt = doubtAbout(booking, d.doubt, instant(d.clock.now()));
  if (doubt === undefined) return false;
  await moveAsDaemon(d, booking, { to: 'held', ...askedAbout(doubt) });
  return true;
}

/** Catches bookings for a time to which the clinic has moved another visit of the same phone since they came. */
async function isHeldBesideMoved(d: Dispatch, booking: Booking): Promise<boolean> {
  const { ref, acknowledged_duplicates: seen } = booking;
  const moved = (await d.store.bookings.resembling(booking)).filter(
    (one) => one.moved && one.ref !== ref && !seen.includes(one.ref),
  );
  if (moved.length === 0) return false;
  const shown = [...seen, ...moved.map((one) => one.ref)];
  await moveAsDaemon(d, booking, { to: 'held', ...suspectedBeside(moved, shown) });
  return true;
}

/** The next booking whose slot has not passed; without one, the milliseconds until the next try. */
export async function nextSendable(
  d: Pick<Dispatch, 'store' | 'clock' | 'settings' | 'key'>,
): Promise<{ next: Booking | undefined; inMs: number }> {
  const { store, clock, settings, key } = d;
  const nowMs = clock.now();
  const at = instant(nowMs);
  const ready = await store.bookings.nextSendable(key, at, CANDIDATES);
  const next = ready.find(
    ({ appointment_date, appointment_time }) =>
      (slotAt(appointment_date, appointment_time, settings.timezone)?.lastMs ?? Infinity) > nowMs,
  );
  const due = next === undefined ? await store.bookings.nextDue(key, at) : undefined;
  if (due === undefined) return { next, inMs: ready.length === 0 ? RESTING_MS : IDLE_MS };
  const inMs = Math.min(IDLE_MS, Math.max(1, toMs(due) - nowMs));
  return { next, inMs };
}

/** Milliseconds until the clinic may be read again: 0 while sending is open, Infinity until a user resumes. */
function waitOf({ pause }: DispatcherState, nowMs: number): number {
  if (pause === null) return 0;
  if (pause.until === null) return Infinity;
  return dueIn({ since: pause.decided_at ?? pause.since, until: pause.until }, nowMs);
}
