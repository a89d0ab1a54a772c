import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { reportFigures } from '../../src/app/figures.ts';
import { outcomeReader } from '../../src/domain/bookings/outcome.ts';
import { noCampaign } from '../../src/domain/campaign.ts';
import type { ListedPrice } from '../../src/domain/clinics/fees.ts';
import { type LeadsRow, leadGroups } from '../../src/domain/clinics/report-rows.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { booking, claimNext, created, judge, minute, treatment } from '../conformance/store/samples.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { bearer, startSampleHttp } from '../support/http/http-kit.ts';
import { tables, textOf } from '../support/http/report-tables.ts';
import { sampleReport } from '../support/http/sample-report.ts';
import { runCommand } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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

async function started(names: Partial<Record<string, string>> = {}) {
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
  const report = async () => ({ ...sample, clinics: named });
  const asked: string[] = [];
  const reports: typeof store.reports = {
    ...store.reports,
    leads: (clinic, ...about) => {
      asked.push(clinic);
      return store.reports.leads(clinic, ...about);
    },
  };
  const figures = reportFigures({ store: { ...store, reports } }, clock);
  const http = await startSampleHttp({ report, store, figures }, clock);
  onTestFinished(async () => {
    await http.stop();
    await store.close();
  });
  const load = async (path: string) => {
    const answer = await fetch(http.url + path, { headers: { ...bearer, accept: 'text/html' } });
    return { answer, page: await answer.text() };
  };
  const leads = async (...argv: string[]): Promise<LeadsRow[]> => {
    const { out } = await runCommand(['report', 'leads', '--config', config, '--json', ...argv]);
    return JSON.parse(out);
  };
  const prices = async (day: string): Promise<ListedPrice[]> => {
    const { out } = await runCommand(['report', 'fees', '--on', day, '--config', config, '--json']);
    return JSON.parse(out);
  };
  return { load, leads, prices, store, clock, asked };
}

const weekdayOrMonth = (group: string, by: string) =>
  by === 'month'
    ? new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(new Date(`${group}-15`))
    : group;

it.each(leadGroups)('shows the figures of `report leads --by %s`, for each clinic', async (by) => {
  const { load, leads } = await started();
  const period = by === 'month' ? ['--from', '2025-04-01', '--to', '2026-03-31'] : ['--month', '2026-03'];

  const rows = await leads('--by', by, ...period);
  const { page } = await load(`/reports?by=${by}&month=2026-03`);

  const shown = tables(page, ': Leads');
  expect(shown).toHaveLength(2);
  expect(shown.flat().map((cells) => cells.slice(0, 10))).toEqual(
    rows.map((row) => [
      row.group === null ? 'none' : weekdayOrMonth(row.group, by),
      ...(['leads', 'booked', 'completed'] as const).map((name) => `${row[name]} (${row[`${name}_before`]})`),
      ...[row.cancelled, row.no_show, row.unknown, row.open, row.lost].map(String),
      row.value
        ? `${row.currency === 'BDT' ? row.value.toFixed(2) : row.value.toLocaleString('en')} ${row.currency}`
        : '–',
    ]),
  );
});

it('puts clinics side by side and sums them, each value in its own currency', async () => {
  const { load } = await started();

  const { page } = await load('/reports?month=2026-03');

  const [beside] = tables(page, '2 clinics together');
  const [bySource = []] = tables(page, '2 clinics together · Source');
  const total = textOf(/<tr[^>]*><th[^>]*>(?:<bdi>)?Total[\s\S]*?<\/tr>/.exec(page)?.[0] ?? '');
  expect(beside?.map(([name, leads]) => [name, leads])).toEqual([
    ['Bright Dental', '8 (2)'],
    ['tokyo', '8 (2)'],
  ]);
  expect(bySource.map(([name]) => name).sort()).toEqual(['sheet', 'website']);
  expect(total).toMatch(/^Total 16 \(4\) /);
  expect(page).toMatch(/201\.00 BDT<\/bdi> *<bdi class="amount">30,000 JPY/);
  expect(page.match(/These statuses have no meaning configured: Rätselhaft/g)).toHaveLength(2);
});

