import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import { start } from './sql/migrations/0.1.0.ts';

/** A database as the first version left it. */
function firstVersion(statements: readonly string[]): string {
  const file = newStoreFile();
  const database = new Database(file);
  database.exec(
    'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL) STRICT',
  );
  for (const statement of [...start.statements, ...statements]) database.exec(statement);
  database.exec(`INSERT INTO migrations VALUES (1, 'start', '2026-01-01T00:00:00.000Z')`);
  database.exec(`INSERT INTO identity (only, instance, epoch) VALUES (1, 'first', 1)`);
  database.close();
  return file;
}

const paused = (connector: string, reason: string) =>
  `INSERT INTO connectors VALUES ('${connector}', 1, '${reason}', NULL, NULL, NULL, 9, '[]')`;

it('reads the pauses that the first version wrote as sentences', async () => {
  const file = firstVersion([
    paused('crm', 'Paused by itself: nothing could be delivered for a day (It is down.) Everything waits.'),
    paused('hub', 'paused by Mina'),
    `INSERT INTO connectors VALUES ('ok', 0, NULL, NULL, NULL, NULL, 0, '[]')`,
  ]);

  const { deliveries } = await openTestStore(file);

  expect((await deliveries.connector('crm')).pause_kind).toBe('automatic');
  expect((await deliveries.connector('hub')).pause_kind).toBe('person');
  expect((await deliveries.connector('ok')).pause_kind).toBeNull();
});

it('continues the first version’s replay counts, including a replay not yet begun', async () => {
  const file = firstVersion([
    `INSERT INTO cursors VALUES ('crm', 'main', 12), ('crm', 'north', 3), ('new', 'main', 4)`,
    `INSERT INTO memory VALUES ('deliveries', 'taken:crm:main', '12 2'), ('deliveries', 'taken:crm:north', '9 0')`,
  ]);

  const { deliveries, keyValue } = await openTestStore(file);

  expect(await deliveries.replays('crm', 'main')).toBe(2);
  expect(await deliveries.replays('crm', 'north')).toBe(1);
  expect(await deliveries.replays('new', 'main')).toBe(0);
  expect(await keyValue.list('deliveries', 'taken:')).toEqual({});
});

it('keeps the figures and the open guard of the first version, and keeps counting for it', async () => {
  const file = firstVersion([
    `INSERT INTO organization_statistics (clinic, at, total_users, total_patients, total_appointments,
       total_doctors, seen_at, raw)
     VALUES ('main', '2026-01-01T00:00:00.000Z', 4, 900, 4000, 5, '2026-01-01T06:00:00.000Z', '{}')`,
    `INSERT INTO guards (clinic, poll, kind, fingerprint, seen, count, "of", sentence, state, first_at, last_at)
     VALUES ('main', 'treatments', 'removed', 'f', 2, 4, 10, 'It would remove 4.', 'open',
       '2026-01-01T00:00:00.000Z', '2026-01-01T00:15:00.000Z')`,
  ]);

  const { guards, mirror } = await openTestStore(file);
  const former = await guards.current('main', 'treatments');
  const raised = await guards.raise(
    {
      clinic: 'main',
      poll: 'treatments',
      kind: 'removed',
      fingerprint: 'f',
      count: 4,
      of: 10,
      sentence: 'It would remove 4.',
      things: [{ id: '4', name: 'Scaling' }],
      approval_only: false,
    },
    '2026-01-01T01:00:00.000Z',
  );

  expect(former).toMatchObject({ seen: 2, things: [], approval_only: false });
  expect(raised).toMatchObject({ id: former?.id, seen: 3, first_at: '2026-01-01T00:00:00.000Z' });
  expect(await mirror.rows('organization_statistics', 'main')).toMatchObject([
    { total_users: 4, total_doctors: 5, first_seen_at: '2026-01-01T00:00:00.000Z' },
  ]);
});

it('records trouble in a database of the first version, and remembers it after the next start', async () => {
  const file = firstVersion([]);
  const first = await openTestStore(file);
  const former = await first.incidents.open();
  const cause = {
    health: 'trouble',
    kind: 'connector',
    clinic: null,
    subject: 'crm',
    sentence: 'crm is paused',
    since: null,
  } as const;
  await first.incidents.settle([cause], '2026-03-02T09:00:00.000Z');
  await first.close();

  const { incidents } = await openTestStore(file);

  expect(former).toEqual([]);
  expect(await incidents.open()).toMatchObject([{ ...cause, since: '2026-03-02T09:00:00.000Z' }]);
});

it('counts the bookings of the first version by day, by week and in total', async () => {
  const booking = (n: number, state: string, at: string) =>
    `INSERT INTO bookings (ref, clinic, source, state, attempt, merged, received_at, changed_at)
     VALUES ('CS-${n}', 'main', 'website', '${state}', 0, 0, '${at}', '${at}')`;
  const file = firstVersion([
    booking(1, 'booked', '2025-01-01T10:07:00.000Z'),
    booking(2, 'booked', '2026-02-27T23:59:59.999Z'),
    booking(3, 'held', '2026-03-02T00:00:00.000Z'),
  ]);

  const { bookings } = await openTestStore(file);

  expect(await bookings.totals('2026-03-02T00:00:00.000Z', '2026-02-24T00:00:00.000Z')).toEqual([
    { source: 'website', state: 'booked', today: 0, week: 1, all: 2 },
    { source: 'website', state: 'held', today: 1, week: 1, all: 1 },
  ]);
});

it('remembers that an expired booking was held for an unreadable field, unless it was corrected', async () => {
  const at = '2026-02-27T10:00:00.000Z';
  const booking = (
    ref: string,
    ...steps: [state: string, reason: string | null, message: string | null][]
  ) => [
    `INSERT INTO bookings (ref, clinic, source, state, attempt, merged, received_at, changed_at)
      VALUES ('${ref}', 'main', 'website', '${steps.at(-1)?.[0]}', 0, 0, '${at}', '${at}')`,
    ...steps.map(
      ([state, reason, message]) =>
        `INSERT INTO booking_events (ref, at, to_state, actor, "by", reason, message) VALUES
          ('${ref}', '${at}', '${state}', 'daemon', 'website', ${reason ? `'${reason}'` : 'NULL'}, ${message ? `'${message}'` : 'NULL'})`,
    ),
  ];
  const expired = ['expired', null, 'Its time passed before it was sent.'] as const;
  const unreadable = [
    'held',
    'invalid_field',
    'Something in it cannot be read. The dentist is odd.',
  ] as const;
  const beside = ['held', 'duplicate_suspect', 'Same as CS-1. Something in it cannot be read.'] as const;
  const file = firstVersion([
    ...booking('CS-UNREAD', [...unreadable], [...expired]),
    ...booking('CS-BESIDE', [...beside], [...expired]),
    ...booking('CS-CORRECT', [...unreadable], ['held', 'approval', 'Waits for your approval.'], [...expired]),
    ...booking('CS-QUEUED', [...unreadable], ['queued', null, null], [...expired]),
    ...booking('CS-MISSING', ['held', 'missing_field', 'The phone number is missing.'], [...expired]),
  ]);

  const { bookings } = await openTestStore(file);

  const found = await bookings.list({ states: ['expired'] });
  expect(Object.fromEntries(found.map(({ ref, unreadable_fields }) => [ref, unreadable_fields]))).toEqual({
    'CS-UNREAD': ['booking'],
    'CS-BESIDE': ['booking'],
    'CS-CORRECT': [],
    'CS-QUEUED': [],
    'CS-MISSING': [],
  });
});
