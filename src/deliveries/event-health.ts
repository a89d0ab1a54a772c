import { type Instant, instant, toMs } from '../platform/clock.ts';
import type { Failure } from '../platform/failure.ts';
import { failureSentence } from '../platform/sentences.ts';
import type { ConnectorState, PauseKind } from '../store/store.ts';
import { isOutage, mustPause, outageReason, PROBE_EVERY_MS, restMs } from './circuit-breaker.ts';
import type { LaneTools } from './worker.ts';

/** Successes are written down this often: one more fsync per delivery would halve the speed. */
const NOTE_SUCCESS_EVERY_MS = 5_000;
/** A `Retry-After` of a whole receiver; a longer one is looked into after an hour. */
const LONGEST_REST_MS = 3_600_000;

/** How a connector's receiver is doing; what must outlive a restart is in the store. */
export interface EventHealth {
  /** Reads what is stored: a person may have paused or resumed it, in this process or another. */
  refresh(): Promise<void>;
  /** `probe`: one at a time; `closed`: none now. */
  mode(): 'open' | 'probe' | 'closed';
  readonly pausedAutomatically: boolean;
  /** Milliseconds until `closed` may end; 0 when it is not closed. */
  waitMs(): number;
  succeeded(): void;
  failed(failure: Failure): void;
  /** The receiver said that it wants no more: stop, keep everything, and let a person decide. */
  gone(failure: Failure): void;
  /** Stores what is new, successes now and then only. `oldest`: since when the oldest delivery has been waiting. */
  save(oldest: () => Promise<Instant | undefined>): Promise<void>;
  /** Stores all that is new. */
  flush(): Promise<void>;
  /** True once after an outage ended: everything that waits is worth a try now. */
  recovered(): boolean;
}

export function eventHealth(connector: string, { store, clock, log }: LaneTools): EventHealth {
  let known: ConnectorState | undefined;
  let failures = 0;
  let paused: PauseKind | null = null;
  /** Our own rest in an outage, ended by any success; and the receiver's wish, which is not. */
  let restUntil = 0;
  let askedUntil = 0;
  let outageEnded = false;
  /** By the monotonic clock; undefined until one fails in this process. */
  let failedAt: number | undefined;
  let successNotedAt = Number.NEGATIVE_INFINITY;
  let pending: Partial<ConnectorState> = {};

  const note = (news: Partial<ConnectorState>) => {
    pending = { ...pending, ...news };
  };
  const pause = (kind: PauseKind, reason: string) => {
    paused = kind;
    const at = instant(clock.now());
    note({ paused: true, pause_kind: kind, paused_reason: reason, paused_at: at, paused_by: null });
    log.warn('connector paused', { connector, reason });
  };
  const closedMs = () => Math.max(0, restUntil - clock.monotonic(), askedUntil - clock.monotonic());
  const flush = async () => {
    if (Object.keys(pending).length === 0) return;
    const news = pending;
    pending = {};
    successNotedAt = clock.monotonic();
    await store.deliveries.report(connector, news);
  };
  const untilProbe = () => {
    const last = pending.last_failure_at ?? known?.last_failure_at;
    const byWall = last ? clock.now() - toMs(last) : PROBE_EVERY_MS;
    const byMonotonic = failedAt === undefined ? 0 : clock.monotonic() - failedAt;
    // A failure that is still to come: the wall clock was set back, and nothing is known of the wait.
    if (byWall < 0 && failedAt === undefined) return 0;
    return Math.max(0, PROBE_EVERY_MS - Math.max(byWall, byMonotonic));
  };

  return {
    async refresh() {
      known = await store.deliveries.connector(connector);
      failures = known.failures;
      paused = known.paused ? (known.pause_kind ?? 'person') : null;
    },

    mode() {
      if (paused !== null) return paused === 'automatic' && untilProbe() === 0 ? 'probe' : 'closed';
      if (closedMs() > 0) return 'closed';
      return isOutage(failures) ? 'probe' : 'open';
    },
    get pausedAutomatically() {
      return paused === 'automatic';
    },
    waitMs() {
      if (paused !== null) return paused === 'automatic' ? untilProbe() : Number.POSITIVE_INFINITY;
      return closedMs();
    },

    succeeded() {
      if (isOutage(failures)) {
        outageEnded = true;
        log.info('connector delivers again', { connector, count: failures });
      }
      if (paused === 'automatic') {
        paused = null;
        const at = instant(clock.now());
        note({ ...notPaused, resumed_at: at, resumed_by: null });
      }
      note({ last_success_at: instant(clock.now()) });
      if (failures > 0) note({ failures: 0, last_error: null });
      failures = 0;
      restUntil = 0;
    },

    failed(failure) {
      const { kind, message, hint, status, retryAfterMs } = failure;
      // A receiver that refuses an event is up: that is no outage.
      if (kind !== 'refused') failures += 1;
      failedAt = clock.monotonic();
      note({ failures, last_failure_at: instant(clock.now()), last_error: failureSentence(failure) });
      if (failures === 1 || isOutage(failures))
        log.warn('delivery failed', {
          connector,
          count: failures,
          problem: message,
          ...(hint && { hint }),
          ...(status && { status }),
        });
      // Busy is said by the whole receiver, whatever it was asked.
      if ((status === 429 || status === 503) && retryAfterMs !== undefined)
        askedUntil = clock.monotonic() + Math.min(retryAfterMs, LONGEST_REST_MS);
      if (isOutage(failures)) restUntil = clock.monotonic() + restMs(failures);
    },

    gone(failure) {
      note({ last_failure_at: instant(clock.now()), last_error: failureSentence(failure) });
      pause('gone', failureSentence(failure));
    },

    async save(oldest) {
      if (paused === null && isOutage(failures)) {
        const since = await oldest();
        const success = known?.last_success_at ?? null;
        if (since !== undefined && mustPause(failures, success, since, clock.now()))
          pause('automatic', outageReason(pending.last_error ?? known?.last_error ?? ''));
      }
      const onlySuccess = Object.keys(pending).every((key) => key === 'last_success_at');
      if (onlySuccess && clock.monotonic() - successNotedAt < NOTE_SUCCESS_EVERY_MS) return;
      await flush();
    },
    flush,

    recovered() {
      const ended = outageEnded;
      outageEnded = false;
      return ended;
    },
  };
}

export const notPaused = {
  paused: false,
  pause_kind: null,
  paused_reason: null,
  paused_at: null,
  paused_by: null,
} as const;
