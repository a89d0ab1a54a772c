import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';

/**
 * Closes a connection whose client has not read its response within `answerMs`. Node only drops a client that reads
 * nothing; one that reads a byte a second would keep the response in memory indefinitely.
 */
export function dropSlowReaders(app: FastifyInstance, answerMs: number, clock: Clock): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const { raw } = reply;
    const sent = new AbortController();
    raw.once('close', () => sent.abort());
    clock.sleep(answerMs, sent.signal).then(
      () => raw.socket?.destroy(),
      () => {},
    );
    done();
  });
}
