import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { until } from '../../../test/support/until.ts';
import { instant } from '../../platform/clock.ts';

describe('verifying a booked appointment', () => {
  const running = runningBookings();
  /** What the clinic's status reads come to, by number. */
  const reads = new Map<number, 'fails' | 'not there' | 'other time' | 'nothing to compare'>();
  let asked = 0;
  let meanwhile: (() => Promise<unknown>) | undefined;

  beforeEach(async () => {
    reads.clear();
    asked = 0;
    meanwhile = undefined;
    await running.stop();
    const honest = running.world.clinic.appointmentStatus;
    running.world.clinic.appointmentStatus = async (id, ...how) => {
      asked += 1;
      await meanwhile?.();
      const read = reads.get(id);
      if (read === 'fails') throw new Error('The clinic does not answer.');
      const seen = await honest(id, ...how);
      if (seen !== undefined && read === 'nothing to compare')
        return { ...seen, name: null, date: null, time: null };
      return read === 'not there' || seen === undefined
        ? undefined
        : { ...seen, time: read === 'other time' ? '17:45' : seen.time };
    };
    await running.world.start();
  });

  const mismatch = async (ref: string) => (await running.get(ref)).evidence?.mismatch;
  const subjects = async () => (await running.world.bookings.reviewItems()).map(({ subject }) => subject);

  it('verifies the others although one cannot be read', async () => {
    reads.set(101, 'fails');
    const first = await running.send();
    const { ref: second } = await running.world.accept({ patient_phone: '01911-222333' });

    await running.world.advance(MINUTE);

    expect(await running.get(first)).toMatchObject({ state: 'booked', verified_at: null });
    expect((await running.get(second)).verified_at).not.toBeNull();
  });

  it('does not take back what a user was asked while it was reading', async () => {
    const { store } = running.world;
    const question = { mismatch: ['It came again.'], verification: 'asked_again' as const };
    meanwhile = async () => {
      meanwhile = undefined;
      for (const { ref, attempt } of await store.bookings.list({ states: ['booked'] }))
        await store.bookings.note({ ref, attempt, evidence: question, verified_at: instant(0) });
    };
    const ref = await running.send();

    await running.world.advance(MINUTE);

    expect((await running.get(ref)).evidence).toMatchObject(question);
  });

  it('asks a user after ten minutes, however often it is woken', async () => {
    reads.set(101, 'not there');
    const ref = await running.send();

    for (let i = 0; i < 100; i += 1) {
      running.world.bookings.wake();
      await running.world.advance(5_000);
    }
    expect(await subjects()).toEqual([]);
    expect(asked).toBeLessThan(25);
    await running.world.advance(3 * MINUTE);

    expect(await mismatch(ref)).toEqual([
      'The clinic does not know the appointment number 101 that it gave.',
    ]);
    expect(await subjects()).toEqual([ref]);
  });

  it('stores what the clinic shows instead, but of the name only whether it matches', async () => {
    reads.set(101, 'other time');
    const ref = await running.send();
    await running.world.advance(MINUTE);

    const { evidence, appointment_date } = await running.get(ref);

    expect(evidence?.shows).toEqual({ date: appointment_date, time: '17:45', name_matches: true });
  });

  it('asks nobody about the name of a person who was erased meanwhile', async () => {
    reads.set(101, 'not there');
    const ref = await running.send();
    await running.world.advance(MINUTE);
    await running.world.store.erase({ refs: [ref] }, instant(running.world.clock.now()), 'Mina');
    reads.clear();

    await running.world.advance(MINUTE);

    expect(await running.get(ref)).toMatchObject({ patient_name: null, verified_at: expect.any(String) });
    expect(await mismatch(ref)).toEqual([]);
    expect(await subjects()).toEqual([]);
  });

  it('withdraws a question once the clinic shows what was requested', async () => {
    reads.set(101, 'not there');
    const ref = await running.send();
    await running.world.advance(12 * MINUTE);
    const before = await subjects();
    reads.clear();

    await running.world.advance(20 * MINUTE);

    expect([before, await subjects()]).toEqual([[ref], []]);
    expect(await running.get(ref)).toMatchObject({ evidence: { verification: 'matches', mismatch: [] } });
  });

  it('withdraws a question within a minute once the mirror has read the appointment', async () => {
    const { world } = running;
    reads.set(101, 'not there');
    const ref = await running.send();
    await world.advance(12 * MINUTE);
    const before = await subjects();
    const tries = asked;
    reads.clear();

    await world.advance(MINUTE);
    const at = instant(world.clock.now());
    const seen = { status: 'Scheduled', name: null, date: null, time: null, raw: {} };
    const read = {
      clinic: 'main',
      appointment_id: 101,
      at,
      seen,
      next_due_at: null,
      done: false,
      changes: [],
    };
    await world.store.appointments.observe(read);
    const between = await subjects();
    await world.advance(MINUTE);

    expect([before, between, await subjects()]).toEqual([[ref], [ref], []]);
    expect(asked).toBe(tries + 1);
  });

  it('claims nothing about what the clinic leaves out, and checks once more in ten minutes', async () => {
    reads.set(101, 'nothing to compare');
    const ref = await running.send();
    await running.world.advance(9 * MINUTE);
    const early = await running.get(ref);
    await running.world.advance(30 * MINUTE);

    const { evidence } = await running.world.bookings.describe(ref);

    expect(early).toMatchObject({ verified_at: null, evidence: { verification: 'partly' } });
    expect(evidence.slice(-2)).toEqual([
      'The clinic’s record leaves out what should be compared.',
      'Left out: name, date and time.',
    ]);
    expect((await running.get(ref)).verified_at).not.toBeNull();
    expect(asked).toBe(2);
    expect(await subjects()).toEqual([]);
  });

  it('compares what the clinic adds within ten minutes', async () => {
    reads.set(101, 'nothing to compare');
    const ref = await running.send();
    await running.world.advance(MINUTE);
    reads.clear();

    await running.world.advance(10 * MINUTE);

    expect((await running.get(ref)).evidence).toMatchObject({ verification: 'matches', left_out: [] });
  });

  it('still asks after a restart, and no longer once a user has acknowledged it', async () => {
    reads.set(101, 'other time');
    const ref = await running.send();
    await running.world.advance(MINUTE);
    const before = await subjects();

    await running.world.bookings.acknowledge(ref, 'Mina');
    await running.stop();
    await running.world.start();
    await running.world.advance(30 * MINUTE);

    expect([before, await subjects()]).toEqual([[ref], []]);
    expect((await running.get(ref)).evidence).toMatchObject({
      verification: 'acknowledged',
      seen_by: 'Mina',
    });
  });

  it('asks a clinic that does not answer about three at a time, not all', async () => {
    const at: number[] = [];
    for (let id = 101; id <= 106; id += 1) reads.set(id, 'fails');
    const { clinic, clock } = running.world;
    const { appointmentStatus } = clinic;
    await running.stop();
    clinic.appointmentStatus = (...asking) => {
      at.push(clock.monotonic());
      return appointmentStatus(...asking);
    };
    await running.world.start();
    const refs: string[] = [];
    for (let n = 1; n <= 6; n += 1)
      refs.push((await running.world.accept({ patient_phone: `01911-00000${n}` })).ref);
    // Each confirmation starts a round of its own.
    await until('all are booked', async () => {
      await running.world.advance(1_000);
      const bookings = await Promise.all(refs.map(running.get));
      return bookings.every(({ state }) => state === 'booked');
    });
    at.length = 0;

    await running.world.advance(5 * MINUTE);

    const together = Object.values(Object.groupBy(at, String)).map((one) => one?.length);
    expect(Math.max(...together.map((count) => count ?? 0))).toBe(3);
  });
});
