import type { EventDelivery } from '../connector.ts';
import type { Delivery } from '../domain/delivery.ts';
import {
  type Ask,
  type Note,
  need,
  noteOfFailure,
  runReport,
  said,
  trouble,
  weightOf,
} from '../domain/texts/problem.ts';
import { type Clock, type Instant, instant, minuteOf, toMs } from '../platform/clock.ts';
import { DAY, MINUTE } from '../platform/duration.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure } from '../platform/failure.ts';
import { failureSentence } from '../platform/text/sentences.ts';
import type { DeliveryOutcome } from '../store/ports/deliveries.ts';
import { CircuitBreaker, PROBE_EVERY_MS } from './circuit-breaker.ts';
import { enqueue } from './enqueue.ts';
import { type Attempt, InFlight } from './in-flight.ts';
import { nextAttemptMs } from './retry.ts';
import { IDLE_MS, nothingDone, type Worker, type WorkerResult, type WorkerTools } from './worker.ts';

const CONCURRENCY = 8;
const BATCH = 256;
/** Above this many pending deliveries, a clinic that has some of them gets no more: its changes stay in the log. */
const MOST_WAITING = 5_000;
/** How long a batch that was read is used before reading again, so that other clinics get their turn. */
const QUEUE_MS = 1_000;
const HURRY_MS = 250;
/** Far enough ahead to include every retry. */
const WHENEVER_MS = 100 * 365 * DAY;

interface EventWorkerOptions extends WorkerTools {
  connector: string;
  clinics: readonly string[];
  includePatient: boolean;
  /** The connector also keeps a state, whose worker reports its own problems. */
  beside: boolean;
  events: EventDelivery;
}

interface Parts extends EventWorkerOptions {
  /** Of the delivery sent last: the next one is another clinic's, also the next probe. */
  last: { clinic: string };
  breaker: CircuitBreaker;
  inFlight: InFlight;
  intake: Intake;
}

export function eventWorker(options: EventWorkerOptions): Worker {
  const { connector, store, clock } = options;
  const breaker = new CircuitBreaker(options);
  const intake = createIntake({ ...options, breaker });
  const parts = { ...options, breaker, intake, inFlight: new InFlight(options), last: { clinic: '' } };
  const setBack = createSetBack(clock);

  /** After the wall clock was set back, everything that waits is tried. */
  async function checkClock(): Promise<void> {
    const { last_success_at, last_failure_at } = await store.deliveries.connector(connector);
    if (setBack([last_success_at, last_failure_at, await oldest(parts)]))
      await store.deliveries.hasten(connector, instant(clock.now()));
  }

  async function run(signal: AbortSignal, whenever: boolean): Promise<WorkerResult> {
    let total = nothingDone;
    let taken = 0;
    do {
      await parts.breaker.refresh();
      if (parts.breaker.waitMs === Infinity) break;
      taken = await intake.takeMore();
      const { delivered, failed, error } = await deliver(parts, signal, whenever && taken === 0);
      total = {
        ...total,
        delivered: total.delivered + delivered,
        failed: total.failed + failed,
        error: error ?? total.error,
      };
    } while (taken > 0);
    return { ...total, problems: intake.problems() };
  }

  return {
    async tick(signal) {
      await checkClock();
      const { failed } = await run(signal, false);
      const closed = parts.breaker.waitMs;
      if (closed > 0) return Math.min(closed, IDLE_MS);
      const next = await store.deliveries.nextDue(connector);
      if (next === undefined) return IDLE_MS;
      const wait = toMs(next) - clock.now();
      // Still due: queued behind another, or its last call hangs. Only a new failure is worth an early retry.
      if (wait <= 0) return failed > 0 ? HURRY_MS : IDLE_MS;
      return Math.min(wait, IDLE_MS);
    },
    runOnce: (signal) => run(signal, true),
  };
}

/** Smaller changes are clock adjustments. */
const TOLERANCE_MS = 1_000;

/**
 * Returns true once each time the wall clock was set back, since stored times would be waited for too long. While this
 * process runs, the monotonic clock shows it; after a start, a stored time in the future.
 */
function createSetBack(clock: Clock): (stored: readonly (Instant | null | undefined)[]) => boolean {
  let ahead = clock.now() - clock.monotonic();
  let isFirst = true;
  return (stored) => {
    const now = clock.now() - clock.monotonic();
    const isAhead = isFirst && stored.some((at) => at && toMs(at) > clock.now() + TOLERANCE_MS);
    const wasSetBack = now < ahead - TOLERANCE_MS;
    ahead = now;
    isFirst = false;
    return isAhead || wasSetBack;
  };
}

const waitingAt = (
  { store, connector }: Parts,
  ms: number,
  limit: number,
  after?: string,
): Promise<Delivery[]> => store.deliveries.due(connector, instant(ms), limit, after);
const oldest = async (parts: Parts) =>
  (await waitingAt(parts, parts.clock.now() + WHENEVER_MS, 1))[0]?.created_at;

