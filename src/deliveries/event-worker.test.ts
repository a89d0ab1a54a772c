import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type FakeClock, fakeClock, settle } from '../../test/support/fake-clock.ts';
import { bodies, type ScriptedConnector, scriptedConnector } from '../../test/support/scripted-connector.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';

const days = { schedule: [5_000, 5 * MINUTE, HOUR, 12 * HOUR, 12 * HOUR, 12 * HOUR] };
const down = () => Promise.reject(new Failure({ kind: 'transient', message: 'It is down.' }));
const up = async () => {};

let clock: FakeClock;
let store: Store;
let deliveries: Deliveries;

beforeEach(async () => {
  clock = fakeClock();
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
});

afterEach(async () => {
  await deliveries.stop();
  await store.close();
});

function startWorker(connector: ScriptedConnector): void {
  deliveries = startDeliveries({
    connectors: [{ name: 'crm', connector, clinics: ['main'], includePatient: false }],
    clinics: [{ clinic: 'main', timezone: 'UTC' }],
    store,
    clock,
    log: silentLog,
    random: () => 0,
  });
}

async function start(connector: ScriptedConnector): Promise<void> {
  startWorker(connector);
  await eventually(async () => (await store.deliveries.cursor('crm', 'main')) === 0);
}

async function change(fees: Record<string, string | null>): Promise<void> {
  await recordTreatments({ store, clock }, fees);
  deliveries.wake();
  await settle(100);
}

/** In steps, as the worker looks around at least every 15 s. */
async function pass(ms: number, step = MINUTE): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    await clock.advance(Math.min(step, ms - passed));
    await settle(20);
  }
}

/** Hours in which the machine was mostly asleep: only the wall clock moves on. */
async function hours(count: number): Promise<void> {
  for (let hour = 0; hour < count; hour += 1) {
    clock.jump(HOUR - MINUTE);
    await pass(MINUTE);
  }
}

const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [String(n + 1), '10.00']));
const health = () => store.deliveries.connector('crm');

