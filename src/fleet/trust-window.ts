import type { Clock } from '../platform/clock.ts';
import type { FleetTimes } from '../store/ports/fleet.ts';

/** A moment on both clocks: the monotonic one stands still while a machine is suspended, the other may be set. */
export interface Moment {
  wall: number;
  monotonic: number;
}

export const momentOf = (clock: Clock): Moment => ({ wall: clock.now(), monotonic: clock.monotonic() });

/**
 * Milliseconds for which a member may still trust that it counts as living, because its last sign of life began at a
 * moment; negative when that is over. By whichever clock has gone further. The database counts from a later moment and
 * gives it more time, so it trusts for less long than it is believed.
 */
export const trustLeftMs = (
  began: Moment,
  now: Moment,
  { ttlMs, marginMs }: Pick<FleetTimes, 'ttlMs' | 'marginMs'>,
): number => ttlMs - marginMs - Math.max(now.monotonic - began.monotonic, now.wall - began.wall);
