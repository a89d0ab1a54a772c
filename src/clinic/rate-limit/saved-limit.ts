import { z } from 'zod';
import { type Clock, instant, toMs } from '../../platform/clock.ts';
import { parsedJson } from '../../platform/json.ts';
import type { Log } from '../../platform/log.ts';
import { LONGEST_RETRY_AFTER_MS } from '../../platform/network/retry-after.ts';
import type { LimiterMemory } from '../clinic.ts';
import { windowsMs } from './call-window.ts';
import type { RateLearner } from './rate-learner.ts';
import { newLearner, resumeCooldown, resumed } from './rate-learner.ts';

/** The stored form. Wall-clock times, because monotonic ones mean nothing in the next process. */
const Remembered = z.object({
  version: z.literal(1),
  ceiling_per_minute: z.number().positive().max(100_000).nullable(),
  window_ms: z.literal([...windowsMs]),
  blocked_until: z.iso.datetime().nullable(),
  /** These two are not written by earlier versions. */
  noted_at: z.iso.datetime().optional(),
  blocked_since: z.iso.datetime().optional(),
});

export function remember(learner: RateLearner, clock: Clock): string {
  const { ceiling, windowMs, cooldown } = learner;
  const wall = (at: number) => instant(clock.now() + at - clock.monotonic());
  return JSON.stringify({
    version: 1,
    ceiling_per_minute: ceiling === null ? null : Number(ceiling.toFixed(2)),
    window_ms: windowMs,
    blocked_until: cooldown === null ? null : wall(cooldown.until),
    ...(cooldown !== null && { blocked_since: wall(cooldown.begun) }),
    noted_at: instant(clock.now()),
  } satisfies z.infer<typeof Remembered>);
}

/** The state to start with. An unreadable one is ignored. */
export async function recall(memory: LimiterMemory, clock: Clock, log: Log): Promise<RateLearner> {
  const at = clock.monotonic();
  const text = await memory.load().catch(() => undefined);
  if (text === undefined) return newLearner(at);
  const remembered = Remembered.safeParse(parsedJson(text));
  if (!remembered.success) {
    log.warn('learned rate limit could not be read, learning it again');
    return newLearner(at);
  }
  const { ceiling_per_minute, window_ms, blocked_until, blocked_since, noted_at } = remembered.data;
  const known =
    ceiling_per_minute === null
      ? newLearner(at)
      : newLearner(at, { ceilingPerMinute: ceiling_per_minute, windowMs: window_ms });
  const learner = memory.isShared ? resumed(known) : known;
  // A clock set back must not make the wait longer than it was when saved.
  const now = Math.max(clock.now(), noted_at === undefined ? 0 : toMs(noted_at));
  const blockedMs = blocked_until === null ? 0 : toMs(blocked_until) - now;
  // Longer than we would ever store: the clock was changed.
  return blockedMs > 0 && blockedMs <= LONGEST_RETRY_AFTER_MS
    ? resumeCooldown(learner, {
        at,
        until: at + blockedMs,
        begun: at - Math.max(0, now - (blocked_since === undefined ? now : toMs(blocked_since))),
      })
    : learner;
}

/** Writes the latest state two seconds after a change, and the last one on `close`. A failed write is not fatal. */
export interface LimitWriter {
  changed(state: string): void;
  close(): Promise<void>;
}

const QUIET_MS = 2_000;

export function createLimitWriter({
  memory,
  clock,
  log,
}: {
  memory: LimiterMemory;
  clock: Clock;
  log: Log;
}): LimitWriter {
  const closing = new AbortController();
  let saved: string | undefined;
  let wanted: string | undefined;
  let writing: Promise<void> | undefined;

  const write = async () => {
    while (wanted !== undefined && wanted !== saved) {
      await clock.sleep(QUIET_MS, closing.signal).catch(() => {});
      const state = wanted;
      try {
        await memory.save(state);
      } catch {
        log.warn('learned rate limit could not be saved');
      }
      saved = state;
    }
    writing = undefined;
  };

  return {
    changed(state) {
      wanted = state;
      if (wanted !== saved) writing ??= write();
    },
    async close() {
      closing.abort();
      await writing;
    },
  };
}
