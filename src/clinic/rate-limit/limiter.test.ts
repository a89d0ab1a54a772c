import { afterEach, describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock, settle } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../platform/log.ts';
import type { ClinicEvent, LimiterMemory, Priority } from '../clinic.ts';
import { createLimiter, type Limiter, type Turn } from './limiter.ts';

const never = new AbortController().signal;
const opened: Limiter[] = [];
afterEach(async () => {
  for (const limiter of opened.splice(0)) await limiter.close();
});

interface Setup {
  clock?: FakeClock;
  remembered?: string;
}

async function setup({ clock = fakeClock(), remembered }: Setup = {}) {
  const saved: string[] = [];
  const events: ClinicEvent[] = [];
  const memory: LimiterMemory = {
    load: async () => saved.at(-1) ?? remembered,
    save: async (state) => void saved.push(state),
  };
  const limiter = await createLimiter({
    clock,
    log: silentLog,
    memory,
    clinic: 'main',
    onEvent: (event) => events.push(event),
    random: () => 0,
  });
  opened.push(limiter);
  const order: string[] = [];
  const queue = (priority: Priority, name: string = priority) => {
    const turn = limiter.acquire(priority, never);
    // Who is still waiting when the test ends is turned away.
    turn.then(
      () => order.push(name),
      () => {},
    );
    return turn;
  };
  const call = (priority: Priority) =>
    queue(priority).then(
      (turn) => turn.end('accepted'),
      () => {},
    );
  return { clock, limiter, saved, events, order, queue, call };
}

it('reports since when the clinic has asked for patience, in the next process, too', async () => {
  const { clock, queue, limiter, saved } = await setup();
  const turn = await queue('list');
  turn.end('refused', 1_800_000);
  const { blocked_since, blocked_until } = limiter.report();
  await clock.advance(60_000);

  const next = await setup({ clock, remembered: saved.at(-1) ?? '' });

  expect(Date.parse(blocked_until ?? '') - Date.parse(blocked_since ?? '')).toBe(1_800_000);
  expect(next.limiter.report()).toMatchObject({ blocked_since, blocked_until });
});

const remembered = (ceiling: number, more = {}) =>
  JSON.stringify({
    version: 1,
    ceiling_per_minute: ceiling,
    window_ms: 60_000,
    blocked_until: null,
    ...more,
  });

/** Uses up the burst, so that the next poll waits. */
async function drain(limiter: Limiter, calls: number) {
  for (let i = 0; i < calls; i += 1) (await limiter.acquire('list', never)).end('accepted');
}

