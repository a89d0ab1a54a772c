import { realpathSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../../connectors/registry.ts';
import { startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { sampleReport } from '../../../test/support/http/sample-report.ts';
import { runCommand } from '../../../test/support/run-cli.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { startDaemon } from '../../app/app.ts';
import { noteStart } from '../../app/status-report.ts';
import { fromText } from '../../config/load.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import { silentLog } from '../../platform/log.ts';
import { lockDatabase } from '../../store/sqlite/lock.ts';
import { statusText } from './status.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const plain = (_style: unknown, text: string) => text;

it('names the clinic of each part and of each question, where there are several', () => {
  const report = sampleReport(NOW);
  const [clinic] = report.clinics;
  expect.assert(clinic);

  const one = statusText({ ...report, clinics: [clinic] }, plain);
  const two = statusText({ ...report, clinics: [clinic, { ...clinic, clinic: 'south' }] }, plain);

  expect(one).not.toContain('main: ');
  expect(two).toContain('  CS-7K3Q9F  main: CS-7K3Q9F was sent');
  expect(two).toContain('south: Bright Smile Dental');
});

it('says what bookings wait for, and for how long', () => {
  const report = sampleReport(NOW);
  const [clinic] = report.clinics;
  expect.assert(clinic);
  clinic.lane = { state: 'waiting', reason: 'It is compared.', since: null, until: instant(NOW + 150_000) };

  const text = statusText({ ...report, clinics: [clinic] }, plain);

  expect(text).toContain('bookings wait, for 3 min at most: It is compared)');
});

it.each([
  ['bookings are sent', null, null],
  ['the clinic has asked us to wait; bookings are sent again in 2 min', 2 * 60_000, null],
  ['bookings are sent', -60_000, null],
  ['bookings paused: The clinic answers 401.', 2 * 60_000, 'The clinic answers 401.'],
])('says "%s"', (words, waitMs, reason) => {
  const report = sampleReport(NOW);
  const [clinic] = report.clinics;
  expect.assert(clinic);
  clinic.limiter.blocked_until = waitMs === null ? null : instant(NOW + waitMs);
  clinic.lane = { state: reason === null ? 'open' : 'paused', reason, since: null };

  const text = statusText({ ...report, clinics: [clinic] }, plain);

  expect(text).toContain(`${words})`);
});

it('says beside a daemon that starts that it does, and in doctor once why it cannot reach a clinic', async () => {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const [config, file] = [join(folder, 'clinic-sync.yaml'), join(folder, 'clinic.db')];
  const { app_key, secret_key } = sandbox.credentials;
  writeFileSync(
    config,
    `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }
store: { sqlite: ${file} }
http: { listen: "127.0.0.1:1" }
`,
  );
  const on = (...argv: string[]) => runCommand([...argv, '--config', config]);
  await on('sync');
  const store = await openTestStore(file, 'tool');
  const started = (ago: number) => noteStart(store, instant(Date.now() - ago));
  const lock = lockDatabase(realpathSync(file));
  onTestFinished(() => lock.release());

  await started(0);
  const [starting, json] = [await on('status'), await on('status', '--json')];
  await started(HOUR);
  const running = await on('status');
  const why = (kind: 'unreachable' | 'stale', subject: string, sentence: string) =>
    ({ health: 'stale', kind, clinic: 'main', subject, since: null, sentence }) as const;
  const stale = ['treatments', 'dentists'].map((poll) => why('stale', poll, `${poll} never read`));
  const gone = why('unreachable', 'unreachable', 'the clinic does not answer');
  await store.incidents.settle([gone, ...stale], instant(Date.now()));
  const doctor = await on('doctor');

  expect(starting.out).toMatch(/^The daemon is starting\./);
  expect([starting.code, JSON.parse(json.out).sentence]).toEqual([1, 'The daemon is starting.']);
  expect(running.out).not.toContain('starting');
  expect(doctor.out.match(/the running daemon says: .*/g)).toEqual([
    'the running daemon says: the clinic does not answer',
  ]);
});

it('shows in doctor what a running daemon met, until that daemon has read the replaced key files itself', {
  timeout: 60_000,
}, async () => {
  const folder = await temporaryFolder();
  const credentials = { app_key: 'first-app', secret_key: 'first-secret' };
  const sandbox = await startSandbox({ credentials });
  onTestFinished(() => sandbox.close());
  const replaceKeys = () => {
    for (const [name, key] of Object.entries(credentials)) writeFileSync(join(folder, name), key);
  };
  replaceKeys();
  const config = join(folder, 'clinic-sync.yaml');
  const yaml = `version: 1
clinics:
  main:
    base_url: "${sandbox.url}"
    app_key_file: ${join(folder, 'app_key')}
    secret_key_file: ${join(folder, 'secret_key')}
    timezone: Asia/Dhaka
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: "127.0.0.1:0" }
`;
  writeFileSync(config, yaml);
  const loaded = await fromText(yaml, config, { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const daemon = await startDaemon({
    ...{ config: loaded.config, clock: systemClock, log: silentLog, version: '0.0.0' },
  });
  onTestFinished(() => daemon.stop());
  const failures = async () => {
    const runs = await daemon.parts.store.polls.list('main');
    return runs.find(({ poll }) => poll === 'treatments')?.failures;
  };
  // Beside a poll that has already read its keys, one more is needed.
  const polled = async () => {
    await daemon.syncNow('main', 'treatments');
    return (await failures()) ?? 0;
  };
  const doctor = async () => (await runCommand(['doctor', '--config', config])).out;
  await until('treatments are read', async () => (await failures()) === 0);

  Object.assign(credentials, { app_key: 'new-app', secret_key: 'new-secret' });
  sandbox.control.revokeTokens();
  await until('the daemon is refused', async () => (await polled()) > 0);
  replaceKeys();
  const during = await doctor();
  await until('treatments are read again', async () => (await polled()) === 0);

  expect(during).toContain(`ok    ${sandbox.url} accepts the keys`);
  expect(during).toContain('the running daemon says: ');
  await until('doctor has nothing of it any more', async () => !(await doctor()).includes('daemon says: '));
  expect(await doctor()).not.toMatch(/app_key_file|secret_key_file/);
});

it('tells in doctor by the clinic’s own answers that the clocks differ: no further call is made', async () => {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { port } = new URL(sandbox.url);
  const date = new Date(Date.now() - HOUR).toUTCString();
  const unsigned: unknown[] = [];
  const server = createServer(({ url, method, headers }, response) => {
    if (headers['x-app-key'] === undefined) unsigned.push(url);
    const passed = request({ port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, { ...answer.headers, date });
      answer.pipe(response);
    });
    passed.end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { app_key, secret_key } = sandbox.credentials;
  const config = join(folder, 'clinic-sync.yaml');
  writeFileSync(
    config,
    `version: 1
clinics:
  main:
    base_url: "http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1"
    app_key: ${app_key}
    secret_key: ${secret_key}
    timezone: Asia/Dhaka
store: { sqlite: ${join(folder, 'clinic.db')} }
`,
  );

  const { out } = await runCommand(['doctor', '--config', config]);

  expect(out).toMatch(/warn {2}this machine's clock and the clinic's differ by -3[56]\d\d s/);
  expect(unsigned).toEqual([]);
});
