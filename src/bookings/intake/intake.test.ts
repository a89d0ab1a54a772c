import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { lead } from '../../../test/support/bookings/world.ts';
import { instant } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createBookings } from '../bookings.ts';

describe('accepting a lead', () => {
  const running = runningBookings();

  it('gives the first ref to the same submission and to the same content', async () => {
    const first = await running.world.accept({}, { submission_id: 'a' });
    const again = await running.world.accept({}, { submission_id: 'a' });
    const merged = await running.world.accept({ patient_name: 'RAHIM  uddin' }, { submission_id: 'b' });

    await running.world.advance(1_000);

    expect([again.ref, merged.ref]).toEqual([first.ref, first.ref]);
    expect([first.created, again.created, merged.created]).toEqual([true, false, false]);
    expect(running.world.clinic.posts).toHaveLength(1);
  });

  it.each([{ note: 'I am allergic to penicillin' }, { address: '12 Lake Road' }])(
    'holds %o sent again under the same id, and still takes a tool’s retry for the first',
    async (changed) => {
      const first = await running.world.accept({}, { submission_id: 'a' });
      await running.world.advance(1_000);

      const edited = await running.world.accept(changed, { submission_id: 'a' });
      const retried = await running.world.accept({}, { submission_id: 'a' });
      await running.world.advance(MINUTE);

      const { ref } = first;
      expect(edited).toMatchObject({ state: 'held', reason: 'changed_submission', duplicate_of: ref });
      expect(await running.get(edited.ref)).toMatchObject({
        ...changed,
        changed_fields: Object.keys(changed),
      });
      expect(retried).toMatchObject({ ref, created: false });
      expect(running.world.clinic.posts).toHaveLength(1);
    },
  );

  it('recognises a retry although a user has corrected the note since', async () => {
    const held = { doctor: 'Nobody', note: 'Hello' };
    await running.mirrorDentists({ 7: 'Dr. O’Neil' });
    const { ref } = await running.world.accept(held, { submission_id: 'a' });
    await running.world.bookings.edit(ref, { note: 'Called back' }, 'Mina');

    const retried = await running.world.accept(held, { submission_id: 'a' });

    expect(retried).toMatchObject({ ref, created: false });
  });

  it('answers a second try with the state of the first, and counts it as a new reason to call', async () => {
    const ref = await running.send('refused');
    const [before] = await running.world.bookings.reviewItems();
    await running.world.advance(5 * MINUTE);

    const again = await running.world.accept();
    await running.world.advance(MINUTE);
    const [asked] = await running.world.bookings.reviewItems();

    expect(again).toMatchObject({ ref, state: 'rejected', message: 'No such slot', created: false });
    expect(running.world.clinic.posts).toHaveLength(1);
    expect(asked?.subject).toBe(ref);
    expect(asked?.since).not.toBe(before?.since);
  });

  it('distinguishes a booking of the same submission from one of a similar submission', async () => {
    const first = await running.world.accept({}, { submission_id: 'a' });
    const same = await running.world.accept({}, { submission_id: 'a' });
    const other = await running.world.accept({}, { submission_id: 'b' });
    const otherAgain = await running.world.accept({}, { submission_id: 'b' });

    const { ref } = first;
    expect([first, same, other, otherAgain]).toMatchObject([
      { ref, own: true },
      { ref, own: true },
      { ref, own: false },
      { ref, own: false },
    ]);
  });

  it('resends after fifteen minutes, because a refused booking certainly does not exist', async () => {
    const ref = await running.send('refused');
    await running.world.advance(16 * MINUTE);

    const again = await running.world.accept();
    await running.world.advance(1_000);

    expect(again).toMatchObject({ state: 'queued', created: true });
    expect((await running.get(again.ref)).state).toBe('booked');
    expect((await running.get(ref)).state).toBe('rejected');
  });

  it('holds a second lead for the same phone, date and time, and never drops it', async () => {
    const first = await running.world.accept();
    const second = await running.world.accept({ patient_name: 'Karima Begum' });

    await running.world.advance(1_000);
    await running.world.bookings.approve(second.ref, 'Mina');
    await running.world.advance(1_000);

    expect(second).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: first.ref });
    expect(running.world.clinic.posts).toHaveLength(2);
  });

  it.each(['০১৭১২-৩৪৫৬৭৮', '٠١٧١٢٣٤٥٦٧٨', '०१७१२ ३४५६७८', '０１７１２３４５６７８'])(
    'recognises a phone number in the digits of any script: %s',
    async (patient_phone) => {
      const first = await running.world.accept({ patient_phone, patient_name: 'Rahim Uddin' });
      const again = await running.world.accept();
      const other = await running.world.accept({ patient_name: 'Karima Begum' });

      expect(again).toMatchObject({ ref: first.ref, created: false });
      expect(other).toMatchObject({ reason: 'duplicate_suspect', duplicate_of: first.ref });
    },
  );

  it('compares a number without a country by its digits', async () => {
    const first = await running.world.accept({ patient_phone: 'ext. 55 555' });
    const second = await running.world.accept({ patient_name: 'Karima Begum', patient_phone: '55555' });

    expect(first.state).toBe('queued');
    expect(second).toMatchObject({ reason: 'duplicate_suspect', duplicate_of: first.ref });
  });

  it('holds what is incomplete or impossible, and stores nothing when only asked', async () => {
    const submission = {
      source: 'main-form',
      fields: { patient_name: 'Rahim Uddin', appointment_date: '2026-02-30' },
    };

    const faults = await running.world.bookings.validate(submission);
    const stored = await running.world.store.bookings.list({});
    const held = await running.world.bookings.accept(submission);

    expect(faults.map(({ field }) => field).sort()).toEqual([
      'appointment_date',
      'appointment_time',
      'patient_phone',
    ]);
    expect(stored).toEqual([]);
    expect(held).toMatchObject({ state: 'held', reason: 'missing_field' });
  });

  it('cannot be approved if a connector could not map it', async () => {
    const { ref } = await running.world.accept(
      {},
      { problems: [{ field: 'appointment_date', message: 'Two dates.' }] },
    );

    await expect(running.world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
    await running.world.bookings.edit(ref, { appointment_date: '2026-03-04' }, 'Mina');
    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(1_000);

    expect(running.world.clinic.posts[0]?.request.appointment_date).toBe('2026-03-04');
  });

  it.each(['cancellation', 'move'] as const)('never sends a %s, whatever a person does', async (kind) => {
    const task = { task: 'Cancellation at the form tool', task_kind: kind };
    const { ref, state } = await running.world.accept({}, task);

    await expect(running.world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
    await expect(running.world.bookings.edit(ref, { note: 'x' }, 'Mina')).rejects.toMatchObject({
      kind: 'refused',
    });
    await running.world.advance(MINUTE);

    expect(state).toBe('held');
    expect(await running.get(ref)).toMatchObject({ kind });
    expect(running.world.clinic.posts).toEqual([]);
  });

  it('keeps a lead for an unknown clinic away from every clinic', async () => {
    const { ref } = await running.world.accept({}, { clinic: 'elsewhere' });

    await expect(running.world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });

    const { ways } = await running.world.bookings.describe(ref);
    const [asked] = await running.world.bookings.reviewItems();

    expect(await running.get(ref)).toMatchObject({ clinic: '-', state: 'held', reason: 'missing_field' });
    expect(ways.map(({ command }) => command)).toEqual([
      `clinic-sync bookings edit ${ref} --clinic KEY`,
      `clinic-sync bookings drop ${ref}`,
    ]);
    expect(asked?.action).toContain('Choose its clinic');
  });

  it('waits for the mirror to learn a name, then sends its number', async () => {
    const { ref, state } = await running.world.accept({ doctor: 'dr. o’neil' });
    await running.mirrorDentists({ 7: 'Dr. O’Neil' });
    running.world.bookings.wake();

    await running.world.advance(2_000);

    expect(state).toBe('received');
    expect((await running.get(ref)).state).toBe('booked');
    expect(running.world.clinic.posts[0]?.request.doctor_id).toBe(7);
  });

  it('never sends a name without its number, even when a user approves the rest', async () => {
    const { ref, reason } = await running.world.accept({
      doctor: 'Dr. O’Neil',
      appointment_date: '2028-03-03',
    });

    await expect(running.world.bookings.approve(ref, 'Mina')).rejects.toMatchObject({ kind: 'refused' });
    await running.mirrorDentists({ 7: 'Dr. O’Neil' });
    running.world.bookings.wake();
    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(1_000);

    expect(reason).toBe('too_far');
    expect(running.world.clinic.posts.map(({ request }) => request.doctor_id)).toEqual([7]);
  });

  it('holds a name that the clinic does not have, until a person chooses', async () => {
    await running.mirrorDentists({ 7: 'Dr. O’Neil' });
    const { ref, reason, message } = await running.world.accept({ doctor: 'Dr. Oneil' });

    await running.world.bookings.edit(ref, { doctor_id: 7 }, 'Mina');
    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(1_000);

    expect(reason).toBe('mapping');
    expect(message).toContain('Dr. O’Neil (7)');
    expect(running.world.clinic.posts[0]?.request.doctor_id).toBe(7);
  });

  it('holds a burst at the limit of its source, however close together', async () => {
    const { max_per_source_per_hour: limit } = running.world.settings.bookings;
    const leads = Array.from({ length: limit + 5 }, (_, i) => ({
      patient_phone: `01911-${String(100_000 + i)}`,
    }));

    const answers = await Promise.all(leads.map((fields) => running.world.accept(fields)));

    expect(answers.filter(({ reason }) => reason === 'source_limit')).toHaveLength(5);
  });

  it('holds a lead above its form’s limit, and sends it unchanged once a user approves it', async () => {
    const { ref, state, reason, message } = await running.world.accept(
      {},
      { over_limit: 'The form is full.' },
    );
    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(1_000);

    expect([state, reason]).toEqual(['held', 'source_limit']);
    expect(message).toContain('The form is full.');
    expect((await running.get(ref)).state).toBe('booked');
  });

  it('expires an unsent lead when its time comes, and shows it to a user', async () => {
    await running.world.pauseSending();
    const { ref } = await running.world.accept({ appointment_date: '2026-03-02', appointment_time: '15:30' });

    await running.world.advance(31 * MINUTE);

    expect((await running.get(ref)).state).toBe('expired');
    expect(await running.world.bookings.reviewItems()).toMatchObject([{ subject: ref }]);
  });

  it('leaves a lead for a past slot to a user', async () => {
    const { ref, reason } = await running.world.accept({ appointment_date: '2026-03-01' });

    await running.world.advance(5 * MINUTE);
    await running.world.bookings.edit(ref, { appointment_date: '2026-03-04' }, 'Mina');
    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(1_000);

    expect(reason).toBe('past_slot');
    expect((await running.get(ref)).state).toBe('booked');
  });

  it('holds a lead beyond a phone number’s daily limit', async () => {
    const { max_per_phone_per_day: limit } = running.world.settings.bookings;
    const answers = [];
    for (let hour = 0; hour <= limit; hour += 1)
      answers.push(await running.world.accept({ appointment_time: `${10 + hour}:00` }));

    expect(answers.filter(({ reason }) => reason === 'source_limit')).toEqual([answers.at(-1)]);
  });

  it('books nothing at the first of several clinics when a lead names none', async () => {
    const { store, clock, clinic, settings } = running.world;
    const north = { clinic, settings: { ...settings, key: 'north' } };
    const both = createBookings({
      store,
      clinics: new Map([
        ['main', { clinic, settings }],
        ['north', north],
      ]),
      sources: new Map(),
      clock,
      log: silentLog,
    });

    const { ref } = await both.accept({ source: 'main-form', fields: lead() });

    expect(await running.get(ref)).toMatchObject({ clinic: '-', state: 'held', reason: 'missing_field' });
  });

  it('requires an approval that was switched on while a lead waited for the lists', async () => {
    const { ref } = await running.world.accept({ doctor: 'Dr. O’Neil' });
    running.world.settings.bookings.approval = 'required';
    await running.mirrorDentists({ 7: 'Dr. O’Neil' });
    running.world.bookings.wake();

    await running.world.advance(2_000);

    expect(await running.get(ref)).toMatchObject({ state: 'held', reason: 'approval' });
  });

  it('uses the number of the dentist that a user chose instead', async () => {
    await running.mirrorDentists({ 7: 'Dr. O’Neil', 8: 'Dr. Ann' });
    const { ref } = await running.world.accept({ doctor_id: 7, appointment_date: '2028-03-03' });

    await running.world.bookings.edit(ref, { doctor: 'Dr. Ann' }, 'Mina');

    expect(await running.get(ref)).toMatchObject({ doctor: 'Dr. Ann', doctor_id: 8 });
  });

  it.each([
    { what: 'was cancelled', status: 'Cancelled', done: true },
    { what: 'was declined, which still is read', status: 'Declined' },
    { what: 'was moved to another time', time: '12:00' },
  ])('asks about a lead that comes again after its visit $what', async ({ what: _what, ...seen }) => {
    const first = await running.world.accept();
    await running.world.advance(1_000);
    await running.observe(first.ref, seen);

    const clicked = await running.world.accept();
    await running.world.advance(20 * MINUTE);
    const later = await running.world.accept({}, { source: 'other-form' });
    await running.world.advance(MINUTE);

    expect(clicked).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: first.ref });
    expect(clicked.message).toContain(`Since then, ${first.ref} was cancelled or moved`);
    expect(later.ref).toBe(clicked.ref);
    expect(await running.world.bookings.reviewItems()).toMatchObject([{ subject: clicked.ref }]);
    expect(running.world.clinic.posts).toHaveLength(1);
  });

  it.each([1, 20])(
    'asks about a lead that comes again after a form tool reported its cancellation %i minutes after it',
    async (minutes) => {
      const first = await running.world.accept({}, { submission_id: 'a' });
      await running.world.advance(minutes * MINUTE);
      await running.world.accept({}, { submission_id: 'a#cancelled', task: 'Cancelled at Calendly.' });

      const again = await running.world.accept({}, { submission_id: 'b' });
      await running.world.advance(MINUTE);

      expect(again).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: first.ref });
      expect(running.world.clinic.posts).toHaveLength(1);
    },
  );

  it('books a lead after the cancellation of one that never came', async () => {
    await running.world.accept({}, { submission_id: 'a#cancelled', task: 'Cancelled at Calendly.' });

    const { ref } = await running.world.accept({}, { submission_id: 'b' });
    await running.world.advance(MINUTE);

    expect(await running.get(ref)).toMatchObject({ kind: 'booking', state: 'booked' });
  });

  it('knows what an erased person sent, and loses nothing else under that id', async () => {
    const { world } = running;
    const first = await world.accept({}, { submission_id: 'contact-7' });
    await world.advance(MINUTE);
    await world.store.erase({ refs: [first.ref] }, instant(world.clock.now()), 'Mina');

    const repeated = await world.accept({}, { submission_id: 'contact-7' });
    const other = { patient_name: 'Rina Das', patient_phone: '01712345678', appointment_time: '12:00' };
    const another = await world.accept(other, { submission_id: 'contact-7' });
    const again = await world.accept(other, { submission_id: 'contact-7' });
    await world.advance(MINUTE);

    expect(repeated.ref).toBe(first.ref);
    expect(await running.get(first.ref)).toMatchObject({ patient_name: null });
    expect(another).toMatchObject({ state: 'held', reason: 'changed_submission' });
    expect(await running.get(another.ref)).toMatchObject({ patient_name: 'Rina Das' });
    expect(again.ref).toBe(another.ref);
    expect(world.clinic.posts).toHaveLength(1);
  });

  it('lets no changed submission take the place of one that is booked', async () => {
    await running.world.accept({}, { submission_id: 'a' });
    await running.world.advance(1_000);
    const { ref } = await running.world.accept({ appointment_time: '11:00' }, { submission_id: 'a' });

    await expect(running.world.bookings.take(ref, 'Mina')).rejects.toMatchObject({
      message: expect.stringContaining('is booked'),
    });
  });
});
