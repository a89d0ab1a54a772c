import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { type Daemon, startDaemon } from './app.ts';

const TOKEN = 'form-token-of-the-test';

let folder: string;
let sandbox: Sandbox;
let receiver: Receiver;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'notifications-'));
  sandbox = await startSandbox();
  receiver = await startReceiver();
});
afterEach(async () => {
  await sandbox.close();
  await receiver[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function withDaemon(use: (daemon: Daemon) => Promise<void>): Promise<void> {
  const { app_key, secret_key } = sandbox.credentials;
  const loaded = await fromText(
    `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }
connectors:
  website: { use: web-form, token: ${TOKEN}, approval: required }
notify:
  desk: { use: slack, url: "${receiver.url}/desk", allow_networks: [127.0.0.0/8] }
  phone: { use: webhook, url: "${receiver.url}/phone", allow_networks: [127.0.0.0/8], include: [patient] }
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0, public_url: "https://ops.clinic.example/sync" }
`,
    'test.yaml',
    { environment: {}, findKind, knownKinds: kindNames },
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const daemon = await startDaemon({
    config: loaded.config,
    clock: systemClock,
    log: silentLog,
    version: '0.0.0',
  });
  try {
    await use(daemon);
  } finally {
    await daemon.stop();
  }
}

it('tells each target once that a lead waits, with a link, over restarts, and of the patient only where asked', async () => {
  await withDaemon(async ({ url }) => {
    const body = JSON.stringify({
      patient_name: 'Ann Lee',
      patient_phone: '+8801712345678',
      appointment_date: '2031-01-01',
      appointment_time: '11:00',
    });
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    await fetch(`${url}/in/website`, { method: 'POST', headers, body });
  });

  await withDaemon(async ({ parts }) => {
    await receiver.until(2);
    await until('both are stored as delivered', async () => {
      const counts = await Promise.all(
        ['notify.desk', 'notify.phone'].map((name) => parts.store.deliveries.counts(name)),
      );
      return counts.every(({ pending }) => pending === 0);
    });
  });
  await withDaemon(async (daemon) => {
    await until('everything is read', async () => (await daemon.report()).health === 'ok');
  });

  const sent = receiver.received.toSorted((a, b) => a.path.localeCompare(b.path));
  expect(sent.map(({ path }) => path)).toEqual(['/desk', '/phone']);
  expect(sent[0]?.body).toMatch(/https:\/\/ops\.clinic\.example\/sync\/bookings\/CS-/);
  expect(sent[0]?.body).not.toMatch(/Ann Lee|1712345678/);
  expect(sent[1]?.body).toContain('Ann Lee, +8801712345678');
});
