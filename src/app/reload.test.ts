import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { startDaemon } from './app.ts';

const RIMA = 'k9Zq3vT8mWx2LpRb';
const KAMAL = 'b7Yw4nS1qTz6HdVc';
const FORM = 'm2Xc8fG5jKp9RsNa';

interface Settings {
  users: Record<string, string>;
  token: string;
  directory: string;
  treatments: string;
  limit: number;
  dropped: string;
  listen: string;
  more: string;
}

async function running() {
  const folder = mkdtempSync(join(tmpdir(), 'reload-'));
  const sandbox = await startSandbox();
  const { app_key, secret_key } = sandbox.credentials;
  const yaml = (changed: Partial<Settings>) => {
    const { users, token, directory, treatments, limit, dropped, listen, more }: Settings = {
      ...{ users: { Rima: RIMA }, token: FORM, directory: 'csv', treatments: '0 0 1 1 *', limit: 60 },
      ...{ dropped: '30d', listen: '127.0.0.1:0', more: '', ...changed },
    };
    const people = Object.entries(users).map(
      ([name, one]) => `{ name: ${name}, role: admin, token: ${one} }`,
    );
    return `version: 1
clinics:
  main:
    base_url: ${sandbox.url}
    app_key: ${app_key}
    secret_key: ${secret_key}
    timezone: Asia/Dhaka
    schedule: { treatments: "${treatments}" }
    bookings: { max_per_source_per_hour: ${limit} }
connectors:
  reports: { use: csv, directory: ${join(folder, directory)} }
  website: { use: web-form, token: ${token} }
${more}
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: "${listen}", users: [${people.join(', ')}] }
retention: { dropped: ${dropped} }
`;
  };
  const configOf = async (changed: Partial<Settings> = {}) => {
    const loaded = await fromText(yaml(changed), 'test.yaml', {
      environment: {},
      findKind,
      knownKinds: kindNames,
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    return loaded.config;
  };
  const daemon = await startDaemon({
    ...{ config: await configOf(), clock: systemClock, log: silentLog, version: '0.0.0' },
  });
  onTestFinished(async () => {
    await daemon.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  const reload = async (changed: Partial<Settings>) => daemon.reload(await configOf(changed));
  const statusOf = async (path: string, token: string, init: RequestInit = {}) =>
    (
      await fetch(`${daemon.url}${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
      })
    ).status;
  const submit = (token: string, id: number) =>
    statusOf('/in/website', token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ submission_id: `${id}`, patient_name: 'Ann', patient_phone: '+8801712345678' }),
    });
  return { folder, sandbox, daemon, reload, statusOf, submit };
}

it('lets people in and out whose tokens changed, without a restart', async () => {
  const { reload, statusOf } = await running();
  const before = [await statusOf('/metrics', RIMA), await statusOf('/metrics', KAMAL)];

  const changed = await reload({ users: { Kamal: KAMAL } });

  expect(changed).toEqual({ applied: ['http.users'], restart: [] });
  expect(before).toEqual([200, 401]);
  expect([await statusOf('/metrics', RIMA), await statusOf('/metrics', KAMAL)]).toEqual([401, 200]);
});

it('gives a form its new token without ever closing its door', async () => {
  const { reload, submit } = await running();
  let isOver = false;
  const seen = new Set<number>();
  const sending = (async () => {
    for (let id = 1; !isOver; id += 1) seen.add(await submit(FORM, id));
  })();

  const changed = await reload({ token: RIMA });
  isOver = true;
  await sending;

  expect(changed).toEqual({ applied: ['connectors.website'], restart: [] });
  expect([...seen].filter((status) => status >= 500)).toEqual([]);
  expect(await submit(FORM, 9_001)).toBe(401);
  expect(await submit(RIMA, 9_002)).toBe(200);
});

it('writes files to their new folder, and reads a resource by its new schedule', async () => {
  const { folder, daemon, reload } = await running();
  const { mirror } = daemon.parts.store;
  await until('treatments are there', async () => (await mirror.rows('treatments', 'main')).length > 0);
  const { existsSync } = await import('node:fs');

  const changed = await reload({ directory: 'elsewhere', treatments: '* * * * * *' });

  expect(changed).toEqual({ applied: ['clinics.main.schedule', 'connectors.reports'], restart: [] });
  await until('the file is in its new folder', () =>
    existsSync(join(folder, 'elsewhere', 'main', 'treatments.csv')),
  );
  const report = await daemon.report();
  expect(report.clinics[0]?.resources.find(({ poll }) => poll === 'treatments')?.interval_ms).toBe(1_000);
});

it('says what needs a restart, changes none of it, and says so again', async () => {
  const { daemon, reload, statusOf } = await running();
  const change = {
    ...{ limit: 1, listen: '127.0.0.1:1', dropped: '60d' },
    more: '  crm: { use: csv, directory: ./crm }',
  };

  const first = await reload(change);
  const second = await reload(change);

  const restart = ['clinics.main.bookings', 'connectors.crm', 'http.listen'];
  expect(first).toEqual({ applied: ['retention'], restart });
  expect(second).toEqual({ applied: [], restart });
  expect(await statusOf('/metrics', RIMA)).toBe(200);
  expect((await daemon.report()).retention?.dropped).toBe(60 * 86_400_000);
});

it('does not open the pages to strangers by taking the last user away', async () => {
  const { reload, statusOf } = await running();

  expect(await reload({ users: {} })).toEqual({ applied: [], restart: ['http.users', 'http.status'] });
  expect(await statusOf('/metrics', 'nobody')).toBe(401);
});
