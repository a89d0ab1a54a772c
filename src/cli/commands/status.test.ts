import { realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { sampleReport } from '../../../test/support/http/sample-report.ts';
import { runCommand } from '../../../test/support/run-cli.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { noteStart } from '../../app/report.ts';
import { instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
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

it('says beside a daemon that starts that it does, and doctor that it read an older key', async () => {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const [config, key, file] = ['clinic-sync.yaml', 'app.key', 'clinic.db'].map((name) => join(folder, name));
  expect.assert(config !== undefined && key !== undefined && file !== undefined);
  const { app_key, secret_key } = sandbox.credentials;
  writeFileSync(key, app_key);
  writeFileSync(
    config,
    `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key_file: ${key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }
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
  const [running, doctor] = [await on('status'), await on('doctor')];
  utimesSync(key, new Date(), new Date(Date.now() - 2 * HOUR));
  const older = await on('doctor');

  expect(starting.out).toMatch(/^The daemon is starting\./);
  expect([starting.code, JSON.parse(json.out).sentence]).toEqual([1, 'The daemon is starting.']);
  expect(running.out).not.toContain('starting');
  expect(doctor.out).toContain(
    'warn  app_key_file is newer than the running daemon, which read an older one',
  );
  expect(older.out).not.toContain('newer than the running daemon');
});
