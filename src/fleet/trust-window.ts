import type { Clock } from '../platform/clock.ts';
import type { FleetTimes } from '../store/ports/fleet.ts';

/**
 * A moment on all clocks. None suffices alone: the monotonic clock stops while a machine is suspended, the wall clock
 * may be set, and not every system's uptime includes sleep.
 */
export interface ClocksMoment {
  wall: number;
  monotonic: number;
  uptime: number;
}

export const clocksNow = (clock: Clock): ClocksMoment => ({
  wall: clock.now(),
  monotonic: clock.monotonic(),
  uptime: clock.uptime(),
});

/**
 * Milliseconds for which a member may trust that it still counts as living; `began`: the start of its last successful
 * heartbeat; negative when over. Uses whichever clock advanced furthest. The database counts from a later moment and
 * allows more time, so a member stops trusting itself before others do.
 */
export const trustLeftMs = (
  began: ClocksMoment,
  now: ClocksMoment,
  { ttlMs, marginMs }: Pick<FleetTimes, 'ttlMs' | 'marginMs'>,
): number =>
  ttlMs -
  marginMs -
  Math.max(now.monotonic - began.monotonic, now.wall - began.wall, now.uptime - began.uptime);
