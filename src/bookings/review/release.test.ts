import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';

describe('a rejected or expired booking', () => {
  const running = runningBookings();

  it('is not sent while the patient has another booking that the user has not seen', async () => {
    const ref = await running.send('refused');
    const { bookings } = running.world;
    const { ref: other } = await running.world.accept({ patient_name: 'R. Uddin' });
    await running.world.advance(MINUTE);

    const asked = await bookings.approve(ref, 'Mina');
    await running.world.advance(MINUTE);
    const before = running.world.clinic.posts.length;
    const released = await bookings.approve(ref, 'Mina', 'a brother');
    await running.world.advance(MINUTE);

    expect(asked).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: other });
    expect(asked.message).toContain(`${other} has the same phone number, date and time.`);
    expect(before).toBe(2);
    expect(released.state).toBe('queued');
    expect(running.world.clinic.posts).toHaveLength(3);
  });

  it('is sent at the first release when there is no duplicate', async () => {
    const ref = await running.send('refused');

    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(MINUTE);

    expect((await running.get(ref)).state).toBe('booked');
  });

  it('is not released by the second click of a double click, made before the duplicates could be read', async () => {
    const ref = await running.send('refused');
    await running.world.accept({ patient_name: 'R. Uddin' });
    await running.world.advance(MINUTE);

    const first = await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(300);
    const second = await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(MINUTE);

    expect([first, second]).toMatchObject(Array(2).fill({ state: 'held', reason: 'duplicate_suspect' }));
    expect(running.world.clinic.posts).toHaveLength(2);
  });

  it('is not released by a second user at another terminal, who was shown nothing', async () => {
    const ref = await running.send('refused');
    await running.world.accept({ patient_name: 'R. Uddin' });
    await running.world.advance(MINUTE);

    await running.world.bookings.approve(ref, 'Mina');
    running.world.crash();
    await running.world.start();
    const second = await running.world.bookings.approve(ref, 'Rima');
    await running.world.advance(MINUTE);
    const compared = await running.world.bookings.approve(ref, 'Rima');

    expect(second).toMatchObject({ state: 'held', reason: 'duplicate_suspect' });
    expect(compared.state).toBe('queued');
  });

  it('is the only one sent when two users release two bookings for one phone and slot at once', async () => {
    const refs = [await running.send('refused')];
    running.world.clinic.script.push('refused');
    refs.push((await running.world.accept({ patient_name: 'R. Uddin' })).ref);
    await running.world.advance(MINUTE);

    const released = await Promise.all(refs.map((ref) => running.world.bookings.approve(ref, 'Mina')));
    await running.world.advance(MINUTE);

    expect(released.map(({ state }) => state).sort()).toEqual(['held', 'queued']);
    expect(running.world.clinic.ledger).toHaveLength(1);
  });
});

describe('one of three bookings for the same phone, date and time', () => {
  const running = runningBookings();

  it('waits again when another one was sent that its hold does not list', async () => {
    const { bookings } = running.world;
    await running.world.accept({ patient_name: 'Karima Begum' });
    const early = await running.world.accept();
    const late = await running.world.accept({ patient_name: 'R. Uddin' });
    await bookings.approve(late.ref, 'Mina');
    await running.world.advance(MINUTE);

    const asked = await bookings.approve(early.ref, 'Rita');
    await running.world.advance(MINUTE);
    const released = await bookings.approve(early.ref, 'Rita', 'two brothers and a mother');

    expect(asked).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: late.ref });
    expect(asked.message).toContain(late.ref);
    expect(released.state).toBe('queued');
  });

  it('lists both others when it comes last', async () => {
    const first = await running.world.accept({ patient_name: 'Karima Begum' });
    const second = await running.world.accept();

    const { message } = await running.world.accept({ patient_name: 'R. Uddin' });

    expect(message).toContain(`${first.ref} and ${second.ref} have the same phone number`);
  });
});

describe('a booking whose outcome is unknown', () => {
  const running = runningBookings();
  const again = { as: 'not-booked', send_again: true } as const;

  it('is not resent before the user has seen another one sent meanwhile', async () => {
    const { bookings } = running.world;
    const ref = await running.unknown('reset_before');
    const { ref: other } = await running.world.accept({ patient_name: 'R. Uddin' });
    await bookings.approve(other, 'Mina');
    await running.world.advance(MINUTE);

    await expect(bookings.resolve(ref, again, 'Rita')).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(other),
    });
    await expect(bookings.resolve(ref, { ...again, confirm: true }, 'Rita')).rejects.toThrow(other);
    await running.world.advance(MINUTE);
    await bookings.resolve(ref, again, 'Rita');
    await running.world.advance(MINUTE);

    expect((await running.get(ref)).state).toBe('booked');
  });

  it('still counts as a duplicate after it was dropped', async () => {
    const ref = await running.unknown('reset_after');
    await running.world.bookings.drop(ref, 'Mina', 'it is in the calendar');

    const later = await running.world.accept();
    await running.world.advance(MINUTE);

    expect(later).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: ref });
    expect(running.world.clinic.ledger).toHaveLength(1);
  });

  it('blocks no other booking once a user has declared it absent', async () => {
    const ref = await running.unknown('reset_before');
    await running.world.bookings.resolve(ref, { as: 'not-booked', send_again: false }, 'Mina');

    const later = await running.world.accept();

    expect(later).toMatchObject({ state: 'queued', duplicate_of: null });
  });
});

describe('a booking that waits for approval', () => {
  const running = runningBookings({ approval: 'required' });

  it('is sent although its repetition waits too; the repetition then needs a release that lists it', async () => {
    const { bookings } = running.world;
    const first = await running.world.accept();
    const second = await running.world.accept({ patient_name: 'Nadia Islam' });

    const one = await bookings.approve(first.ref, 'Mina');
    await running.world.advance(MINUTE);
    const two = await bookings.approve(second.ref, 'Mina');

    expect(second).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: first.ref });
    expect([one.state, two.state]).toEqual(['queued', 'queued']);
  });

  it('waits again when its repetition was sent in the meantime', async () => {
    const { bookings } = running.world;
    const first = await running.world.accept();
    const second = await running.world.accept({ patient_name: 'Nadia Islam' });
    await bookings.approve(second.ref, 'Mina');
    await running.world.advance(MINUTE);

    const asked = await bookings.approve(first.ref, 'Mina');

    expect(asked).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: second.ref });
  });
});
