import { z } from 'zod';
import { backoffMs, UPPER_HALF } from '../../platform/backoff.ts';
import { type Instant, instant, toMs } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { DispatchEffect } from './outcome.ts';

/** Three unknown outcomes within this time pause sending, before more are added. */
const DOUBTS_WITHIN_MS = 10 * MINUTE;
const DOUBTS_AT_MOST = 3;

const Pause = z.object({
  kind: z.enum(['limit', 'unreachable', 'credentials', 'configuration', 'doubts', 'person', 'restored']),
  /** One plain sentence. */
  reason: z.string(),
  since: z.string(),
  /** When a read of the organization next tests whether sending can resume. Null: only a person resumes. */
  until: z.string().nullable(),
  /** When that was decided, which later failures do anew. */
  decided_at: z.string().optional(),
});

/**
 * A resume request written by another process; the daemon picks it up at its next tick. It ends only the pause that its
 * author saw: a copy of the database may hold an older request, and so may a database whose daemon was stopped.
 */
const Resumption = z.object({ at: z.string(), by: z.string(), kind: z.string(), since: z.string() });
export const readResumption = (kept: string): z.infer<typeof Resumption> | undefined => {
  try {
    return Resumption.parse(JSON.parse(kept));
  } catch {
    return undefined;
  }
};

/** A send of unknown outcome. `attempt` is 0 if an older version stored it. */
const Doubt = z.object({ ref: z.string(), attempt: z.number().default(0), at: z.string() });
type Doubt = z.infer<typeof Doubt>;

/** Whether a clinic's bookings are being sent. Stored, because a restart must not forget a pause. */
export const DispatcherState = z.object({
  pause: Pause.nullable(),
  /** Consecutive faults; lengthens the backoff. */
  faults: z.number().int().nonnegative(),
  /** The latest unknown outcomes. */
  doubts: z.array(Doubt),
  /** When a user resumed: unknown outcomes before that do not count. */
  resumed_at: z.string().nullable(),
  /** Bookings refused before being processed, since the last successful one. */
  refused: z.array(z.string()).default([]),
  /** Who resumed. */
  resumed_by: z.string().nullable().default(null),
});
export type DispatcherState = z.infer<typeof DispatcherState>;
export type PauseKind = z.infer<typeof Pause>['kind'];

export const openState: DispatcherState = {
  pause: null,
  faults: 0,
  doubts: [],
  resumed_at: null,
  refused: [],
  resumed_by: null,
};

/** The stored state. An unreadable one pauses sending, because it may have been a pause. */
export function readDispatcherState(kept: string | undefined, at: Instant): DispatcherState {
  if (kept === undefined) return openState;
  try {
    return DispatcherState.parse(JSON.parse(kept));
  } catch {
    return withPause(openState, 'person', 'The stored pause cannot be read.', at);
  }
}

export const withPause = (
  state: DispatcherState,
  kind: PauseKind,
  reason: string,
  at: Instant,
  until: Instant | null = null,
): DispatcherState => {
  // The start of a pause in an older copy says nothing about this one.
  const since = kind === 'restored' ? undefined : state.pause?.since;
  return { ...state, pause: { kind, reason, since: since ?? at, until, decided_at: at } };
};

export const isMeant = (pause: DispatcherState['pause'], { kind, since }: z.infer<typeof Resumption>) =>
  pause?.kind === kind && pause.since === since;

export const afterResume = (at: Instant, by: string): DispatcherState => ({
  ...openState,
  resumed_at: at,
  resumed_by: by,
});

/** A successful read ends a pause that waited for it. Faults count until a booking succeeds. */
export const afterRead = (state: DispatcherState): DispatcherState =>
  state.pause === null || state.pause.until === null ? state : { ...state, pause: null };

/** Backoff after consecutive faults, milliseconds. */
const waits = {
  unreachable: { floor: 5_000, cap: 5 * MINUTE },
  limit: { floor: 2_000, cap: MINUTE },
  // Short: rejected credentials are rarely sent again (the token client backs off), and polls notice recovery first.
  credentials: { floor: 5_000, cap: MINUTE },
  configuration: { floor: MINUTE, cap: 5 * MINUTE },
  // Low: other bookings queue behind what may be a single booking's fault.
  refused: { floor: MINUTE, cap: 5 * MINUTE },
} as const;

/** The state after a send or a failed read. Pure. */
export function afterEffect(
  state: DispatcherState,
  effect: DispatchEffect,
  nowMs: number,
  random: number,
): DispatcherState {
  const at = instant(nowMs);
  if (effect.kind === 'fine')
    return state.faults === 0 && state.refused.length === 0 ? state : { ...state, faults: 0, refused: [] };
  // It stays in `refused`: if the next booking is refused too, it was not the only one at fault.
  if (effect.kind === 'set_aside') return { ...state, faults: 0 };
  if (effect.kind === 'unknown') return state;

  const faults = state.faults + 1;
  const wait = backoffMs(faults, { ...waits[effect.kind], jitter: UPPER_HALF }, random);
  const retryAfter = effect.kind === 'limit' ? (effect.retryAfterMs ?? 0) : 0;
  // A failure never shortens a pause that only a user can end.
  const refused = effect.kind === 'refused' ? [...new Set([...state.refused, effect.ref])] : state.refused;
  if (state.pause !== null && state.pause.until === null) return { ...state, faults, refused };
  const alone = effect.kind !== 'configuration' || effect.safe;
  const until = alone ? instant(nowMs + Math.max(wait, retryAfter)) : null;
  const kind = effect.kind === 'refused' ? 'configuration' : effect.kind;
  return withPause({ ...state, faults, refused }, kind, effect.reason, at, until);
}

const isSameSend = (one: Doubt, other: Doubt) =>
  one.ref === other.ref && (one.attempt === other.attempt || one.attempt === 0);

/** Counts an unknown outcome once; the third within ten minutes pauses sending until a user has looked. */
export function withDoubt(state: DispatcherState, doubt: Doubt, nowMs: number): DispatcherState {
  const resumedMs = state.resumed_at === null ? 0 : toMs(state.resumed_at);
  // Resumed in the future: the clock was set back since, so no one has reviewed the present outcomes.
  const from = Math.max(nowMs - DOUBTS_WITHIN_MS, resumedMs > nowMs ? 0 : resumedMs);
  const doubts = [...state.doubts, doubt]
    .filter(({ at }) => toMs(at) > from)
    .filter((one, index, all) => all.findIndex((first) => isSameSend(first, one)) === index);
  const counted = { ...state, doubts };
  if (doubts.length < DOUBTS_AT_MOST || state.pause?.until === null) return counted;
  return withPause(
    counted,
    'doubts',
    'Three bookings in ten minutes ended without a clear answer.',
    instant(nowMs),
  );
}
