import { expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createCallWatch } from './call-watch.ts';

function setUp() {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const watch = createCallWatch(clock);
  for (const clinic of ['main', 'north']) watch.begin(clinic, 'us');
  const call = (status: number | 'none', clinic = 'main', endpoint = 'GET /x', ms = 0) => {
    // What took its time had a connection.
    const connected = status !== 'none' || ms > 0;
    watch.observe(clinic, { kind: 'call', priority: 'list', endpoint, status, connected, ms, at: 'x' });
  };
  return { clock, watch, call };
}

it('knows nothing of a clinic that was not called', () => {
  expect(setUp().watch.of('main')).toEqual({ failing: null, workedAgoMs: null });
});

it.each([[200], [404], [422]])('counts %s as a working answer', async (status) => {
  const { clock, watch, call } = setUp();

  call(status);
  await clock.advance(7_000);

  expect(watch.of('main')).toEqual({ failing: null, workedAgoMs: 7_000 });
});

it.each([
  ['none', false],
  [500, false],
  [503, false],
  [401, true],
  [403, true],
] as const)('takes %s for a failure (refused: %s)', (status, refused) => {
  const { watch, call } = setUp();

  call(status);

  expect(watch.of('main').failing).toMatchObject({ refused });
});

it.each([
  ['the same endpoint', [500], ['GET /x'], false],
  ['another endpoint', [500], ['GET /y'], true],
  ['another endpoint, and then the first', [500, 500], ['GET /y', 'GET /x'], true],
  ['no connection', ['none'], ['GET /x'], true],
  ['no token', [401], ['POST /granttoken'], true],
] as const)('after an error, %s: the clinic fails everywhere?', (_, statuses, endpoints, everywhere) => {
  const { watch, call } = setUp();
  call(500);

  for (const [index, status] of statuses.entries()) call(status, 'main', endpoints[index]);

  expect(watch.of('main').failing).toMatchObject({ everywhere });
  expect([...watch.failing().keys()]).toEqual(everywhere ? ['main/us'] : []);
});

it.each([[408], [425], [429]])('learns nothing of %s, which only asks us to wait', (status) => {
  const { watch, call } = setUp();

  call(status);

  expect(watch.of('main')).toEqual({ failing: null, workedAgoMs: null });
});

it('counts from the first failure after the last success, of each clinic alone', async () => {
  const { clock, watch, call } = setUp();
  call(200);
  await clock.advance(10_000);
  call('none');
  await clock.advance(30_000);
  call(401);

  expect(watch.of('main')).toMatchObject({
    failing: { since: '2026-03-02T09:00:10.000Z', forMs: 30_000, refused: true },
    workedAgoMs: 40_000,
  });
  expect(watch.of('north').failing).toBeNull();
  call(200);

  expect(watch.of('main')).toMatchObject({ failing: null, workedAgoMs: 0 });
});

it('counts a call that timed out from when it was sent, or from a success since', async () => {
  const { clock, watch, call } = setUp();
  await clock.advance(30_000);
  call('none', 'main', 'GET /x', 30_000);
  call(200, 'north');
  await clock.advance(10_000);
  call('none', 'north', 'GET /x', 30_000);

  expect(watch.of('main').failing).toMatchObject({ since: '2026-03-02T09:00:00.000Z', forMs: 40_000 });
  expect(watch.of('north').failing).toMatchObject({ since: '2026-03-02T09:00:30.000Z', forMs: 10_000 });
});

it('says that the clinic fails again once a call sent five seconds later fails', async () => {
  const { clock, watch, call } = setUp();
  const again = () => watch.of('main').failing?.again;
  await clock.advance(8_000);
  call('none', 'main', 'GET /x', 8_000);
  await clock.advance(6_000);
  call('none', 'main', 'GET /y', 10_000);
  const sentTogether = again();
  call('none', 'main', 'GET /x', 1_000);

  expect(sentTogether).toBe(false);
  expect(again()).toBe(true);
  expect(watch.of('main').failing).toMatchObject({ everywhere: true });
  expect(watch.failing().get('main/us')).toMatchObject({ again: true });
  call(200);
  call('none');

  expect(again()).toBe(false);
});

it('blames one endpoint that never answers, not the clinic, until another does not answer either', async () => {
  const { clock, watch, call } = setUp();
  await clock.advance(8_000);
  call('none', 'main', 'GET /x', 8_000);
  await clock.advance(20_000);
  call('none', 'main', 'GET /x', 8_000);
  const before = watch.of('main').failing;
  call('none', 'main', 'GET /y', 8_000);

  expect(before).toMatchObject({ everywhere: false, again: true });
  expect(watch.of('main').failing).toMatchObject({ everywhere: true });
});

it('says of a clinic that another process runs what that one tells', async () => {
  const { clock, watch } = setUp();
  watch.end('main');

  watch.hear(
    new Map([['main', { since: '2026-03-02T09:00:00.000Z', refused: true, again: true }]]),
    new Set(),
  );
  await clock.advance(5_000);

  expect(watch.of('main').failing).toMatchObject({ forMs: 5_000, refused: true, again: true });
  watch.begin('main', 'us');
  expect(watch.of('main').failing).toBeNull();
});
