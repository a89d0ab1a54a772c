import type { LimiterReport } from '../../domain/status/report.ts';
import { type Clock, type Instant, instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { ClinicEvent, LimiterMemory, Priority } from '../clinic.ts';
import { callsIn } from './call-window.ts';
import { afterCall, ask, type CallVerdict, gapAt, type RateLearner } from './rate-learner.ts';
import { createLimitWriter, type LimitWriter, recall, remember } from './saved-limit.ts';

export interface Turn {
  /** Only the first call counts. */
  end(verdict: CallVerdict, retryAfterMs?: number): void;
}

interface Waiter {
  priority: Priority;
  since: number;
  admit: (turn: Turn) => void;
  turnAway: (reason: unknown) => void;
}

interface LimiterOptions {
  clock: Clock;
  log: Log;
  memory: LimiterMemory;
  clinic: string;
  onEvent: (event: ClinicEvent) => void;
  random?: () => number;
}

const rank: Record<Priority, number> = { booking: 0, awaited: 1, status: 2, list: 3, probe: 4 };
/** Interval after which a waiting poll moves up one priority of polls, so that endless status reads starve no list. */
const PATIENCE_MS = 30_000;
/** A hanging clinic must not collect sockets. Bookings are sent one at a time anyway. */
const MOST_IN_FLIGHT = 16;

/** Starts from what earlier processes learned. */
export async function createLimiter(options: LimiterOptions): Promise<Limiter> {
  return new Limiter(options, await recall(options.memory, options.clock, options.log));
}

/** One per credential: every call, token grants included, passes through it and reports its result. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #writer: LimitWriter;
  readonly #waiting = new Set<Waiter>();
  readonly #since: { monotonic: number; at: Instant };
  #learner: RateLearner;
  #inFlight = 0;
  #alarm = new AbortController();
  #isClosed = false;

  constructor(options: LimiterOptions, learner: RateLearner) {
    this.#options = options;
    this.#writer = createLimitWriter(options);
    this.#learner = learner;
    const { clock } = options;
    this.#since = { monotonic: clock.monotonic(), at: instant(clock.now()) };
  }

  /**
   * Resolves when it is this call's turn. Rejects with the signal's reason as soon as it aborts, or with a `Failure`
   * when the limiter closes. Every turn must be ended.
   */
  acquire(priority: Priority, signal: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closing());
      if (signal.aborted) return reject(signal.reason);
      const abort = () => waiter.turnAway(signal.reason);
      const waiter: Waiter = {
        priority,
        since: this.#options.clock.monotonic(),
        admit: (turn) => {
          signal.removeEventListener('abort', abort);
          resolve(turn);
        },
        turnAway: (reason) => {
          this.#waiting.delete(waiter);
          signal.removeEventListener('abort', abort);
          reject(reason);
        },
      };
      this.#waiting.add(waiter);
      signal.addEventListener('abort', abort, { once: true });
      this.#admit();
    });
  }

  /** How long each call of a booking waits after any other call. */
  gapMs(): number {
    return gapAt(this.#learner, this.#options.clock.monotonic());
  }

  report(): Omit<LimiterReport, 'token_expires_at' | 'answer_ms'> {
    const { ceiling, windowMs, accepted, refused } = this.#learner;
    const at = this.#options.clock.monotonic();
    const refusedLastHour = callsIn(refused, HOUR, at);
    return {
      ceiling_per_minute: ceiling === null ? null : Number(ceiling.toFixed(1)),
      window_ms: ceiling === null ? null : windowMs,
      blocked_until: this.#blockedUntil(),
      blocked_since: this.#blockedSince(),
      refused_last_hour: refusedLastHour,
      calls_last_hour: refusedLastHour + callsIn(accepted, HOUR, at),
      counted_since: at - this.#since.monotonic < HOUR ? this.#since.at : null,
    };
  }

  /** Rejects all waiters and saves what was learned. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#alarm.abort();
    for (const waiter of [...this.#waiting]) waiter.turnAway(closing());
    await this.#writer.close();
  }

  #admit(): void {
    this.#alarm.abort();
    const { clock } = this.#options;
    for (let next = this.#first(); next !== undefined; next = this.#first()) {
      if (next.priority !== 'booking' && this.#inFlight >= MOST_IN_FLIGHT) return;
      const { learner, waitMs, isProbe } = ask(this.#learner, clock.monotonic(), next.priority);
      this.#become(learner);
      if (waitMs > 0) {
        this.#admitIn(waitMs);
        return;
      }
      this.#inFlight += 1;
      this.#waiting.delete(next);
      next.admit(this.#newTurn(isProbe, next.priority === 'booking'));
    }
  }

  #first(): Waiter | undefined {
    const now = this.#options.clock.monotonic();
    let best: Waiter | undefined;
    for (const waiter of this.#waiting)
      if (best === undefined || urgency(waiter, now) < urgency(best, now)) best = waiter;
    return best;
  }

  #admitIn(ms: number): void {
    // Infinity: the answer to the running probe will admit the next call.
    if (!Number.isFinite(ms)) return;
    this.#alarm = new AbortController();
    this.#options.clock.sleep(ms, this.#alarm.signal).then(
      () => this.#admit(),
      () => {},
    );
  }

  #newTurn(isProbe: boolean, isBooking: boolean): Turn {
    const { clock, random = Math.random } = this.#options;
    const sentAt = clock.monotonic();
    let isOver = false;
    return {
      end: (verdict, retryAfterMs) => {
        if (isOver) return;
        isOver = true;
        this.#inFlight -= 1;
        const at = clock.monotonic();
        const call = { verdict, retryAfterMs, isProbe, isBooking, sentAt, at, jitter: random() };
        this.#become(afterCall(this.#learner, call));
        this.#admit();
      },
    };
  }

  #become(next: RateLearner): void {
    const { clock, log, clinic, onEvent } = this.#options;
    const before = this.#learner;
    this.#learner = next;
    const isNewWait = next.cooldown?.until !== before.cooldown?.until;
    if (isNewWait || next.ceiling !== before.ceiling) this.#writer.changed(remember(next, clock));
    const until = this.#blockedUntil();
    if (!isNewWait || until === null) return;
    log.warn('clinic reports too many calls, waiting', { clinic, next: until });
    onEvent({ kind: 'blocked', until });
  }

  #blockedSince(): Instant | null {
    const { clock } = this.#options;
    const { cooldown } = this.#learner;
    return cooldown === null || this.#blockedUntil() === null
      ? null
      : instant(clock.now() + cooldown.begun - clock.monotonic());
  }

  #blockedUntil(): Instant | null {
    const { clock } = this.#options;
    const { cooldown } = this.#learner;
    const leftMs = cooldown === null ? 0 : cooldown.until - clock.monotonic();
    return leftMs > 0 ? instant(clock.now() + leftMs) : null;
  }
}

/** Lower values go first. */
const urgency = ({ priority, since }: Waiter, now: number): number =>
  Math.max(Math.min(rank[priority], rank.status), rank[priority] - Math.floor((now - since) / PATIENCE_MS));

const closing = () => new Failure({ kind: 'transient', message: 'The connection to the clinic is closing' });
