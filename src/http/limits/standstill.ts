import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';

/**
 * Tells whether this process has just stood still (suspended, or without a processor) for several times `everyMs`. Then
 * a request that is overdue may have come in time, and lies unread.
 */
export function watchStandstill(app: FastifyInstance, everyMs: number, clock: Clock): () => boolean {
  let seen = clock.monotonic();
  let woke = Number.NEGATIVE_INFINITY;
  const look = () => {
    const now = clock.monotonic();
    if (now - seen > 2 * everyMs) woke = now;
    seen = now;
  };
  const looking = setInterval(look, everyMs).unref();
  app.addHook('onClose', async () => clearInterval(looking));
  return () => {
    look();
    // Node looks for overdue requests as often as we do.
    return seen - woke <= 2 * everyMs;
  };
}
