import { backoffMs } from '../../platform/backoff.ts';
import type { Cron } from '../../platform/cron.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { FailureKind } from '../../platform/failure.ts';

/**
 * When a job is due, on both clocks, in milliseconds. The wall clock is what users expect; the monotonic clock still
 * fires after the wall clock was set back. Pure.
 */
export interface DueSlot {
  wall: number;
  monotonic: number;
}

export interface Now {
  wall: number;
  monotonic: number;
}

/** The least time between two starts of a job, however the wall clock jumps. */
export const leastGap = (intervalMs: number): number => Math.min(intervalMs / 2, MINUTE);

/** Share of a slot added per further clinic. */
const MS_PER_CLINIC = 300;

/** With many clinics, offsets are rounded to this, so that neighbours share a timer and a commit. */
const TOGETHER_MS = 1_000;

/**
 * How far into its slot a job runs: a few seconds, so that installations do not all call their clinics in the same
 * second; with many clinics, enough to spread them out. `phase`, in [0, 1), is fixed per job.
 */
export function offsetInSlot(intervalMs: number, phase: number, clinics: number): number {
  const ofMany = Math.min(intervalMs * 0.8, (clinics - 1) * MS_PER_CLINIC);
  const offset = Math.floor(phase * Math.max(Math.min(5_000, intervalMs / 20), ofMany));
  return clinics === 1 ? offset : offset - (offset % Math.min(TOGETHER_MS, Math.ceil(intervalMs / 60)));
}

export const dueSlotAt = (wall: number, now: Now): DueSlot => ({
  wall,
  monotonic: now.monotonic + Math.max(0, wall - now.wall),
});

/** Either clock suffices: a wall clock set forward runs a job once, one set back cannot silence it. */
export const isDue = (slot: DueSlot, now: Now): boolean =>
  now.wall >= slot.wall || now.monotonic >= slot.monotonic;

/** True when the wall clock was set back: the slot's wall time is later than the job will run. */
export const isAhead = (slot: DueSlot, now: Now): boolean =>
  slot.wall - now.wall - Math.max(0, slot.monotonic - now.monotonic) > MINUTE;

/** Milliseconds until it is due by either clock. */
export const untilDue = (slot: DueSlot, now: Now): number =>
  Math.max(0, Math.min(slot.wall - now.wall, slot.monotonic - now.monotonic));

/** The slot of a job when the daemon starts. `stored` is null for a job that never ran. */
export function firstSlot(cron: Cron, stored: number | null, now: Now, offset: number): DueSlot {
  if (stored === null || stored <= now.wall) return { ...now };
  // Stored for another expression, or while the clock was ahead: never wait longer than the present expression says.
  return dueSlotAt(Math.min(stored, cron.next(now.wall - offset) + offset), now);
}

/** The slot after a run due at `ran`; `offset` is added to cron's time. Missed slots are skipped. */
export function nextSlot(cron: Cron, ran: DueSlot, now: Now, offset: number): DueSlot {
  // The monotonic clock may run slightly ahead of the wall clock; then that slot has been served already.
  const early = ran.wall - now.wall;
  const served = early > 0 && early < leastGap(cron.intervalMs) ? ran.wall : now.wall;
  return dueSlotAt(cron.next(served - offset) + offset, now);
}

/** A failed poll is retried within this time, so that one minute tells trouble from a hiccup. */
export const RETRY_MS = 30_000;

/**
 * The slot after a failed run: sooner than the regular one, if that is far away. `failures`: consecutive, including
 * this one. Transient failures are retried every 30 s, so that a recovery is noticed; refusals ever more rarely,
 * because a user has to change something. `retryAfterMs`: as requested by the clinic.
 */
export function retrySlot(
  cron: Cron,
  regular: DueSlot,
  now: Now,
  {
    failures,
    kind,
    retryAfterMs = 0,
  }: { failures: number; kind: FailureKind; retryAfterMs?: number | undefined },
): DueSlot {
  const first = Math.min(RETRY_MS, cron.intervalMs / 2);
  const own = kind === 'transient' ? first : backoffMs(failures, { floor: first, cap: cron.intervalMs });
  const pause = Math.max(retryAfterMs, own);
  return regular.wall - now.wall <= pause ? regular : dueSlotAt(now.wall + pause, now);
}
