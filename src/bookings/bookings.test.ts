import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../test/support/bookings/running-bookings.ts';
import { settle } from '../../test/support/fake-clock.ts';
import { Failure } from '../platform/failure.ts';

describe('bookings', () => {
  const running = runningBookings();

  describe('sending', () => {
    it('books a lead once and gives its source the number', async () => {
      const ref = await running.send('booked');

      expect(await running.world.bookings.find('main-form', ref)).toMatchObject({
        state: 'booked',
        appointment_id: 101,
      });
      expect(running.world.clinic.posts).toHaveLength(1);
      expect(running.world.clinic.posts[0]?.request).toMatchObject({
        patient_phone: '01712-345678',
        note: `[${ref}]`,
      });
    });

    it('shows a source nothing about another source’s booking', async () => {
      const ref = await running.send('booked');

      expect(await running.world.bookings.find('another', ref)).toBeUndefined();
    });

    it('resends with growing waits once it is proven that nothing was created', async () => {
      const ref = await running.send('never_sent', 'status_403', 'status_429');

      await running.world.advance(10 * MINUTE);

      expect((await running.get(ref)).state).toBe('booked');
      expect(running.world.clinic.posts.map(({ answer }) => answer)).toEqual([
        'never_sent',
        'status_403',
        'status_429',
        'booked',
      ]);
      expect((await running.get(ref)).attempt).toBe(4);
    });

    it.each([
      ['refuses to book', 'status_403', '403'],
      ['has an untrusted certificate', 'bad_certificate', 'certificate is not trusted'],
    ] as const)(
      'pauses sending while the clinic %s, reports it, and resumes automatically',
      async (_, answer, why) => {
        await running.send(answer);

        const shut = running.world.bookings.sendingState('main');
        const needs = await running.world.bookings.needs();
        await running.world.advance(5 * MINUTE);

        expect(shut).toMatchObject({ state: 'paused', reason: expect.stringContaining(why) });
        expect(needs).toMatchObject([{ kind: 'clinic', sentence: expect.stringContaining(why) }]);
        expect(running.world.bookings.sendingState('main').state).toBe('open');
      },
    );

    it('asks no user to act while the clinic is merely unreachable', async () => {
      await running.send('never_sent');

      expect(running.world.bookings.sendingState('main').state).toBe('paused');
      expect(await running.world.bookings.needs()).toEqual([]);
    });

    it('sets aside a booking that the clinic refuses three times while others pass', async () => {
      const { world } = running;
      const refuse = (name: string) => {
        const { book } = world.clinic;
        world.clinic.book = (request, how) => {
          if (request.patient_name === name) world.clinic.script.unshift('status_403');
          return book(request, how);
        };
      };
      await running.stop();
      refuse('Poison');
      await world.start();
      const { ref: poison } = await world.accept({ patient_name: 'Poison', patient_phone: '01799-999999' });
      await world.advance(8 * 60 * MINUTE);
      const { ref: good } = await world.accept({ appointment_date: '2026-03-15' });
      await world.advance(MINUTE);

      const held = await running.get(poison);
      expect(held).toMatchObject({ state: 'held', reason: 'invalid_field', attempt: 3, refusals: 3 });
      expect(held.message).toMatch(/^Something in it is wrong .* refuses this booking \(403\): No\.$/);
      expect(await running.get(good)).toMatchObject({ state: 'booked' });
      expect(world.bookings.sendingState('main').state).toBe('open');
    });

    it('pauses sending, and holds no booking, when the clinic refuses every booking', async () => {
      const { world } = running;
      world.clinic.script.push(...Array.from({ length: 40 }, () => 'status_403' as const));
      const { ref: first } = await world.accept();
      const { ref: second } = await world.accept({ patient_phone: '01911-222333' });

      await world.advance(60 * MINUTE);

      expect(world.bookings.sendingState('main').reason).toContain('403');
      expect([await running.get(first), await running.get(second)]).toMatchObject([
        { state: 'queued' },
        { state: 'queued' },
      ]);
      world.clinic.script.length = 0;
      await world.advance(20 * MINUTE);
      expect([await running.get(first), await running.get(second)]).toMatchObject([
        { state: 'booked', refusals: 0 },
        { state: 'booked', refusals: 0 },
      ]);
    });

    it('waits as long as the clinic asks', async () => {
      await running.send('status_429');
      const waited = running.world.clinic.posts.length;

      await running.world.advance(3_000);
      const early = running.world.clinic.posts.length;
      await running.world.advance(10_000);

      expect([waited, early, running.world.clinic.posts.length]).toEqual([1, 1, 2]);
    });

    it('passes on the clinic’s message when it refuses', async () => {
      const ref = await running.send('refused');

      expect(await running.get(ref)).toMatchObject({ state: 'rejected', message: 'No such slot' });
    });

    it('never resends automatically what may have been created', async () => {
      const ref = await running.send('reset_after');

      await running.world.advance(60 * MINUTE);

      expect(await running.get(ref)).toMatchObject({ state: 'unknown', reason: 'connection_lost' });
      expect(running.world.clinic.posts).toHaveLength(1);
    });

    it('gives up on a clinic that never answers, and continues with the next', async () => {
      const first = await running.send('silence_after');
      const second = await running.world.accept({
        patient_name: 'Nadia Islam',
        patient_phone: '01911-222333',
      });

      await running.world.advance(4 * MINUTE);

      expect(await running.get(first)).toMatchObject({ state: 'unknown', reason: 'timeout' });
      expect((await running.get(second.ref)).state).toBe('booked');
    });

    it('does not take a number that belongs to another booking', async () => {
      await running.send('booked');
      running.world.clinic.script.push('id_of_another');
      const { ref } = await running.world.accept({ patient_phone: '01911-222333' });

      await running.world.advance(1_000);

      expect(await running.get(ref)).toMatchObject({
        state: 'unknown',
        reason: 'accepted_no_id',
        appointment_id: null,
      });
    });

    it('stops at the third unknown outcome until a user resumes, even across a restart', async () => {
      running.world.clinic.script.push('reset_after', 'status_503_after', 'cut_after');
      for (const patient_phone of ['01911-000001', '01911-000002', '01911-000003', '01911-000004'])
        await running.world.accept({ patient_phone });
      await running.world.advance(2 * MINUTE);
      await running.stop();
      await running.world.start();
      await running.world.advance(30 * MINUTE);

      const before = running.world.clinic.posts.length;
      await running.world.bookings.resumeSending('main', 'Mina');
      await running.world.advance(1_000);

      expect([before, running.world.clinic.posts.length]).toEqual([3, 4]);
    });

    it('stores an outcome later if it could not at once, and sends nothing before', async () => {
      let full = true;
      const { bookings } = running.world.store;
      const move: typeof bookings.move = (wanted) =>
        full
          ? Promise.reject(new Failure({ kind: 'transient', message: 'The disk is full.' }))
          : bookings.move(wanted);
      running.world.crash();
      await running.world.start({ ...running.world.store, bookings: { ...bookings, move } });
      const first = await running.send('booked');
      const second = await running.world.accept({ patient_phone: '01911-222333' });
      await running.world.advance(MINUTE);
      const states = [(await running.get(first)).state, (await running.get(second.ref)).state];

      full = false;
      await running.world.advance(MINUTE);

      expect(states).toEqual(['sending', 'queued']);
      expect([(await running.get(first)).state, (await running.get(second.ref)).state]).toEqual([
        'booked',
        'booked',
      ]);
      expect(running.world.clinic.posts).toHaveLength(2);
    });

    it('sends neither a dropped booking nor, while sending is paused, any other', async () => {
      await running.world.pauseSending();
      const { ref } = await running.world.accept();
      await running.world.advance(10 * MINUTE);

      await running.world.bookings.drop(ref, 'Mina', 'patient called');
      await running.world.bookings.resumeSending('main', 'Mina');
      await running.world.advance(10 * MINUTE);

      expect(running.world.clinic.posts).toEqual([]);
      expect(await running.get(ref)).toMatchObject({ state: 'dropped', message: 'patient called' });
    });

    it('reports an appointment that differs from the request', async () => {
      const { ref } = await running.world.accept();
      await settle(30);
      const [entry] = running.world.clinic.ledger;
      expect.assert(entry);
      entry.time = '16:30';

      await running.world.advance(2 * MINUTE);
      const asked = await running.world.bookings.reviewItems();
      await running.world.bookings.acknowledge(ref, 'Mina');

      expect(asked).toMatchObject([
        { subject: ref, sentence: expect.stringContaining('the clinic has 16:30') },
      ]);
      expect(await running.world.bookings.reviewItems()).toEqual([]);
    });
  });

  describe('stopping and starting', () => {
    it('refuses to acknowledge a difference that does not exist', async () => {
      const ref = await running.send('reset_before');

      await expect(running.world.bookings.acknowledge(ref, 'Mina')).rejects.toMatchObject({
        kind: 'refused',
      });

      expect((await running.get(ref)).verified_at).toBeNull();
    });

    it('verifies a booking after a crash that came before its verification', async () => {
      const { ref } = await running.world.accept();
      await settle(30);
      const [entry] = running.world.clinic.ledger;
      expect.assert(entry);
      entry.date = '2026-03-04';
      running.world.crash();

      await running.world.start();
      await running.world.advance(2 * MINUTE);

      expect(await running.world.bookings.reviewItems()).toMatchObject([{ subject: ref, state: 'booked' }]);
    });

    it('gives a booking on the wire eight seconds, then records it as unknown', async () => {
      const ref = await running.send('silence_after');
      const stopping = running.world.bookings.stop();
      let stopped = false;
      void stopping.then(() => {
        stopped = true;
      });

      await running.world.advance(7_900);
      const early = stopped;
      await running.world.advance(1_000);
      await stopping;

      expect([early, stopped]).toEqual([false, true]);
      expect(await running.get(ref)).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    });

    it('accepts nothing while stopping', async () => {
      await running.stop();

      await expect(running.world.accept()).rejects.toMatchObject({ kind: 'transient' });
      await running.world.start();
    });

    it('treats a booking that a crash left sending as unknown', async () => {
      const ref = await running.send('silence_after');
      running.world.crash();

      await running.world.start();

      expect(await running.get(ref)).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    });
  });
});
