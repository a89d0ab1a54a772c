import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineConnector } from '../connector.ts';
import { fromText } from './load.ts';

const door = defineConnector({
  name: 'door',
  summary: 'Takes bookings.',
  settings: z.strictObject({ named: z.boolean().default(false) }),
  secrets: [],
  clinicHint: ({ named }) => (named ? undefined : 'say named: true'),
  create: async () => ({ check: async () => [], stop: async () => {} }),
});

const clinic = (host: string, more: string) =>
  `{ base_url: "https://${host}.example/api/v1", app_key: a, secret_key: s, timezone: Asia/Dhaka${more} }`;

async function warned(lines: readonly string[]) {
  const text = ['version: 1', 'clinics:', ...lines].join('\n');
  const loaded = await fromText(text, 'test.yaml', {
    ...{ environment: {}, knownKinds: ['door'], findKind: async () => door },
  });
  if (!loaded.ok) return loaded.faults;
  return loaded.warnings.map(({ path, message, hint }) => ({ path, message, hint }));
}

it('warns of each form of several clinics whose leads name none, as it is once a second clinic is added', async () => {
  const forms = ['connectors:', '  one: { use: door, clinics: [main] }', '  two: { use: door, named: true }'];
  const main = `  main: ${clinic('first', '')}`;
  const both = [main, `  other: ${clinic('second', '')}`];

  expect(await warned([main, ...forms, '  all: { use: door }'])).toEqual([]);
  expect(await warned([...both, ...forms, '  all: { use: door }'])).toEqual([
    {
      path: 'connectors.all',
      message: 'serves 2 clinics, and nothing says which: a lead that names none is held',
      hint: 'Set clinics: [main], or say named: true.',
    },
  ]);
});

it('warns of a zone whose clocks are not those of the clinic’s country', async () => {
  expect(await warned([`  main: ${clinic('first', ', country: GB')}`])).toMatchObject([
    { path: 'clinics.main.timezone', hint: 'Its zones: Europe/London.' },
  ]);
  expect(await warned([`  main: ${clinic('first', ', country: BD')}`])).toEqual([]);
});

it('refuses backups of a database on a server, and names what makes them', async () => {
  const store = 'store: { postgres: "postgres://me@db.example/clinic" }';

  expect(
    await warned([`  main: ${clinic('first', '')}`, store, 'backup: { directory: /backup }']),
  ).toMatchObject([{ path: 'backup', hint: expect.stringContaining('pg_dump') }]);
});
