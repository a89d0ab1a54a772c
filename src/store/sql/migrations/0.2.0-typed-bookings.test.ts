import { expect, it } from 'vitest';
import { formerDatabase } from '../../../../test/support/store/former-database.ts';
import { openTestStore } from '../../../../test/support/store/store-file.ts';

/** What version 0.1.0 wrote in sentences, read into columns, by the case that a booking represents. */
async function migrated() {
  const store = await openTestStore(formerDatabase('v0.1.0'));
  const all = await store.bookings.list({});
  const of = (name: string) => {
    const found = all.find(({ submission_id }) => submission_id === name);
    expect.assert(found, name);
    return found;
  };
  return { store, of };
}

it('keeps what each booking is, and which fields could not be read', async () => {
  const { of } = await migrated();

  expect([of('task'), of('task-done'), of('held-missing')].map(({ kind }) => kind)).toEqual([
    'cancellation',
    'cancellation',
    'booking',
  ]);
  for (const name of ['held-invalid', 'held-unreadable', 'held-duplicate-unreadable', 'CS-7K3Q9G'])
    expect(of(name).unreadable_fields, name).toEqual(['booking']);
  for (const name of ['held-restored', 'CS-7K3Q9F', 'held-missing', 'held-mapping', 'task', 'queued'])
    expect(of(name).unreadable_fields, name).toEqual([]);
});

it('keeps which others a user has been shown', async () => {
  const { of } = await migrated();
  const [first, brother] = [of('unknown-told').ref, of('booked-duplicate').ref];

  expect(of('held-duplicate').acknowledged_duplicates.sort()).toEqual([first, brother].sort());
  expect(of('unknown-told').acknowledged_duplicates).toEqual([brother]);
  expect(of('unknown-none').acknowledged_duplicates).toEqual([]);
});

it.each([
  ['booked-verified', 'matches', true],
  ['booked-found', 'matches', true],
  ['booked-mismatch', 'differs', true],
  ['booked-acknowledged', 'acknowledged', true],
  ['booked-linked', 'linked', true],
  ['booked-linked-differs', 'linked', true],
  ['booked-not-found', 'not_found', false],
  ['booked-unreadable', 'unread', false],
  ['booked-unverified', undefined, false],
])('keeps that %s is compared: %s', async (name, verification, isVerified) => {
  const { store, of } = await migrated();

  expect(of(name).evidence?.verification).toBe(verification);
  expect(of(name).verified_at !== null).toBe(isVerified);
  const waiting = (await store.bookings.unverified('main')).map(({ ref }) => ref);
  expect(waiting.includes(of(name).ref)).toBe(!isVerified);
  if (name === 'booked-acknowledged') expect(of(name).evidence?.seen_by).toBe('Mina');
});

it.each(['none', 'several', 'shared', 'partly', 'nowhere'] as const)(
  'keeps that a look came to %s',
  async (verdict) => {
    const { of } = await migrated();

    expect(of(`unknown-${verdict}`).evidence?.verdict).toBe(verdict);
    expect(of('unknown-told').evidence).not.toHaveProperty('verdict');
    expect(of('unknown-told').evidence).not.toHaveProperty('told_of');
  },
);

it('keeps who resumed sending and when', async () => {
  const { store } = await migrated();

  const kept = await store.keyValue.get('bookings', 'resume:main');

  expect(JSON.parse(kept ?? '')).toEqual({ at: '2026-03-02T15:16:45.000Z', by: 'Mina Rahman' });
});
