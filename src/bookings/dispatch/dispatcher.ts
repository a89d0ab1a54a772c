import type { Clinic } from '../../clinic/clinic.ts';
import type { ClinicSettings } from '../../config/config.ts';
import type { Booking } from '../../domain/booking.ts';
import type { Unattended } from '../../domain/counter.ts';
import { backoffMs, UPPER_HALF } from '../../platform/backoff.ts';
import { type Clock, type Instant, instant, toMs } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { type Loop, startLoop } from '../../platform/loop.ts';
import { clause } from '../../platform/sentences.ts';
import type { Store } from '../../store/store.ts';
import { countAfter, type Settling, uncounted } from '../clinic-counter.ts';
import { holdRestored } from '../hold-restored.ts';
import { unattendedMessage } from '../messages.ts';
import { slotAt } from '../slot.ts';
import {
  forgetUnattended,
  keepCounter,
  readUnattended,
  type Unexplained,
  unexplainedSince,
} from '../unattended.ts';
import {
  afterEffect,
  afterRead,
  afterResume,
  type DispatcherState,
  openState,
  type PauseKind,
  readDispatcherState,
  readResumption,
  withDoubt,
  withPause,
} from './dispatcher-state.ts';
import { type DispatchEffect, judge, type Settlement, unreachable, unseenRefusal } from './outcome.ts';
import { settleSend } from './settle.ts';
import { type Submitted, submit } from './submit.ts';
import { effectOfNotSent, takeBack } from './take-back.ts';

const IDLE_MS = 60_000;
const READING_FRESH_MS = 60_000;
const AFTER_NOT_SENT_MS = 1_000;
/** Refused so often without being looked at, and no other with it: it is the booking, not the lane. */
const SET_ASIDE_AFTER = 3;
/** Those whose time has passed expire within half a minute. */
const LOOKED_AT = 20;
const MEMORY = 'bookings';
/** Where a person's word in another process waits for the lane's next tick. */
const resumeKey = (clinic: string) => `resume:${clinic}`;
/** How long a booking that was surely not created waits for its next send. */
const resend = { floor: 5_000, cap: 10 * 60_000, jitter: UPPER_HALF };

/** One clinic's way out: one booking at a time, and none while something is wrong. */
export interface Dispatcher {
  start(): void;
  wake(): void;
  /** The booking on the wire gets its grace; then it is recorded as unknown. */
  stop(): Promise<void>;
  /** Reads what was kept. */
  loadPause(): Promise<void>;
  /** Reads what was kept; counts the bookings that a crash left unknown. Before `start`. */
  recover(interrupted: readonly Booking[]): Promise<void>;
  /** Something else found the clinic not answering: a read comes before the next send. */
  invalidateReading(): void;
  pause(kind: PauseKind, reason: string): Promise<void>;
  resume(by: string): Promise<void>;
  view(): DispatcherState;
}

interface DispatcherOptions {
  clinic: Clinic;
  settings: ClinicSettings;
  settling: Settling;
  store: Store;
  clock: Clock;
  log: Log;
  random: () => number;
  onBookingChanged: (booking: Booking) => void;
}

interface Reading {
  /** Null: the clinic answered, but without the figure. */
  value: number | null;
  at: Instant;
  monotonic: number;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { clinic, settings, settling, store, clock, log, random, onBookingChanged } = options;
  const key = settings.key;
  let state: DispatcherState = openState;
  let kept = true;
  /** Dropped after any error, so that one good answer always comes before the next send. */
  let reading: Reading | undefined;
  /** What became of a send and could not be written down yet. Nothing is sent before it is. */
  let owed: (() => Promise<void>) | undefined;
  let loop: Loop | undefined;
  /** Set until the clinic's counter was compared with the last one that the database knows: nothing is sent before. */
  let unattended: Unattended | undefined;

  const keep = async (next: DispatcherState) => {
    if (next === state && kept) return;
    if (next.pause !== null && next.pause.kind !== state.pause?.kind)
      log.warn('bookings paused', { clinic: key, kind: next.pause.kind, problem: next.pause.reason });
    if (next.pause === null && state.pause !== null) log.info('bookings go on', { clinic: key });
    const begins = next.pause !== null && state.pause === null;
    state = next;
    kept = false;
    // What a person said before it began is not about this pause, whatever the clock says.
    const earlier = begins ? { [resumeKey(key)]: undefined } : {};
    await store.keyValue.set(MEMORY, { [`lane:${key}`]: JSON.stringify(state), ...earlier });
    kept = true;
    failpoint('bookings.lane_kept');
  };

  const payOwed = async () => {
    if (owed === undefined) return;
    await owed();
    owed = undefined;
  };