describe('an outage of the receiver', () => {
  it('does not blame a connector whose process is merely down', async () => {
    const away = () => Promise.reject(new Failure({ kind: 'transient', message: 'It restarts.' }));
    let isAway = true;
    await start(scriptedConnector({ wants: () => (isAway ? away() : true) }));
    await change({ 1: '10.00' });
    await clock.advance(MINUTE);
    const { problems } = await store.deliveries.connector('crm');

    isAway = false;
    await clock.advance(10 * MINUTE);

    expect(problems).toEqual([]);
    expect(await store.deliveries.cursor('crm', 'main')).toBeGreaterThan(0);
  });

  it('does not use up the attempts of everything that waits: the oldest is tried alone', async () => {
    const crm = scriptedConnector({ ...days, concurrency: 4 });
    crm.answer = down;
    await start(crm);

    await change(twenty);
    await pass(3 * MINUTE);

    const tried = await store.deliveries.list({ connector: 'crm' });
    expect(tried.filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(5);
    expect(tried.every(({ state }) => state === 'pending')).toBe(true);
  });

  it('ends with everything that waits, due or not, in order', async () => {
    const crm = scriptedConnector({ ...days, concurrency: 4 });
    crm.answer = down;
    await start(crm);
    await change(twenty);
    await change({ 1: '11.00' });
    await pass(90 * MINUTE, 5 * MINUTE);

    crm.answer = up;
    await change({ 21: '10.00' });
    await pass(10 * MINUTE);

    expect(crm.taken).toHaveLength(22);
    const ofFirst = crm.taken.filter(({ body }) => body.includes(' 1 '));
    expect(bodies(ofFirst)).toEqual(['treatment.created 1 10.00', 'treatment.updated 1 11.00']);
    expect(await health()).toMatchObject({ failures: 0, last_error: null, paused: false });
  });

  it('of a day pauses the connector automatically; it is retried every hour and loses nothing', async () => {
    const crm = scriptedConnector(days);
    crm.answer = down;
    await start(crm);
    await change({ 1: '10.00', 2: '10.00', 3: '10.00' });

    await pass(10 * MINUTE);
    await hours(30);
    const paused = await health();
    const before = crm.attempts.length;
    await hours(100);
    const probes = crm.attempts.slice(before);
    const whilePaused = await store.deliveries.counts('crm');
    crm.answer = up;
    await hours(2);

    expect(paused).toMatchObject({ paused: true, pause_kind: 'automatic', paused_by: null });
    expect(probes.length).toBeGreaterThan(90);
    expect(probes.length).toBeLessThanOrEqual(100);
    expect(new Set(probes.map(({ id }) => id)).size).toBe(1);
    expect(whilePaused).toEqual({ pending: 3, dead: 0 });
    expect(crm.taken).toHaveLength(3);
    expect(await health()).toMatchObject({ paused: false, pause_kind: null, paused_reason: null });
  });

  it('is probed every hour during an automatic pause, even after the wall clock was set back', async () => {
    const crm = scriptedConnector(days);
    crm.answer = down;
    await start(crm);
    await change({ 1: '10.00' });
    await pass(10 * MINUTE);
    await hours(30);

    clock.jump(-40 * HOUR);
    const before = crm.attempts.length;
    await pass(3 * HOUR, 5 * MINUTE);

    expect(crm.attempts.length - before).toBeGreaterThanOrEqual(2);
    expect(crm.attempts.length - before).toBeLessThanOrEqual(4);
  });

  it('ends with one event per record when the connector coalesces', async () => {
    const crm = scriptedConnector({ ...days, coalesce: true });
    crm.answer = down;
    await start(crm);
    await change(twenty);
    await pass(MINUTE);
    for (const fee of ['11.00', '12.00', '13.00']) await change({ 1: fee });

    crm.answer = up;
    await pass(10 * MINUTE);

    const ofFirst = crm.taken.filter(({ body }) => body.includes(' 1 '));
    expect(bodies(ofFirst)).toEqual(['treatment.created 1 10.00', 'treatment.updated 1 13.00']);
  });

  it('is not assumed when only one event keeps failing', async () => {
    const crm = scriptedConnector({ schedule: [1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000] });
    crm.answer = ({ body }) => (body.includes(' 1 ') ? down() : up());
    await start(crm);
    await change({ 1: '10.00' });

    for (let fee = 11; fee < 20; fee += 1) {
      await change({ 2: `${fee}.00` });
      await pass(1_000, 1_000);
    }

    expect(crm.taken).toHaveLength(9);
    expect(await store.deliveries.counts('crm')).toEqual({ pending: 0, dead: 1 });
  });
});

it('delivers what was postponed by a clock that ran years ahead', async () => {
  const crm = scriptedConnector(days);
  await start(crm);
  crm.answer = down;
  clock.jump(3 * 365 * 24 * HOUR);
  await change({ 1: '10.00' });

  clock.jump(-3 * 365 * 24 * HOUR);
  crm.answer = up;
  await pass(MINUTE);

  expect(crm.taken).toHaveLength(1);
});

it('waits for a retry no longer than its schedule says when the wall clock is set back meanwhile', async () => {
  const crm = scriptedConnector({ schedule: [5_000, 30 * MINUTE] });
  await start(crm);
  crm.answer = down;
  await change({ 1: '10.00' });
  crm.answer = up;

  clock.jump(-40 * HOUR);
  await pass(15_000, 1_000);

  expect(crm.taken).toHaveLength(1);
});

it('retries at once after a start what a clock since set back had postponed', async () => {
  const crm = scriptedConnector({ schedule: [20 * MINUTE] });
  await start(crm);
  crm.answer = down;
  await change({ 1: '10.00' });
  await deliveries.stop();
  clock.jump(-40 * HOUR);
  crm.answer = up;

  startWorker(crm);
  await pass(MINUTE);

  expect(crm.taken).toHaveLength(1);
});

it('leaves waits as they are while the clock is only adjusted', async () => {
  const crm = scriptedConnector({ schedule: [20 * MINUTE] });
  await start(crm);
  crm.answer = down;
  await change({ 1: '10.00' });

  clock.jump(-900);
  await pass(10 * MINUTE);
  clock.jump(-900);
  await pass(9 * MINUTE);

  expect(crm.attempts).toHaveLength(1);
});

it('does not resend what is still in flight while sending others', async () => {
  const crm = scriptedConnector();
  const slow = Promise.withResolvers<void>();
  crm.answer = async ({ body }) => {
    if (body.includes(' 1 ')) await slow.promise;
  };
  await start(crm);

  await change({ 1: '10.00', 2: '20.00' });
  await pass(1_000, 100);
  await change({ 3: '30.00' });
  await pass(1_000, 100);
  slow.resolve();
  await pass(1_000, 100);

  expect(crm.attempts.map(({ body }) => body).sort()).toEqual([
    'treatment.created 1 10.00',
    'treatment.created 2 20.00',
    'treatment.created 3 30.00',
  ]);
});

it('leaves changes in the log beyond some thousands while the receiver is down', async () => {
  const crm = scriptedConnector(days);
  crm.answer = down;
  await start(crm);
  const fees = Object.fromEntries(Array.from({ length: 5_700 }, (_, n) => [String(n + 1), '10.00']));

  await change(fees);
  await pass(MINUTE, 5_000);

  const { pending } = await store.deliveries.counts('crm');
  expect(pending).toBeGreaterThanOrEqual(5_000);
  expect(pending).toBeLessThan(5_700);
});

it('names a refused event as the last error until another one arrives', async () => {
  const crm = scriptedConnector(days);
  crm.answer = () => Promise.reject(new Failure({ kind: 'refused', status: 400, message: 'No.' }));
  await start(crm);
  await change({ 1: '10.00' });
  await pass(MINUTE);
  const refused = await health();
  crm.answer = up;

  await change({ 2: '10.00' });
  await pass(MINUTE);

  expect(refused).toMatchObject({ last_error: 'No.' });
  expect(await health()).toMatchObject({ failures: 0, last_error: null });
});

it('sends at once what was refused as gone when a user resumes the connector', async () => {
  const crm = scriptedConnector(days);
  crm.answer = () => Promise.reject(new Failure({ kind: 'refused', status: 410, message: 'Gone.' }));
  await start(crm);
  await change({ 1: '10.00' });

  crm.answer = up;
  await deliveries.resume('crm', 'Rita');
  await pass(1_000, 100);

  expect(crm.taken).toHaveLength(1);
});

it('stops soon when a user pauses it in the middle of much work', async () => {
  const crm = scriptedConnector();
  crm.answer = async () => {
    if (crm.attempts.length === 1) await deliveries.pause('crm', 'Mina');
  };
  await start(crm);
  const fees = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [String(n + 1), '10.00']));

  await change(fees);
  await pass(MINUTE, 5_000);

  expect(crm.attempts.length).toBeLessThan(300);
});

