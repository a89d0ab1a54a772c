import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';
/** Calls per slot over the windows that a limiter may use. Constant size, however many calls. Immutable. */
export type CallWindow = readonly Ring[];

interface Ring {
  readonly windowMs: number;
  /** Number of the newest slot: time divided by the slot's length. */
  readonly newest: number;
  readonly counts: readonly number[];
}

/** Windows that limiters usually use, shortest first. */
export const windowsMs = [MINUTE, 15 * MINUTE, HOUR, DAY] as const;
const SLOTS = 120;

export const emptyWindow = (at: number): CallWindow =>
  windowsMs.map((windowMs) => ({
    windowMs,
    newest: slotOf(windowMs, at),
    counts: new Array<number>(SLOTS).fill(0),
  }));

/** Adds `amount` calls (negative: removes) at time `at`; calls older than the window are dropped. */
export const addCalls = (window: CallWindow, at: number, amount = 1): CallWindow =>
  window.map((ring) => {
    const slot = slotOf(ring.windowMs, at);
    if (slot <= ring.newest - SLOTS) return ring;
    const counts = [...ring.counts];
    const fresh = Math.min(SLOTS, slot - ring.newest);
    for (let i = 0; i < fresh; i += 1) counts[index(slot - i)] = 0;
    counts[index(slot)] = Math.max(0, (counts[index(slot)] ?? 0) + amount);
    return { ...ring, newest: Math.max(slot, ring.newest), counts };
  });

/** Calls in the window ending at `at`, to the precision of one slot (1/120 of the window). */
export function callsIn(window: CallWindow, windowMs: number, at: number): number {
  const ring = window.find((candidate) => candidate.windowMs === windowMs);
  if (ring === undefined) return 0;
  const last = Math.min(slotOf(windowMs, at), ring.newest);
  const first = Math.max(slotOf(windowMs, at), ring.newest) - SLOTS + 1;
  let sum = 0;
  for (let slot = first; slot <= last; slot += 1) sum += ring.counts[index(slot)] ?? 0;
  return sum;
}

export const slotMs = (windowMs: number) => windowMs / SLOTS;
const slotOf = (windowMs: number, at: number) => Math.floor(at / slotMs(windowMs));
const index = (slot: number) => ((slot % SLOTS) + SLOTS) % SLOTS;
