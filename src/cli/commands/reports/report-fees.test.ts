import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../../../test/support/run-cli.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { NewChange } from '../../../domain/clinics/change.ts';
import { systemClock } from '../../../platform/clock.ts';
import { silentLog } from '../../../platform/log.ts';
import { openFileStore } from '../../../store/sqlite.ts';

const treatment = (
  verb: 'created' | 'updated' | 'removed',
  id: number,
  base_fee: string,
  previous: NewChange['previous'] = null,
): NewChange => ({
  ...{ type: `treatment.${verb}`, resource: 'treatment', id: String(id), previous },
  data: { treatment_id: id, treatment_name: `=Treatment ${id}`, base_fee },
});

const currency = (now: string, previous: NewChange['previous']): NewChange => ({
  ...{ type: 'organization.updated', resource: 'organization', id: '1', previous },
  data: { care_id: 1, name: 'Clinic', currency: now },
});

/** A clinic in Dhaka (UTC+6) whose fees move around the end of March, and one in Tokyo. */
async function withFees() {
  const folder = await temporaryFolder();
  const [config, file] = [join(folder, 'clinic-sync.yaml'), join(folder, 'clinic.db')];
  const clinic = (zone: string) =>
    `{ base_url: "https://c.example", app_key: a, secret_key: b, timezone: ${zone} }`;
  writeFileSync(
    config,
    `version: 1\nclinics:\n  main: ${clinic('Asia/Dhaka')}\n  tokyo: ${clinic('Asia/Tokyo')}\nstore: { sqlite: ${file} }\n`,
  );
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  const record = (key: string, at: string, ...changes: NewChange[]) => {
    const poll = changes[0]?.resource === 'organization' ? 'organization' : 'treatments';
    const upserts = changes.map(({ id, data }) => ({ id, fields: data, raw: data, hash: at }));
    return store.mirror.record({ clinic: key, poll, at, upserts, removals: [], changes });
  };
  await record('main', '2026-03-01T00:00:00.000Z', currency('BDT', null));
  await record(
    'main',
    '2026-03-01T00:01:00.000Z',
    treatment('created', 1, '700.00'),
    treatment('created', 2, '900'),
  );
  // 23:59 and 00:01 in Dhaka.
  await record('main', '2026-03-31T17:59:00.000Z', treatment('updated', 1, '750.50', { base_fee: '700.00' }));
  await record('main', '2026-03-31T18:01:00.000Z', treatment('updated', 1, '800.00', { base_fee: '750.50' }));
  await record('main', '2026-04-02T00:00:00.000Z', treatment('removed', 2, '900'));
  await record('main', '2026-04-03T00:00:00.000Z', currency('BHD', { currency: 'BDT' }));
  await record('tokyo', '2026-03-01T00:00:00.000Z', currency('JPY', null));
  await record('tokyo', '2026-03-02T00:00:00.000Z', treatment('created', 1, '12500.00'));
  await store.close();
  return (...argv: string[]) => runCommand(['report', 'fees', ...argv, '--config', config]);
}

it('prints the prices at the end of the clinic’s own day, each with its currency’s decimals', async () => {
  const report = await withFees();

  const { code, out, err } = await report('--on', '2026-03-31');
  const { out: json } = await report('--on', '2026-03-31', '--json');

  expect(code).toBe(0);
  expect(out).toMatch(/main +Treatment +1 +=Treatment 1 +750\.50 BDT/);
  expect(out).toMatch(/main +Treatment +2 +=Treatment 2 +900\.00 BDT/);
  expect(out).toMatch(/tokyo +Treatment +1 +=Treatment 1 +12,500 JPY/);
  expect(err).toContain('main: prices at the end of 2026-03-31 (Asia/Dhaka)');
  expect(JSON.parse(json)).toMatchObject([
    { clinic: 'main', id: '1', fee: '750.50', currency: 'BDT' },
    { clinic: 'main', id: '2', fee: '900.00' },
    { clinic: 'tokyo', id: '1', fee: '12500', currency: 'JPY' },
  ]);
});

it('leaves out what was removed by then, and puts a changed currency beside the fee', async () => {
  const report = await withFees();

  const { out } = await report('--on', '2026-04-03', '--csv', '--clinic', 'main');

  expect(out).toBe(
    `clinic,kind,id,name,fee,currency,since,until\nmain,treatment,1,'=Treatment 1,800.000,BHD,2026-04-03T00:00:00.000Z,\n`,
  );
});

it('says since when anything is known, and refuses a day that has not come', async () => {
  const report = await withFees();

  const early = await report('--on', '2025-12-31', '--clinic', 'main');
  const future = await report('--on', '2999-01-01');
  const odd = await report('--on', '31.3.2026');

  expect(early).toMatchObject({ code: 0, out: 'No fee is known.\n' });
  expect(early.err).toContain('nothing is known before 2026-03-01 06:00');
  expect(future).toMatchObject({ code: 64, err: expect.stringContaining('has not come yet in Asia/Dhaka') });
  expect(odd).toMatchObject({ code: 64, err: expect.stringContaining('is not a day') });
});

it('lists every change with before and after, when it was noticed and by which poll', async () => {
  const report = await withFees();

  const { out } = await report(
    '--changes',
    '--from',
    '2026-03-31',
    '--to',
    '2026-04-03',
    '--clinic',
    'main',
    '--json',
  );

  expect(JSON.parse(out)).toMatchObject([
    {
      what: 'changed',
      poll: 'treatments',
      before: '700.00',
      after: '750.50',
      difference: '50.50',
      sequence: 4,
    },
    { what: 'changed', before: '750.50', after: '800.00', noticed_at: '2026-03-31T18:01:00.000Z' },
    { what: 'removed', id: '2', before: '900.00', after: null, sequence: 6, difference: null },
    {
      what: 'currency',
      poll: 'organization',
      before: '800.00',
      currency_before: 'BDT',
      after: '800.000',
      currency: 'BHD',
    },
  ]);
});
