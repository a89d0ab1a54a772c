import type { Booking } from '../../domain/bookings/booking.ts';
import type { Unattended } from '../../domain/bookings/counter.ts';
import { type Instant, instant } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import { countAfter } from '../clinic-counter.ts';
import { keepDoubt } from '../doubt.ts';
import { holdRestored, waitingInCopy } from '../hold-restored.ts';
import { unattendedMessage } from '../messages.ts';
import {
  differenceSince,
  failed,
  forgetUnattended,
  foundSince,
  keepCounter,
  keepUnattended,
  refusedRead,
  type Unexplained,
} from '../unattended.ts';
import type { CounterReading, Dispatch } from './dispatch.ts';
import { afterRead, withPause } from './dispatcher-state.ts';
import { type DispatchEffect, unreachable } from './outcome.ts';
import { applyEffect, storeState } from './stored-state.ts';

/** Short, because the reading also proves that the server is still this clinic. */
const READING_FRESH_MS = 2_000;
/** Failed appointment reads after which the comparison ends in doubt, although the clinic answers otherwise. */
const LOOKS_AT_MOST = 3;
const COMPARE_FOR_MS = 3 * MINUTE;

/** Reads the clinic's counter; undefined when that failed, which may have paused sending. */
export async function readCounter(d: Dispatch, signal: AbortSignal): Promise<CounterReading | undefined> {
  const { clinic, clock, store, key } = d;
  const value = await answered(d, signal, 'Reading the organization', () => clinic.appointmentCount(signal));
  if (value === failed) return undefined;
  failpoint('bookings.after_canary');
  const reading = { value, at: instant(clock.now()), monotonic: clock.monotonic() };
  d.reading = reading;
  await storeState(d, afterRead(d.state));
  if (!(await compareUnattended(d, reading, signal))) return undefined;
  await keepCounter(store, key, reading);
  return reading;
}

/** The clinic's answer; `failed` when it could not be read, which may have paused sending. */
async function answered<T>(d: Dispatch, signal: AbortSignal, what: string, read: () => Promise<T>) {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted) throw error;
    await applyEffect(d, effectOf(asFailure(error, what)));
    return failed;
  }
}

export const freshReading = async (d: Dispatch, signal: AbortSignal): Promise<CounterReading | undefined> =>
  d.reading !== undefined && d.clock.monotonic() - d.reading.monotonic < READING_FRESH_MS
    ? d.reading
    : await readCounter(d, signal);

/**
 * Runs the comparison at the first reading after a time without a daemon. False when the clinic could not be read and
 * it must be repeated. Safe to repeat from any point.
 */
export async function compareUnattended(
  d: Dispatch,
  reading: CounterReading,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, clock, key } = d;
  const unattended = await begunComparison(d);
  if (unattended === undefined) return true;
  const read = async (id: number) =>
    clock.monotonic() >= (d.compareUntil ?? 0) ? refusedRead : await readAppointment(d, id, signal);
  const difference = await differenceSince(store, key, unattended, reading);
  const doubt = await foundSince({ store, clock, key, unattended, difference, read });
  if (doubt === failed) return false;
  if (doubt !== undefined) await distrust(d, doubt, unattended.at);
  await forgetUnattended(store, key);
  d.unattended = undefined;
  d.failedLooks = 0;
  d.compareUntil = undefined;
  return true;
}

/** `refused` after some failures: the clinic answers otherwise, but not about this appointment. */
export async function readAppointment(d: Dispatch, id: number, signal: AbortSignal) {
  if (d.failedLooks >= LOOKS_AT_MOST) return refusedRead;
  const read = () => d.clinic.appointmentStatus(id, signal, 'awaited');
  const seen = await answered(d, signal, 'Reading an appointment', read);
  if (seen === failed) d.failedLooks += 1;
  return seen;
}

/** Sets and stores the comparison's deadline, so that status can say until when nothing is sent. */
async function begunComparison(d: Dispatch): Promise<Unattended | undefined> {
  if (d.unattended === undefined || d.compareUntil !== undefined) return d.unattended;
  d.compareUntil = d.clock.monotonic() + COMPARE_FOR_MS;
  d.unattended = { ...d.unattended, until: instant(d.clock.now() + COMPARE_FOR_MS) };
  await keepUnattended(d.store, d.key, d.unattended);
  return d.unattended;
}

/** If nothing is about to be sent, nothing is held now: each old booking is held only when a user releases it. */
async function distrust(d: Dispatch, found: Unexplained, at: Instant): Promise<void> {
  const { log, key: clinic } = d;
  d.doubt = { at, sentence: found.sentence };
  await keepDoubt(d.store, clinic, d.doubt);
  failpoint('bookings.doubt_kept');
  const copy = { ...d, receivedUntil: at };
  const isAboutToBeSent = (await waitingInCopy(copy, ['received', 'queued'])).length > 0;
  if (isAboutToBeSent) return await holdForgotten(d, found, at);
  log.warn(
    'the clinic may have bookings that this database forgot: a person is asked before an old one is sent',
    {
      clinic,
    },
  );
}

/** Includes held bookings: one may have been released after the copy was made, and would be sent twice. */
async function holdForgotten(d: Dispatch, { sentence, evidence }: Unexplained, receivedUntil: Instant) {
  const { clock, log, key: clinic } = d;
  const states = ['received', 'queued', 'held'] as const;
  await storeState(d, withPause(d.state, 'restored', unattendedMessage(sentence), instant(clock.now())));
  failpoint('bookings.unattended_paused');
  const count = await holdRestored(d, { clinic, states, receivedUntil, evidence });
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
