import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../../test/support/run-cli.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import { silentLog } from '../../platform/log.ts';
import { openStore } from '../../store/sqlite.ts';

/** Two visits of today and one of a hundred days ago, one of which the clinic gave a status that looks like a formula. */
async function withVisits() {
  const folder = await temporaryFolder();
  const config = join(folder, 'clinic-sync.yaml');
  const file = join(folder, 'clinic.db');
  const clinic = 'base_url: "https://c.example", app_key: a, secret_key: b, timezone: Asia/Dhaka';
  writeFileSync(config, `version: 1\nclinics: { main: { ${clinic} } }\nstore: { sqlite: ${file} }\n`);
  const store = await openStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  const now = systemClock.now();
  await store.appointments.track('main', [1, 2], instant(now));
  await store.appointments.track('main', [3], instant(now - 100 * DAY));
  await store.appointments.observe({
    ...{ clinic: 'main', appointment_id: 3, at: instant(now), next_due_at: instant(now), done: false },
    seen: { status: '=Confirmed', name: null, date: null, time: null, raw: {} },
    changes: [],
  });
  await store.close();
  return (...argv: string[]) => runCommand(['report', ...argv, '--config', config]);
}

it('tells how long visits have been open, by status', async () => {
  const report = await withVisits();

  const { code, out } = await report('appointments');
  const { out: json } = await report('appointments', '--json');

  expect(code).toBe(0);
  expect(out).toMatch(/main +\(unknown\) +2 +2 +0 +0 +0 +0 d\n/);
  expect(JSON.parse(json)).toMatchObject([
    { clinic: 'main', group: null, open: 2, days_0_7: 2 },
    { clinic: 'main', group: '=Confirmed', open: 1, days_over_90: 1, oldest_days: 100 },
  ]);
});

it('prints CSV in which nothing is a formula, with a heading even when nothing is open', async () => {
  const report = await withVisits();

  const { out } = await report('appointments', '--csv');
  const { out: bySource } = await report('appointments', '--csv', '--by', 'source');
  const both = await report('appointments', '--csv', '--json');

  expect(out.split('\n')).toEqual([
    'clinic,group,open,days_0_7,days_8_30,days_31_90,days_over_90,oldest_days',
    'main,,2,2,0,0,0,0',
    "main,'=Confirmed,1,0,0,0,1,100",
    '',
  ]);
  expect(bySource).toContain('main,,3,2,0,0,1,100');
  expect(both.code).toBe(64);
});
