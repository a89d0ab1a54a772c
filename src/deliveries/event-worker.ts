import type { EventDelivery } from '../connector.ts';
import type { Delivery } from '../domain/delivery.ts';
import { instant, toMs } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure } from '../platform/failure.ts';
import { failureSentence } from '../platform/sentences.ts';
import type { DeliveryOutcome } from '../store/store.ts';
import { PROBE_EVERY_MS } from './circuit-breaker.ts';
import { createSetBack } from './clock-set-back.ts';
import { take } from './enqueue.ts';
import { type EventHealth, eventHealth } from './event-health.ts';
import { gather } from './outcome-batch.ts';
import { type Attempt, createPool } from './pool.ts';
import { nextAttemptMs } from './retry.ts';
import { IDLE_MS, type Lane, type LaneResult, type LaneTools, nothingDone } from './worker.ts';

const CONCURRENCY = 8;
const BATCH = 256;
/** More than these wait as changes, not as deliveries: the change log has them anyway. */
const MOST_WAITING = 5_000;
const HURRY_MS = 250;
/** Asks for everything that waits, whenever it is due. */
const WHENEVER_MS = 100 * 365 * DAY;

interface EventLaneOptions extends LaneTools {
  connector: string;
  clinics: readonly string[];
  includePatient: boolean;
  events: EventDelivery;
}

export function eventLane(options: EventLaneOptions): Lane {
  const { connector, clinics, events, store, clock } = options;
  const health = eventHealth(connector, options);
  const pool = createPool({ events, clock });
  const gathered = gather(clock);
  const concurrency = Math.max(1, events.concurrency ?? CONCURRENCY);
  const setBack = createSetBack(clock);
  /** Unknown at first: an earlier process may have left a problem behind. */
  let unreadable: string | null | undefined;

  const waitingAt = (ms: number, limit: number) => store.deliveries.due(connector, instant(ms), limit);
  const oldest = async () => (await waitingAt(clock.now() + WHENEVER_MS, 1))[0]?.created_at;

  /** Times that were written down before the wall clock was set back are not waited for: all that waits is tried. */
  async function heedClock(): Promise<void> {
    const { last_success_at, last_failure_at } = await store.deliveries.connector(connector);
    if (setBack([last_success_at, last_failure_at, await oldest()]))
      await store.deliveries.hasten(connector, instant(clock.now()));
  }

  /** One batch of every clinic. Resolves to how many changes it went past. */
  async function takeMore(): Promise<number> {
    const { pending } = await store.deliveries.counts(connector);
    const outage = health.mode() !== 'open' && pending > 0;
    if (pending >= MOST_WAITING || (outage && events.coalesce)) return 0;
    try {
      let taken = 0;
      const positions = await store.deliveries.positions(connector);
      for (const clinic of clinics) {
        const known = positions.get(clinic);
        // A log that is shorter than what was taken is a restored database: its next change counts.
        if (known === undefined || known.latest > known.cursor)
          taken += await take({ ...options, connector }, clinic);
      }
      await readable(null);
      return taken;
    } catch (error) {
      const failure = asFailure(error, 'reading changes');
      if (failure.kind !== 'refused') throw error;
      await readable(failureSentence(failure));
      return 0;
    }
  }

  async function readable(problem: string | null): Promise<void> {
    if (problem === unreadable) return;
    unreadable = problem;
    await store.deliveries.report(connector, { problems: problem === null ? [] : [problem] });
  }

  /** Delivers until nothing is due, the receiver is closed, or the signal aborts. */
  async function deliver(signal: AbortSignal, whenever: boolean): Promise<LaneResult> {
    const failed = new Set<string>();
    let queue: Delivery[] = [];
    let delivered = 0;
    let asked = false;
    let all = whenever;

    const next = async (): Promise<Delivery[]> => {
      const mode = health.mode();
      const at = clock.now() + (all || health.pausedAutomatically ? WHENEVER_MS : 0);
      const room = mode === 'probe' ? 1 : BATCH;
      const found = await waitingAt(at, room + failed.size + pool.taken);
      return found.filter((one) => !failed.has(one.id) && !pool.holds(one)).slice(0, room);
    };

    const free = () => pool.taken - gathered.size < slots(health, concurrency);

    for (;;) {
      gathered.add(pool.ended());
      // Waiting for more of them is worth it only while more is under way.
      const busy = queue.length > 0 && pool.running > 0 && health.mode() === 'open' && !signal.aborted;
      const ended = gathered.ripe || !busy ? gathered.take() : [];
      if (ended.length > 0) {
        try {
          await settle(ended, options, health);
          await health.save(oldest);
        } finally {
          // Also when it could not be written down: they are pending still, and sent again under the same id.
          for (const { release } of ended) release();
        }
        for (const { delivery, failure } of ended) {
          if (failure === undefined) delivered += 1;
          else failed.add(delivery.id);
        }
        all ||= health.recovered();
        asked = false;
        if (health.mode() !== 'open') queue = [];
        // What was released frees its slot one turn later.
        await Promise.resolve();
      }

      if (signal.aborted) queue = [];
      else if (queue.length === 0 && !asked && free()) {
        await health.refresh();
        if (health.mode() !== 'closed') queue = await next();
        asked = true;
      }

      const first = free() ? queue.shift() : undefined;
      if (first !== undefined && !signal.aborted) {
        failpoint('deliveries.before-send');
        pool.start(first, signal);
      } else if (pool.running > 0)
        await Promise.race([pool.change(), ...(gathered.aged === undefined ? [] : [gathered.aged])]);
      else if (ended.length === 0 && gathered.size === 0) break;
    }
    await health.flush();
    signal.throwIfAborted();
    return { ...nothingDone, delivered, failed: failed.size };
  }

  async function run(signal: AbortSignal, whenever: boolean): Promise<LaneResult> {
    let total = nothingDone;
    let taken = 0;
    do {
      await health.refresh();
      if (health.waitMs() === Number.POSITIVE_INFINITY) break;
      taken = await takeMore();
      const { delivered, failed } = await deliver(signal, whenever && taken === 0);
      total = { ...total, delivered: total.delivered + delivered, failed: total.failed + failed };
    } while (taken > 0);
    const { last_error } = await store.deliveries.connector(connector);
    return {
      ...total,
      problems: unreadable ? [unreadable] : [],
      error: total.failed > 0 ? last_error : null,
    };
  }

  return {
    async tick(signal) {
      await heedClock();
      const { failed } = await run(signal, false);
      const closed = health.waitMs();
      if (closed > 0) return Math.min(closed, IDLE_MS);
      const next = await store.deliveries.nextDue(connector);
      if (next === undefined) return IDLE_MS;
      const wait = toMs(next) - clock.now();
      // Still due after all that: it waits behind another, or its last call hangs. Only a fresh failure is worth a hurry.
      if (wait <= 0) return failed > 0 ? HURRY_MS : IDLE_MS;
      return Math.min(wait, IDLE_MS);
    },
    runOnce: (signal) => run(signal, true),
  };
}

