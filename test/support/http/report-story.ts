import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { reportFigures } from '../../../src/app/page-data/cached-figures.ts';
import { outcomeReader } from '../../../src/domain/bookings/status-outcome.ts';
import { noCampaign } from '../../../src/domain/campaign.ts';
import type { ListedPrice } from '../../../src/domain/clinics/fees.ts';
import type { LeadsRow } from '../../../src/domain/clinics/report-columns.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, claimNext, created, judge, minute, treatment } from '../../conformance/store/samples.ts';
import { fakeClock } from '../fake-clock.ts';
import { runCommand } from '../run-cli.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { bearer, startSampleHttp } from './http-kit.ts';
import { sampleReport } from './sample-report.ts';

const clinics = [
  { clinic: 'main', name: 'Bright Dental', timezone: 'Asia/Dhaka', currency: 'BDT', fee: '100.50' },
  { clinic: 'tokyo', name: null, timezone: 'Asia/Tokyo', currency: 'JPY', fee: '15000' },
] as const;
/** The two leads of February first. */
const statuses = [
  'Completed',
  'Cancelled',
  'Completed',
  'Completed',
  'Cancelled',
  'No-Show',
  'Rätselhaft',
  'Pending',
];
const outcomeOf = outcomeReader({});
const DAYS = 24 * 60;

/** Each clinic's fee, eight leads of March and two of February; six of the eight went as far as the clinic's statuses say. */
async function fill(store: Store): Promise<void> {
  for (const { clinic, currency, fee } of clinics) {
    const fields = { care_id: 1, name: clinic, currency };
    const change = { type: 'organization.updated', resource: 'organization', id: '1', data: fields } as const;
    const thing = treatment(3, { base_fee: fee });
    const record = { clinic, at: minute(-DAYS), removals: [] };
    await store.mirror.record({
      ...{ ...record, poll: 'organization', changes: [{ ...change, previous: null }] },
      upserts: [{ id: '1', fields, raw: fields, hash: clinic }],
    });
    await store.mirror.record({ ...record, poll: 'treatments', changes: [created(thing)], upserts: [thing] });
    const dearer = treatment(3, { base_fee: `9${fee}` });
    await store.mirror.record({
      ...{ ...record, at: minute(200), poll: 'treatments', upserts: [dearer] },
      changes: [{ ...created(dearer), type: 'treatment.updated', previous: { base_fee: fee } }],
    });
    for (let n = 0; n < 10; n += 1) {
      const touch = { ...noCampaign, campaign: n % 2 ? '=spring<b>' : null, channel: 'google / cpc' };
      // 28 February, late: already March in both.
      const received_at = n < 2 ? minute(-20 * DAYS) : n === 2 ? '2026-02-28T19:00:00.000Z' : minute(n);
      const asked = {
        appointment_time: `1${n % 10}:00`,
        treatment_id: 3,
        source: n % 3 ? 'website' : 'sheet',
      };
      await store.bookings.accept(booking({ clinic, touch, received_at, ...asked }), judge);
    }
    for (const [at, status] of statuses.entries()) {
      const { ref = '', attempt = 1 } = (await claimNext(store, clinic, minute(30 + at))) ?? {};
      const appointment_id = (clinic === 'main' ? 10 : 20) + at;
      const to = {
        to: 'booked',
        actor: 'daemon',
        by: 'daemon',
        at: minute(40 + at),
        appointment_id,
      } as const;
      await store.bookings.move({ ref, attempt, from: ['sending'], ...to });
      const seen = { status, name: null, date: '2026-03-05', time: '10:30', raw: {} };
      await store.appointments.observe({
        ...{ clinic, appointment_id, at: minute(60), next_due_at: minute(60), done: false, changes: [] },
        seen: { ...seen, outcome: outcomeOf(status), visit_at: minute(60) },
      });
    }
  }
}

/** Two clinics with leads, visits and fees, their pages, and `clinic-sync report` beside them. */
export async function startedReports(names: Partial<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  const config = join(folder, 'clinic-sync.yaml');
  const file = join(folder, 'clinic.db');
  const settings = clinics.map(
    ({ clinic, timezone }) =>
      `  ${clinic}: { base_url: "https://${clinic}.example", app_key: a, secret_key: b, timezone: ${timezone} }\n`,
  );
  writeFileSync(config, `version: 1\nclinics:\n${settings.join('')}store: { sqlite: ${file} }\n`);
  const clock = fakeClock();
  const store = await openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
  await fill(store);
  const sample = sampleReport(clock.now());
  const [one] = sample.clinics;
  if (one === undefined) throw new Error('The sample has a clinic');
  const named = clinics.map((about) => ({ ...one, ...about, name: names[about.clinic] ?? about.name }));
  const status = async () => ({ ...sample, clinics: named });
  const asked: string[] = [];
  const reports: typeof store.reports = {
    ...store.reports,
    leads: (clinic, ...about) => {
      asked.push(clinic);
      return store.reports.leads(clinic, ...about);
    },
  };
  const figures = reportFigures({ store: { ...store, reports } }, clock);
  const http = await startSampleHttp({ report: status, store, figures }, clock);
  onTestFinished(async () => {
    await http.stop();
    await store.close();
  });
  const load = async (path: string) => {
    const answer = await fetch(http.url + path, { headers: { ...bearer, accept: 'text/html' } });
    return { answer, page: await answer.text() };
  };
  const report = async (...argv: string[]) => (await runCommand(['report', ...argv, '--config', config])).out;
  const leads = async (...argv: string[]): Promise<LeadsRow[]> =>
    JSON.parse(await report('leads', '--json', ...argv));
  const prices = async (day: string): Promise<ListedPrice[]> =>
    JSON.parse(await report('fees', '--on', day, '--json'));
  return { url: http.url, load, report, leads, prices, store, clock, asked };
}
