import type { BookingOutcome } from '../../clinic/clinic.ts';
import type { Booking, BookingRequest } from '../../domain/bookings/booking.ts';
import { noteWithRef } from '../../domain/bookings/booking-ref.ts';
import { type Clock, type Instant, instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import { hashOf } from '../content-hash.ts';
import { slotAt } from '../slot.ts';
import type { Dispatch } from './dispatch.ts';

/** After a stop request, how long a booking on the wire may still wait for its answer. */
const STOP_GRACE_MS = 8_000;
/** More than waiting for a turn, connecting and the client's own 60 s response timeout take together. */
const ANSWER_WITHIN_MS = 180_000;
/** How long an aborted call may take to return its outcome. */
const LAST_WORDS_MS = 500;

interface Submission {
  booking: Booking;
  /** `total_appointments` as read just before. */
  counter: { value: number | null; at: Instant };
  /** False once something failed at the clinic since that reading: it must be read again first. */
  trusted: () => boolean;
  /** Aborted when the daemon stops. */
  stop: AbortSignal;
  /** Aborted when this process loses the clinic; ends the call at once. */
  lost: AbortSignal;
}

export interface SentBooking {
  kind: 'sent';
  claimed: Booking;
  outcome: BookingOutcome;
}

/** Nothing was handed to the network. */
export interface NotSent {
  kind: 'not_sent';
  /** When a claim was tried; it must be undone if it took effect. */
  claimAt: Instant | undefined;
  /** The client could not even try (no token). */
  outcome?: BookingOutcome;
  /** What we or the client threw. */
  error?: unknown;
}

const interrupted: BookingOutcome = {
  class: 'ambiguous',
  cause: 'interrupted',
  detail: 'The send was interrupted before an answer came.',
};
const timeout: BookingOutcome = {
  class: 'ambiguous',
  cause: 'timeout',
  detail: 'No answer came within the time allowed.',
};
const incomplete = ({ ref }: Booking) =>
  new Failure({ kind: 'refused', message: `Booking ${ref} is not complete.` });
const bodyHashOf = (request: BookingRequest | undefined) => hashOf({ ...request });
const isInterrupted = (outcome: BookingOutcome) =>
  outcome.class === 'ambiguous' && outcome.cause === 'interrupted';
const notNow = () => new Failure({ kind: 'transient', message: 'The booking must no longer be sent.' });

/**
 * Sends one booking, once. The claim (`sending`, with everything needed to find out later what happened) is durable
 * before the client may open a socket; from then on only proof that nothing was executed undoes it.
 */
export async function submit(
  {
    store,
    clinic,
    clock,
    settings,
    tenure,
  }: Pick<Dispatch, 'store' | 'clinic' | 'clock' | 'settings' | 'tenure'>,
  { booking, counter, trusted, stop, lost }: Submission,
): Promise<SentBooking | NotSent> {
  const slot = slotAt(booking.appointment_date, booking.appointment_time, settings.timezone);
  const request = slot === undefined ? undefined : requestOf(booking);
  // Held by the caller; otherwise it would be retried for ever and block the queue.
  if (request === undefined) return { kind: 'not_sent', claimAt: undefined, error: incomplete(booking) };
  const bodyHash = bodyHashOf(request);

  const attempt = oneAttempt();
  const claim = async (at: Instant): Promise<Booking> => {
    const { value, at: counted_at } = counter;
    const evidence = { sent_at: at, body_hash: bodyHash, counter_before: { value, at: counted_at } };
    failpoint('bookings.before_claim');
    const claimed = await store.bookings.claim(booking.clinic, at, { ref: booking.ref, evidence });
    failpoint('bookings.after_claim');
    // Edited or dropped while waiting for its turn: the request no longer matches what is stored.
    if (claimed?.ref !== booking.ref || bodyHashOf(requestOf(claimed)) !== bodyHash) throw notNow();
    if (claimed.evidence?.body_hash !== bodyHash) throw notNow();
    return claimed;
  };
  const beforeSend = async () => {
    const slotPassed = (slot?.lastMs ?? 0) <= clock.now();
    if (stop.aborted || !trusted() || slotPassed || !attempt.mayStart()) throw notNow();
    await attempt.claim(instant(clock.now()), claim);
    // Another call to the clinic may have failed while the claim was being stored.
    if (stop.aborted || !trusted() || !attempt.handOver()) throw notNow();
    failpoint('bookings.intent_durable');
  };

  const call = new AbortController();
  const watching = new AbortController();
  const overdue = watch({
    clock,
    stop,
    lost,
    call,
    handedOver: attempt.handedOver,
    watching: watching.signal,
  });
  const answered = clinic
    .book(request, { signal: call.signal, beforeSend, mayStillSend: tenure.maySend })
    .then((outcome) => ({ outcome, error: undefined }))
    .catch((error: unknown) => ({ outcome: undefined, error }));
  const { outcome, error } = await Promise.race([answered, overdue]);
  watching.abort(new Error('answered'));
  failpoint('bookings.after_send');

  // From here on a late `beforeSend` does not reach the wire.
  const { wasHandedOver, claimed, claimAt } = await attempt.close();
  if (!wasHandedOver)
    return { kind: 'not_sent', claimAt, error, ...(outcome === undefined ? {} : { outcome }) };
  // After the hand-over, an exception proves nothing.
  const seen = outcome ?? interrupted;
  // The client reports our own abort as `interrupted`, whether for a stop or for a timeout.
  const waitedInVain = call.signal.reason === timeout && isInterrupted(seen);
  return { kind: 'sent', claimed: claimed ?? booking, outcome: waitedInVain ? timeout : seen };
}

/** How far an attempt has come: waiting → claiming → handed over, or over. Only this moves it. */
function oneAttempt() {
  let phase: 'waiting' | 'claiming' | 'handed_over' | 'over' = 'waiting';
  let claimAt: Instant | undefined;
  let claiming: Promise<Booking> | undefined;
  const handedOver = Promise.withResolvers<void>();
  return {
    handedOver: handedOver.promise,
    /** True for the first who asks, unless it is over. */
    mayStart(): boolean {
      if (phase !== 'waiting') return false;
      phase = 'claiming';
      return true;
    },
    claim(at: Instant, run: (at: Instant) => Promise<Booking>): Promise<Booking> {
      claimAt = at;
      claiming = run(at);
      return claiming;
    },
    /** True if the request may go to the network now. */
    handOver(): boolean {
      if (phase !== 'claiming') return false;
      phase = 'handed_over';
      handedOver.resolve();
      return true;
    },
    /** Nothing is handed over any more. Resolves to whether it was, once the claim is known. */
    async close() {
      const wasHandedOver = phase === 'handed_over';
      phase = 'over';
      return { wasHandedOver, claimAt, claimed: await claiming?.catch(() => undefined) };
    },
  };
}

interface Watch {
  clock: Clock;
  stop: AbortSignal;
  lost: AbortSignal;
  call: AbortController;
  handedOver: Promise<void>;
  watching: AbortSignal;
}

/** Aborts a call that takes too long or outlasts a stop; resolves in its place if it never returns. */
async function watch({ clock, stop, lost, call, handedOver, watching }: Watch): Promise<{
  outcome: BookingOutcome;
  error: undefined;
}> {
  let wasHandedOver = false;
  const never = new Promise<never>(() => {});
  const sleep = (ms: number) => clock.sleep(ms, watching).catch(() => never);
  const aborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true, signal: watching });
    });
  const tooLong = handedOver.then(async () => {
    wasHandedOver = true;
    await sleep(ANSWER_WITHIN_MS);
    return timeout;
  });
  const toStop = aborted(stop).then(async () => {
    if (wasHandedOver) await sleep(STOP_GRACE_MS);
    return interrupted;
  });
  const outcome = await Promise.race([tooLong, toStop, aborted(lost).then(() => interrupted)]);
  call.abort(outcome);
  await sleep(LAST_WORDS_MS);
  return { outcome, error: undefined };
}

/**
 * The body of POST /appointments/book (specification 4.7). Undefined when a required field is missing, or when a
 * dentist or treatment has a name but no number: without the number the clinic would pick one itself.
 */
export function requestOf(booking: Booking): BookingRequest | undefined {
  const { patient_name, patient_phone, appointment_date, appointment_time } = booking;
  if (
    patient_name === null ||
    patient_phone === null ||
    appointment_date === null ||
    appointment_time === null
  )
    return undefined;
  if (booking.doctor !== null && booking.doctor_id === null) return undefined;
  if (booking.treatment !== null && booking.treatment_id === null) return undefined;
  return {
    patient_name,
    patient_phone,
    appointment_date,
    appointment_time,
    ...(booking.address === null ? {} : { address: booking.address }),
    ...(booking.doctor_id === null ? {} : { doctor_id: booking.doctor_id }),
    ...(booking.treatment_id === null ? {} : { treatment_id: booking.treatment_id }),
    note: noteWithRef(booking.ref, booking.note),
  };
}
