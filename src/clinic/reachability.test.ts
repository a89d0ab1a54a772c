import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock, settle } from '../../test/support/fake-clock.ts';
import { makeCertificate } from '../../test/support/http/certificate.ts';
import { until } from '../../test/support/until.ts';
import { type LimiterReport, nothingLearned } from '../domain/status/report.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { canConnect, sharedConnections, startReachability } from './reachability.ts';

const { signal } = new AbortController();

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Counts connections and the bytes sent over them. */
function counting() {
  const seen = { connections: 0, bytes: 0 };
  const server = createServer((socket) => {
    seen.connections += 1;
    socket.on('data', (data) => {
      seen.bytes += data.length;
    });
    socket.on('error', () => {});
  });
  return { server, seen };
}

describe('a connection', () => {
  it('is opened without sending a byte, and closed', async () => {
    const { server, seen } = counting();
    const port = await listen(server);

    const made = await canConnect({ base_url: `http://127.0.0.1:${port}/api/v1` }, fakeClock(), signal);

    expect(made).toBe(true);
    await until(
      'it is closed',
      () => new Promise((resolve) => server.getConnections((_, n) => resolve(n === 0))),
    );
    expect(seen).toEqual({ connections: 1, bytes: 0 });
  });

  it('is opened once for a thousand clinics at the same address, and again five seconds later', async () => {
    const { server, seen } = counting();
    const port = await listen(server);
    const clock = fakeClock();
    const connects = sharedConnections();
    const askAll = () =>
      Promise.all(
        Array.from({ length: 1_000 }, (_, n) =>
          connects({ base_url: `http://127.0.0.1:${port}/clinic-${n}/api/v1` }, clock, signal),
        ),
      );

    const first = await askAll();
    await clock.advance(4_000);
    await askAll();
    const early = seen.connections;
    await clock.advance(1_000);
    await askAll();

    expect(new Set(first)).toEqual(new Set([true]));
    expect(early).toBe(1);
    await until('the second arrived', async () => seen.connections === 2);
  });

  it('continues for the others when one clinic stops, and ends with the last', async () => {
    const server = createServer(() => {});
    const base_url = `https://127.0.0.1:${await listen(server)}/api/v1`;
    const [one, two] = [new AbortController(), new AbortController()];
    const connects = sharedConnections();
    const clock = fakeClock();
    const first = connects({ base_url }, clock, one.signal);
    const second = connects({ base_url }, clock, two.signal);

    one.abort(new Error('one stops'));
    await expect(first).rejects.toThrow('one stops');
    const sleeping = clock.sleeping;
    two.abort(new Error('two stops'));
    await expect(second).rejects.toThrow('two stops');
    await settle();

    expect(sleeping).toBe(1);
    expect(clock.sleeping).toBe(0);
  });

  it('is refused where nothing listens', async () => {
    const { server } = counting();
    const port = await listen(server);
    server.close();
    await once(server, 'close');

    expect(await canConnect({ base_url: `http://127.0.0.1:${port}/api/v1` }, fakeClock(), signal)).toBe(
      false,
    );
  });

  it('to a name that does not exist fails', async () => {
    expect(await canConnect({ base_url: 'http://clinic.invalid/api/v1' }, fakeClock(), signal)).toBe(false);
  });

  it('over TLS needs a trusted certificate', async () => {
    const { key, cert } = await makeCertificate();
    const port = await listen(createSecureServer({ key, cert }));
    const base_url = `https://localhost:${port}/api/v1`;

    expect(await canConnect({ base_url, ca: cert }, fakeClock(), signal)).toBe(true);
    expect(await canConnect({ base_url }, fakeClock(), signal)).toBe(false);
  });

  it('over TLS without an answer times out after 5 s', async () => {
    const clock = fakeClock();
    const port = await listen(counting().server);
    let made: boolean | undefined;

    const trying = canConnect({ base_url: `https://127.0.0.1:${port}/api/v1` }, clock, signal).then(
      (result) => {
        made = result;
      },
    );
    await clock.advance(4_900);
    expect(made).toBeUndefined();
    await clock.advance(200);
    await trying;

    expect(made).toBe(false);
    expect(clock.sleeping).toBe(0);
  });

  it('ends with the reason of its signal', async () => {
    const port = await listen(counting().server);
    const stopping = new AbortController();

    const trying = canConnect({ base_url: `https://127.0.0.1:${port}/` }, fakeClock(), stopping.signal);
    stopping.abort(new Error('stopping'));

    await expect(trying).rejects.toThrow('stopping');
  });
});

