import type { Booking } from '../../domain/booking.ts';
import { type Instant, instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import { countAfter } from '../clinic-counter.ts';
import { holdRestored } from '../hold-restored.ts';
import { unattendedMessage } from '../messages.ts';
import { forgetUnattended, keepCounter, type Unexplained, unexplainedSince } from '../unattended.ts';
import type { Dispatch, Reading } from './dispatch.ts';
import { afterRead, withPause } from './dispatcher-state.ts';
import { type DispatchEffect, unreachable } from './outcome.ts';
import { applyEffect, storeState } from './stored-state.ts';

const READING_FRESH_MS = 60_000;

/** Reads the clinic's counter; undefined when it could not be read, which may have paused sending. */
export async function readCounter(d: Dispatch, signal: AbortSignal): Promise<Reading | undefined> {
  const { clinic, clock, store, key } = d;
  let value: number | null;
  try {
    value = await clinic.appointmentCount(signal);
  } catch (error) {
    if (signal.aborted) throw error;
    await applyEffect(d, effectOf(asFailure(error, 'Reading the organization')));
    return undefined;
  }
  failpoint('bookings.after_canary');
  const reading = { value, at: instant(clock.now()), monotonic: clock.monotonic() };
  d.reading = reading;
  await storeState(d, afterRead(d.state));
  await compareUnattended(d, reading);
  await keepCounter(store, key, reading);
  return reading;
}

export const freshReading = async (d: Dispatch, signal: AbortSignal): Promise<Reading | undefined> =>
  d.reading !== undefined && d.clock.monotonic() - d.reading.monotonic < READING_FRESH_MS
    ? d.reading
    : await readCounter(d, signal);

/** At the first reading after a while without a daemon. Safe to run again from any point. */
export async function compareUnattended(d: Dispatch, reading: Reading): Promise<void> {
  const { store, key, unattended } = d;
  if (unattended === undefined) return;
  const doubt = await unexplainedSince(store, key, unattended, reading);
  if (doubt !== undefined) await holdForgotten(d, doubt, unattended.at);
  await forgetUnattended(store, key);
  d.unattended = undefined;
}

/** Also those that wait for a person: they may have been released after the copy was made, and would be sent again. */
async function holdForgotten(d: Dispatch, { sentence, evidence }: Unexplained, receivedUntil: Instant) {
  const { store, clock, log, key: clinic, onBookingChanged } = d;
  const states = ['received', 'queued', 'held'] as const;
  await storeState(d, withPause(d.state, 'restored', unattendedMessage(sentence), instant(clock.now())));
  failpoint('bookings.unattended_paused');
  const count = await holdRestored({
    store,
    clock,
    onBookingChanged,
    clinic,
    states,
    receivedUntil,
    evidence,
  });
  failpoint('bookings.unattended_held');
  log.warn('the clinic may have bookings that this database forgot: those that waited are held', {
    clinic,
    count,
  });
}

/** Reads the counter again for unknown outcomes that have settled. */
export async function countAfterUnknown(
  d: Dispatch,
  settled: readonly Booking[],
  signal: AbortSignal,
): Promise<void> {
  if (settled.length === 0) return;
  const after = await readCounter(d, signal);
  if (after === undefined) return;
  const { value, at } = after;
  await countAfter({ store: d.store, clinic: d.key, bookings: settled, after: { value, at } });
}

/** What a failed read means for sending. */
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
