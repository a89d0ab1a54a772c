import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';

/**
 * Closes a connection whose client has not read its response within `answerMs`. Node only drops a client that reads
 * nothing; one that reads a byte a second would keep the response in memory indefinitely.
 */
export function dropSlowReaders(app: FastifyInstance, answerMs: number, clock: Clock): void {
  /** When each response began, oldest first. They share one timer: a timer each would cost more than most responses. */
  const sending = new Map<ServerResponse, number>();
  const nothingLeft = new Error('nothing is being sent');
  let watching: AbortController | undefined;

  const watch = async (signal: AbortSignal) => {
    for (let [oldest] = sending; oldest !== undefined; [oldest] = sending) {
      const [raw, since] = oldest;
      await clock.sleep(since + answerMs - clock.monotonic(), signal);
      if (sending.delete(raw)) raw.socket?.destroy();
    }
  };

  app.addHook('onSend', (_request, reply, _payload, done) => {
    const { raw } = reply;
    // The client left while its answer was made, so no `close` will follow.
    if (raw.destroyed) return done();
    sending.set(raw, clock.monotonic());
    raw.once('close', () => {
      sending.delete(raw);
      if (sending.size > 0) return;
      watching?.abort(nothingLeft);
      watching = undefined;
    });
    if (watching === undefined) {
      watching = new AbortController();
      watch(watching.signal).catch(() => {});
    }
    done();
  });
}
