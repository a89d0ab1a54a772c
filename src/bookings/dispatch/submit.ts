import type { BookingOutcome, Clinic } from '../../clinic/clinic.ts';
import type { Booking, BookingRequest, Evidence } from '../../domain/booking.ts';
import { type Clock, type Instant, instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../store/store.ts';
import { hashOf } from '../content-hash.ts';
import { slotAt } from '../slot.ts';
import { requestOf } from './request.ts';

/** How long a booking on the wire may still be answered after a stop was asked for. */
const STOP_GRACE_MS = 8_000;
/** Connecting, the client's own 60 s for an answer, and one resend after a 401: longer than this nothing takes. */
const ANSWER_WITHIN_MS = 180_000;
/** For an aborted call to come back and say what it knows. */
const LAST_WORDS_MS = 500;

export interface Submission {
  store: Store;
  clinic: Clinic;
  clock: Clock;
  zone: string;
  booking: Booking;
  /** `total_appointments` as read just before. */
  counter: { value: number | null; at: Instant };
  /** False once something went wrong at the clinic after that reading: then another read comes first. */
  trusted: () => boolean;
  /** Aborted when the daemon stops. */
  stop: AbortSignal;
}

export type Submitted =
  | { kind: 'sent'; claimed: Booking; outcome: BookingOutcome }
  /**
   * Nothing was handed to the network. `claimAt`: a claim was tried then and has to be undone where it took effect.
   * `outcome`: the client could not even try (no token); `error`: what was thrown, by us or by the client.
   */
  | { kind: 'not_sent'; claimAt: Instant | undefined; outcome?: BookingOutcome; error?: unknown };

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
const notNow = () => new Failure({ kind: 'transient', message: 'The booking is not to be sent any more.' });

/**
 * Sends one booking, once. The claim (`sending`, with everything needed to find out later what happened) is durable
 * before the client may open a socket; from then on only an outcome that proves it can take the send back.
 */
export async function submit(submission: Submission): Promise<Submitted> {
  const { store, clinic, clock, booking, stop } = submission;
  const request = slotOf(submission) === undefined ? undefined : requestOf(booking);
  // Nothing would hold it back from being tried for ever, and everything behind it with it.
  if (request === undefined) return { kind: 'not_sent', claimAt: undefined, error: incomplete(booking) };
  const bodyHash = bodyHashOf(request);

  let phase: 'waiting' | 'claiming' | 'handed_over' | 'over' = 'waiting';
  let claimAt: Instant | undefined;
  let claimed: Booking | undefined;
  let claiming: Promise<unknown> = Promise.resolve();
  const handedOver = Promise.withResolvers<void>();

  const claim = async () => {
    claimAt = instant(clock.now());
    const evidence = evidenceBefore(submission, claimAt, bodyHash);
    failpoint('bookings.before_claim');
    claimed = await store.bookings.claim(booking.clinic, claimAt, { ref: booking.ref, evidence });
    failpoint('bookings.after_claim');
    // Edited or dropped while it waited for its turn: what would be sent is not what is stored.
    if (claimed?.ref !== booking.ref || bodyHashOf(requestOf(claimed)) !== bodyHash) throw notNow();
    if (claimed.evidence?.body_hash !== bodyHash) throw notNow();
  };
  const beforeSend = async () => {
    const may = phase === 'waiting' && !stop.aborted && submission.trusted() && !slotPassed(submission);
    if (!may) throw notNow();
    phase = 'claiming';
    claiming = claim();
    await claiming;
    // Storing the claim took a moment, in which another call to the clinic may have failed.
    if (stop.aborted || isOver() || !submission.trusted()) throw notNow();
    phase = 'handed_over';
    handedOver.resolve();
    failpoint('bookings.intent_durable');
  };
  const isOver = () => (phase as string) === 'over';

  const call = new AbortController();
  const watching = new AbortController();
  const overdue = watch({ clock, stop, call, handedOver: handedOver.promise, watching: watching.signal });
  const answered = clinic
    .book(request, { signal: call.signal, beforeSend })
    .then((outcome) => ({ outcome, error: undefined }))
    .catch((error: unknown) => ({ outcome: undefined, error }));
  const { outcome, error } = await Promise.race([answered, overdue]);
  watching.abort(new Error('answered'));
  failpoint('bookings.after_send');

  // A call that comes back late must not find its way to the wire any more.
  const wasHandedOver = (phase as string) === 'handed_over';
  phase = 'over';
  if (!wasHandedOver) {
    await claiming.catch(() => {});
    return { kind: 'not_sent', claimAt, error, ...(outcome === undefined ? {} : { outcome }) };
  }
  // After the hand-over a thrown error proves nothing, whatever it says.
  const seen = outcome ?? interrupted;
  // An abort of ours looks the same to the client, whether we stop or have waited too long.
  const waitedInVain = call.signal.reason === timeout && isInterrupted(seen);
  return { kind: 'sent', claimed: claimed ?? booking, outcome: waitedInVain ? timeout : seen };
}

const evidenceBefore = ({ counter }: Submission, sentAt: Instant, bodyHash: string): Evidence => ({
  sent_at: sentAt,
  body_hash: bodyHash,
  counter_before: { value: counter.value, at: counter.at },
});

const slotOf = ({ booking, zone }: Submission) =>
  slotAt(booking.appointment_date, booking.appointment_time, zone);

const slotPassed = (submission: Submission): boolean =>
  (slotOf(submission)?.lastMs ?? 0) <= submission.clock.now();

interface Watch {
  clock: Clock;
  stop: AbortSignal;
  call: AbortController;
  handedOver: Promise<void>;
  watching: AbortSignal;
}

/** Aborts a call that takes too long, or that a stop may not wait for, and answers in its place when it stays silent. */
async function watch({ clock, stop, call, handedOver, watching }: Watch): Promise<{
  outcome: BookingOutcome;
  error: undefined;
}> {
  let wasHandedOver = false;
  const never = new Promise<never>(() => {});
  const sleep = (ms: number) => clock.sleep(ms, watching).catch(() => never);
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true, signal: watching });
  });
  const tooLong = handedOver.then(async () => {
    wasHandedOver = true;
    await sleep(ANSWER_WITHIN_MS);
    return timeout;
  });
  const toStop = stopped.then(async () => {
    if (wasHandedOver) await sleep(STOP_GRACE_MS);
    return interrupted;
  });
  const outcome = await Promise.race([tooLong, toStop]);
  call.abort(outcome);
  await sleep(LAST_WORDS_MS);
  return { outcome, error: undefined };
}
