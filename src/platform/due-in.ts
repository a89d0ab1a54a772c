import { type Instant, toMs } from './clock.ts';

/**
 * Milliseconds until a stored wait ends; 0 when it is over. A wait that began in the future was stored before the wall
 * clock was set back and would last too long, so it counts as over.
 *
 *     dueIn({ since: '09:00', until: '09:10' }, at('09:04')); // 6 min
 *     dueIn({ since: '09:00', until: '09:10' }, at('08:00')); // 0
 */
export const dueIn = (wait: { since: Instant; until: Instant }, nowMs: number): number =>
  toMs(wait.since) > nowMs ? 0 : Math.max(0, toMs(wait.until) - nowMs);
