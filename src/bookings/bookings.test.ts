import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bookingsWorld, type World } from '../../test/support/bookings-world.ts';
import { fakeClock, settle } from '../../test/support/fake-clock.ts';
import type { AnswerName } from '../../test/support/scripted-clinic.ts';
import type { Booking } from '../model/booking.ts';
import { instant } from '../model/clock.ts';
import { Failure } from '../model/failure.ts';
import { silentLog } from '../model/log.ts';
import type { Thing } from '../model/resource.ts';
import { openStore } from '../store/sqlite.ts';

const MINUTE = 60_000;
const form = 'main-form';

describe('bookings', () => {
  let world: World;
  beforeEach(async () => {
    const clock = fakeClock();
    const store = await openStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
    world = bookingsWorld({ store, clock });
    await world.start();
  });
  afterEach(async () => {
    const stopped = world.bookings.stop();
    await world.advance(10_000);
    await stopped;
    await world.store.close();
  });

  const get = async (ref: string): Promise<Booking> => {
    const booking = await world.store.bookings.get(ref);
    expect.assert(booking);
    return booking;
  };
  const stop = async () => {
    const stopped = world.bookings.stop();
    await world.advance(10_000);
    await stopped;
  };
  /** One lead, met by these answers. */
  const send = async (...answers: AnswerName[]): Promise<string> => {
    world.clinic.script.push(...answers);
    const { ref } = await world.accept();
    await world.advance(1_000);
    return ref;
  };
  /** A booking that the clinic was never seen to confirm, after it has settled. */
  const unknown = async (answer: AnswerName): Promise<string> => {
    const ref = await send(answer);
    await world.advance(11 * MINUTE);
    return ref;
  };
  const mirror = (poll: 'dentists' | 'website', things: Record<string, object>) =>
    world.store.mirror.record({
      clinic: 'main',
      poll,
      at: instant(world.clock.now()),
      upserts: Object.entries(things).map(
        ([id, fields]) => ({ id, fields, raw: fields, hash: `${id}${JSON.stringify(fields)}` }) as Thing,
      ),
      removals: [],
      changes: [],
    });
  const dentist = (doctor_id: number, doctor_name: string) => ({
    doctor_id,
    doctor_name,
    specialization: '',
    qualification: '',
    experience_years: 1,
    consultation_fee: '1.00',
    signature_image_url: '',
  });

  describe('sending', () => {
    it('books a lead once and tells its source the number', async () => {
      const ref = await send('booked');

      expect(await world.bookings.find(form, ref)).toMatchObject({ state: 'booked', appointment_id: 101 });
      expect(world.clinic.posts).toHaveLength(1);
      expect(world.clinic.posts[0]?.request).toMatchObject({
        patient_phone: '01712-345678',
        note: `[${ref}]`,
      });
    });

    it('shows a source nothing of another source’s booking', async () => {
      const ref = await send('booked');

      expect(await world.bookings.find('another', ref)).toBeUndefined();
    });

    it('sends again after a proof that nothing was created, with growing waits', async () => {
      const ref = await send('never_sent', 'status_403', 'status_429');

      await world.advance(10 * MINUTE);

      expect((await get(ref)).state).toBe('booked');
      expect(world.clinic.posts.map(({ answer }) => answer)).toEqual([
        'never_sent',
        'status_403',
        'status_429',
        'booked',
      ]);
      expect((await get(ref)).attempt).toBe(4);
    });

    it('keeps the lane shut while the clinic refuses to book, says so, and goes on by itself', async () => {
      await send('status_403');

      const shut = world.bookings.lane('main');
      await world.advance(5 * MINUTE);

      expect(shut).toMatchObject({ state: 'paused', reason: expect.stringContaining('403') });
      expect(world.bookings.lane('main').state).toBe('open');
    });

    it('waits as long as the clinic asks', async () => {
      await send('status_429');
      const waited = world.clinic.posts.length;

      await world.advance(3_000);
      const early = world.clinic.posts.length;
      await world.advance(10_000);

      expect([waited, early, world.clinic.posts.length]).toEqual([1, 1, 2]);
    });

    it('passes on the clinic’s words when it refuses', async () => {
      const ref = await send('refused');

      expect(await get(ref)).toMatchObject({ state: 'rejected', message: 'No such slot' });
    });

    it('never sends again by itself what may have been created', async () => {
      const ref = await send('reset_after');

      await world.advance(60 * MINUTE);

      expect(await get(ref)).toMatchObject({ state: 'unknown', reason: 'connection_lost' });
      expect(world.clinic.posts).toHaveLength(1);
    });

    it('gives up on a clinic that never answers, and goes on with the next', async () => {
      const first = await send('silence_after');
      const second = await world.accept({ patient_name: 'Nadia Islam', patient_phone: '01911-222333' });

      await world.advance(4 * MINUTE);

      expect(await get(first)).toMatchObject({ state: 'unknown', reason: 'timeout' });
      expect((await get(second.ref)).state).toBe('booked');
    });

    it('does not take a number that belongs to another booking', async () => {
      await send('booked');
      world.clinic.script.push('id_of_another');
      const { ref } = await world.accept({ patient_phone: '01911-222333' });

      await world.advance(1_000);

      expect(await get(ref)).toMatchObject({
        state: 'unknown',
        reason: 'accepted_no_id',
        appointment_id: null,
      });
    });

    it('stops at the third unknown outcome until a person resumes, also over a restart', async () => {
      world.clinic.script.push('reset_after', 'status_503_after', 'cut_after');
      for (const patient_phone of ['01911-000001', '01911-000002', '01911-000003', '01911-000004'])
        await world.accept({ patient_phone });
      await world.advance(2 * MINUTE);
      await stop();
      await world.start();
      await world.advance(30 * MINUTE);

      const before = world.clinic.posts.length;
      await world.bookings.resumeLane('main', 'Mina');
      await world.advance(1_000);

      expect([before, world.clinic.posts.length]).toEqual([3, 4]);
    });

    it('writes down later what it could not write down at once, and sends nothing before', async () => {
      let full = true;
      const { bookings } = world.store;
      const move: typeof bookings.move = (wanted) =>
        full
          ? Promise.reject(new Failure({ kind: 'transient', message: 'The disk is full.' }))
          : bookings.move(wanted);
      world.crash();
      await world.start({ ...world.store, bookings: { ...bookings, move } });
      const first = await send('booked');
      const second = await world.accept({ patient_phone: '01911-222333' });
      await world.advance(MINUTE);
      const states = [(await get(first)).state, (await get(second.ref)).state];

      full = false;
      await world.advance(MINUTE);

      expect(states).toEqual(['sending', 'queued']);
      expect([(await get(first)).state, (await get(second.ref)).state]).toEqual(['booked', 'booked']);
      expect(world.clinic.posts).toHaveLength(2);
    });

    it('does not send what a person dropped or paused', async () => {
      await world.bookings.pauseLane('main', 'Mina', 'system update');
      const { ref } = await world.accept();
      await world.advance(10 * MINUTE);

      await world.bookings.drop(ref, 'Mina', 'patient called');
      await world.bookings.resumeLane('main', 'Mina');
      await world.advance(10 * MINUTE);

      expect(world.clinic.posts).toEqual([]);
      expect(await get(ref)).toMatchObject({ state: 'dropped', message: 'patient called' });
    });

    it('says when the clinic wrote down something else', async () => {
      const { ref } = await world.accept();
      await settle(30);
      const [entry] = world.clinic.ledger;
      expect.assert(entry);
      entry.time = '16:30';

      await world.advance(2 * MINUTE);
      const asked = await world.bookings.attention();
      await world.bookings.acknowledge(ref, 'Mina');

      expect(asked).toMatchObject([
        { subject: ref, sentence: expect.stringContaining('the clinic has 16:30') },
      ]);
      expect(await world.bookings.attention()).toEqual([]);
    });
  });

  describe('stopping and starting', () => {
    it('asks the clinic after a crash what it has, when that had not been done yet', async () => {
      const { ref } = await world.accept();
      await settle(30);
      const [entry] = world.clinic.ledger;
      expect.assert(entry);
      entry.date = '2026-03-04';
      world.crash();

      await world.start();
      await world.advance(2 * MINUTE);

      expect(await world.bookings.attention()).toMatchObject([{ subject: ref, state: 'booked' }]);
    });

    it('gives a booking on the wire eight seconds, then records it as unknown', async () => {
      const ref = await send('silence_after');
      const stopping = world.bookings.stop();
      let stopped = false;
      void stopping.then(() => {
        stopped = true;
      });

      await world.advance(7_900);
      const early = stopped;
      await world.advance(1_000);
      await stopping;

      expect([early, stopped]).toEqual([false, true]);
      expect(await get(ref)).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    });

    it('takes nothing in while it stops', async () => {
      await stop();

      await expect(world.accept()).rejects.toMatchObject({ kind: 'transient' });
      await world.start();
    });

    it('takes what a crash left being sent for unknown', async () => {
      const ref = await send('silence_after');
      world.crash();

      await world.start();

      expect(await get(ref)).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    });

    it('sends nothing of a restored database before a person has looked, and then only what is new', async () => {
      const old = await send('never_sent');
      world.crash();
      await world.start({ ...world.store, identity: { ...world.store.identity, restored: true } });
      const fresh = await world.accept({ patient_phone: '01911-222333' });
      const carried = await world.accept({ patient_phone: '01911-222444' }, { submission_id: 'CS-7K3Q9F' });
      await world.advance(30 * MINUTE);
      const sent = world.clinic.posts.length;

      await world.bookings.resumeLane('main', 'Mina');
      await world.advance(10 * MINUTE);

      expect(sent).toBe(1);
      expect(await get(old)).toMatchObject({ state: 'held', reason: 'restored_state' });
      expect(await get(carried.ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
      expect((await get(fresh.ref)).state).toBe('booked');
    });
  });

  describe('accepting', () => {
    it('gives the first ref to the same submission and to the same content', async () => {
      const first = await world.accept({}, { submission_id: 'a' });
      const again = await world.accept({ note: 'other' }, { submission_id: 'a' });
      const merged = await world.accept({ patient_name: 'RAHIM  uddin' }, { submission_id: 'b' });

      await world.advance(1_000);

      expect([again.ref, merged.ref]).toEqual([first.ref, first.ref]);
      expect([first.created, again.created, merged.created]).toEqual([true, false, false]);
      expect(world.clinic.posts).toHaveLength(1);
    });

    it('holds a second lead for the same phone, date and time, and never drops it', async () => {
      const first = await world.accept();
      const second = await world.accept({ patient_name: 'Karima Begum' });

      await world.advance(1_000);
      await world.bookings.approve(second.ref, 'Mina');
      await world.advance(1_000);

      expect(second).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: first.ref });
      expect(world.clinic.posts).toHaveLength(2);
    });

    it('holds what is incomplete or impossible, and stores nothing when only asked', async () => {
      const submission = {
        source: form,
        fields: { patient_name: 'Rahim Uddin', appointment_date: '2026-02-30' },
      };

      const faults = await world.bookings.validate(submission);
      const stored = await world.store.bookings.list({});
      const held = await world.bookings.accept(submission);

      expect(faults.map(({ field }) => field).sort()).toEqual([
        'appointment_date',
        'appointment_time',
        'patient_phone',
      ]);
      expect(stored).toEqual([]);
      expect(held).toMatchObject({ state: 'held', reason: 'missing_field' });
    });

    it('keeps what a connector could not map from being approved', async () => {
      const { ref } = await world.accept(
        {},
        { problems: [{ field: 'appointment_date', message: 'Two dates.' }] },
      );

      await expect(world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
      await world.bookings.edit(ref, { appointment_date: '2026-03-04' }, 'Mina');
      await world.bookings.approve(ref, 'Mina');
      await world.advance(1_000);

      expect(world.clinic.posts[0]?.request.appointment_date).toBe('2026-03-04');
    });

    it('never sends a task, whatever a person presses', async () => {
      const { ref, state } = await world.accept({}, { task: 'Cancellation at the form tool' });

      await expect(world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
      await expect(world.bookings.edit(ref, { note: 'x' }, 'Mina')).rejects.toMatchObject({
        kind: 'refused',
      });
      await world.advance(MINUTE);

      expect(state).toBe('held');
      expect(world.clinic.posts).toEqual([]);
    });

    it('keeps a lead for an unknown clinic away from every clinic', async () => {
      const { ref } = await world.accept({}, { clinic: 'elsewhere' });

      await expect(world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });

      expect(await get(ref)).toMatchObject({ clinic: '-', state: 'held', reason: 'missing_field' });
    });

    it('waits for the mirror to learn a name, then sends its number', async () => {
      const { ref, state } = await world.accept({ doctor: 'dr. o’neil' });
      await mirror('dentists', { 7: dentist(7, 'Dr. O’Neil') });
      world.bookings.wake();

      await world.advance(2_000);

      expect(state).toBe('received');
      expect((await get(ref)).state).toBe('booked');
      expect(world.clinic.posts[0]?.request.doctor_id).toBe(7);
    });

    it('never sends a name without its number, even when a person approves the rest', async () => {
      const { ref, reason } = await world.accept({ doctor: 'Dr. O’Neil', appointment_date: '2028-03-03' });

      await expect(world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
      await mirror('dentists', { 7: dentist(7, 'Dr. O’Neil') });
      world.bookings.wake();
      await world.bookings.approve(ref, 'Mina');
      await world.advance(1_000);

      expect(reason).toBe('too_far');
      expect(world.clinic.posts.map(({ request }) => request.doctor_id)).toEqual([7]);
    });

    it('holds a name that the clinic does not have, until a person chooses', async () => {
      await mirror('dentists', { 7: dentist(7, 'Dr. O’Neil') });
      const { ref, reason, message } = await world.accept({ doctor: 'Dr. Oneil' });

      await world.bookings.edit(ref, { doctor_id: 7 }, 'Mina');
      await world.bookings.approve(ref, 'Mina');
      await world.advance(1_000);

      expect(reason).toBe('mapping');
      expect(message).toContain('Dr. O’Neil (7)');
      expect(world.clinic.posts[0]?.request.doctor_id).toBe(7);
    });

    it('holds a burst at the limit of its source, however close together', async () => {
      const { max_per_source_per_hour: limit } = world.settings.bookings;
      const leads = Array.from({ length: limit + 5 }, (_, i) => ({
        patient_phone: `01911-${String(100_000 + i)}`,
      }));

      const answers = await Promise.all(leads.map((fields) => world.accept(fields)));

      expect(answers.filter(({ reason }) => reason === 'source_limit')).toHaveLength(5);
    });

    it('expires what was not sent when its time comes, and shows it to a person', async () => {
      await world.bookings.pauseLane('main', 'Mina');
      const { ref } = await world.accept({ appointment_date: '2026-03-02', appointment_time: '15:30' });

      await world.advance(31 * MINUTE);

      expect((await get(ref)).state).toBe('expired');
      expect(await world.bookings.attention()).toMatchObject([{ subject: ref }]);
    });

    it('leaves a lead that came too late with a person', async () => {
      const { ref, reason } = await world.accept({ appointment_date: '2026-03-01' });

      await world.advance(5 * MINUTE);
      await world.bookings.edit(ref, { appointment_date: '2026-03-04' }, 'Mina');
      await world.bookings.approve(ref, 'Mina');
      await world.advance(1_000);

      expect(reason).toBe('past_slot');
      expect((await get(ref)).state).toBe('booked');
    });
  });

  describe('an unknown outcome', () => {
    it('is told in one sentence, with the counters and the four ways out', async () => {
      const ref = await unknown('reset_after');

      const { sentence, ways } = await world.bookings.describe(ref);

      expect(sentence).toBe(
        'It was sent on 2026-03-02 at 15:00; what came back was nothing, because the connection was lost; ' +
          'the clinic had 1000 appointments before and 1001 after, none of them ours; ' +
          'no appointment numbers were looked at.',
      );
      expect(ways).toHaveLength(4);
    });

    it('is found by name, date and time when a person asks for it', async () => {
      await send('booked');
      world.clinic.script.push('reset_after');
      const { ref } = await world.accept({ patient_name: 'Nadia  ISLAM', patient_phone: '01911-222333' });
      await world.advance(11 * MINUTE);
      world.clinic.bookByHand('Somebody Else', '2026-03-03', '10:00');

      const looking = world.bookings.reconcile(ref, 'Mina');
      await world.advance(2 * MINUTE);
      await looking;

      expect(await get(ref)).toMatchObject({ state: 'booked', appointment_id: 102 });
      expect(JSON.stringify(await get(ref))).not.toContain('Somebody Else');
    });

    it('stays with a person when two appointments match, or another booking could own the one', async () => {
      await send('booked');
      world.clinic.script.push('reset_after');
      const { ref } = await world.accept({ patient_name: 'Nadia Islam', patient_phone: '01911-222333' });
      await world.advance(11 * MINUTE);
      world.clinic.bookByHand('Nadia Islam', '2026-03-03', '10:00');

      const looking = world.bookings.reconcile(ref, 'Mina');
      await world.advance(2 * MINUTE);
      await looking;

      expect(await get(ref)).toMatchObject({ state: 'unknown', evidence: { matching_ids: [102, 103] } });
    });

    it('is not looked for, nor called absent, while the clinic may still be working on it', async () => {
      const ref = await send('reset_after');
      const release = { as: 'not-booked', send_again: true } as const;

      await expect(world.bookings.reconcile(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
      await expect(world.bookings.resolve(ref, release, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
      await world.advance(11 * MINUTE);
      await world.bookings.resolve(ref, release, 'Mina');
      await world.advance(1_000);

      expect(world.clinic.posts).toHaveLength(2);
    });

    it('refuses a number whose appointment differs, and shows no other patient’s name', async () => {
      const ref = await unknown('reset_before');
      const id = world.clinic.bookByHand('Somebody Else', '2026-03-03', '11:00');

      const refused = await world.bookings.resolve(ref, { as: 'booked', appointment_id: id }, 'Mina');

      expect(refused).toMatchObject({
        ok: false,
        comparison: { name_matches: false, date_matches: true, clinic: { time: '11:00' } },
      });
      expect(JSON.stringify(refused)).not.toContain('Somebody Else');
      expect((await get(ref)).state).toBe('unknown');
    });

    it('takes a number that a person confirms, and keeps the difference in sight', async () => {
      const ref = await unknown('reset_before');
      const id = world.clinic.bookByHand('R. Uddin', '2026-03-03', '10:00');

      await world.bookings.resolve(ref, { as: 'booked', appointment_id: id, confirm: true }, 'Mina');

      expect(await get(ref)).toMatchObject({ state: 'booked', appointment_id: id });
      expect(await world.bookings.attention()).toMatchObject([{ subject: ref }]);
    });

    it('does not take a number of another booking, even confirmed', async () => {
      await send('booked');
      world.clinic.script.push('reset_after');
      const { ref } = await world.accept({ patient_phone: '01911-222333' });
      await world.advance(11 * MINUTE);

      const taken = { as: 'booked', appointment_id: 101, confirm: true } as const;

      await expect(world.bookings.resolve(ref, taken, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
    });

    it('may be there without a known number', async () => {
      const ref = await unknown('reset_after');

      await world.bookings.resolve(ref, { as: 'booked-no-id' }, 'Mina');
      await world.advance(30 * MINUTE);

      expect((await get(ref)).state).toBe('booked_no_id');
      expect(world.clinic.posts).toHaveLength(1);
    });

    it('names who decided, in the booking’s own history', async () => {
      const ref = await unknown('reset_after');

      await world.bookings.drop(ref, 'Mina', 'booked by phone');

      expect((await world.store.bookings.events(ref)).at(-1)).toMatchObject({
        to: 'dropped',
        actor: 'person',
        by: 'Mina',
        message: 'booked by phone',
      });
    });
  });
});
