import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { operations } from '../app/operations.ts';
import { auditName } from '../http/admin.ts';
import { actorName } from './audited.ts';
import { type Command, firstWord } from './command.ts';
import { load } from './commands.ts';

let folder: string;
let config: string;
let sandbox: Sandbox;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audited-'));
  config = join(folder, 'clinic-sync.yaml');
  sandbox = await startSandbox();
  writeFileSync(
    config,
    `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: "\${APP_KEY}", secret_key: "\${SECRET_KEY}", timezone: Asia/Dhaka }
connectors:
  website: { use: web-form, preset: jotform, token: "\${FORM_TOKEN}" }
store: { sqlite: ${join(folder, 'clinic.db')} }
`,
  );
  writeFileSync(
    join(folder, 'service.env'),
    `APP_KEY=${sandbox.credentials.app_key}\nSECRET_KEY="${sandbox.credentials.secret_key}"\nFORM_TOKEN=door-of-the-practice\n`,
  );
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function run(...argv: string[]) {
  const { code, out, err } = await runCommand([...argv, '--config', config]);
  return { code, text: out + err };
}
const environment = () => ['--env-file', join(folder, 'service.env')];

it('commands that only read need no secret, the others get them from --env-file', async () => {
  const without = await run('sync');
  const given = await run('sync', ...environment());

  const reads = await Promise.all(
    [['bookings', 'list'], ['changes'], ['connectors', 'list'], ['backup', join(folder, 'copy.db')]].map(
      (argv) => run(...argv),
    ),
  );
  const status = await run('status');

  expect([without.code, given.code]).toEqual([78, 0]);
  expect(reads.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(status.code).not.toBe(78);
  expect(status.text).not.toContain('quarantined');
});

/** They decide nothing and show no patient; `restore` and `migrate` write their line into the database that they make. */
const unaudited = [
  ...[
    'run',
    'demo',
    'sync',
    'verify',
    'status',
    'health',
    'doctor',
    'fleet',
    'restore',
    'report appointments',
    'report leads',
    'report fees',
    'report month',
    'completion',
    'migrate',
    'notify test',
    'openapi',
    'sandbox',
    'guards list',
    'deliveries list',
  ],
  ...['config check', 'config schema', 'config show', 'config init'],
  ...['connectors list', 'connectors kinds', 'connectors check'],
];

/** Every command that is no group, by its words. */
const every = (found: readonly Command[], words: readonly string[] = []): [string, Command][] =>
  found.flatMap((one) => {
    const named = [...words, firstWord(one)];
    return one.commands ? every(one.commands, named) : [[named.join(' '), one]];
  });

it('audits every command, or lists it as needing no line', async () => {
  const silent = every(await load()).filter(([, { audit }]) => audit === undefined);
  expect(silent.map(([name]) => name).sort()).toEqual(unaudited.sort());
});

it('audits what can be done on the pages, too, under the same name', async () => {
  const onPages = new Set(Object.keys(operations).map(auditName));
  /** Only people at this machine do these. */
  const here = ['connector.login', 'connector.repair'];

  const actions = every(await load()).flatMap(([, { audit }]) => audit?.action ?? []);
  const decisions = actions.filter((one) => /^(booking|clinic|connector|guard|silence)\./.test(one));

  expect(decisions.filter((one) => !onPages.has(one)).sort()).toEqual(here.sort());
});

it('audits reading patients before the first is shown, however the command ends', async () => {
  await run('sync', ...environment());
  const shown: unknown[] = [];

  await runCommand(['changes', '--patient', '--config', config], () => {
    const database = new Database(join(folder, 'clinic.db'), { readonly: true });
    shown.push(database.prepare('select action from audit').pluck().all());
    database.close();
  });

  expect(shown[0]).toEqual(['patients.read']);
});

it('keeps a phone number typed in place of an appointment’s number out of the audit', async () => {
  await run('sync', ...environment());

  const local = await run('appointments', 'track', '01700424242');
  const abroad = await run('appointments', 'track', '+8801700424242');
  await run('appointments', 'track', '1201', '8801700424242');
  const { text } = await run('audit', '--json');

  expect([local.code, abroad.code]).toEqual([64, 64]);
  expect((JSON.parse(text) as object[]).at(-1)).toMatchObject({ subject: '1201 (8 digits or more)' });
  expect(text).not.toContain('424242');
});

it.each(['notify.desk', 'website'])(
  'pauses and resumes %s, also where its secret is not set',
  async (name) => {
    await run('sync', ...environment());
    appendFileSync(config, `notify: { desk: { use: slack, url: "\${SLACK_URL}" } }\n`);
    const isPaused = async () =>
      new RegExp(`^${name} .* paused `, 'm').test((await run('connectors', 'list')).text);

    expect((await run('connectors', 'pause', name)).text).toContain(`${name} is paused`);
    expect(await isPaused()).toBe(true);
    expect((await run('connectors', 'resume', name)).text).toContain(`${name} is resumed`);
    expect(await isPaused()).toBe(false);
  },
);

it('commands that decide, or show patients, are in the audit, in the name of the machine’s user', async () => {
  await run('sync', ...environment());
  const added = await run(
    ...['bookings', 'add', '--name', 'Zerlina Plant', '--phone', '+8801700424242', '--json'],
    ...['--date', '2031-03-05', '--time', '10:30', ...environment()],
  );
  expect(added.text).toContain('CS-');
  const ref = /CS-\w+/.exec(added.text)?.[0] ?? '';

  await run('bookings', 'list');
  await run('bookings', 'list', '--patient');
  await run('bookings', 'show', ref);
  await run('changes');
  await run('changes', '--patient');
  await run('history', 'booking', ref);
  await run('history', 'booking', ref, '--patient');
  await run('bookings', 'take', ref);
  await run('bookings', 'drop', ref, '--why', 'Zerlina rang');
  await run('bookings', 'drop', 'CS-000000', '--why', 'no');
  await run('bookings', 'drop', 'Zerlina Plant', '--why', 'no');
  await run('connectors', 'pause', 'Zerlina');
  await run('people', 'export', '--phone', '+8801700424242');
  await run('erase', '--phone', '+8801700424242', '--dry-run');
  await run('erase', '--phone', '+8801700424242', '--yes');
  await run('audit');
  const { text } = await run('audit', '--json');

  const rows = JSON.parse(text) as Record<string, string>[];
  expect(rows.reverse().map(({ action, subject, result }) => [action, subject, result])).toEqual([
    ['booking.add', null, 'ok'],
    ['patients.read', null, 'ok'],
    ['patients.read', ref, 'ok'],
    ['patients.read', null, 'ok'],
    ['patients.read', ref, 'ok'],
    ['booking.take', ref, 'refused'],
    ['booking.drop', ref, 'ok'],
    ['booking.drop', '(none of that name)', 'refused'],
    ['booking.drop', '(none of that name)', 'refused'],
    ['connector.pause', '(none of that name)', 'refused'],
    ['patients.export', ref, 'ok'],
    ['person.erase.preview', ref, 'ok'],
    ['person.erase', ref, 'ok'],
    ['audit.read', null, 'ok'],
  ]);
  expect(new Set(rows.map(({ actor, role }) => `${actor} ${role}`))).toEqual(new Set([`${actorName()} cli`]));
  expect(text).not.toMatch(/Zerlina|424242/);
});
