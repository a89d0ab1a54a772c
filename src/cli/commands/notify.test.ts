import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../../test/support/http/receiver.ts';
import { asServicesDo } from '../../../test/support/notify/services.ts';
import { runCommand } from '../../../test/support/run-cli.ts';
import { systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { openFileStore } from '../../store/sqlite.ts';

let folder: string;
let receiver: Receiver;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'notify-'));
  receiver = await startReceiver();
  receiver.answer = asServicesDo;
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await receiver[Symbol.asyncDispose]();
});

function test(targets: string, ...names: string[]) {
  const file = join(folder, 'clinic-sync.yaml');
  writeFileSync(
    file,
    `version: 1
clinics:
  main: { base_url: "https://clinic.example/api/v1", app_key: a, secret_key: s, timezone: Asia/Dhaka }
${targets}`,
  );
  return runCommand(['notify', 'test', ...names, '--config', file]);
}

it('sends one marked message to each target, and says which refused it and why', async () => {
  receiver.answer = (request, response) =>
    request.path === '/gone' ? response.writeHead(404).end() : asServicesDo(request, response);

  const { code, out } = await test(`notify:
  desk: { use: slack, url: "${receiver.url}/desk", allow_networks: [127.0.0.1] }
  phone: { use: ntfy, url: "${receiver.url}/gone", allow_networks: [127.0.0.1] }
  far: { use: teams, url: "${receiver.url}/far" }
`);

  expect(code).toBe(1);
  expect(out).toMatch(/desk\n {2}ok +It accepted the longest message.*\n {2}ok +It accepted a plain message/);
  expect(out).toMatch(/phone\n {2}FAIL +127\.0\.0\.1:\d+ answered 404\.\n +→ The address does not exist/);
  expect(out).toMatch(/far\n {2}FAIL .*private or local addresses/);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/desk', '/desk', '/gone']);
  // A second sign-in could lock an account.
  expect(receiver.received[0]?.body).toMatch(/漢字.*العربية.*😀/);
  expect(receiver.received[1]?.body).toContain('This is a test of clinic-sync');
});

it('sends the plain message also when the longest one is refused in every form, and says which arrived', async () => {
  receiver.answer = (request, response) =>
    request.body.includes('This is a test of clinic-sync')
      ? request.body.includes('漢字')
        ? response.writeHead(500).end()
        : asServicesDo(request, response)
      : response.writeHead(413).end();

  const { code, out } = await test(
    `notify:\n  desk: { use: slack, url: "${receiver.url}/desk", allow_networks: [127.0.0.1] }\n`,
  );

  expect(code).toBe(1);
  expect(out).toMatch(/FAIL +It did not get the longest message[^:]*: 127\.0\.0\.1:\d+ answered 500/);
  expect(out).toMatch(/ok +It accepted a plain message/);
});

it('counts as a try, which the status shows', async () => {
  const file = join(folder, 'clinic.db');
  await (await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' })).close();
  receiver.answer = (request, response) =>
    request.path === '/gone' ? response.writeHead(404).end() : asServicesDo(request, response);

  await test(
    `notify:
  desk: { use: slack, url: "${receiver.url}/desk", allow_networks: [127.0.0.1] }
  phone: { use: slack, url: "${receiver.url}/gone", allow_networks: [127.0.0.1] }
  it: { use: slack, url: "${receiver.url}/it", allow_networks: [127.0.0.1] }
store: { sqlite: ${file} }
`,
    'desk',
  );
  await runCommand(['notify', 'test', 'phone', '--config', join(folder, 'clinic-sync.yaml')]);
  const { out } = await runCommand(['status', '--json', '--config', join(folder, 'clinic-sync.yaml')]);

  expect(JSON.parse(out).notify).toMatchObject([
    { target: 'desk', last_proof_at: expect.any(String), last_tried_at: expect.any(String), owed: 0 },
    { target: 'phone', last_proof_at: null, last_tried_at: expect.any(String) },
    { target: 'it', last_proof_at: null, last_tried_at: null },
  ]);
});

it('sends only to the named target', async () => {
  const { code } = await test(
    `notify:
  desk: { use: slack, url: "${receiver.url}/desk", allow_networks: [127.0.0.1] }
  phone: { use: slack, url: "${receiver.url}/phone", allow_networks: [127.0.0.1] }
`,
    'phone',
  );

  expect(code).toBe(0);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/phone', '/phone']);
});

it('pings the heartbeat, too, and says what its monitor answered', async () => {
  receiver.answer = (request, response) =>
    request.path === '/gone' ? response.writeHead(404).end() : asServicesDo(request, response);
  const heartbeat = (path: string) => `notify:
  desk: { use: slack, url: "${receiver.url}/desk", allow_networks: [127.0.0.1] }
  heartbeat: { url: "${receiver.url}${path}", allow_networks: [127.0.0.1] }
`;

  const all = await test(heartbeat('/ping'));
  const alone = await test(heartbeat('/gone'), 'heartbeat');

  expect(all.code).toBe(0);
  expect(all.out).toMatch(/heartbeat\n {2}ok +It accepted the ping/);
  expect(alone.code).toBe(1);
  expect(alone.out).toMatch(/^heartbeat\n {2}FAIL +127\.0\.0\.1:\d+ answered 404/);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/desk', '/desk', '/ping', '/gone']);
});

it('says how to start without targets, and which names exist', async () => {
  const none = await test('');
  const other = await test(`notify:\n  desk: { use: slack, url: "${receiver.url}" }\n`, 'phone');

  expect([none.code, other.code]).toEqual([64, 64]);
  expect(none.err).toContain('write targets under `notify:`');
  expect(other.err).toContain('There is no target phone; configured: desk.');
});
