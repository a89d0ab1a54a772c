import { expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../platform/log.ts';
import { createCalls } from './calls.ts';
import type { Exchange } from './http/exchange.ts';
import type { Limiter } from './rate-limit/limiter.ts';

/** What the next calls see on the wire, after the grant of the token. */
async function eraAfter(exchanges: readonly Partial<Exchange>[]): Promise<number[]> {
  const body = Buffer.from('{"access_token":"token","expires_in":3600}');
  const answers = [{}, ...exchanges].map((one) => ({ kind: 'answer', status: 200, peer: 'a', body, ...one }));
  const signal = new AbortController().signal;
  const calls = createCalls({
    limiter: { acquire: async () => ({ end: () => {} }) } as unknown as Limiter,
    transport: { send: async () => answers.shift() as Exchange, close: () => {} },
    keys: { current: () => ({ app_key: 'app', secret_key: 'secret' }), renewed: () => false },
    clinic: 'main',
    clock: fakeClock(),
    log: silentLog,
    words: (message) => message,
    onEvent: () => {},
    onSecret: () => {},
    closing: signal,
  });
  const call = { method: 'GET', path: '/organization', endpoint: '', priority: 'list', signal } as const;
  const leave = await calls.leave('list', signal);
  const eras = [calls.era()];
  while (answers.length > 0) {
    await calls.send({ ...call, mostBytes: 100, responseMs: 100 }, leave);
    eras.push(calls.era());
  }
  return eras.map((era) => era - (eras[0] ?? 0));
}

it.each([
  ['answers of a known address', [{}, { status: 404 }, { status: 429 }], [0, 0, 0, 0]],
  ['an address that has not answered before', [{ peer: 'b' }, { peer: 'a' }, { peer: 'b' }], [0, 1, 1, 1]],
  ['a refused token, or a fault of the server', [{ status: 401 }, { status: 503 }], [0, 1, 2]],
  ['a broken connection', [{ kind: 'broken', connected: true, problem: 'connection' }], [0, 1]],
] as const)('counts after %s whether another server may answer', async (_what, exchanges, eras) => {
  expect(await eraAfter(exchanges as readonly Partial<Exchange>[])).toEqual(eras);
});
