import { type Note, noteOfFailure, said, saidOf } from '../domain/texts/problem.ts';
import { backoffMs } from '../platform/backoff.ts';
import { type Clock, type Instant, instant, toMs } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/duration.ts';
import type { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { failureSentence } from '../platform/text/sentences.ts';
import type { ConnectorState, DeliveryPause } from '../store/ports/deliveries.ts';
import type { Store } from '../store/store.ts';

/**
 * A single event may fail for its own reasons; a receiver that accepts nothing is an outage. During an outage only the
 * oldest event is tried: trying all would use up their attempts.
 */

const OUTAGE_FAILURES = 5;
/** Interval at which the oldest event is tried during an automatic pause. */
export const PROBE_EVERY_MS = HOUR;
/** Interval at which successes are stored: one more fsync per delivery would halve the throughput. */
const SAVE_SUCCESS_EVERY_MS = 5 * SECOND;
/**
 * What waits is tried at once after an outage, but not so often that a receiver with ups and downs uses up attempts.
 */
const RECOVERY_EVERY_MS = 30 * MINUTE;
/** Longest `Retry-After` for a whole receiver. */
const LONGEST_RETRY_AFTER_MS = HOUR;

/** Statuses about the body of one event: the receiver is up, and takes others. */
const aboutTheEvent: readonly (number | undefined)[] = [400, 413, 415, 422];

export const isOutage = (failuresInARow: number): boolean => failuresInARow >= OUTAGE_FAILURES;

/** Wait before the next probe: 5 s, 10 s, … 5 min. */
export const restMs = (failuresInARow: number): number =>
  backoffMs(failuresInARow - OUTAGE_FAILURES + 1, { floor: 5 * SECOND, cap: 5 * MINUTE });

/**
 * Whether nothing succeeded for a day although something waited all day. The connector is then shown as paused; nothing
 * is dropped.
 */
export function mustPause(
  failuresInARow: number,
  lastSuccessAt: Instant | null,
  oldestWaitingSince: Instant,
  nowMs: number,
): boolean {
  const since = Math.max(toMs(oldestWaitingSince), lastSuccessAt === null ? 0 : toMs(lastSuccessAt));
  return isOutage(failuresInARow) && nowMs - since >= DAY;
}

export const notPaused = {
  paused: false,
  pause_kind: null,
  paused_reason: null,
  paused_at: null,
  paused_by: null,
} as const;

interface Parts {
  connector: string;
  store: Pick<Store, 'deliveries'>;
  clock: Clock;
  log: Log;
}

/** The state of one connector's receiver; what must survive a restart is in the store. */
export class CircuitBreaker {
  readonly #parts: Parts;
  #stored: ConnectorState | undefined;
  #unsaved: Partial<ConnectorState> = {};
  #failures = 0;
  #paused: DeliveryPause | null = null;
  /** Monotonic times: our own rest during an outage, which any success ends, and the receiver's `Retry-After`. */
  #restUntil = 0;
  #askedUntil = 0;
  #failedAt: number | undefined;
  #savedAt = Number.NEGATIVE_INFINITY;
  #hasRecovered = false;
  #recoveredAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads what is stored: a user may have paused or resumed it, in this process or another. */
  async refresh(): Promise<void> {
    const stored = await this.#parts.store.deliveries.connector(this.#parts.connector);
    this.#stored = stored;
    this.#failures = stored.failures;
    this.#paused = stored.paused ? (stored.pause_kind ?? 'person') : null;
  }

  /** `probe`: one at a time; `closed`: none now. */
  get mode(): 'open' | 'probe' | 'closed' {
    if (this.waitMs > 0) return 'closed';
    return this.#paused !== null || isOutage(this.#failures) ? 'probe' : 'open';
  }

  get isPausedAutomatically(): boolean {
    return this.#paused === 'automatic';
  }

  /** Milliseconds until `closed` ends; 0 when not closed, Infinity when only a user can end it. */
  get waitMs(): number {
    if (this.#paused !== null) return this.isPausedAutomatically ? this.#untilProbe() : Infinity;
    return Math.max(0, Math.max(this.#restUntil, this.#askedUntil) - this.#parts.clock.monotonic());
  }

  succeeded(): void {
    const { connector, clock, log } = this.#parts;
    const at = instant(clock.now());
    if (isOutage(this.#failures)) {
      this.#hasRecovered = true;
      log.info('connector delivers again', { connector, count: this.#failures });
    }
    if (this.isPausedAutomatically) {
      this.#paused = null;
      this.#note({ ...notPaused, resumed_at: at, resumed_by: null });
    }
    this.#note({ last_success_at: at });
    // An event that was refused is no failure of the receiver; it is said until the next round.
    const isOver = this.#unsaved.last_error === undefined && this.#stored?.last_error != null;
    if (this.#failures > 0 || isOver) this.#note({ failures: 0, last_error: null });
    this.#failures = 0;
    this.#restUntil = 0;
  }

  failed(failure: Failure): void {
    const { clock } = this.#parts;
    const { kind, status, retryAfterMs } = failure;
    const now = clock.monotonic();
    // A receiver that refuses an event is up.
    if (kind !== 'refused' && !aboutTheEvent.includes(status)) this.#failures += 1;
    this.#failedAt = now;
    this.#note({
      failures: this.#failures,
      last_failure_at: instant(clock.now()),
      last_error: failureSentence(failure),
      said: saidOf([noteOfFailure(failure)]),
    });
    this.#warn(failure);
    // These two concern the whole receiver, not one event.
    if ((status === 429 || status === 503) && retryAfterMs !== undefined)
      this.#askedUntil = now + Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
    if (isOutage(this.#failures)) this.#restUntil = now + restMs(this.#failures);
  }

  /** The receiver wants no more events (410): stop, keep everything, and let a user decide. */
  gone(failure: Failure): void {
    const problem = noteOfFailure(failure);
    this.#note({ last_failure_at: instant(this.#parts.clock.now()), last_error: problem.sentence });
    this.#pause('gone', problem);
  }

  /** True once after an outage ended: everything that waits should be tried now. */
  takeRecovered(): boolean {
    const now = this.#parts.clock.monotonic();
    const recovered = this.#hasRecovered && now - this.#recoveredAt >= RECOVERY_EVERY_MS;
    if (recovered) this.#recoveredAt = now;
    this.#hasRecovered = false;
    return recovered;
  }

  /** Stores changes; successes alone only now and then. `oldest`: when the oldest waiting delivery was created. */
  async save(oldest: () => Promise<Instant | undefined>): Promise<void> {
    const { clock } = this.#parts;
    if (this.#paused === null && isOutage(this.#failures)) {
      const since = await oldest();
      const success = this.#stored?.last_success_at ?? null;
      if (since !== undefined && mustPause(this.#failures, success, since, clock.now()))
        this.#pause('automatic', this.#outage());
    }
    const isOnlySuccess = Object.keys(this.#unsaved).every((key) => key === 'last_success_at');
    if (isOnlySuccess && clock.monotonic() - this.#savedAt < SAVE_SUCCESS_EVERY_MS) return;
    await this.flush();
  }

  async flush(): Promise<void> {
    const { connector, store, clock } = this.#parts;
    if (Object.keys(this.#unsaved).length === 0) return;
    const unsaved = this.#unsaved;
    this.#unsaved = {};
    this.#savedAt = clock.monotonic();
    await store.deliveries.report(connector, unsaved);
  }

  #untilProbe(): number {
    const { clock } = this.#parts;
    const last = this.#unsaved.last_failure_at ?? this.#stored?.last_failure_at;
    const byWall = last ? clock.now() - toMs(last) : PROBE_EVERY_MS;
    const byMonotonic = this.#failedAt === undefined ? 0 : clock.monotonic() - this.#failedAt;
    // A failure in the future: the wall clock was set back, so the time since is unknown.
    if (byWall < 0 && this.#failedAt === undefined) return 0;
    return Math.max(0, PROBE_EVERY_MS - Math.max(byWall, byMonotonic));
  }

  /** Why it pauses itself. */
  #outage(): Note {
    const sentence = this.#unsaved.last_error ?? this.#stored?.last_error ?? '';
    const known = { ...this.#stored?.said, ...this.#unsaved.said };
    return said('paused_outage', { detail: { sentence, said: known[sentence] } });
  }

  #pause(kind: DeliveryPause, why: Note): void {
    const { connector, clock, log } = this.#parts;
    this.#paused = kind;
    const at = instant(clock.now());
    const reason = why.sentence;
    const all = { ...this.#unsaved.said, ...saidOf([why]) };
    this.#note({
      paused: true,
      pause_kind: kind,
      paused_reason: reason,
      paused_at: at,
      paused_by: null,
      said: all,
    });
    log.warn('connector paused', { connector, reason });
  }

  #warn({ message, hint, status }: Failure): void {
    if (this.#failures !== 1 && !isOutage(this.#failures)) return;
    this.#parts.log.warn('delivery failed', {
      connector: this.#parts.connector,
      count: this.#failures,
      problem: message,
      ...(hint && { hint }),
      ...(status && { status }),
    });
  }

  #note(news: Partial<ConnectorState>): void {
    Object.assign(this.#unsaved, news);
  }
}
