import type { LimiterReport } from '../../domain/report.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { ClinicEvent, Lane, LimiterMemory } from '../clinic.ts';
import { countInTrail, windowsMs } from './call-window.ts';
import { answered, ask, type Pace, type Verdict } from './rate-learner.ts';
import { createKeeper, recall, remember } from './saved-limit.ts';

/** One per credential: every call, token grants included, passes here and says afterwards what came of it. */
export interface Gate {
  /**
   * Resolves when it is this call's turn. Rejects with the signal's reason as soon as it aborts, or with a Failure when
   * the gate closes. Whoever gets a turn must end it.
   */
  pass(lane: Lane, signal: AbortSignal): Promise<Turn>;
  report(): Omit<LimiterReport, 'token_expires_at' | 'answer_ms'>;
  /** Turns away whoever waits and saves what was learned. Idempotent. */
  close(): Promise<void>;
}

export interface Turn {
  /** Only the first call counts. */
  end(verdict: Verdict, retryAfterMs?: number): void;
}

interface Waiter {
  lane: Lane;
  since: number;
  take: (turn: Turn) => void;
  turnAway: (reason: unknown) => void;
}

interface GateOptions {
  clock: Clock;
  log: Log;
  memory: LimiterMemory;
  clinic: string;
  onEvent: (event: ClinicEvent) => void;
  random?: () => number;
}

const rank: Record<Lane, number> = { booking: 0, status: 1, list: 2, probe: 3 };
/** After each of these a waiting poll counts as one lane better, so that endless status reads starve no list. */
const PATIENCE_MS = 30_000;
/** A clinic that hangs must not collect sockets. Bookings are one at a time already. */
const MOST_IN_FLIGHT = 16;
const [, , HOUR_MS] = windowsMs;

export async function createGate(options: GateOptions): Promise<Gate> {
  const { clock, log, memory, clinic, onEvent, random = Math.random } = options;
  const keeper = createKeeper({ memory, clock, log });
  const waiting = new Set<Waiter>();
  let pace = await recall(memory, clock, log);
  let inFlight = 0;
  let alarm = new AbortController();
  let closed = false;

  const first = (): Waiter | undefined => {
    const now = clock.monotonic();
    const urgency = ({ lane, since }: Waiter) =>
      lane === 'booking' ? 0 : Math.max(1, rank[lane] - Math.floor((now - since) / PATIENCE_MS));
    let best: Waiter | undefined;
    for (const waiter of waiting) if (best === undefined || urgency(waiter) < urgency(best)) best = waiter;
    return best;
  };

  const admit = () => {
    alarm.abort();
    for (let next = first(); next !== undefined; next = first()) {
      if (next.lane !== 'booking' && inFlight >= MOST_IN_FLIGHT) return;
      const asked = ask(pace, clock.monotonic(), next.lane);
      become(asked.pace);
      if (asked.waitMs > 0) return wakeIn(asked.waitMs);
      inFlight += 1;
      waiting.delete(next);
      next.take(newTurn(asked.look));
    }
  };

  const wakeIn = (ms: number) => {
    // Infinity: the answer to the look under way will wake us.
    if (!Number.isFinite(ms)) return;
    alarm = new AbortController();
    clock.sleep(ms, alarm.signal).then(admit, () => {});
  };

  const newTurn = (look: boolean): Turn => {
    const sentAt = clock.monotonic();
    let over = false;
    return {
      end(verdict, retryAfterMs) {
        if (over) return;
        over = true;
        inFlight -= 1;
        const at = clock.monotonic();
        become(answered(pace, { verdict, retryAfterMs, look, sentAt, at, jitter: random() }));
        admit();
      },
    };
  };

  const become = (next: Pace) => {
    const before = pace;
    pace = next;
    const blocked = pace.block?.until !== before.block?.until;
    if (blocked || pace.ceiling !== before.ceiling) keeper.changed(remember(pace, clock));
    const until = blockedUntil();
    if (!blocked || until === null) return;
    log.warn('clinic says too many calls, waiting', { clinic, next: until });
    onEvent({ kind: 'blocked', until });
  };

  const blockedUntil = () => {
    const leftMs = pace.block === null ? 0 : pace.block.until - clock.monotonic();
    return leftMs > 0 ? instant(clock.now() + leftMs) : null;
  };

  return {
    pass(lane, signal) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(closing());
        if (signal.aborted) return reject(signal.reason);
        const abort = () => waiter.turnAway(signal.reason);
        const waiter: Waiter = {
          lane,
          since: clock.monotonic(),
          take(turn) {
            signal.removeEventListener('abort', abort);
            resolve(turn);
          },
          turnAway(reason) {
            waiting.delete(waiter);
            signal.removeEventListener('abort', abort);
            reject(reason);
          },
        };
        waiting.add(waiter);
        signal.addEventListener('abort', abort, { once: true });
        admit();
      });
    },

    report() {
      const at = clock.monotonic();
      const refused = countInTrail(pace.refused, HOUR_MS, at);
      return {
        ceiling_per_minute: pace.ceiling === null ? null : Number(pace.ceiling.toFixed(1)),
        window_ms: pace.ceiling === null ? null : pace.windowMs,
        blocked_until: blockedUntil(),
        refused_last_hour: refused,
        calls_last_hour: refused + countInTrail(pace.accepted, HOUR_MS, at),
      };
    },

    async close() {
      closed = true;
      alarm.abort();
      for (const waiter of [...waiting]) waiter.turnAway(closing());
      await keeper.close();
    },
  };
}

const closing = () => new Failure({ kind: 'transient', message: 'The connection to the clinic is closing' });