interface Circumstances {
  random?: number;
  clinics?: number;
  /** What the limiter learned. */
  limit?: Partial<LimiterReport>;
}

/** A clinic with a port that can go away and come back, and how calls to it have gone. */
async function watched({ random = 0, clinics = 1, limit = {} }: Circumstances = {}) {
  const clock = fakeClock();
  const { server, seen } = counting();
  const port = await listen(server);
  const state = {
    workedAt: clock.monotonic() as number | null,
    failingSince: null as number | null,
    failsAgain: false,
    asked: 0,
    called: 0,
    endpoints: [] as string[],
    /** Resources of which a poll was requested. */
    polls: [] as (string | undefined)[],
    /** How long the latest call would have waited for its answer, milliseconds. */
    patienceMs: 0,
    /** How the server behind the port answers calls. */
    answers: 'well' as 'well' | 'wrongly' | 'never' | 'wait',
  };
  const answer = async (endpoint: string, responseMs = 30_000) => {
    state.called += 1;
    state.endpoints.push(endpoint);
    state.patienceMs = responseMs;
    if (state.answers === 'never') await clock.sleep(responseMs, signal);
    if (state.answers === 'well') [state.workedAt, state.failingSince] = [clock.monotonic(), null];
    if (state.answers === 'wrongly' || state.answers === 'never') {
      state.failsAgain = state.failingSince !== null;
      state.failingSince ??= clock.monotonic();
    }
    if (state.answers !== 'well') throw new Failure({ kind: 'transient', message: 'no' });
  };
  const loop = startReachability({
    base_url: `http://127.0.0.1:${port}/api/v1`,
    clock,
    log: silentLog,
    calls: () => ({
      workedAgoMs: state.workedAt === null ? null : clock.monotonic() - state.workedAt,
      failing:
        state.failingSince === null
          ? null
          : { forMs: clock.monotonic() - state.failingSince, again: state.failsAgain, everywhere: true },
    }),
    ask: (poll) => {
      state.asked += 1;
      state.polls.push(poll);
    },
    clinics,
    clinic: {
      limiter: () => ({ ...nothingLearned, ...limit }),
      confirmIdentity: (_, responseMs) => answer('organization', responseMs),
      async website(_, responseMs) {
        await answer('website', responseMs);
        return { records: [], unreadable: [] };
      },
    },
    random: () => random,
  });
  onTestFinished(() => loop.stop());
  /** Second by second, with time for the sockets of each. */
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 1_000) {
      await clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      await settle(60);
    }
  };
  const goAway = async () => {
    server.close();
    await once(server, 'close');
  };
  const comeBack = () => listen(server, port);
  return { clock, seen, state, loop, pass, goAway, comeBack };
}

