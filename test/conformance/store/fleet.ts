import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/platform/clock.ts';
import { type FleetTimes, type FleetVerbs, fleetTimes } from '../../../src/store/ports/fleet.ts';
import type { Store } from '../../../src/store/store.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { accept } from '../../support/store/store-file.ts';
import { until } from '../../support/until.ts';
import { booking, judge, minute } from './samples.ts';

/** What the rows of members and units promise, however many ask. `openBeside`, `run`: of the same database. */
export function describeFleet(
  open: (times: FleetTimes, clock?: Clock) => Promise<Store>,
  openBeside: (times: FleetTimes, clock?: Clock) => Promise<Store>,
  run: (statement: string) => Promise<Record<string, unknown>[]>,
): void {
  const patient = fleetTimes(600_000);
  /** Over at once for a test, and long enough for a statement. */
  const short = fleetTimes(400);
  const fleetOf = (store: Store): FleetVerbs => {
    expect.assert(store.fleet);
    return store.fleet;
  };
  const join = (fleet: FleetVerbs, id: string) => fleet.join({ id, version: '1', config_hash: 'x' });
  const known = (fleet: FleetVerbs, ...units: string[]) =>
    fleet.register(units.map((unit) => ({ unit, kind: 'clinic' as const })));
  const isGone = (fleet: FleetVerbs, id: string) =>
    until('it counts as gone', async () => !(await fleet.report()).members.some((one) => one.id === id));
  /** Two members on one clinic: the first stood still for too long, and the second has taken over. */
  const takenOver = async () => {
    const store = await open(short);
    const fleet = fleetOf(store);
    await known(fleet, 'clinic/main');
    await join(fleet, 'first');
    const [had] = await fleet.take('first', ['clinic/main'], [], 1);
    expect.assert(had);
    const lost: string[] = [];
    const fence = {
      unit: 'clinic/main',
      owner: 'first',
      fence: had.fence,
      lost: () => void lost.push('first'),
    };
    const asFirst = store.under?.(fence);
    expect.assert(asFirst);
    const takeOver = async () => {
      await isGone(fleet, 'first');
      const other = await openBeside(patient);
      await join(fleetOf(other), 'second');
      const [has] = await fleetOf(other).take('second', ['clinic/main'], [], 1);
      expect.assert(has);
      const asSecond = other.under?.({ ...fence, owner: 'second', fence: has.fence, lost() {} });
      expect.assert(asSecond);
      return { has, asSecond };
    };
    return { store, fleet, had, asFirst, lost, takeOver };
  };

  describe('a fleet', () => {
    it('gives each unit to one of those who ask at the same moment, under a fence that none had before', async () => {
      const store = await open(patient);
      const beside = await openBeside(patient);
      const units = Array.from({ length: 30 }, (_, n) => `clinic/${n}`);
      await known(fleetOf(store), ...units);
      for (const id of ['a', 'b', 'c', 'd']) await join(fleetOf(store), id);

      const taken = await Promise.all(
        ['a', 'b', 'c', 'd'].map((id, n) => fleetOf(n % 2 ? beside : store).take(id, units, [], 30)),
      );
      const first = taken.flat();
      for (const [n, id] of ['a', 'b', 'c', 'd'].entries())
        await fleetOf(store).giveBack(id, taken[n]?.map(({ unit }) => unit) ?? []);
      const again = await fleetOf(store).take('a', units, [], 30);

      expect(first.map(({ unit }) => unit).toSorted()).toEqual(units.toSorted());
      const fences = new Map(first.map(({ unit, fence }) => [unit, fence]));
      expect(again.every(({ unit, fence }) => fence > (fences.get(unit) ?? Infinity))).toBe(true);
      expect(again).toHaveLength(30);
    });

    it('writes nothing of a former owner, tells it so, and keeps the others’ part of the commit', async () => {
      const { store, asFirst, lost, takeOver } = await takenOver();
      const { booking } = await accept(store, { state: 'queued' });
      const { asSecond } = await takeOver();

      const [late, beside] = await Promise.allSettled([
        asFirst.keyValue.set('bookings', { 'lane:main': 'of the first' }),
        store.keyValue.set('notes', { one: 'x' }),
      ]);
      const claim = await asFirst.bookings
        .claim('main', minute(1), { ref: booking.ref, evidence: {} })
        .catch((error) => error.message);
      await asSecond.keyValue.set('bookings', { 'lane:main': 'of the second' });

      expect([late.status, beside.status]).toEqual(['rejected', 'fulfilled']);
      expect(claim).toMatch(/no longer owns clinic\/main/);
      expect(lost).toEqual(['first', 'first']);
      expect(await store.keyValue.get('bookings', 'lane:main')).toBe('of the second');
      expect(await store.bookings.get(booking.ref)).toMatchObject({ state: 'queued', attempt: 0 });
    });

    it('writes nothing of one whose time is over, also before anybody else has its place', async () => {
      const { fleet, asFirst } = await takenOver();
      await isGone(fleet, 'first');

      const late = asFirst.keyValue.set('bookings', { 'lane:main': 'late' });

      await expect(late).rejects.toThrow(/no longer owns/);
      expect(await fleet.beat('first')).toBe(false);
    });

    it('makes a new owner wait before it sends, unless the previous one said that it had stopped', async () => {
      const { had, takeOver } = await takenOver();
      const { has, asSecond } = await takeOver();
      const other = fleetOf(asSecond);

      await other.giveBack('second', ['clinic/main']);
      const [still] = await other.take('second', ['clinic/main'], [], 1);

      expect(had.sendsInMs).toBe(0);
      expect(has.sendsInMs).toBeGreaterThan(patient.ttlMs - 60_000);
      // Giving back says nothing of the one before it.
      expect(still?.sendsInMs).toBeGreaterThan(patient.ttlMs - 60_000);
    });

    it('makes a new owner wait for no more than that, also if the server’s clock was set back since', async () => {
      const store = await open(patient);
      const fleet = fleetOf(store);
      await known(fleet, 'clinic/main');
      await join(fleet, 'first');
      await run("update units set sends_from = clock_timestamp() + interval '1 day'");

      const [taken] = await fleet.take('first', ['clinic/main'], [], 1);

      expect(taken?.sendsInMs).toBe(patient.ttlMs);
    });

    it('says of what was being sent that it is unknown, and keeps a late confirmation beside it', async () => {
      const { store, asFirst, takeOver } = await takenOver();
      const { booking } = await accept(store, { state: 'queued' });
      const claimed = await asFirst.bookings.claim('main', minute(1), { ref: booking.ref, evidence: {} });
      const { asSecond } = await takeOver();
      const interrupted = await asSecond.bookings.interruptSending(minute(2), 'main');

      const late_word = { appointment_id: 7, at: minute(3) };
      const settled = asFirst.bookings
        .move({
          ...{ ref: booking.ref, attempt: 1, from: ['sending', 'unknown'], to: 'booked' },
          ...{ actor: 'daemon', by: 'first', at: minute(3), appointment_id: 7 },
        })
        .catch((error) => error.message);

      expect(claimed?.state).toBe('sending');
      expect(interrupted).toMatchObject([{ ref: booking.ref, state: 'unknown', reason: 'interrupted' }]);
      expect(await settled).toMatch(/no longer owns/);
      expect(await store.bookings.note({ ref: booking.ref, attempt: 1, evidence: { late_word } })).toBe(true);
      expect(await store.bookings.get(booking.ref)).toMatchObject({
        state: 'unknown',
        evidence: { late_word },
      });
    });

    it('counts units apart that not all members can run, of those who said so', async () => {
      const store = await open(patient);
      const fleet = fleetOf(store);
      await known(fleet, 'clinic/a', 'clinic/b', 'clinic/c', 'clinic/d');
      await fleet.register([{ unit: 'connector/files', kind: 'connector' }]);
      const ofAll = ['clinic/a', 'clinic/b', 'clinic/c', 'clinic/d', 'connector/files'];
      for (const id of ['all', 'some', 'older']) await join(fleet, id);
      const sorted = async (id: string, units: string[], held: string[] = []) =>
        (await fleet.supply(id, units, held))
          .map((one) => ({ ...one, free: one.free.toSorted(), held: one.held.toSorted() }))
          .toSorted((one, other) => other.units - one.units);

      const alone = await sorted('all', ofAll);
      await fleet.take('all', ['clinic/a'], [], 1);
      const some = await sorted('some', ['clinic/a', 'clinic/c', 'clinic/d']);
      const all = await sorted('all', ofAll, ['clinic/a']);
      await fleet.leave('some');
      const afterwards = await sorted('all', ofAll, ['clinic/a']);

      expect(alone).toEqual([
        { units: 4, members: 1, free: ofAll.slice(0, 4), held: [] },
        { units: 1, members: 1, free: ['connector/files'], held: [] },
      ]);
      expect(some).toEqual([{ units: 3, members: 2, free: ['clinic/c', 'clinic/d'], held: [] }]);
      expect(all).toEqual([
        { units: 3, members: 2, free: ['clinic/c', 'clinic/d'], held: ['clinic/a'] },
        { units: 1, members: 1, free: ['clinic/b'], held: [] },
        { units: 1, members: 1, free: ['connector/files'], held: [] },
      ]);
      expect(afterwards.map(({ units, members }) => [units, members])).toEqual([
        [4, 1],
        [1, 1],
      ]);
    });

    it('names clinics with news from others, once each', async () => {
      const store = await open(patient);
      const beside = await openBeside(patient);
      await fleetOf(store).news();

      await accept(beside);
      const news = await fleetOf(store).news();
      const again = await fleetOf(store).news();

      expect([news, again]).toEqual([['main'], []]);
    });

    it('does not name what this process wrote itself, unless another wrote before it', async () => {
      const store = await open(patient);
      const beside = await openBeside(patient);
      await fleetOf(store).news();

      await accept(store, { clinic: 'main' });
      await accept(store, { clinic: 'other' });
      const own = await fleetOf(store).news();
      await accept(beside, { clinic: 'other' });
      await accept(store, { clinic: 'other' });
      const mixed = await fleetOf(store).news();
      const again = await fleetOf(store).news();

      expect([own, mixed, again]).toEqual([[], ['other'], []]);
    });

    it('names a lead that came elsewhere after one was rehearsed here, although both take the same numbers', async () => {
      const store = await open(patient);
      const beside = await openBeside(patient);
      await fleetOf(store).news();
      await accept(store);
      await fleetOf(store).news();

      await store.bookings.rehearse(booking({ submission_id: 'rehearsed' }), judge);
      await accept(beside, {
        submission_id: 'real',
        patient_phone: '01911-222333',
        patient_name: 'Nadia Islam',
      });

      expect(await fleetOf(store).news()).toEqual(['main']);
    });

    it('hears within a minute of a commit that took longer than any should', async () => {
      const clock = fakeClock();
      const store = await open(patient, clock);
      const beside = await openBeside(patient);
      await accept(beside);
      await fleetOf(store).news();
      await accept(beside, { submission_id: 'stored in a long transaction' });
      await run("update clinic_heads set changed_at = changed_at - interval '10 minutes'");

      const soon = await fleetOf(store).news();
      await clock.advance(60_000);
      const later = await fleetOf(store).news();
      const again = await fleetOf(store).news();

      expect([soon, later, again]).toEqual([[], ['main'], []]);
    });

    it('asks the clinic first what it may have forgotten, unless another one ran all the time', async () => {
      const clock = fakeClock();
      const first = await open(patient, clock);
      await accept(first, { state: 'queued' });
      await join(fleetOf(first), 'first');
      const noted = (store: Store) => store.keyValue.get('bookings', 'unattended:main');

      await clock.advance(60_000);
      const beside = await noted(await openBeside(patient, clock));
      await fleetOf(first).leave('first');
      await clock.advance(60_000);
      const afterwards = await noted(await openBeside(patient, clock));

      expect(beside).toBeUndefined();
      expect(afterwards).toBeDefined();
    });

    it('names its members and what each has, and those that left', async () => {
      const { fleet, takeOver } = await takenOver();
      await takeOver();

      const { members, units, left } = await fleet.report();

      expect(members.map(({ id }) => id)).toEqual(['second']);
      expect(left.map(({ id }) => id)).toEqual(['first']);
      expect(units).toMatchObject([{ unit: 'clinic/main', kind: 'clinic', owner: 'second', fence: 2 }]);
      expect(units[0]?.since).toMatch(/^20\d\d-.*Z$/);
      expect(left[0]?.left_at).toBeNull();
    });

    it('tells which unit does not start, where and since when, until it does', async () => {
      const store = await open(patient);
      const fleet = fleetOf(store);
      await known(fleet, 'clinic/main');
      await join(fleet, 'first');
      const attempt = async (problem: string | undefined) => {
        const [taken] = await fleet.take('first', ['clinic/main'], [], 1);
        await fleet.noteStart('first', 'clinic/main', problem);
        await fleet.giveBack('first', ['clinic/main']);
        return { before: taken?.isFailing, failing: (await fleet.report()).units[0]?.failing };
      };

      const first = await attempt('the disk is full');
      const second = await attempt('the disk is still full');
      const afterwards = await attempt(undefined);

      const { since, host } = first.failing ?? {};
      expect(first).toMatchObject({ before: false, failing: { problem: 'the disk is full' } });
      expect(second).toEqual({
        before: true,
        failing: { since, host, problem: 'the disk is still full' },
      });
      expect(afterwards).toEqual({ before: true, failing: undefined });
    });

    it('counts a member last heard in the future as heard now, since the server’s clock was set back', async () => {
      const store = await open(patient);
      const fleet = fleetOf(store);
      for (const id of ['crashed', 'living', 'left']) await join(fleet, id);
      await fleet.leave('left');
      const hour = "interval '1 hour'";
      await run(`update members set beat_at = beat_at + ${hour}, expires_at = expires_at + ${hour}`);

      await fleet.beat('living');
      const lefts = await run(
        'select id, extract(epoch from expires_at - clock_timestamp())::float8 as left from members',
      );

      const leftOf = (id: string) => Number(lefts.find((one) => one.id === id)?.left);
      // Not less either: it may have been heard a moment ago.
      for (const id of ['crashed', 'living']) {
        expect(leftOf(id)).toBeLessThanOrEqual(patient.ttlMs / 1_000);
        expect(leftOf(id)).toBeGreaterThan(patient.ttlMs / 1_000 - 60);
      }
      expect(leftOf('left')).toBeLessThanOrEqual(0);
      expect(await fleet.beat('crashed')).toBe(true);
    });

    it('names who left, and since when its work is free', async () => {
      const store = await open(patient);
      const fleet = fleetOf(store);
      await known(fleet, 'clinic/main');
      await join(fleet, 'first');
      const [waiting] = (await fleet.report()).units;
      await fleet.take('first', ['clinic/main'], [], 1);
      const { at } = await fleet.report();
      await fleet.leave('first');

      const { left, units } = await fleet.report();

      const [one] = left;
      const [unit] = units;
      expect.assert(one?.left_at && unit?.since && waiting?.since);
      expect(waiting.since <= at && at <= unit.since && at <= one.left_at).toBe(true);
      expect(unit.owner).toBeNull();
    });
  });
}
