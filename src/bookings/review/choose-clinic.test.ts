import { expect, it, onTestFinished } from 'vitest';
import { scriptedClinic } from '../../../test/support/bookings/scripted-clinic.ts';
import { startBookings } from '../../../test/support/bookings/start-bookings.ts';
import { clinicSettings, lead } from '../../../test/support/bookings/world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { MINUTE } from '../../platform/duration.ts';
import { silentLog } from '../../platform/log.ts';
import { createBookings } from '../bookings.ts';

/** A form of the time before the second clinic: it names none of the two. */
async function twoClinics() {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const clinics = ['north', 'south'].map((key) => scriptedClinic(key));
  const bookings = createBookings({
    store,
    clinics: new Map(clinics.map((clinic) => [clinic.key, { clinic, settings: clinicSettings(clinic.key) }])),
    sources: new Map(),
    clock,
    log: silentLog,
  });
  await startBookings(bookings, ...clinics);
  onTestFinished(() => bookings.stop());
  const submission = { source: 'form', submission_id: 'one', fields: lead() };
  const { ref } = await bookings.accept(submission);
  const posts = () => clinics.map(({ posts }) => posts.length);
  return { clock, store, bookings, submission, ref, posts };
}

it('holds the booking at the clinic that a person chooses, and sends it there once approved', async () => {
  const { clock, store, bookings, ref, posts } = await twoClinics();

  const chosen = await bookings.edit(ref, { clinic: 'south' }, 'Mina', { send: true, undoable: true });
  await clock.advance(MINUTE);
  const before = posts();
  await bookings.approve(ref, 'Mina');
  await clock.advance(MINUTE);

  expect(chosen).toMatchObject({ clinic: 'south', state: 'held', reason: 'approval' });
  expect([before, posts()]).toEqual([
    [0, 0],
    [0, 1],
  ]);
  const totals = await store.bookings.totals('2026-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z');
  expect(totals).toMatchObject([{ source: 'form', state: 'booked', today: 1, all: 1 }]);
  expect(await store.bookings.totals('2026-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z', ['-'])).toEqual(
    [],
  );
});

it('answers the same submission with it, also once it has its clinic', async () => {
  const { bookings, store, submission, ref } = await twoClinics();
  await bookings.edit(ref, { clinic: 'south' }, 'Mina');

  expect(await bookings.accept(submission)).toMatchObject({ ref, created: false });
  expect(await store.bookings.list({})).toHaveLength(1);
});

it('asks about a booking that the chosen clinic already has for this phone and time', async () => {
  const { bookings, ref } = await twoClinics();
  const other = { source: 'desk', clinic: 'south', fields: lead({ patient_name: 'Karim Uddin' }) };
  const twin = await bookings.accept(other);

  const chosen = await bookings.edit(ref, { clinic: 'south' }, 'Mina', { send: true });

  expect(chosen).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: twin.ref });
});

it('stays with its clinic afterwards, and is given to none that is not configured', async () => {
  const { bookings, ref } = await twoClinics();

  await expect(bookings.edit(ref, { clinic: 'west' }, 'Mina')).rejects.toThrow('There is no clinic west.');
  await bookings.edit(ref, { clinic: 'south' }, 'Mina');
  await expect(bookings.edit(ref, { clinic: 'north' }, 'Mina')).rejects.toThrow(`${ref} is for south`);
  await bookings.edit(ref, { clinic: 'south', note: 'rang back' }, 'Mina');
});

it('cannot be undone, because the clinic’s files have it', async () => {
  const { bookings, ref } = await twoClinics();
  await bookings.edit(ref, { clinic: 'south' }, 'Mina', { send: true, undoable: true });

  expect(await bookings.undoable(ref)).toBeUndefined();
});

it('gets its clinic only while it is held, and stays held', async () => {
  const { store, ref } = await twoClinics();
  const by = { actor: 'person', by: 'Mina', at: '2026-03-02T10:00:00.000Z' } as const;
  const { attempt = 0 } = (await store.bookings.get(ref)) ?? {};
  const move = { ref, attempt, from: ['held'] as const, edit: { clinic: 'south' }, ...by };

  await expect(store.bookings.move({ ...move, to: 'queued' })).rejects.toThrow('stays with its clinic');
  expect(await store.bookings.get(ref)).toMatchObject({ clinic: '-', state: 'held' });
});

it('agrees with the log of either clinic, from which an erased person is gone', async () => {
  const { store, bookings, ref } = await twoClinics();
  await bookings.edit(ref, { clinic: 'south' }, 'Mina');
  const reports = () =>
    Promise.all(
      ['-', 'north', 'south'].map(async (clinic) => (await store.changes.verify(clinic, {})).differs),
    );
  const logged = async () =>
    JSON.stringify(await Promise.all(['-', 'south'].map((clinic) => store.changes.after(clinic, 0, 100))));

  const [chosen, before] = [await reports(), await logged()];
  await store.erase({ refs: [ref] }, '2026-03-02T10:00:00.000Z', 'Mina');
  const [erased, after] = [await reports(), await logged()];

  expect([chosen, erased]).toEqual([Array(3).fill(null), Array(3).fill(null)]);
  expect([before, after].map((text) => text.includes(String(lead().patient_name)))).toEqual([true, false]);
});
