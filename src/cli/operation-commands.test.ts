import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import type { OperationEntry } from '../app/operations.ts';
import { actorName } from './audited.ts';
import { operationCommands } from './operation-commands.ts';

let folder: string;
let config: string;
let sandbox: Sandbox;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'operation-commands-'));
  config = join(folder, 'clinic-sync.yaml');
  sandbox = await startSandbox();
  const { app_key, secret_key } = sandbox.credentials;
  writeFileSync(
    config,
    `version: 1
clinics:
  main:
    base_url: "${sandbox.url}"
    app_key: ${app_key}
    secret_key: ${secret_key}
    timezone: Asia/Dhaka
    guards: { removed_percent: 0, removed_over: 0 }
connectors:
  crm: { use: webhook, url: "https://127.0.0.1:9/", secret: 0123456789abcdef0123456789abcdef }
store: { sqlite: ${join(folder, 'clinic.db')} }
`,
  );
  await on('sync');
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const on = (...argv: string[]) => runCommand([...argv, '--config', config]);

const answering = (line: string, ...argv: string[]) =>
  runCommand([...argv, '--config', config], undefined, async function* typed() {
    yield line;
  });

async function lead(day: number): Promise<string> {
  const when = ['--date', `2031-01-0${day}`, '--time', '10:00'];
  const { out } = await on('bookings', 'add', '--name', `Zerlina ${day}`, ...when, '--json');
  return (JSON.parse(out) as { ref: string }).ref;
}

const stateOf = async (ref: string) => {
  const { out } = await on('bookings', 'show', ref, '--json');
  return (JSON.parse(out) as { booking: { state: string } }).booking.state;
};

it('makes a command with its options, its audit row and its result of one entry', async () => {
  const asked: unknown[] = [];
  const entry: OperationEntry = {
    summary: 'Ring the clinic',
    command: 'clinics ring <clinic>',
    examples: { 'clinics ring main': 'it is late' },
    body: z.object({
      how: z.enum(['long', 'short']).meta({ description: 'How long' }),
      at_night: z.boolean().optional(),
    }),
    run: async (_context, request) => {
      asked.push(request);
      return { ok: true, message: 'It rang.', data: { rings: 1 } };
    },
  };

  const [ring] = operationCommands('clinics', { '/admin/clinics/:clinic/ring': entry });
  expect.assert(ring);
  let out = '';
  const io = {
    ...{ environment: {}, terminal: false, columns: 80, signal: new AbortController().signal },
    out: (text: string) => {
      out += text;
    },
    err: () => {},
    async *typed() {},
  };
  const given = { config, clinic: 'main', how: 'long', 'at-night': true, by: 'Mina', _: [], $0: '' };
  await ring.module(io).handler(given);
  const { out: rows } = await on('audit', '--json');

  expect(ring).toMatchObject({
    name: 'ring <clinic>',
    describe: 'Ring the clinic',
    args: {
      how: { choices: ['long', 'short'], describe: 'How long', demandOption: true },
      'at-night': { type: 'boolean' },
    },
  });
  expect(out).toBe('It rang.\n');
  expect(asked).toEqual([
    { subject: 'main', fields: { how: 'long', at_night: 'on' }, by: 'Mina', asked: {} },
  ]);
  expect(JSON.parse(rows)).toContainEqual(
    expect.objectContaining({ action: 'clinic.ring', subject: 'main', actor: actorName(), role: 'cli' }),
  );
});

it('names in a refusal the options of the command, with its help', async () => {
  const ref = await lead(1);

  const without = await on('bookings', 'resolve', ref, '--as', 'booked');
  const nobody = await on('connectors', 'pause', 'nobody');

  expect(without.code).toBe(64);
  expect(without.err).toMatch(/--appointment is missing\n.*--as booked-no-id/);
  expect(nobody.code).toBe(64);
  expect(nobody.err).toContain('Configured: crm.');
});

it('decides about many only after a yes, or with --yes where nobody can be asked', async () => {
  const refs = [await lead(2), await lead(3)];

  const alone = await on('bookings', 'approve', ...refs);
  const shown = await on('bookings', 'approve', ...refs, '--dry-run');
  const no = await answering('no', 'bookings', 'drop', ...refs);
  const states = await Promise.all(refs.map(stateOf));
  const yes = await answering('yes', 'bookings', 'drop', ...refs, '--why', 'tests');
  const again = await on('bookings', 'reopen', ...refs);

  expect([alone.code, shown.code, no.code, yes.code, again.code]).toEqual([64, 0, 1, 0, 0]);
  expect(alone.err).toMatch(/add --yes/);
  for (const ref of refs) for (const text of [alone.err, shown.out, no.err]) expect(text).toContain(ref);
  expect(alone.err + shown.out + no.err).not.toContain('Zerlina');
  expect(states).toEqual(['held', 'held']);
  expect(yes.out).toBe(refs.map((ref) => `${ref} is dropped.\n`).join(''));
});

it('shows whom an erasure is about and erases after a yes, so that a mistyped number is noticed', async () => {
  const phone = '+8801700424242';
  await on(
    'bookings',
    'add',
    '--name',
    'Omar Lee',
    '--phone',
    phone,
    '--date',
    '2031-02-01',
    '--time',
    '10:00',
  );

  const shown = await on('erase', '--phone', phone, '--dry-run');
  const alone = await on('erase', '--phone', phone);
  const no = await answering('', 'erase', '--phone', phone);
  const kept = await on('bookings', 'list', '--patient');
  const yes = await answering('yes', 'erase', '--phone', phone);
  const left = await on('bookings', 'list', '--patient');
  const { out: rows } = await on('audit', '--json');

  expect([shown.code, alone.code, no.code, yes.code]).toEqual([0, 64, 1, 0]);
  for (const text of [shown.out, alone.err, no.err, yes.err])
    expect(text).toMatch(/Omar Lee.*2031-02-01 10:00/);
  expect(kept.out).toContain('Omar Lee');
  expect(left.out).not.toContain('Omar Lee');
  const erasures = (JSON.parse(rows) as { action: string; result: string }[])
    .filter(({ action }) => action.startsWith('person.'))
    .map(({ action, result }) => `${action} ${result}`);
  expect(erasures.reverse()).toEqual([
    'person.erase.preview ok',
    'person.erase refused',
    'person.erase refused',
    'person.erase ok',
  ]);
});

it('shows what a guard holds back, and lets it through after a yes', async () => {
  sandbox.control.retireTreatment(2);
  await on('sync', 'treatments');
  const { out } = await on('guards', 'list', '--json');
  const [{ id }] = JSON.parse(out) as [{ id: string }];

  const alone = await on('guards', 'approve', id);
  const yes = await answering('yes', 'guards', 'approve', id);
  const again = await on('guards', 'approve', id, '--yes');

  expect([alone.code, yes.code, again.code]).toEqual([64, 0, 1]);
  expect(alone.err).toMatch(/^ {2}2 {2}\S/m);
  expect(yes.out).toBe('Approved: the next equal answer is recorded.\n');
  expect(again.err).toContain(`There is no open guard ${id}.`);
});

it('shows which changes a receiver would get again, and replays them after a yes', async () => {
  const alone = await on('deliveries', 'replay', 'crm', '--from', '2');
  const no = await answering('no', 'deliveries', 'replay', 'crm', '--from', '2');
  const yes = await answering('yes', 'deliveries', 'replay', 'crm', '--from', '2');

  expect([alone.code, no.code, yes.code]).toEqual([64, 1, 0]);
  expect(alone.err).toMatch(/of the changes 2–\d+ of main:\n {2}2 {2}/);
});