it('hurries once after the clock was set back, not at every check', async () => {
  const crm = scriptedConnector({ schedule: [20 * MINUTE, 20 * MINUTE] });
  await start(crm);
  await change({ 1: '10.00' });
  await deliveries.stop();
  clock.jump(-40 * HOUR);
  crm.answer = down;
  startWorker(crm);
  await pass(MINUTE);
  const before = crm.attempts.length;

  await change({ 2: '10.00' });
  await pass(10 * MINUTE);

  expect(crm.attempts.length - before).toBe(1);
});

it('probes soon after a start during an automatic pause whose last failure lies in the future', async () => {
  const crm = scriptedConnector(days);
  crm.answer = down;
  await start(crm);
  await change({ 1: '10.00' });
  await pass(10 * MINUTE);
  await hours(30);
  await deliveries.stop();
  clock.jump(-40 * HOUR);
  crm.answer = up;

  startWorker(crm);
  await pass(MINUTE);

  expect(crm.taken).toHaveLength(1);
});

it.each([
  ['has waited for a quarter of an hour', 5 * MINUTE, 16, []],
  ['will wait for longer', 2 * HOUR, 1, [{ weight: 'need' }]],
])(
  'asks about what %s: since when, until when, and what the receiver said',
  async (_, retryAfterMs, minutes, atOnce) => {
    const crm = scriptedConnector(days);
    crm.answer = () =>
      Promise.reject(
        new Failure({
          kind: 'transient',
          message: 'It asks for patience.',
          status: 429,
          retryAfterMs,
        }),
      );
    await start(crm);
    await change({ 1: '10.00', 2: '10.00' });
    const early = await health();
    await pass(minutes * MINUTE);

    const { asks } = await health();
    crm.answer = up;
    await pass(2 * HOUR);

    expect(early.asks).toMatchObject(atOnce);
    expect(early.problems[0]).toContain('It asks for patience.');
    expect(asks).toMatchObject([{ weight: 'need' }]);
    expect(asks[0]?.sentence).toMatch(/waited since 2026-.* UTC.*at 2026-.* UTC.*It asks for patience\./);
    expect((await health()).asks).toEqual([]);
  },
);
