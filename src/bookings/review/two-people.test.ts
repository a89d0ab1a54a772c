import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { seenOf } from '../../domain/bookings/booking-seen.ts';

describe('two users at one booking', () => {
  const running = runningBookings();
  const seenNow = async (ref: string) => ({ seen: seenOf(await running.get(ref)) });
  const again = { as: 'not-booked', send_again: true } as const;

  it('never send it twice: the slower one is told who was faster', async () => {
    const ref = await running.unknown('reset_before');
    const { bookings, clinic } = running.world;
    const asked = await seenNow(ref);

    await bookings.resolve(ref, again, 'Rima', asked);
    await running.world.advance(MINUTE);
    clinic.script.push('reset_after');
    const second = bookings.resolve(ref, again, 'Mina', asked);

    await expect(second).rejects.toThrow(
      /has changed since you looked at it: clinic-sync set it to booked at \d\d:\d\d\./,
    );
    await running.world.advance(MINUTE);
    expect(clinic.posts).toHaveLength(2);
  });

  it('do not decide about a later attempt that is in the same state', async () => {
    const ref = await running.unknown('reset_before');
    const { bookings, clinic } = running.world;
    const asked = await seenNow(ref);

    clinic.script.push('reset_after');
    await bookings.resolve(ref, again, 'Rima', asked);
    await running.world.advance(11 * MINUTE);

    expect((await running.get(ref)).state).toBe('unknown');
    await expect(bookings.resolve(ref, again, 'Mina', asked)).rejects.toMatchObject({ kind: 'refused' });
    await running.world.advance(MINUTE);
    expect(clinic.posts).toHaveLength(2);
  });

  it('do not overrule what a probe of the clinic has found since', async () => {
    const ref = await running.unknown('reset_after');
    const { bookings, clinic } = running.world;
    clinic.bookByHand('Rahim Uddin', '2026-03-03', '10:00');
    const asked = await seenNow(ref);

    const looking = bookings.reconcile(ref, 'Rima');
    await running.world.advance(2 * MINUTE);
    await looking;

    expect((await running.get(ref)).state).toBe('unknown');
    await expect(bookings.resolve(ref, again, 'Mina', asked)).rejects.toThrow('more is known about it now');
    expect(clinic.posts).toHaveLength(1);
  });

  it.each(['approve', 'drop', 'edit', 'take'] as const)(
    'are asked to look again before %s',
    async (action) => {
      const { ref } = await running.world.accept({ appointment_time: '' });
      const { bookings } = running.world;
      const asked = await seenNow(ref);
      await running.world.advance(1_000);
      await bookings.edit(ref, { note: 'rang' }, 'Rima', asked);

      const late = {
        approve: () => bookings.approve(ref, 'Mina', undefined, asked),
        take: () => bookings.take(ref, 'Mina', undefined, asked),
        drop: () => bookings.drop(ref, 'Mina', 'no', asked),
        edit: () => bookings.edit(ref, { appointment_time: '10:00' }, 'Mina', asked),
      }[action]();

      await expect(late).rejects.toThrow(`${ref} has changed since you looked at it: Rima set it to held at`);
      await expect(late).rejects.toMatchObject({ refusal: { name: 'changed', ref } });
      expect((await running.get(ref)).appointment_time).toBeNull();
    },
  );
});