/** From here on, what has failed and waits is asked about: it has waited, or will wait, for that long. */
const ASKED_AFTER_MS = 15 * MINUTE;
/** A shorter wait is not worth a word. */
const TOLD_AFTER_MS = MINUTE;

/** What waits, until when, and what the receiver said. */
async function heldUp(
  { connector, store, clock }: Intaken,
  { waitMs }: CircuitBreaker,
): Promise<Ask | Note | null> {
  const now = clock.now();
  const held = await store.deliveries.heldUp(connector);
  if (held === undefined || waitMs === Infinity) return null;
  const next = Math.max(toMs(held.next), now + waitMs);
  const ms = Math.max(now - toMs(held.since), next - now);
  if (ms < TOLD_AFTER_MS) return null;
  const note = said('deliveries_held_up', {
    count: held.count,
    since: minuteOf(held.since),
    until: minuteOf(instant(next)),
    detail: held.error ?? '',
  });
  return ms < ASKED_AFTER_MS ? note : need(note);
}

type Intaken = EventWorkerOptions;

interface Intake {
  /** Takes one batch per clinic. Resolves to 0 when there was nothing to take. */
  takeMore(): Promise<number>;
  /** Why changes cannot be taken, or what was taken is held up. */
  problems(): string[];
}

function createIntake({ breaker, ...parts }: Intaken & Pick<Parts, 'breaker'>): Intake {
  const { connector, clinics, events, store } = parts;
  /** Undefined until known: an earlier process may have stored a problem. */
  let problem: Note | null | undefined;

  async function takeMore(): Promise<number> {
    const { pending } = await store.deliveries.counts(connector);
    const isOut = breaker.mode !== 'open' && pending > 0;
    const isFull = pending >= MOST_WAITING;
    try {
      const taken = await enqueueNew(isFull || (isOut && events.coalesce === true), isOut && isFull);
      await report(await heldUp(parts, breaker));
      return taken;
    } catch (error) {
      const failure = asFailure(error, 'reading changes');
      if (failure.kind !== 'refused') throw error;
      await report(trouble(noteOfFailure(failure)));
      return 0;
    }
  }

  /** @param isFull A clinic of which deliveries wait gets no more. */
  async function enqueueNew(isFull: boolean, isOut: boolean): Promise<number> {
    let taken = 0;
    const positions = await store.deliveries.positions(connector);
    for (const clinic of clinics) {
      const known = positions.get(clinic);
      // A log shorter than the cursor means a restored database; its next change counts.
      const hasNews = known !== undefined && known.latest > known.cursor;
      if (hasNews && !(isFull && known.isWaiting)) taken += await enqueue(parts, clinic);
    }
    // One new clinic at a time, since its whole snapshot is taken; the next follows once this one is on its way.
    const first = clinics.find((clinic) => !positions.has(clinic));
    if (first !== undefined && !isOut) {
      await enqueue(parts, first);
      taken += 1;
    }
    return taken;
  }

  async function report(found: Ask | Note | null): Promise<void> {
    const isSame = found?.sentence === problem?.sentence && weightOf(found ?? '') === weightOf(problem ?? '');
    if (problem !== undefined && isSame) return;
    problem = found;
    const events = runReport(found === null ? [] : [found], instant(parts.clock.now()));
    await (parts.beside
      ? store.deliveries.report(connector, {}, { events })
      : store.deliveries.report(connector, events));
  }

  return { takeMore, problems: () => (problem ? [problem.sentence] : []) };
}

/** One pass over the due deliveries. */
interface Pass {
  signal: AbortSignal;
  queue: Delivery[];
  /** Due deliveries were read, and nothing was stored since. */
  isRead: boolean;
  /** Monotonic milliseconds when they were read. */
  readAt: number;
  /** Also tries deliveries that wait for a retry. */
  whenever: boolean;
  /** Why, by delivery. */
  failed: Map<string, string>;
  delivered: number;
}

/** Delivers until nothing is due, the receiver is closed, or the signal aborts. */
async function deliver(
  parts: Parts,
  signal: AbortSignal,
  whenever: boolean,
): Promise<Pick<WorkerResult, 'delivered' | 'failed' | 'error'>> {
  const { inFlight, breaker } = parts;
  const queue = { queue: [], isRead: false, readAt: parts.clock.monotonic() };
  const pass: Pass = { ...queue, signal, whenever, failed: new Map(), delivered: 0 };
  for (;;) {
    const stored = await storeEnded(parts, pass);
    await refill(parts, pass);
    if (startNext(parts, pass)) continue;
    if (inFlight.running > 0) await inFlight.change();
    else if (stored === 0 && inFlight.waiting === 0) break;
  }
  await breaker.flush();
  signal.throwIfAborted();
  const error = [...pass.failed.values()].at(-1) ?? null;
  return { delivered: pass.delivered, failed: pass.failed.size, error };
}

