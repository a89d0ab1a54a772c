import { statSync, utimesSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { enoughOwn, onVolume } from '../../test/support/bookings/volume.ts';
import type { World } from '../../test/support/bookings/world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { COUNTERS, counterKey } from '../domain/bookings/counter.ts';
import { instant } from '../platform/clock.ts';
import { MINUTE, SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { differenceSince, keepCounter } from './unattended.ts';

const sendsOf = ({ clinic }: World, ref: string) =>
  clinic.posts.filter((post) => post.ref === ref && post.answer === 'booked').length;
const booking = async ({ store }: World, ref: string) => store.bookings.get(ref);
/** One that is not sent for a while: the clinic cannot be reached. */
async function queued(world: World): Promise<string> {
  world.clinic.script.push('never_sent', 'never_sent', 'never_sent');
  const { ref } = await world.accept();
  await world.advance(20 * SECOND);
  return ref;
}

/** The daemon is stopped with one booking waiting, after a run of appointments of its own. */
async function waitingBesideOwn() {
  const volume = await onVolume();
  const { world, stop } = volume;
  await world.start();
  await enoughOwn(world);
  const ref = await queued(world);
  await stop();
  return { ...volume, ref };
}

describe('a volume restored whole, with database and marker', () => {
  it('resends nothing that was sent after the snapshot', async () => {
    const { world, clock, start, stop, snapshot, putBack } = await onVolume();
    await world.start();
    const ref = await queued(world);
    await stop();
    snapshot();
    // An upgrade that is rolled back at once.
    await start();
    await world.advance(10 * SECOND);
    const sent = sendsOf(world, ref);
    await stop();
    clock.jump(12 * SECOND);
    putBack();

    await start();
    await world.advance(30 * MINUTE);

    expect(sent).toBe(1);
    expect(sendsOf(world, ref)).toBe(1);
    expect(await booking(world, ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
      evidence: {
        restored: true,
        counter_before: { value: 1000 },
        counter_after: { value: 1001 },
        own_between: 0,
      },
    });
    expect(world.bookings.sendingState('main').reason).toMatch(
      /^This database may be an older copy: When it was last used the clinic had 1000 appointments, now it has 1001/,
    );
  });

  it('resends nothing either when its files are copied back within seconds', async () => {
    const { file, world, clock, start, stop, snapshot, putBack } = await onVolume();
    await world.start();
    const ref = await queued(world);
    await stop();
    snapshot();
    await start();
    await world.advance(5 * SECOND);
    const sent = sendsOf(world, ref);
    await stop();
    clock.jump(2 * SECOND);
    putBack();
    const copiedAt = (statSync(`${file}.marker`).mtimeMs + 7 * SECOND) / 1_000;
    utimesSync(`${file}.marker`, copiedAt, copiedAt);

    await start();
    await world.advance(30 * MINUTE);

    expect(sent).toBe(1);
    expect(sendsOf(world, ref)).toBe(1);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('also holds what waited for a user, and lets new leads wait for a review', async () => {
    const { world, clock, start, stop, snapshot, putBack } = await onVolume();
    await world.start();
    const waiting = await world.accept({ patient_phone: '01911-222333', appointment_time: '10.00' });
    await queued(world);
    await stop();
    snapshot();
    await start();
    await world.advance(MINUTE);
    await stop();
    clock.jump(10 * MINUTE);
    putBack();
    await start();
    await world.advance(MINUTE);
    const fresh = await world.accept({ patient_phone: '01911-222444' });
    await world.advance(MINUTE);
    const before = await booking(world, fresh.ref);
    const { sentence } = await world.bookings.describe(waiting.ref);

    await world.bookings.resumeSending('main', 'Mina');
    await world.advance(MINUTE);

    expect(await booking(world, waiting.ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(sentence).toMatch(/^The database is, or may be, an older copy; .* cannot be read/);
    expect(sentence.match(/older copy/g)).toHaveLength(1);
    expect(before?.state).toBe('queued');
    expect((await booking(world, fresh.ref))?.state).toBe('booked');
  });

  it('asks again when the daemon dies before the clinic answered', async () => {
    const { world, clock, start, stop, snapshot, putBack } = await onVolume();
    await world.start();
    const ref = await queued(world);
    await stop();
    snapshot();
    await start();
    await world.advance(MINUTE);
    await stop();
    clock.jump(10 * MINUTE);
    putBack();
    world.clinic.failReads = 1;
    await start();
    await world.advance(SECOND);
    await stop();

    await start();
    await world.advance(10 * MINUTE);

    expect(sendsOf(world, ref)).toBe(1);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it.each([
    ['was booked once more under an equal number', { uncounted: 1 }],
    ['cannot be looked for: no appointment of ours is known', { uncounted: 1, first: true }],
    ['cannot be looked for: sixty newer appointments are no end', { walkIns: 70 }],
  ] as [string, { uncounted?: number; first?: boolean; walkIns?: number }][])(
    'holds what %s',
    async (_what, { uncounted = 0, first = false, walkIns = 0 }) => {
      const { world, clock, start, stop, snapshot, putBack } = await onVolume();
      await world.start();
      if (!first) await world.accept({ patient_phone: '01911-222333' });
      await world.advance(MINUTE);
      for (let n = 0; n < walkIns; n += 1) world.clinic.bookByHand(`Walk In ${n}`, '2026-03-04', '09:00');
      await world.advance(2 * MINUTE);
      const ref = await queued(world);
      await stop();
      snapshot();
      if (walkIns === 0) {
        await start();
        await world.advance(MINUTE);
        await stop();
      }
      const sent = sendsOf(world, ref);
      clock.jump(10 * MINUTE);
      if (walkIns === 0) putBack();
      world.clinic.uncounted = uncounted;

      await start();
      await world.advance(30 * MINUTE);

      expect(sendsOf(world, ref)).toBe(sent);
      expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
    },
  );

  it.each([
    ['skipped as many numbers as a crashed server does', 'then', 32],
    ['went on in the next thousand', 'then', 896],
    ['always leaves more numbers out than are looked at', 'always', 45],
  ])('holds what was booked under an equal number by a clinic that %s', async (_what, when, skipped) => {
    const { world, clock, start, stop, snapshot, putBack } = await onVolume();
    await world.start();
    for (const time of ['08:00', '08:30', '09:00', '09:30']) {
      if (when === 'always') world.clinic.skip(skipped);
      await world.accept({ patient_phone: '01911-222333', appointment_time: time });
      await world.advance(MINUTE);
    }
    const ref = await queued(world);
    await stop();
    snapshot();
    world.clinic.skip(skipped);
    await start();
    await world.advance(MINUTE);
    await stop();
    clock.jump(10 * MINUTE);
    putBack();
    world.clinic.uncounted = 1;

    await start();
    await world.advance(30 * MINUTE);

    expect(sendsOf(world, ref)).toBe(1);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('reports why and until when nothing is sent, and holds what a slow clinic has not confirmed by then', async () => {
    const { world, clock, start, ref } = await waitingBesideOwn();
    clock.jump(10 * MINUTE);
    const readStatus = world.clinic.appointmentStatus;
    world.clinic.appointmentStatus = async (id, signal, priority) => {
      await clock.sleep(20 * SECOND, signal);
      return readStatus(id, signal, priority);
    };

    await start();
    await world.advance(MINUTE);
    const during = world.bookings.sendingState('main');
    await world.advance(3 * MINUTE);

    expect(during).toEqual({
      state: 'waiting',
      reason: expect.stringContaining('newest appointments are checked first'),
      since: expect.any(String),
      until: expect.any(String),
    });
    expect(Date.parse(during.until ?? '') - clock.now()).toBeLessThan(0);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(world.bookings.sendingState('main').state).toBe('paused');
  });

  it('continues when the clinic fails to answer halfway through', async () => {
    const { world, clock, start, ref } = await waitingBesideOwn();
    clock.jump(10 * MINUTE);
    const { clinic } = world;
    const readStatus = clinic.appointmentStatus;
    let refused = 0;
    clinic.appointmentStatus = (id, signal, priority) => {
      refused += 1;
      if (refused > 2) return readStatus(id, signal, priority);
      return Promise.reject(new Failure({ kind: 'transient', message: 'no answer' }));
    };

    await start();
    await world.advance(10 * MINUTE);

    expect(refused).toBeGreaterThan(20);
    expect(sendsOf(world, ref)).toBe(1);
  });

  it('holds what waits when the clinic answers about itself, but not about its newest appointments', async () => {
    const { world, clock, start, ref } = await waitingBesideOwn();
    clock.jump(10 * MINUTE);
    world.clinic.appointmentStatus = () =>
      Promise.reject(new Failure({ kind: 'refused', message: 'the clinic answered 403', status: 403 }));

    await start();
    await world.advance(30 * MINUTE);
    const waiting = await booking(world, ref);
    await world.bookings.resumeSending('main', 'Mina');
    const { ref: fresh } = await world.accept({ patient_phone: '01911-222555' });
    await world.advance(MINUTE);

    expect(waiting).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(sendsOf(world, fresh)).toBe(1);
  });

  it.each([
    ['name', { name: 'Nadia Islam' }],
    ['slot', { date: '2026-03-09', time: '18:00' }],
  ])('holds what may have been booked and then had its %s changed', async (_what, changed) => {
    const { world, clock, start, stop, snapshot, putBack, ref } = await waitingBesideOwn();
    snapshot();
    await start();
    await world.advance(MINUTE);
    await stop();
    Object.assign(world.clinic.ledger.at(-1) ?? {}, changed);
    world.clinic.uncounted = 1;
    clock.jump(10 * MINUTE);
    putBack();

    await start();
    await world.advance(30 * MINUTE);

    expect(sendsOf(world, ref)).toBe(1);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('holds what waits when there is no counter to compare', async () => {
    const { world, clock, start, stop } = await onVolume();
    world.clinic.failReads = 1_000;
    await world.start();
    const { ref } = await world.accept();
    await world.advance(MINUTE);
    await stop();
    clock.jump(10 * MINUTE);
    world.clinic.failReads = 0;

    await start();
    await world.advance(MINUTE);

    expect(world.clinic.posts).toEqual([]);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(world.bookings.sendingState('main').reason).toContain('no earlier number');
  });
});

describe('leads that come while the clinic does not answer', () => {
  it('wait with the others but are not held: no older copy can have sent them', async () => {
    const { world, clock, start, stop, snapshot, putBack } = await onVolume();
    await world.start();
    const old = await queued(world);
    await stop();
    snapshot();
    await start();
    await world.advance(MINUTE);
    await stop();
    clock.jump(10 * MINUTE);
    putBack();
    world.clinic.failReads = 3;
    await start();
    await world.advance(SECOND);
    const { ref } = await world.accept({ patient_phone: '01911-222555' });

    await world.advance(10 * MINUTE);

    expect(await booking(world, old)).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(await booking(world, ref)).toMatchObject({ state: 'queued' });
  });
});

describe('the comparison with the last counter that the database knows', () => {
  const before = { value: 1000, at: instant(Date.parse('2026-03-02T09:00:00Z')) };
  const at = (iso: string) => instant(Date.parse(iso));
  async function opened(): Promise<Store> {
    const store = await openFileStore({
      file: ':memory:',
      clock: fakeClock(),
      log: silentLog,
      mode: 'daemon',
    });
    onTestFinished(() => store.close());
    return store;
  }

  it('has no doubt when the clinic has exactly as many as before', async () => {
    const store = await opened();
    const now = { value: 1000, at: at('2026-03-02T10:00:00Z') };

    const { doubt: found } = await differenceSince(store, 'main', { at: now.at, counter: before }, now);

    expect(found).toBeUndefined();
  });

  it.each([
    ['fewer: where some were deleted, others may hide', { value: 999, at: at('2026-03-02T10:00:00Z') }],
    ['a number that the clinic does not give', { value: null, at: at('2026-03-02T10:00:00Z') }],
  ])('doubts %s', async (_what, now) => {
    const store = await opened();

    const { doubt: found } = await differenceSince(store, 'main', { at: now.at, counter: before }, now);

    expect(found?.evidence).toMatchObject({ restored: true, absent: false });
  });

  it('tolerates a clock set back since the last reading', async () => {
    const store = await opened();
    const now = { value: 1000, at: at('2026-03-02T08:00:00Z') };

    const { doubt: found } = await differenceSince(store, 'main', { at: now.at, counter: before }, now);

    expect(found).toBeUndefined();
  });

  it('counts our own bookings that were confirmed before the clock was set back', async () => {
    const { world, clock } = await onVolume();
    const counter = { value: 1000, at: instant(clock.now()) };
    await world.start();
    await world.advance(SECOND);
    await world.accept();
    await world.advance(MINUTE);
    const now = { value: 1001, at: instant(clock.now() - 60 * MINUTE) };

    const { doubt: found } = await differenceSince(world.store, 'main', { at: now.at, counter }, now);

    expect(found).toBeUndefined();
  });

  it('holds what waited when the clock was set back and the number says otherwise', async () => {
    const { world, clock, start, ref } = await waitingBesideOwn();
    clock.jump(-60 * MINUTE);
    world.clinic.bookByHand('Nadia Islam', '2026-03-03', '10:00');

    await start();
    await world.advance(10 * MINUTE);

    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('does not claim a long gap when the clock was set back and only seconds passed', async () => {
    const { world, clock, start, ref } = await waitingBesideOwn();
    clock.jump(-60 * MINUTE);
    world.clinic.appointmentStatus = () =>
      Promise.reject(new Failure({ kind: 'refused', message: 'the clinic answered 403', status: 403 }));

    await start();
    await world.advance(10 * MINUTE);

    expect((await booking(world, ref))?.reason).toBe('restored_state');
    expect(world.bookings.sendingState('main').reason).toMatch(
      /copy: The clock was set back while it was closed/,
    );
  });

  it('keeps the last number when the clinic gives none', async () => {
    const store = await opened();
    await keepCounter(store, 'main', before);

    await keepCounter(store, 'main', { value: null, at: at('2026-03-02T10:00:00Z') });

    expect(await store.keyValue.get(COUNTERS, counterKey('main'))).toBe(JSON.stringify(before));
  });
});

describe('an ordinary restart', () => {
  it('resumes within 20 seconds, whatever the front desk booked meanwhile', async () => {
    const { world, clock, start, stop } = await onVolume();
    await world.start();
    const ref = await queued(world);
    await stop();
    clock.jump(15 * SECOND);
    world.clinic.bookByHand('Nadia Islam', '2026-03-04', '09:00');

    await start();
    await world.advance(MINUTE);

    expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
  });

  it('resumes after any time in which nothing was booked at the clinic', async () => {
    const { world, clock, start, stop } = await onVolume();
    await world.start();
    await enoughOwn(world);
    const ref = await queued(world);
    await stop();
    clock.jump(3 * 60 * MINUTE);

    await start();
    await world.advance(MINUTE);

    expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
    expect(world.bookings.sendingState('main').state).toBe('open');
  });

  it('makes no call when nothing waited', async () => {
    const { world, clock, start, stop } = await onVolume();
    await world.start();
    await world.accept();
    await world.advance(SECOND);
    await stop();
    clock.jump(3 * 60 * MINUTE);
    world.clinic.bookByHand('Nadia Islam', '2026-03-04', '09:00');
    await start();

    const { ref } = await world.accept({ patient_phone: '01911-222444' });
    await world.advance(MINUTE);

    expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
  });
});

describe('a booking of an older copy', () => {
  const doubted = async () => {
    const volume = await onVolume();
    const { world, clock, start, stop } = volume;
    await world.start();
    const ref = await queued(world);
    await stop();
    clock.jump(10 * MINUTE);
    world.clinic.bookByHand('Rahim Uddin', '2026-03-03', '10:00');
    await start();
    await world.advance(MINUTE);
    return { ...volume, ref };
  };

  it('stays released across a restart', async () => {
    const { world, start, stop, ref } = await doubted();
    await world.bookings.approve(ref, 'Mina');
    await stop();

    await start();
    const restarted = await booking(world, ref);
    await world.bookings.resumeSending('main', 'Mina');
    await world.advance(MINUTE);

    expect(restarted?.state).toBe('queued');
    expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
  });

  it('counts as existing after a drop: the same lead again needs a user', async () => {
    const { world, ref } = await doubted();
    await world.bookings.drop(ref, 'Mina');
    await world.bookings.resumeSending('main', 'Mina');

    const again = await world.accept();

    expect(again).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: ref });
  });

  it('is not replaced by a changed submission before a user has looked it up', async () => {
    const { world, clock, start, stop } = await onVolume();
    await world.start();
    world.clinic.script.push('never_sent');
    const first = await world.accept({}, { submission_id: 'row 1' });
    await world.advance(SECOND);
    await stop();
    clock.jump(10 * MINUTE);
    world.clinic.bookByHand('Rahim Uddin', '2026-03-03', '10:00');
    await start();
    await world.advance(MINUTE);
    const { ref } = await world.accept({ appointment_time: '11:00' }, { submission_id: 'row 1' });

    await expect(world.bookings.take(ref, 'Mina')).rejects.toThrow(
      `${first.ref} may have been booked already`,
    );

    expect((await world.bookings.describe(ref)).actions.map(({ action }) => action)).not.toContain('take');
  });
});

describe('commands run on the copy before the daemon', () => {
  const copied = async () => {
    const volume = await onVolume();
    const { world, clock, start, stop, snapshot, putBack } = volume;
    await world.start();
    const ref = await queued(world);
    await stop();
    snapshot();
    await start();
    await world.advance(MINUTE);
    await stop();
    clock.jump(10 * MINUTE);
    putBack();
    return { ...volume, ref };
  };
  const command = async (
    { file, clock }: Awaited<ReturnType<typeof copied>>,
    run: (store: Store) => Promise<unknown>,
  ) => {
    const store = await openFileStore({ file, clock, log: silentLog, mode: 'tool' });
    await run(store);
    await store.close();
  };

  it('do not count as heartbeats: doctor proves nothing about what was sent', async () => {
    const volume = await copied();
    await command(volume, (store) => store.health());

    await volume.start();
    await volume.world.advance(MINUTE);

    expect(await booking(volume.world, volume.ref)).toMatchObject({ reason: 'restored_state' });
  });

  it('do not count as the last reading, because theirs already includes the forgotten bookings', async () => {
    const volume = await copied();
    const { clock, world } = volume;
    const statistics = { total_users: 1, total_patients: 1, total_appointments: 1001, total_doctors: 1 };
    await command(volume, (store) =>
      store.mirror.record({
        clinic: 'main',
        poll: 'organization',
        at: instant(clock.now()),
        upserts: [],
        removals: [],
        changes: [],
        statistics,
      }),
    );

    await volume.start();
    await world.advance(MINUTE);

    expect(await booking(world, volume.ref)).toMatchObject({ reason: 'restored_state' });
  });
});

describe('a clock that leaps while the daemon runs', () => {
  /** One waits, as in a virtual machine that is put back to a snapshot with its memory. */
  async function waiting() {
    const volume = await onVolume();
    await volume.world.start();
    await enoughOwn(volume.world);
    return { ...volume, ref: await queued(volume.world) };
  }

  it('resends nothing that was sent in the time that a snapshot took back', async () => {
    const { world, clock, ref } = await waiting();
    world.clinic.bookByHand('Rahim Uddin', '2026-03-03', '10:00');
    clock.jump(3 * 60 * MINUTE);

    await world.advance(30 * MINUTE);

    expect(sendsOf(world, ref)).toBe(0);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('sends what waits when nothing at the clinic speaks against it', async () => {
    const { world, clock, ref } = await waiting();
    clock.jump(3 * 60 * MINUTE);

    await world.advance(30 * MINUTE);

    expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
  });
});