  const effect = (lane: DispatchEffect, doubtful?: Booking) => {
    const nowMs = clock.now();
    const next = afterEffect(state, lane, nowMs, random());
    if (lane.kind !== 'fine') reading = undefined;
    return keep(
      doubtful === undefined ? next : withDoubt(next, { ref: doubtful.ref, at: doubtful.changed_at }, nowMs),
    );
  };

  const read = async (signal: AbortSignal): Promise<Reading | undefined> => {
    let value: number | null;
    try {
      value = await clinic.appointmentCount(signal);
    } catch (error) {
      if (signal.aborted) throw error;
      await effect(effectOf(asFailure(error, 'Reading the organization')));
      return undefined;
    }
    failpoint('bookings.after_canary');
    const seen = { value, at: instant(clock.now()), monotonic: clock.monotonic() };
    reading = seen;
    await keep(afterRead(state));
    await compareOnce(seen);
    await keepCounter(store, key, seen);
    return seen;
  };

  /** At the first reading after a while without a daemon. Safe to run again from any point. */
  const compareOnce = async (seen: Reading) => {
    if (unattended === undefined) return;
    const doubt = await unexplainedSince(store, key, unattended, seen);
    if (doubt !== undefined) await holdForgotten(doubt, unattended.at);
    await forgetUnattended(store, key);
    unattended = undefined;
  };

  /** Those that wait for a person, too: they may have been released, and would be released again. */
  const holdForgotten = async ({ sentence, evidence }: Unexplained, receivedUntil: Instant) => {
    const states = ['received', 'queued', 'held'] as const;
    await keep(withPause(state, 'restored', unattendedMessage(sentence), instant(clock.now())));
    failpoint('bookings.unattended_paused');
    const count = await holdRestored({
      store,
      clock,
      onBookingChanged,
      clinic: key,
      states,
      receivedUntil,
      evidence,
    });
    failpoint('bookings.unattended_held');
    log.warn('the clinic may have bookings that this database forgot: those that waited are held', {
      clinic: key,
      count,
    });
  };

  const freshReading = async (signal: AbortSignal) =>
    reading !== undefined && clock.monotonic() - reading.monotonic < READING_FRESH_MS
      ? reading
      : await read(signal);

