import { backoffMs } from '../../platform/backoff.ts';
import type { Cron } from '../../platform/cron.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { FailureKind } from '../../platform/failure.ts';

/**
 * When a job is due, on both clocks. The wall clock says when people expect it; the monotonic one makes it come about
 * even when the wall clock was set back. Milliseconds. Pure.
 */
export interface Slot {
  wall: number;
  monotonic: number;
}

export interface Now {
  wall: number;
  monotonic: number;
}

/** The least time between two starts of a job, however the wall clock jumps about. */
export const leastGap = (intervalMs: number): number => Math.min(intervalMs / 2, MINUTE);

/** Time that each further clinic gets for itself in a slot. */
const MS_PER_CLINIC = 300;

/** Of many clinics those begin together that are this close: they share a timer and a commit. */
const TOGETHER_MS = 1_000;

/**
 * How far into its slot a job runs: some seconds, so that not every installation asks its clinic in the same second;
 * with many clinics so far that they come a few at a time. `phase`, in [0, 1), is the job's own, for ever.
 */
export function offsetInSlot(intervalMs: number, phase: number, clinics: number): number {
  const ofMany = Math.min(intervalMs * 0.8, (clinics - 1) * MS_PER_CLINIC);
  const offset = Math.floor(phase * Math.max(Math.min(5_000, intervalMs / 20), ofMany));
  return clinics === 1 ? offset : offset - (offset % Math.min(TOGETHER_MS, Math.ceil(intervalMs / 60)));
}

export const slotAt = (wall: number, now: Now): Slot => ({
  wall,
  monotonic: now.monotonic + Math.max(0, wall - now.wall),
});

/** Either clock will do: a wall clock set forward runs a job once, one set back cannot silence it. */
export const isDue = (slot: Slot, now: Now): boolean =>
  now.wall >= slot.wall || now.monotonic >= slot.monotonic;

/** The wall clock was set back since: it says a later time than the job will run. */
export const isAhead = (slot: Slot, now: Now): boolean =>
  slot.wall - now.wall - Math.max(0, slot.monotonic - now.monotonic) > MINUTE;

/** Milliseconds until it is due, whichever clock gets there first. */
export const untilDue = (slot: Slot, now: Now): number =>
  Math.max(0, Math.min(slot.wall - now.wall, slot.monotonic - now.monotonic));

/** The slot of a job when the daemon starts. `stored` is null for a job that never ran. */
export function firstSlot(cron: Cron, stored: number | null, now: Now, offset: number): Slot {
  if (stored === null || stored <= now.wall) return { ...now };
  // Stored under another expression, or while the clock was ahead: never wait longer than the expression says.
  return slotAt(Math.min(stored, cron.next(now.wall - offset) + offset), now);
}

/** The slot after a run that was due at `ran`, `offset` after what cron says. Slots missed meanwhile are skipped. */
export function nextSlot(cron: Cron, ran: Slot, now: Now, offset: number): Slot {
  // The monotonic clock may be a little ahead of the wall clock: that slot has been served already.
  const early = ran.wall - now.wall;
  const served = early > 0 && early < leastGap(cron.intervalMs) ? ran.wall : now.wall;
  return slotAt(cron.next(served - offset) + offset, now);
}

/** A failed poll is tried again within this time, so that a minute is enough to distinguish trouble from a hiccup. */
export const RETRY_MS = 30_000;

/**
 * The slot after a run that failed: sooner than the next regular one where that is far away. `failures` in a row, this
 * one included. What may work later is tried every 30 s, so that its return is noticed, too; what was refused ever
 * more rarely, because a user has to change something. `retryAfterMs` as the clinic asked.
 */
export function retrySlot(
  cron: Cron,
  regular: Slot,
  now: Now,
  {
    failures,
    kind,
    retryAfterMs = 0,
  }: { failures: number; kind: FailureKind; retryAfterMs?: number | undefined },
): Slot {
  const first = Math.min(RETRY_MS, cron.intervalMs / 2);
  const own = kind === 'transient' ? first : backoffMs(failures, { floor: first, cap: cron.intervalMs });
  const pause = Math.max(retryAfterMs, own);
  return regular.wall - now.wall <= pause ? regular : slotAt(now.wall + pause, now);
}