describe('saving and sending in one step', () => {
  const running = runningBookings();
  const send = { send: true };

  it('sends a booking once nothing is wrong with it', async () => {
    const { ref } = await running.world.accept({ appointment_time: '' });

    const sent = await running.world.bookings.edit(ref, { appointment_time: '10:00' }, 'Mina', send);
    await running.world.advance(MINUTE);

    expect(sent.state).toBe('queued');
    expect((await running.get(ref)).state).toBe('booked');
  });

  it('does not send if a fault remains, something was not shown, or it may be a duplicate', async () => {
    const { bookings } = running.world;
    await running.world.accept({ appointment_time: '12:00' });
    await running.world.advance(MINUTE);
    const before = running.world.clinic.posts.length;
    const [still, far, twin] = await Promise.all(
      [{}, { patient_phone: '01811-000002' }, { patient_name: 'R. Uddin' }].map(async (fields) => {
        const { ref } = await running.world.accept({ ...fields, appointment_time: '' });
        return ref;
      }),
    );

    const held = [
      await bookings.edit(still ?? '', { appointment_time: 'noon' }, 'Mina', send),
      await bookings.edit(
        far ?? '',
        { appointment_time: '10:00', appointment_date: '2031-01-01' },
        'Mina',
        send,
      ),
      await bookings.edit(twin ?? '', { appointment_time: '12:00' }, 'Mina', send),
    ];
    await running.world.advance(MINUTE);

    expect(held.map(({ state, reason }) => [state, reason])).toEqual([
      ['held', 'invalid_field'],
      ['held', 'too_far'],
      ['held', 'duplicate_suspect'],
    ]);
    expect(running.world.clinic.posts).toHaveLength(before);
  });
});

describe('a decision that can be undone', () => {
  const running = runningBookings({ approval: 'required' });
  const undoable = { undoable: true };
  const undo = async (ref: string) => {
    const { bookings } = running.world;
    return await bookings.undo(ref, 'Mina', (await bookings.undoable(ref)) ?? '');
  };

  it('is not sent for ten seconds, and then it is', async () => {
    const { ref } = await running.world.accept();

    await running.world.bookings.approve(ref, 'Mina', undefined, undoable);
    await running.world.advance(9_900);
    const waiting = running.world.clinic.posts.length;
    await running.world.advance(5_000);

    expect(waiting).toBe(0);
    expect((await running.get(ref)).state).toBe('booked');
  });

  it('is sent at once where no undo is offered', async () => {
    const { ref } = await running.world.accept();

    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(1_000);

    expect((await running.get(ref)).state).toBe('booked');
  });

  it('sends nothing when it was an approval, and holds the booking as it was', async () => {
    const { ref } = await running.world.accept();
    const before = await running.get(ref);

    await running.world.bookings.approve(ref, 'Mina', 'yes', undoable);
    await running.world.advance(5_000);
    const undone = await undo(ref);
    await running.world.advance(10 * MINUTE);

    expect(undone).toEqual({ ...before, changed_at: undone.changed_at });
    expect(running.world.clinic.posts).toHaveLength(0);
  });

  it('restores what a correction changed, sent in one step or not', async () => {
    const { ref } = await running.world.accept({ note: 'as it came' });
    const { bookings } = running.world;

    const sent = await bookings.edit(ref, { note: 'corrected' }, 'Mina', { ...undoable, send: true });
    const undone = await undo(ref);
    await running.world.advance(MINUTE);

    expect([sent.state, sent.note]).toEqual(['queued', 'corrected']);
    expect([undone.state, undone.reason, undone.note]).toEqual(['held', 'approval', 'as it came']);
    expect(running.world.clinic.posts).toHaveLength(0);
  });

  it('is final once sent, and a drop of a booking that may be at the clinic is final', async () => {
    const { bookings, clinic } = running.world;
    const { ref } = await running.world.accept();
    clinic.script.push('reset_before');
    await bookings.approve(ref, 'Mina', undefined, undoable);
    const seen = (await bookings.undoable(ref)) ?? '';
    await running.world.advance(11 * MINUTE);

    await expect(bookings.undo(ref, 'Mina', seen)).rejects.toMatchObject({ kind: 'refused' });
    expect((await running.get(ref)).state).toBe('unknown');
    await bookings.drop(ref, 'Mina', 'called', undoable);
    expect(await bookings.undoable(ref)).toBeUndefined();
  });

  it('needs no user for a booking that only waits for its ten seconds', async () => {
    const { ref } = await running.world.accept({ appointment_date: '2026-03-03' });
    await running.world.advance(26 * 60 * MINUTE);
    await running.world.bookings.edit(ref, { appointment_date: '2026-03-05' }, 'Mina');

    await running.world.bookings.approve(ref, 'Mina', undefined, undoable);

    expect((await running.world.bookings.reviewItems()).map(({ subject }) => subject)).not.toContain(ref);
  });
});