describe('reachability', () => {
  it('opens no connection while calls work', async () => {
    const { clock, seen, state, pass } = await watched();

    for (let i = 0; i < 12; i += 1) {
      state.workedAt = clock.monotonic();
      await pass(10_000);
    }

    expect(seen.connections).toBe(0);
  });

  it('connects about every 20 s while no call is made, and requests no call while the clinic is up', async () => {
    const { seen, state, pass } = await watched({ limit: { ceiling_per_minute: 59 } });

    await pass(120_000);

    expect(seen.connections).toBeGreaterThanOrEqual(5);
    expect(seen.connections).toBeLessThanOrEqual(8);
    expect(seen.bytes).toBe(0);
    expect(state).toMatchObject({ asked: 0, called: 0 });
  });

  it('calls every 30 s where calls are no concern, and requests no poll while they succeed', async () => {
    const { state, pass } = await watched({ limit: { ceiling_per_minute: 60 } });

    await pass(400_000);

    expect(state.asked).toBe(0);
    expect(state.called).toBeGreaterThanOrEqual(12);
    expect(state.called).toBeLessThanOrEqual(14);
  });

  it('makes two calls fail within a minute of the last success where the clinic connects but never answers', async () => {
    const { state, pass } = await watched({ random: 1 });
    state.answers = 'never';

    await pass(60_000);
    expect(state).toMatchObject({ endpoints: ['organization', 'website'], failsAgain: true });
    expect(state.polls).toEqual(['organization']);
    await pass(120_000);

    expect(state.called).toBe(2);
  });

  it.each([
    [null, 6_000],
    [3_000, 12_000],
    [20_000, 30_000],
  ])('gives a clinic that usually takes %s ms to answer %s ms', async (answer_ms, patienceMs) => {
    const { state, pass } = await watched({ limit: { answer_ms } });

    await pass(60_000);

    expect(state).toMatchObject({ patienceMs });
  });

  it('requests a poll where connections work but calls fail, another later, and no more once that is known', async () => {
    const { state, pass } = await watched({ random: 1 });
    await pass(45_000);
    state.answers = 'wrongly';

    await pass(60_000);
    expect(state.asked).toBeGreaterThanOrEqual(1);
    await pass(60_000);
    const { asked, called } = state;
    expect(asked).toBeGreaterThanOrEqual(2);
    await pass(120_000);

    expect(state).toMatchObject({ asked, called });
  });

  it('requests no poll when the clinic asks it to wait', async () => {
    const { state, pass } = await watched();
    state.answers = 'wait';

    await pass(60_000);

    expect(state.called).toBeGreaterThanOrEqual(1);
    expect(state.asked).toBe(0);
  });

  it('makes no calls for an hour after the clinic refused one', async () => {
    const { state, pass } = await watched({ limit: { ceiling_per_minute: 600, refused_last_hour: 1 } });

    await pass(300_000);

    expect(state.called).toBe(0);
  });

  it('calls each of a thousand clinics every seven minutes at most', async () => {
    const { state, pass } = await watched({ clinics: 1_000 });

    await pass(390_000);
    expect(state.called).toBe(0);
    await pass(60_000);

    expect(state.called).toBe(1);
  });

  it('requests two calls within 45 s once the clinic is down, and no more once that is known', async () => {
    const { clock, state, pass, goAway } = await watched({ random: 1 });
    await pass(30_000);
    await goAway();

    await pass(20_000);
    expect(state.asked).toBeGreaterThanOrEqual(1);
    state.failingSince = clock.monotonic();
    await pass(25_000);
    expect(state.asked).toBeGreaterThanOrEqual(2);
    await pass(60_000);
    const { asked } = state;
    await pass(60_000);

    expect(state.asked).toBe(asked);
  });

  it('requests one call as soon as the clinic is back', async () => {
    const { clock, state, pass, goAway, comeBack } = await watched();
    await goAway();
    state.failingSince = clock.monotonic();
    await pass(120_000);
    state.asked = 0;

    await comeBack();
    await pass(11_000);
    expect(state.asked).toBe(1);
    await pass(60_000);

    expect(state.asked).toBe(1);
  });

  it('connects less and less often where calls work although connections fail', {
    tags: ['thorough'],
  }, async () => {
    const { clock, state, pass, goAway } = await watched();
    await goAway();

    const asked: number[] = [];
    for (let hour = 0; hour < 2; hour += 1) {
      state.asked = 0;
      for (let at = 0; at < 3_600; at += 5) {
        const before = state.asked;
        await pass(5_000);
        if (state.asked > before) state.workedAt = clock.monotonic();
      }
      asked.push(state.asked);
    }

    expect(asked[0]).toBeLessThan(15);
    expect(asked[1]).toBeLessThan(5);
  });

  it('calls less and less often where only that call fails', { tags: ['thorough'] }, async () => {
    const { clock, state, pass } = await watched();
    state.answers = 'wrongly';

    const called: number[] = [];
    for (let hour = 0; hour < 2; hour += 1) {
      state.called = 0;
      for (let at = 0; at < 3_600; at += 5) {
        const { asked } = state;
        await pass(5_000);
        if (state.asked > asked) [state.workedAt, state.failingSince] = [clock.monotonic(), null];
      }
      called.push(state.called);
    }

    expect(called[0]).toBeLessThan(15);
    expect(called[1]).toBeLessThan(5);
  });

  it('starts at its own offset, so that many clinics are not checked at the same moment', async () => {
    const early = await watched({ random: 0.1 });
    const late = await watched({ random: 0.9 });
    early.state.workedAt = null;
    late.state.workedAt = null;

    await early.pass(3_000);
    await late.pass(3_000);

    expect(early.seen.connections).toBe(1);
    expect(late.seen.connections).toBe(0);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { clock, loop, pass, seen } = await watched();
    await pass(30_000);

    await loop.stop();
    const before = seen.connections;
    await pass(60_000);

    expect(clock.sleeping).toBe(0);
    expect(seen.connections).toBe(before);
  });
});