  const sendable = async (): Promise<{ head: Booking | undefined; nextMs: number }> => {
    const nowMs = clock.now();
    const at = instant(nowMs);
    const ready = await store.bookings.nextSendable(key, at, LOOKED_AT);
    const head = ready.find(
      ({ appointment_date, appointment_time }) =>
        (slotAt(appointment_date, appointment_time, settings.timezone)?.lastMs ?? Infinity) > nowMs,
    );
    const next = head === undefined ? await store.bookings.nextDue(key, at) : undefined;
    const nextMs = next === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(1, toMs(next) - nowMs));
    return { head, nextMs };
  };

  /** What a send means for its booking and for the lane, by what became of others before. */
  const judged = ({ claimed, outcome }: Sent): { booking: Settlement; lane: DispatchEffect } => {
    const refusal = unseenRefusal(outcome);
    const found = judge(outcome);
    if (refusal === undefined || found.booking.to !== 'queued') return found;
    const { ref } = claimed;
    const alone = state.refused.every((other) => other === ref);
    if (alone && claimed.refusals + 1 >= SET_ASIDE_AFTER)
      return { booking: { to: 'held', words: refusalWords(refusal) }, lane: { kind: 'set_aside' } };
    const reason = 'reason' in found.lane ? found.lane.reason : refusalWords(refusal);
    return { booking: found.booking, lane: { kind: 'refused', reason, ref } };
  };

  /** Sends one booking and writes down what became of it. Resolves to the milliseconds until the next. */
  const send = async (booking: Booking, counter: Reading, stop: AbortSignal): Promise<number> => {
    const zone = settings.timezone;
    const trusted = () => reading === counter && state.pause === null;
    const sent = await submit({ store, clinic, clock, zone, booking, counter, trusted, stop });
    if (sent.kind === 'not_sent') {
      owed = async () => {
        await takeBack({ store, clock, log, booking, sent, onBookingChanged });
        const lane = effectOfNotSent(sent);
        if (lane !== undefined) await effect(lane);
      };
      await payOwed();
      return AFTER_NOT_SENT_MS;
    }
    const { booking: settlement, lane } = judged(sent);
    if (settlement.to !== 'booked') reading = undefined;
    log.info('booking sent', {
      clinic: key,
      ref: booking.ref,
      kind: sent.outcome.class,
      attempt: sent.claimed.attempt,
    });
    const notBeforeMs = clock.now() + backoffMs(state.faults + 1, resend, random());
    owed = async () => {
      const { claimed } = sent;
      const refusals = unseenRefusal(sent.outcome) === undefined ? 0 : claimed.refusals + 1;
      const settled = await settleSend({
        store,
        clock,
        log,
        booking: claimed,
        settlement,
        notBeforeMs,
        refusals,
      });
      onBookingChanged(settled);
      await effect(lane, settled.state === 'unknown' ? settled : undefined);
    };
    await payOwed();
    return 0;
  };

  const resume = async (by: string) => {
    reading = undefined;
    await keep(afterResume(instant(clock.now()), by));
  };

  const applyResumeRequest = async () => {
    const asked = state.pause === null ? undefined : await store.keyValue.get(MEMORY, resumeKey(key));
    if (asked === undefined) return;
    const said = readResumption(asked);
    if (said !== undefined) await resume(said.by);
    await store.keyValue.set(MEMORY, { [resumeKey(key)]: undefined });
  };

  const tick = async (signal: AbortSignal): Promise<number> => {
    await payOwed();
    await applyResumeRequest();
    if (!kept) await keep({ ...state });
    const nowMs = clock.now();

    const open = await store.bookings.list({ clinic: key, states: ['unknown'] });
    const toCount = uncounted(open, settling);
    const idle = Math.min(IDLE_MS, toCount.inMs);
    const waitMs = waitOf(state, nowMs);
    const mayRead = waitMs <= 0 || waitMs === Infinity;
    if (unattended !== undefined && mayRead) {
      await read(signal);
      if (state.pause !== null) return state.pause.until === null ? idle : 1;
    }
    if (toCount.due.length > 0 && mayRead) {
      const after = await read(signal);
      if (after !== undefined)
        await countAfter({
          store,
          clinic: key,
          bookings: toCount.due,
          after: { value: after.value, at: after.at },
        });
    }
    if (waitMs > 0) return Math.min(idle, waitMs);

    const { head, nextMs } = await sendable();
    if (head === undefined && state.pause === null) return Math.min(idle, nextMs);
    const before = await freshReading(signal);
    if (before === undefined || state.pause !== null || signal.aborted) return 1;
    if (head === undefined) return Math.min(idle, nextMs);
    return await send(head, before, signal);
  };

  const readKept = async () =>
    readDispatcherState(await store.keyValue.get(MEMORY, `lane:${key}`), instant(clock.now()));

  return {
    async loadPause() {
      state = await readKept();
    },
    async recover(interrupted) {
      const nowMs = clock.now();
      state = await readKept();
      unattended = await readUnattended(store, key);
      let recovered = state;
      // The note about a doubt may have been lost with the process: the bookings themselves still say it.
      const unknown = await store.bookings.list({ clinic: key, states: ['unknown'] });
      const doubts = new Map([...unknown, ...interrupted].map((booking) => [booking.ref, booking]));
      for (const { ref, changed_at } of doubts.values())
        recovered = withDoubt(recovered, { ref, at: changed_at }, nowMs);
      kept = false;
      await keep(recovered);
    },
    start() {
      loop ??= startLoop({ clock, log, name: 'bookings lane', tick });
    },
    wake() {
      loop?.wake();
    },
    async stop() {
      await loop?.stop();
      // One more try to write down what is known; what stays `sending` is unknown at the next start.
      await payOwed().catch(() => {});
    },
    invalidateReading() {
      reading = undefined;
    },
    async pause(kind, reason) {
      await keep(withPause(state, kind, reason, instant(clock.now())));
    },
    async resume(by) {
      // Beside a running daemon the state is the daemon's: it is asked, and heeds it at its next tick.
      if (loop === undefined)
        return await store.keyValue.set(MEMORY, {
          [resumeKey(key)]: JSON.stringify({ at: instant(clock.now()), by }),
        });
      await resume(by);
      loop.wake();
    },
    view: () => state,
  };
}

type Sent = Extract<Submitted, { kind: 'sent' }>;

const refusalWords = ({ status, words }: { status: number; words: string }): string =>
  `The clinic’s API refuses this booking (${status})${words.trim() === '' ? '.' : `: ${clause(words)}.`}`;

/** Milliseconds until the lane may look again: none while it is open, no end while it waits for a person. */
function waitOf({ pause }: DispatcherState, nowMs: number): number {
  if (pause === null) return 0;
  if (pause.until === null) return Infinity;
  // The clock was set back: a wait that began in the future would never end.
  return toMs(pause.since) > nowMs ? 0 : toMs(pause.until) - nowMs;
}

/** What a failed read says about the lane. */
function effectOf(failure: Failure): DispatchEffect {
  if (failure.status === 401) return { kind: 'credentials', reason: failure.message };
  if (failure.status === 429)
    return {
      kind: 'limit',
      reason: failure.message,
      ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    };
  if (failure.kind === 'refused') return { kind: 'configuration', reason: failure.message, safe: true };
  return unreachable(failure.message, failure.lasting);
}