/** Stores outcomes in one transaction, once there are enough of them or nothing else to do. */
async function storeEnded(parts: Parts, pass: Pass): Promise<number> {
  const { inFlight, breaker } = parts;
  // Waits for more outcomes only while calls are in progress.
  const mayWait =
    pass.queue.length > 0 && inFlight.running > 0 && breaker.mode === 'open' && !pass.signal.aborted;
  const ended = inFlight.take(!mayWait);
  if (ended.length === 0) return 0;
  try {
    await settle(parts, ended);
    await breaker.save(() => oldest(parts));
  } finally {
    // Even if storing failed: they are still pending and will be sent again under the same id.
    for (const { release } of ended) release();
  }
  for (const { delivery, failure } of ended)
    if (failure === undefined) pass.delivered += 1;
    else pass.failed.set(delivery.id, failureSentence(failure));
  pass.whenever ||= breaker.takeRecovered();
  pass.isRead = false;
  if (breaker.mode !== 'open') pass.queue = [];
  // A released slot is free one turn later.
  await Promise.resolve();
  return ended.length;
}

async function refill(parts: Parts, pass: Pass): Promise<void> {
  const { breaker, clock } = parts;
  const isOld = clock.monotonic() - pass.readAt >= QUEUE_MS;
  if (pass.signal.aborted) pass.queue = [];
  else if ((isOld || (pass.queue.length === 0 && !pass.isRead)) && hasSlot(parts)) {
    await breaker.refresh();
    if (isOld && breaker.mode === 'open') await parts.intake.takeMore();
    if (breaker.mode !== 'closed') pass.queue = await nextDeliveries(parts, pass);
    pass.isRead = true;
    pass.readAt = clock.monotonic();
  }
}

async function nextDeliveries(parts: Parts, { whenever, failed }: Pass): Promise<Delivery[]> {
  const { breaker, clock, inFlight } = parts;
  const at = clock.now() + (whenever || breaker.isPausedAutomatically ? WHENEVER_MS : 0);
  const wanted = breaker.mode === 'probe' ? 1 : BATCH;
  const found = await waitingAt(parts, at, wanted + failed.size + inFlight.size, parts.last.clinic);
  return found.filter((one) => !failed.has(one.id) && !inFlight.holds(one)).slice(0, wanted);
}

function startNext(parts: Parts, pass: Pass): boolean {
  const { queue, signal } = pass;
  if (signal.aborted || !hasSlot(parts)) return false;
  const next = queue.shift();
  if (next === undefined) return false;
  parts.last.clinic = next.clinic;
  failpoint('deliveries.before-send');
  parts.inFlight.start(next, signal);
  return true;
}

const hasSlot = ({ inFlight, breaker, events }: Parts): boolean =>
  inFlight.slots < (breaker.mode === 'open' ? Math.max(1, events.concurrency ?? CONCURRENCY) : 1);

async function settle(parts: Parts, attempts: readonly Attempt[]): Promise<void> {
  const now = parts.clock.now();
  const outcomes = attempts.map((attempt) => outcomeOf(parts, attempt, now));
  failpoint('deliveries.before-settle');
  await parts.store.deliveries.settle(outcomes);
  failpoint('deliveries.settled');
}

/** The outcome to store. Also reports it to the breaker. */
function outcomeOf(parts: Parts, { delivery, failure }: Attempt, now: number): DeliveryOutcome {
  const { connector, breaker } = parts;
  const settled = { id: delivery.id, at: instant(now) };
  if (failure === undefined) {
    breaker.succeeded();
    return { ...settled, state: 'delivered' };
  }
  const error = failureSentence(failure);
  const retryIn = (ms: number): DeliveryOutcome => ({
    ...settled,
    state: 'pending',
    next_attempt_at: instant(now + ms),
    error,
  });
  if (failure.kind === 'refused' && failure.status === 410) {
    breaker.gone(failure);
    return retryIn(0);
  }
  const isProbe = breaker.isPausedAutomatically;
  if (failure.single) breaker.succeeded();
  else breaker.failed(failure);
  const attempt = delivery.attempts + 1;
  if (failure.kind !== 'refused') {
    const { schedule } = parts.events;
    const { retryAfterMs } = failure;
    const wait = nextAttemptMs({ schedule, attempts: attempt, retryAfterMs, random: parts.random() });
    if (wait !== undefined) return retryIn(wait);
    // A receiver that is down must not use up the last attempt of its oldest event.
    if (isProbe) return retryIn(PROBE_EVERY_MS);
  }
  parts.log.error('delivery given up', {
    connector,
    delivery: delivery.id,
    attempt,
    problem: failure.message,
  });
  return { ...settled, state: 'dead', error };
}
