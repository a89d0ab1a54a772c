import type { Clock } from '../platform/clock.ts';
import type { FleetTimes } from '../store/ports/fleet.ts';

/**
 * A moment on all clocks: the monotonic one stands still while a machine is suspended, the wall clock may be set, and not
 * every system counts its time asleep.
 */
export interface Moment {
  wall: number;
  monotonic: number;
  uptime: number;
}

export const momentOf = (clock: Clock): Moment => ({
  wall: clock.now(),
  monotonic: clock.monotonic(),
  uptime: clock.uptime(),
});

/**
 * Milliseconds for which a member may still trust that it counts as living, because its last sign of life began at a
 * moment; negative when that is over. By whichever clock has gone furthest. The database counts from a later moment and
 * gives it more time, so it trusts for less long than it is believed.
 */
export const trustLeftMs = (
  began: Moment,
  now: Moment,
  { ttlMs, marginMs }: Pick<FleetTimes, 'ttlMs' | 'marginMs'>,
): number =>
  ttlMs -
  marginMs -
  Math.max(now.monotonic - began.monotonic, now.wall - began.wall, now.uptime - began.uptime);
