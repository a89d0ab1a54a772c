import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { booking, claimNext, judge } from '../../../../test/conformance/store/samples.ts';
import { runCommand } from '../../../../test/support/run-cli.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { noCampaign } from '../../../domain/campaign.ts';
import { instant, systemClock } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import { silentLog } from '../../../platform/log.ts';
import { openFileStore } from '../../../store/sqlite.ts';

/** Two visits of today and one of a hundred days ago, one of which the clinic gave a status that looks like a formula. */
async function withVisits() {
  const folder = await temporaryFolder();
  const config = join(folder, 'clinic-sync.yaml');
  const file = join(folder, 'clinic.db');
  const clinic = 'base_url: "https://c.example", app_key: a, secret_key: b, timezone: Asia/Dhaka';
  writeFileSync(config, `version: 1\nclinics: { main: { ${clinic} } }\nstore: { sqlite: ${file} }\n`);
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
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

it('shows how long visits have been open, by status', async () => {
  const report = await withVisits();

  const { code, out, err } = await report('appointments');
  const { out: json } = await report('appointments', '--json');

  expect(code).toBe(0);
  expect(out).toMatch(/main +not known +2 +2 +2 +0 +0 +0 +0 days\n/);
  expect(out).toMatch(/main +Total +3 +3 +2 +0 +0 +1 +100 days\n/);
  expect(err).toMatch(/^Open on \d{4}-\d\d-\d\d by the clinic’s calendar; days since they were booked\.$/m);
  expect(JSON.parse(json)).toMatchObject([
    { clinic: 'main', group: null, visits: 2, open: 2, days_0_7: 2 },
    { clinic: 'main', group: '=Confirmed', open: 1, days_over_90: 1, oldest_days: 100 },
  ]);
});

it('prints CSV in which nothing is a formula, with a heading even when nothing is open', async () => {
  const report = await withVisits();

  const { out } = await report('appointments', '--csv');
  const { out: bySource } = await report('appointments', '--csv', '--by', 'source');
  const both = await report('appointments', '--csv', '--json');

  expect(out.split('\n')).toEqual([
    'clinic,group,visits,open,days_0_7,days_8_30,days_31_90,days_over_90,oldest_days',
    'main,,2,2,2,0,0,0,0',
    "main,'=Confirmed,1,1,0,0,0,1,100",
    '',
  ]);
  expect(bySource).toContain('main,,3,3,2,0,0,1,100');
  expect(both.code).toBe(64);
});

/** Leads of two campaigns and two months on the clinic's wall clock, one of which was completed. */
async function withLeads() {
  const folder = await temporaryFolder();
  const config = join(folder, 'clinic-sync.yaml');
  const file = join(folder, 'clinic.db');
  const clinic = 'base_url: "https://c.example", app_key: a, secret_key: b, timezone: Asia/Dhaka';
  writeFileSync(config, `version: 1\nclinics: { main: { ${clinic} } }\nstore: { sqlite: ${file} }\n`);
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  const lead = (campaign: string, received_at: string) =>
    store.bookings.accept(
      booking({ received_at, touch: { ...noCampaign, campaign, channel: 'google / cpc' } }),
      judge,
    );
  await lead('=spring', '2026-03-31T17:59:00.000Z');
  // One minute later it is April in Dhaka.
  await lead('=spring', '2026-03-31T18:00:00.000Z');
  await lead('autumn', '2026-04-30T17:59:00.000Z');
  const claimed = await claimNext(store, 'main', '2026-05-01T00:00:00.000Z');
  const at = '2026-05-02T00:00:00.000Z';
  await store.bookings.move({
    ...{ ref: claimed?.ref ?? '', attempt: 1, from: ['sending'], to: 'booked', appointment_id: 7 },
    ...{ actor: 'daemon', by: 'daemon', at },
  });
  await store.appointments.observe({
    ...{ clinic: 'main', appointment_id: 7, at, next_due_at: at, done: false, changes: [] },
    seen: { status: 'Seltsam', name: null, date: '2026-05-02', time: '10:00', raw: {}, outcome: 'unknown' },
  });
  await store.close();
  return (...argv: string[]) => runCommand(['report', 'leads', ...argv, '--config', config]);
}

it('shows what became of a month’s leads, by the clinic’s clock, beside the month before', async () => {
  const report = await withLeads();

  const { code, out, err } = await report('--by', 'campaign', '--month', '2026-04');
  const { out: json } = await report('--by', 'campaign', '--month', '2026-04', '--json');
  const { out: csv } = await report('--by', 'campaign', '--month', '2026-04', '--csv');

  expect(code).toBe(0);
  expect(out).toMatch(/main +=spring +1 \(1\) +0 \(1\)/);
  expect(err).toContain('Leads received 2026-04-01 to 2026-04-30; in brackets: the period before.');
  expect(err).toContain('These statuses have no meaning configured: main: Seltsam');
  expect(JSON.parse(json)).toMatchObject([
    { group: '=spring', leads: 1, booked: 0, leads_before: 1, booked_before: 1 },
    { group: 'autumn', leads: 1, booked: 0, leads_before: 0 },
  ]);
  expect(csv).toContain("main,'=spring,1,0,0");
});

it('counts beside the month before what came only then, too, and adds both up for people', async () => {
  const report = await withLeads();

  const { out, err } = await report('--by', 'campaign', '--month', '2026-05');
  const { out: json } = await report('--by', 'campaign', '--month', '2026-05', '--json');
  const { out: months } = await report('--by', 'month', '--from', '2026-02-01', '--to', '2026-06-30');
  const { out: none } = await report('--month', '2026-07');
  const both = await report('--month', '2026-05', '--from', '2026-05-01');
  const backwards = await report('--from', '2026-05-02', '--to', '2026-05-01');

  expect(err).toContain('Leads received 2026-05-01 to 2026-05-31');
  expect(out).toMatch(
    /main +=spring +0 \(1\) +0 \(0\).*\nmain +autumn +0 \(1\).*\nmain +Total +0 \(2\) +0 \(0\)/,
  );
  expect(JSON.parse(json)).toMatchObject([
    { group: '=spring', leads: 0, leads_before: 1, value: 0 },
    { group: 'autumn', leads: 0, leads_before: 1 },
  ]);
  expect(months).toMatch(/main +Total +3 +1 +0 /);
  expect(none).toBe('No leads received 2026-07-01 to 2026-07-31, nor in the period before.\n');
  expect([both.code, backwards.code]).toEqual([64, 64]);
});

it('lists months in order, each beside the one before', async () => {
  const report = await withLeads();

  const { out: months } = await report(
    '--by',
    'month',
    '--from',
    '2026-03-01',
    '--to',
    '2026-04-30',
    '--json',
  );
  const wrong = await report('--month', 'March');

  expect(JSON.parse(months)).toMatchObject([
    { group: '2026-03', leads: 1, booked: 1, unknown: 1, completed: 0, leads_before: 0 },
    { group: '2026-04', leads: 2, booked: 0, leads_before: 1, booked_before: 1 },
  ]);
  expect(wrong.code).toBe(64);
});
