import { expect, it } from 'vitest';
import { minute, session } from '../../../../test/conformance/store/samples.ts';
import { accept, alterFile, newStoreFile, openTestStore } from '../../../../test/support/store/store-file.ts';
import type { AuditEntry } from '../../../domain/audit.ts';

const entry: AuditEntry = {
  at: minute(0),
  actor: 'Rima',
  role: 'desk',
  action: 'booking.drop',
  subject: null,
  result: 'ok',
  address: null,
};

/** A store whose database fails as soon as it writes to `table`, and a person who drops a booking. */
async function failingAt(table: string) {
  const file = newStoreFile();
  const store = await openTestStore(file);
  const { ref } = (await accept(store)).booking;
  alterFile(
    file,
    `CREATE TRIGGER no_room BEFORE INSERT ON ${table} WHEN ${table === 'audit' ? "NEW.result = 'ok'" : 'true'}
      BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  const drop = () =>
    store.bookings.move({
      ref,
      attempt: 0,
      from: ['queued'],
      to: 'dropped',
      actor: 'person',
      by: 'Rima',
      at: minute(1),
    });
  const dropping = store.audit.perform(entry, drop, { refused: () => 'refused', lost: () => {} });
  await expect(dropping).rejects.toMatchObject({ name: 'Failure' });
  const results = (await store.audit.list({ limit: 9 })).map(({ result }) => result);
  return { booking: await store.bookings.get(ref), results };
}

it('an action whose audit row cannot be written does not happen', async () => {
  const { booking, results } = await failingAt('audit');

  expect(booking?.state).toBe('queued');
  expect(results).toEqual(['refused']);
});

it('a failed action leaves no row that says it succeeded', async () => {
  const { booking, results } = await failingAt('changes');

  expect(booking?.state).toBe('queued');
  expect(results).toEqual(['refused']);
});

it('sessions that end together all end, with their audit row, or none does', async () => {
  const file = newStoreFile();
  const store = await openTestStore(file);
  for (const id of ['a', 'b']) await store.sessions.start(session(id));
  alterFile(
    file,
    "CREATE TRIGGER stuck BEFORE DELETE ON sessions WHEN OLD.id = 'b' BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );

  const ending = store.audit.perform(entry, () => store.sessions.end(['a', 'b']), {
    refused: () => 'refused',
    lost: () => {},
  });

  await expect(ending).rejects.toMatchObject({ name: 'Failure' });
  expect(await store.sessions.get('a')).toBeDefined();
  expect((await store.audit.list({ limit: 9 })).map(({ result }) => result)).toEqual(['refused']);
});
