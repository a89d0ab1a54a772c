import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../test/support/bookings/running-bookings.ts';
import { startBookings } from '../../test/support/bookings/start-bookings.ts';
import { instant } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { createBookings } from './bookings.ts';
import { openState, withPause } from './dispatch/dispatcher-state.ts';

describe('a database that was restored from an older copy', () => {
  const running = runningBookings();
  const restore = () => {
    running.world.crash();
    const { store } = running.world;
    return running.world.start({ ...store, identity: { ...store.identity, restored: true } });
  };

  it('sends nothing from a restored database before a user has reviewed it, and then only what is new', async () => {
    const old = await running.send('never_sent');
    await restore();
    const fresh = await running.world.accept({ patient_phone: '01911-222333' });
    const carried = await running.world.accept(
      { patient_phone: '01911-222444' },
      { submission_id: 'CS-7K3Q9F' },
    );
    await running.world.advance(30 * MINUTE);
    const sent = running.world.clinic.posts.length;

    await running.world.bookings.resumeSending('main', 'Mina');
    await running.world.advance(10 * MINUTE);

    expect(sent).toBe(1);
    expect(await running.get(old)).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(await running.get(carried.ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect((await running.get(fresh.ref)).state).toBe('booked');
  });

  it('stays paused despite a resume request for another pause, made before the copy or before the start', async () => {
    const { store, clock, clinic, settings } = running.world;
    clinic.failReads = Number.POSITIVE_INFINITY;
    await running.world.accept();
    await running.world.advance(MINUTE);
    running.world.crash();
    const besides = createBookings({
      ...{ store, clock, log: silentLog, sources: new Map() },
      clinics: new Map([['main', { clinic, settings }]]),
    });
    const requested = await besides.resumeSending('main', 'Mina');

    clinic.failReads = 0;
    await restore();
    await running.world.accept({ patient_phone: '01911-222333' });
    await running.world.advance(30 * MINUTE);
    const sent = clinic.posts.length;
    await besides.resumeSending('main', 'Mina');
    await running.world.advance(MINUTE);

    expect([requested, sent]).toEqual([true, 0]);
    expect(clinic.posts).toHaveLength(1);
  });

  it('never claims that a forgotten booking is not booked, whatever else is wrong with it', async () => {
    const ref = await running.send('never_sent');
    await restore();
    await running.world.bookings.edit(ref, { doctor: 'Dr. Nobody', doctor_id: null }, 'Mina');
    await running.mirrorDentists({ 3: 'Dr. Ann' });
    running.world.bookings.wake();
    await running.world.bookings.edit(ref, { doctor: 'Dr. Someone' }, 'Mina');
    const described = await running.world.bookings.describe(ref);
    await running.world.bookings.edit(ref, { doctor_id: 3 }, 'Mina');

    running.world.clock.jump(2 * 24 * 60 * MINUTE);
    await running.world.advance(2 * MINUTE);

    expect(JSON.stringify(described)).not.toContain('Nothing is booked');
    expect(described.evidence).toContain(
      'Look for it at the front desk. Approve it only if it is not there; else drop it.',
    );
    expect(await running.get(ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('warns that a booking refused before the copy was made may have been booked since', async () => {
    const ref = await running.send('refused');
    const before = await running.world.bookings.describe(ref);
    await restore();

    const after = await running.world.bookings.describe(ref);

    expect(before.sentence).not.toContain('older copy');
    expect(after.sentence).toMatch(/^The database is, or may be, an older copy; .* No such slot\.$/);
  });

  it('lets no one approve an unreadable field, whatever the hold reason', async () => {
    const problems = [{ field: 'treatment', message: 'The treatment is not one of the form.' }];
    const unread = await running.world.accept({}, { problems });
    await restore();
    const { ref } = await running.world.accept(
      { patient_phone: '01911-222333' },
      { submission_id: 'sheet:CS-7K3Q9F', problems },
    );
    const approving = [unread.ref, ref].map((one) => running.world.bookings.approve(one, 'Mina'));

    for (const approved of approving)
      await expect(approved).rejects.toMatchObject({
        message: expect.stringContaining('something unreadable (treatment)'),
      });
    await running.world.bookings.edit(ref, { note: 'rang back' }, 'Mina');
    await expect(running.world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
    await running.world.bookings.edit(ref, { treatment: null }, 'Mina');
    const released = await running.world.bookings.approve(ref, 'Mina');

    expect(released).toMatchObject({ state: 'queued', unreadable_fields: [] });
  });

  it('holds what waited even after a crash between the pause and the hold', async () => {
    const ref = await running.send('never_sent');
    const { store, clock } = running.world;
    running.world.crash();
    const paused = withPause(openState, 'restored', 'An older copy.', instant(clock.now()));
    await store.keyValue.set('bookings', { 'lane:main': JSON.stringify(paused) });

    await running.world.start();

    expect(await running.get(ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('lets leads that came after the restore wait for sending to resume, also across a restart', async () => {
    await restore();
    await running.world.advance(MINUTE);
    const { ref } = await running.world.accept();
    running.world.crash();

    await running.world.start();

    expect(await running.get(ref)).toMatchObject({ state: 'queued' });
  });

  it('holds a row with a reference as restored, even if another has its phone and time', async () => {
    await restore();
    const first = await running.world.accept();
    const { ref } = await running.world.accept(
      { patient_name: 'Nadia Islam' },
      { submission_id: 'CS-7K3Q9F' },
    );

    running.world.clock.jump(2 * 24 * 60 * MINUTE);
    await running.world.advance(2 * MINUTE);

    expect(await running.get(ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
      duplicate_of: first.ref,
      message: expect.stringContaining(first.ref),
    });
  });
});

describe('a clinic that was taken out of the configuration', () => {
  const running = runningBookings();

  it('leaves alone what waits for a clinic owned by another process', async () => {
    await running.world.pauseSending();
    const { ref } = await running.world.accept();
    await running.stop();
    const { store, clock } = running.world;

    const none = { clinics: new Map(), sources: new Map() };
    const elsewhere = createBookings({ store, ...none, clock, log: silentLog });
    const upkeep = await elsewhere.startUpkeep(store, async () => ['main']);
    await upkeep.stop();
    await running.world.start();

    expect((await running.get(ref)).state).toBe('queued');
  });

  it('holds what waits for a clinic that is no longer configured', async () => {
    await running.world.pauseSending();
    const { ref } = await running.world.accept();
    await running.stop();

    const elsewhere = createBookings({
      store: running.world.store,
      clinics: new Map(),
      sources: new Map(),
      clock: running.world.clock,
      log: silentLog,
    });
    await startBookings(elsewhere);
    const asked = await elsewhere.reviewItems();
    await running.world.start();

    expect(await running.get(ref)).toMatchObject({ state: 'held', reason: 'missing_field' });
    expect(asked).toMatchObject([{ subject: ref }]);
  });
});