describe('the limiter', () => {
  it('orders bookings before what they wait for, then statuses, lists and probes', async () => {
    const { clock, limiter, order, call } = await setup({ remembered: remembered(60) });
    (await limiter.acquire('list', never)).end('refused', 1_000);

    for (const priority of ['probe', 'list', 'status', 'awaited', 'booking'] as const) void call(priority);
    await clock.advance(60_000);

    expect(order).toEqual(['booking', 'awaited', 'status', 'list', 'probe']);
  });

  it('lets no poll, nor the pace of polls, delay forty reads that a booking waits for', async () => {
    const { clock, order, call, limiter } = await setup({ remembered: remembered(60) });
    await drain(limiter, 10);
    for (let i = 0; i < 8; i += 1) void call('list');
    await clock.advance(1_000);

    for (let i = 0; i < 40; i += 1) await call('awaited');

    expect(order.filter((name) => name === 'awaited')).toHaveLength(40);
    expect(order.filter((name) => name === 'list').length).toBeLessThan(3);
  });

  it('keeps what a booking waits for within the limit that the clinic has shown', async () => {
    const { clock, order, call } = await setup({ remembered: remembered(60) });
    for (let i = 0; i < 70; i += 1) void call('awaited');

    await clock.advance(50_000);
    const before = order.length;
    await clock.advance(20_000);

    expect(before).toBe(59);
    expect(order).toHaveLength(70);
  });

  it('eventually admits a list, however many statuses push in', async () => {
    const { clock, limiter, order, call } = await setup({ remembered: remembered(6) });
    await drain(limiter, 1);
    let pushing = true;
    const push = async () => {
      while (pushing) await call('status');
    };

    void call('list');
    const pushed = push();
    await clock.advance(90_000);
    const meanwhile = [...order];
    pushing = false;
    await clock.advance(30_000);
    await pushed;

    expect(meanwhile).toContain('list');
    expect(meanwhile.indexOf('list')).toBeGreaterThan(0);
  });

  it('forgets a caller that gives up waiting', async () => {
    const { clock, limiter, order, queue } = await setup({ remembered: remembered(6) });
    await drain(limiter, 1);
    const giveUp = new AbortController();
    const impatient = limiter.acquire('status', giveUp.signal);
    void queue('list');

    giveUp.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    await clock.advance(12_000);

    expect(order).toEqual(['list']);
  });

  it('holds everything, bookings too, for as long as Retry-After says, and not longer', async () => {
    const { clock, limiter, events, order, queue } = await setup();
    (await limiter.acquire('list', never)).end('refused', 30_000);

    void queue('list');
    void queue('booking');
    await clock.advance(29_999);
    const during = [...order];
    await clock.advance(2);

    expect(during).toEqual([]);
    expect(order).toEqual(['booking']);
    expect(events).toEqual([{ kind: 'blocked', until: '2026-03-02T09:00:30.000Z' }]);
    expect(limiter.report()).toMatchObject({ refused_last_hour: 1, calls_last_hour: 2 });
  });

  it('reports since when it counts, until that is an hour', async () => {
    const { clock, limiter } = await setup();
    await clock.advance(59 * 60_000);
    const early = limiter.report().counted_since;
    await clock.advance(60_000);

    expect([early, limiter.report().counted_since]).toEqual(['2026-03-02T09:00:00.000Z', null]);
  });

  it('opens for all once the probe was accepted', async () => {
    const { clock, limiter, order, queue } = await setup();
    (await limiter.acquire('list', never)).end('refused', 1_000);
    const probing = queue('list', 'probe');
    void queue('list', 'second');

    await clock.advance(1_001);
    (await probing).end('accepted');
    await clock.advance(5_000);

    expect(order).toEqual(['probe', 'second']);
    expect(limiter.report()).toMatchObject({ blocked_until: null, ceiling_per_minute: expect.any(Number) });
  });

  it('keeps the probe for another call when its turn was not used', async () => {
    const { clock, limiter, order, queue } = await setup();
    (await limiter.acquire('list', never)).end('refused', 1_000);
    const probing = queue('list', 'probe');
    void queue('list', 'second');
    await clock.advance(1_001);

    (await probing).end('unused');
    await settle();

    expect(order).toEqual(['probe', 'second']);
  });

  it('does not pile up calls at a clinic that hangs, but a booking still goes', async () => {
    const { clock, order, queue } = await setup({ remembered: remembered(6_000) });
    const turns: Promise<Turn>[] = [];

    for (let i = 0; i < 40; i += 1) turns.push(queue('list'));
    await clock.advance(10_000);
    const polls = order.length;
    await queue('booking');
    (await turns[0])?.end('lost');
    await settle();

    expect(polls).toBe(16);
    expect(order).toHaveLength(17);
    expect(order.filter((name) => name === 'booking')).toHaveLength(1);
  });

  it('admits one more call for a turn returned twice, not two', async () => {
    const { clock, order, queue } = await setup({ remembered: remembered(6_000) });
    const turns: Promise<Turn>[] = [];
    for (let i = 0; i < 40; i += 1) turns.push(queue('list'));
    await clock.advance(10_000);
    const [first] = await Promise.all(turns.slice(0, 1));

    first?.end('accepted');
    first?.end('accepted');
    await clock.advance(10_000);

    expect(order).toHaveLength(17);
  });

  it('rejects waiting calls when it closes, and saves what it learned', async () => {
    const { clock, limiter, saved, queue } = await setup();
    (await limiter.acquire('list', never)).end('refused', 30_000);
    const waiting = queue('booking');

    await limiter.close();

    await expect(waiting).rejects.toMatchObject({ kind: 'transient' });
    await expect(limiter.acquire('list', never)).rejects.toMatchObject({ kind: 'transient' });
    expect(saved).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
  });

  it('respects a Retry-After received before a restart', async () => {
    const before = await setup();
    (await before.limiter.acquire('list', never)).end('refused', 30_000);
    await before.limiter.close();

    const after = await setup({ clock: before.clock, remembered: before.saved.at(-1) ?? '' });
    void after.queue('booking');
    await before.clock.advance(29_000);
    const during = [...after.order];
    await before.clock.advance(1_001);

    expect(during).toEqual([]);
    expect(after.order).toEqual(['booking']);
  });

  it('waits no longer after a restart when the wall clock was set back in between', async () => {
    const before = await setup();
    (await before.limiter.acquire('list', never)).end('refused', 30_000);
    await before.limiter.close();
    before.clock.jump(-1_800_000);

    const after = await setup({ clock: before.clock, remembered: before.saved.at(-1) ?? '' });
    void after.queue('booking');
    await before.clock.advance(30_001);

    expect(after.order).toEqual(['booking']);
  });

  it('remembers the learned limit across a restart', async () => {
    const { limiter } = await setup({ remembered: remembered(42) });

    expect(limiter.report()).toMatchObject({ ceiling_per_minute: 42, window_ms: 60_000 });
  });

  it('stores a burst of changes once, some seconds later', async () => {
    const { clock, limiter, saved } = await setup();
    const turns = await Promise.all([1, 2, 3].map(() => limiter.acquire('list', never)));
    for (const [i, turn] of turns.entries()) turn.end('refused', 10_000 * (i + 1));

    await clock.advance(10_000);

    expect(saved).toHaveLength(1);
    expect(saved[0]).toContain('2026-03-02T09:00:30');
  });

  it.each([
    'nonsense',
    '{}',
    '[]',
    remembered(-1),
    remembered(10, { window_ms: 7 }),
    remembered(10, { blocked_until: 'soon' }),
  ])('starts afresh from a memory it cannot read: %s', async (memory) => {
    const { limiter } = await setup({ remembered: memory });

    expect(limiter.report()).toMatchObject({ ceiling_per_minute: null, blocked_until: null });
  });

  it('opens again although the wall clock was set back', async () => {
    const { limiter, order, queue } = await setup({
      remembered: remembered(60, { blocked_until: '2031-01-01T00:00:00.000Z' }),
    });

    await queue('list');

    expect(order).toEqual(['list']);
    expect(limiter.report().blocked_until).toBeNull();
  });

  it('keeps working when storing fails', async () => {
    const clock = fakeClock();
    const broken: LimiterMemory = {
      load: () => Promise.reject(new Error('disk')),
      save: () => Promise.reject(new Error('disk')),
    };
    const limiter = await createLimiter({
      clock,
      log: silentLog,
      memory: broken,
      clinic: 'main',
      onEvent() {},
    });
    opened.push(limiter);

    (await limiter.acquire('list', never)).end('refused', 1_000);
    await clock.advance(5_000);

    await expect(limiter.acquire('list', never)).resolves.toBeDefined();
  });
});