const slots = (health: EventHealth, concurrency: number) => (health.mode() === 'open' ? concurrency : 1);

/** Writes down what came of the attempts, all in one transaction. */
async function settle(
  attempts: readonly Attempt[],
  { connector, events, store, clock, log, random }: EventLaneOptions,
  health: EventHealth,
): Promise<void> {
  const now = clock.now();
  const outcomes = attempts.map(({ delivery, failure }): DeliveryOutcome => {
    const settled = { id: delivery.id, at: instant(now) };
    if (failure === undefined) {
      health.succeeded();
      return { ...settled, state: 'delivered' };
    }
    const error = failureSentence(failure);
    const later = (ms: number): DeliveryOutcome => ({
      ...settled,
      state: 'pending',
      next_attempt_at: instant(now + ms),
      error,
    });
    if (failure.kind === 'refused' && failure.status === 410) {
      health.gone(failure);
      return later(0);
    }
    const probing = health.pausedAutomatically;
    health.failed(failure);
    if (failure.kind !== 'refused') {
      const { schedule } = events;
      const { retryAfterMs } = failure;
      const attempts = delivery.attempts + 1;
      const wait = nextAttemptMs({ schedule, attempts, retryAfterMs, random: random() });
      if (wait !== undefined) return later(wait);
      // A receiver that is down must not cost the event that happens to be the oldest its life.
      if (probing) return later(PROBE_EVERY_MS);
    }
    log.error('delivery given up', {
      connector,
      delivery: delivery.id,
      attempt: delivery.attempts + 1,
      problem: failure.message,
    });
    return { ...settled, state: 'dead', error };
  });
  failpoint('deliveries.before-settle');
  await store.deliveries.settle(outcomes);
  failpoint('deliveries.settled');
}
