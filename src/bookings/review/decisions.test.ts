import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { seenOf } from '../../domain/bookings/booking-seen.ts';
import { instant } from '../../platform/clock.ts';

describe('an unknown outcome', () => {
  const running = runningBookings();

  it('is explained in one sentence, with the counters, the four ways out and a probe', async () => {
    const ref = await running.unknown('reset_after');

    const { sentence, ways } = await running.world.bookings.describe(ref);

    expect(sentence).toBe(
      'It was sent on 2026-03-02 at 15:00; what came back was nothing, because the connection was lost; ' +
        'the clinic had 1000 appointments before and 1001 after, none of them ours; ' +
        'no appointment numbers were checked.',
    );
    expect(ways.map(({ command }) => command.split(' ').slice(2).join(' '))).toEqual([
      `reconcile ${ref}`,
      `resolve ${ref} --as booked --appointment N`,
      `resolve ${ref} --as booked-no-id`,
      `resolve ${ref} --as not-booked --send-again`,
      `drop ${ref}`,
    ]);
  });

  it('is found by name, date and time when a user asks for it', async () => {
    await running.send('booked');
    running.world.clinic.script.push('reset_after');
    const { ref } = await running.world.accept({
      patient_name: 'Nadia  ISLAM',
      patient_phone: '01911-222333',
    });
    await running.world.advance(11 * MINUTE);
    running.world.clinic.bookByHand('Somebody Else', '2026-03-03', '10:00');

    const looking = running.world.bookings.reconcile(ref, 'Mina');
    await running.world.advance(2 * MINUTE);
    await looking;

    expect(await running.get(ref)).toMatchObject({ state: 'booked', appointment_id: 102 });
    expect(JSON.stringify(await running.get(ref))).not.toContain('Somebody Else');
  });

  it('is left to a user when two appointments match, or another booking could own the one', async () => {
    await running.send('booked');
    running.world.clinic.script.push('reset_after');
    const { ref } = await running.world.accept({
      patient_name: 'Nadia Islam',
      patient_phone: '01911-222333',
    });
    await running.world.advance(11 * MINUTE);
    running.world.clinic.bookByHand('Nadia Islam', '2026-03-03', '10:00');

    const looking = running.world.bookings.reconcile(ref, 'Mina');
    await running.world.advance(2 * MINUTE);
    await looking;

    expect(await running.get(ref)).toMatchObject({
      state: 'unknown',
      evidence: { matching_ids: [102, 103] },
    });
  });

  it('is neither probed nor declared absent while the clinic may still be working on it', async () => {
    const ref = await running.send('reset_after');
    const release = { as: 'not-booked', send_again: true } as const;

    await expect(running.world.bookings.reconcile(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
    await expect(running.world.bookings.resolve(ref, release, 'Mina')).rejects.toMatchObject({
      kind: 'refused',
    });
    await running.world.advance(11 * MINUTE);
    await running.world.bookings.resolve(ref, release, 'Mina');
    await running.world.advance(1_000);

    expect(running.world.clinic.posts).toHaveLength(2);
  });

  it('refuses a number whose appointment differs, without showing another patient’s name', async () => {
    const ref = await running.unknown('reset_before');
    const id = running.world.clinic.bookByHand('Somebody Else', '2026-03-03', '11:00');

    const refused = await running.world.bookings.resolve(ref, { as: 'booked', appointment_id: id }, 'Mina');

    expect(refused).toMatchObject({
      ok: false,
      comparison: { name_matches: false, date_matches: true, clinic: { time: '11:00' } },
    });
    expect(JSON.stringify(refused)).not.toContain('Somebody Else');
    expect((await running.get(ref)).state).toBe('unknown');
  });

  it('refuses a number of the same patient at another time', async () => {
    const ref = await running.unknown('reset_before');
    const id = running.world.clinic.bookByHand('Rahim Uddin', '2026-03-03', '11:00');

    const refused = await running.world.bookings.resolve(ref, { as: 'booked', appointment_id: id }, 'Mina');

    expect(refused).toMatchObject({ ok: false, comparison: { name_matches: true, time_matches: false } });
    expect((await running.get(ref)).state).toBe('unknown');
  });

  it('accepts a number whose appointment cannot be compared only if a user confirms it', async () => {
    const ref = await running.unknown('reset_after');
    const { clinic } = running.world;
    const honest = clinic.appointmentStatus;
    await running.stop();
    clinic.appointmentStatus = async (...asked) => {
      const seen = await honest(...asked);
      return seen && { ...seen, name: null };
    };
    await running.world.start();
    const decision = { as: 'booked', appointment_id: 101 } as const;

    const refused = await running.world.bookings.resolve(ref, decision, 'Mina');
    await running.world.bookings.resolve(ref, { ...decision, confirm: true }, 'Mina');

    expect(refused).toMatchObject({ ok: false, differences: ['The clinic’s record leaves out the name.'] });
    expect(await running.get(ref)).toMatchObject({
      state: 'booked',
      message: 'A person entered its number.',
    });
  });

  it('accepts a number that a user confirms, and keeps the difference visible', async () => {
    const ref = await running.unknown('reset_before');
    const id = running.world.clinic.bookByHand('R. Uddin', '2026-03-03', '10:00');

    await running.world.bookings.resolve(ref, { as: 'booked', appointment_id: id, confirm: true }, 'Mina');

    expect(await running.get(ref)).toMatchObject({ state: 'booked', appointment_id: id });
    expect(await running.world.bookings.reviewItems()).toMatchObject([{ subject: ref }]);
  });

  it('refuses the number of another booking, even confirmed', async () => {
    await running.send('booked');
    running.world.clinic.script.push('reset_after');
    const { ref } = await running.world.accept({ patient_phone: '01911-222333' });
    await running.world.advance(11 * MINUTE);

    const taken = { as: 'booked', appointment_id: 101, confirm: true } as const;

    await expect(running.world.bookings.resolve(ref, taken, 'Mina')).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  it('dates an appointment linked later to its send', async () => {
    await running.send('booked');
    running.world.clinic.script.push('reset_after', 'reset_after');
    const earlier = await running.world.accept({ appointment_time: '11:00' });
    await running.world.advance(1_000);
    const { ref } = await running.world.accept({
      patient_name: 'Nadia Islam',
      patient_phone: '01911-222333',
    });
    await running.world.advance(1_000);
    await running.world.bookings.resolve(earlier.ref, { as: 'booked', appointment_id: 102 }, 'Mina');
    await running.world.advance(11 * MINUTE);

    const { sentence, evidence } = await running.world.bookings.describe(ref);
    const looking = running.world.bookings.reconcile(ref, 'Mina');
    await running.world.advance(2 * MINUTE);
    await looking;

    expect(sentence).toContain('1002 appointments before and 1003 after, none of them ours');
    expect(evidence).toContain('1 appeared that is not known to be ours: it may be there.');
    expect(await running.get(ref)).toMatchObject({ state: 'booked', appointment_id: 103 });
  });

  it('can be resolved as booked without a number', async () => {
    const ref = await running.unknown('reset_after');

    await running.world.bookings.resolve(ref, { as: 'booked-no-id' }, 'Mina');
    await running.world.advance(30 * MINUTE);

    expect((await running.get(ref)).state).toBe('booked_no_id');
    expect(running.world.clinic.posts).toHaveLength(1);
  });

  it('accepts its number later when it was booked without one', async () => {
    const ref = await running.unknown('reset_after');
    await running.world.bookings.resolve(ref, { as: 'booked-no-id' }, 'Mina');

    await running.world.bookings.resolve(ref, { as: 'booked', appointment_id: 101 }, 'Omar');

    expect(await running.get(ref)).toMatchObject({ state: 'booked', appointment_id: 101 });
    expect(running.world.clinic.posts).toHaveLength(1);
  });
});

describe('a changed submission', () => {
  const running = runningBookings();

  it('is taken instead of the first, which waits, in one step', async () => {
    const { world } = running;
    await world.pauseSending();
    const first = await world.accept({}, { submission_id: 'a' });
    const changed = await world.accept({ appointment_time: '11:00' }, { submission_id: 'a' });

    await world.bookings.take(changed.ref, 'Mina');
    await world.bookings.resumeSending('main', 'Mina');
    await world.advance(1_000);

    expect(changed).toMatchObject({ state: 'held', reason: 'changed_submission', duplicate_of: first.ref });
    expect((await running.get(first.ref)).state).toBe('dropped');
    expect(world.clinic.posts.map(({ ref, request }) => [ref, request.appointment_time])).toEqual([
      [changed.ref, '11:00'],
    ]);
  });

  const threeVersions = async () => {
    const { world } = running;
    await world.pauseSending();
    const send = async (appointment_time: string) => {
      await world.advance(1_000);
      const { ref } = await world.accept({ appointment_time }, { submission_id: 'a' });
      return ref;
    };
    const refs = [await send('10:00'), await send('11:00'), await send('12:00')] as const;
    const sent = async () => {
      await world.bookings.resumeSending('main', 'Mina');
      await world.advance(5_000);
      return world.clinic.posts.map(({ request }) => request.appointment_time);
    };
    const besides = async (ref: string) =>
      (await world.bookings.alike(await running.get(ref))).map((one) => one.ref);
    return { ...world, refs, sent, besides };
  };

  it('is taken instead of the change that was taken before it', async () => {
    const { bookings, refs, sent, besides } = await threeVersions();
    const [first, second, third] = refs;

    await bookings.take(second, 'Mina');
    expect(await besides(third)).toEqual([second]);
    await bookings.take(third, 'Omar');

    expect(await sent()).toEqual(['12:00']);
    expect((await running.get(first)).state).toBe('dropped');
    expect(await running.get(second)).toMatchObject({
      state: 'dropped',
      message: `${third} is taken instead.`,
    });
    expect(await running.get(third)).toMatchObject({ state: 'booked', duplicate_of: second });
  });

  it('takes no other one’s place once a further change was booked', async () => {
    const { bookings, refs, sent, besides } = await threeVersions();
    const [first, second, third] = refs;
    await bookings.drop(first, 'Mina');
    await bookings.approve(third, 'Mina');
    await sent();

    await expect(bookings.take(second, 'Omar')).rejects.toThrow(`${third} is booked`);

    expect(await besides(second)).toEqual([third]);
    expect(await running.get(second)).toMatchObject({ state: 'held' });
  });

  it('is taken as a user corrects it', async () => {
    const { bookings, refs, sent } = await threeVersions();
    const [first, , third] = refs;

    const taken = await bookings.take(third, 'Mina', undefined, { fields: { appointment_time: '13:30' } });

    expect(taken.state).toBe('queued');
    expect(await sent()).toEqual(['13:30']);
    expect((await running.get(first)).state).toBe('dropped');
  });

  it('is held as a user corrects it, and the first is not dropped, if the correction has a fault', async () => {
    const { bookings, refs } = await threeVersions();
    const [first, , third] = refs;

    const held = await bookings.take(third, 'Mina', undefined, {
      fields: { appointment_date: '2031-01-01' },
    });

    expect(held).toMatchObject({ state: 'held', reason: 'too_far', appointment_date: '2031-01-01' });
    expect((await running.get(first)).state).toBe('queued');
    await bookings.take(third, 'Mina');
    expect((await running.get(first)).state).toBe('dropped');
  });

  it('is not decided on a page that does not show a version released meanwhile', async () => {
    const { bookings, refs, sent, besides } = await threeVersions();
    const [first, second, third] = refs;
    const shown = seenOf(await running.get(third));

    await bookings.take(second, 'Mina');

    await expect(bookings.approve(third, 'Omar', undefined, { seen: shown })).rejects.toThrow(
      `${third} has changed since you looked at it`,
    );
    expect(await sent()).toEqual(['11:00']);
    expect(await besides(second)).toEqual([first, third]);
  });

  it('is named beside the first, which may be approved without it', async () => {
    const { refs, besides } = await threeVersions();
    const [first, second, third] = refs;

    expect(await besides(first)).toEqual([third, second]);
  });
});

describe('a dropped booking', () => {
  const running = runningBookings({ approval: 'required' });
  const drop = async (fields = {}) => {
    const { ref } = await running.world.accept(fields);
    return await running.world.bookings.drop(ref, 'Mina', 'The wrong one.');
  };

  it('is held again by a user’s word if it was never sent, and booked once it is approved', async () => {
    const { bookings, clinic } = running.world;
    const { ref } = await drop();
    await running.world.advance(MINUTE);

    const reopened = await bookings.reopen(ref, 'Omar', 'The other was meant.');
    const sentBefore = clinic.posts.length;
    await bookings.approve(ref, 'Omar');
    await running.world.advance(MINUTE);

    expect(reopened).toMatchObject({ state: 'held', reason: 'approval', patient_name: 'Rahim Uddin' });
    expect(sentBefore).toBe(0);
    expect((await running.get(ref)).state).toBe('booked');
    const events = await running.world.store.bookings.events(ref);
    expect(events.find(({ from }) => from === 'dropped')).toMatchObject({
      to: 'held',
      by: 'Omar',
      message: expect.stringContaining('The other was meant.'),
    });
  });

  it('is held beside the one that came in its place, which both sides show', async () => {
    const { bookings } = running.world;
    const { ref } = await drop();
    const other = await running.world.accept();

    const reopened = await bookings.reopen(ref, 'Omar');

    expect(reopened).toMatchObject({ reason: 'duplicate_suspect', duplicate_of: other.ref });
  });

  it.each(['reset_after', 'refused'] as const)('is not held again once it was sent: %s', async (answer) => {
    const { bookings, clinic } = running.world;
    clinic.script.push(answer);
    const { ref } = await running.world.accept();
    await bookings.approve(ref, 'Mina');
    await running.world.advance(MINUTE);
    await bookings.drop(ref, 'Mina');

    await expect(bookings.reopen(ref, 'Omar')).rejects.toThrow('only a dropped booking that was never sent');
    expect((await running.get(ref)).state).toBe('dropped');
  });

  it('is not brought back after its person was erased', async () => {
    const { bookings, store, clock } = running.world;
    const { ref } = await drop();
    await store.erase({ refs: [ref] }, instant(clock.now()), 'Mina');

    await expect(bookings.reopen(ref, 'Omar')).rejects.toMatchObject({ kind: 'refused' });
  });
});

describe('a user’s decision', () => {
  const running = runningBookings({ approval: 'required' });
  const decisions: Record<string, (ref: string) => Promise<unknown>> = {
    approve: (ref) => running.world.bookings.approve(ref, 'Mina', 'Rang back.'),
    drop: (ref) => running.world.bookings.drop(ref, 'Mina', 'Rang back.'),
    edit: (ref) => running.world.bookings.edit(ref, { appointment_time: '11:00' }, 'Mina'),
    'not booked': async (ref) => {
      await running.world.bookings.approve(ref, 'Omar');
      await running.world.advance(1_000);
      const decision = { as: 'not-booked', send_again: false, confirm: true, why: 'Rang back.' } as const;
      await running.world.bookings.resolve(ref, decision, 'Mina');
    },
  };

  it.each(Object.entries(decisions))('is stored with who and when, and why: %s', async (name, decide) => {
    running.world.clinic.script.push('reset_after');
    const { ref } = await running.world.accept();
    await running.world.advance(MINUTE);

    await decide(ref);

    const last = (await running.world.store.bookings.events(ref)).findLast(({ actor }) => actor === 'person');
    expect(last).toMatchObject({ by: 'Mina', at: instant(running.world.clock.now()) });
    if (name !== 'edit') expect(last?.message).toContain('Rang back.');
  });
});