it('tells clinics of one name apart', async () => {
  const { load } = await started({ main: 'Smile', tokyo: 'Smile' });

  const { page } = await load('/reports?month=2026-03');

  const [beside] = tables(page, '2 clinics together');
  expect(beside?.map(([name]) => name)).toEqual(['Smile (main)', 'Smile (tokyo)']);
  expect(page).toContain('<option value="tokyo">Smile (tokyo)</option>');
  expect(page).toMatch(/<h2 id="clinic-tokyo">Smile \(tokyo\)<\/h2>/);
});

it('is whole without a script, and leaves nothing that a visitor typed as markup', async () => {
  const { load } = await started();

  const { page } = await load('/reports?by=campaign&month=2026-03');
  const { answer } = await load('/reports?clinic=nobody');

  expect(page).not.toContain('<script');
  expect(page).toContain('=spring&lt;b&gt;');
  expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(3);
  expect(answer.status).toBe(404);
});

it('has the month of one clinic as a file to print', async () => {
  const { load } = await started();

  const { answer, page } = await load('/reports/month.html?clinic=tokyo&month=2026-03');
  const future = await load('/reports/month.html?clinic=tokyo&month=2999-01');

  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="month-2026-03.html"');
  expect(page).toContain('Fees at the end of the month');
  expect(page).toContain('15,000');
  expect(future.answer.status).toBe(404);
});

it.each(['2026-03-01', '2026-03-02'])('lists the prices of %s as `report fees --on` does', async (day) => {
  const { load, prices } = await started();
  const said = (at: string | null) =>
    at === null
      ? ''
      : new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Dhaka' }).format(new Date(at));

  const listed = (await prices(day)).filter(({ clinic }) => clinic === 'main');
  const { page } = await load(`/fees?clinic=main&on=${day}`);

  expect(listed).toHaveLength(1);
  expect(tables(page, 'Treatments').flat()).toEqual(
    listed.map(({ name, fee, since, until }) => [
      name,
      `${Number(fee).toLocaleString('en', { minimumFractionDigits: 2 })} BDT`,
      said(since),
      said(until),
    ]),
  );
});

it('shows what one item has cost, and uses the current list for a future day', async () => {
  const { load } = await started();

  const { page } = await load('/fees/tokyo/treatment/3');
  const future = await load('/fees?clinic=tokyo&on=2999-01-01');

  expect(textOf(page)).toContain(
    'Fee of Treatment 3: 15,000 JPY → 915,000 JPY since 2 March 2026 Fee of Treatment 3: 15,000 JPY since 1 March 2026',
  );
  expect(future.page).toContain('value="2026-03-02"');
});

it('adds a clinic up once, until its log moves, a person is erased or minutes have passed', async () => {
  const { load, store, clock, asked } = await started();
  const path = '/reports?by=campaign&month=2026-03';
  const again = async () => {
    asked.length = 0;
    const { page } = await load(path);
    return { page, asked: [...asked].sort() };
  };

  const both = await Promise.all([load(path), load(path)]);
  const first = [...asked].sort();
  const quiet = await again();
  await store.bookings.accept(
    booking({ clinic: 'tokyo', received_at: minute(90), appointment_time: '19:00' }),
    judge,
  );
  const afterLead = await again();
  const [row] = (await store.mirror.rows('leads', 'main')).filter(({ campaign }) => campaign !== null);
  await store.erase({ refs: [String(row?.ref)] }, minute(91), 'Rima');
  const afterErasing = await again();
  await clock.advance(5 * 60_000);
  const later = await again();

  // The month, and the one before.
  expect(first).toEqual(['main', 'main', 'tokyo', 'tokyo']);
  expect(both[0]?.page).toBe(both[1]?.page);
  expect(quiet.asked).toEqual([]);
  expect(afterLead.asked).toEqual(['tokyo', 'tokyo']);
  expect(afterErasing.asked).toEqual(first);
  expect(afterErasing.page).not.toBe(afterLead.page);
  expect(later.asked).toEqual(first);
});
