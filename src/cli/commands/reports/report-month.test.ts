import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { booking } from '../../../../test/conformance/store/samples.ts';
import { runCommand } from '../../../../test/support/run-cli.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { judgeWithin } from '../../../bookings/duplicates/judge-lead.ts';
import type { NewChange } from '../../../domain/clinics/change.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { JsonObject } from '../../../platform/json.ts';
import { silentLog } from '../../../platform/log.ts';
import { openFileStore } from '../../../store/sqlite.ts';

/** A clinic in New York, whose clocks skip an hour on 8 March 2026, and one in Tokyo. */
async function withMonth() {
  const folder = await temporaryFolder();
  const [config, file] = [join(folder, 'clinic-sync.yaml'), join(folder, 'clinic.db')];
  const clinic = (zone: string) =>
    `{ base_url: "https://c.example", app_key: a, secret_key: b, timezone: ${zone} }`;
  writeFileSync(
    config,
    `version: 1\nclinics:\n  main: ${clinic('America/New_York')}\n  tokyo: ${clinic('Asia/Tokyo')}\nstore: { sqlite: ${file} }\n`,
  );
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });

  const record = (key: string, at: string, changes: NewChange[], patients?: number) => {
    const poll =
      changes.length === 0
        ? 'dentists'
        : changes[0]?.resource === 'organization'
          ? 'organization'
          : 'treatments';
    const upserts = changes.map(({ id, data }) => ({ id, fields: data, raw: data, hash: at }));
    const statistics = {
      total_users: 3,
      total_patients: patients ?? 0,
      total_appointments: 9,
      total_doctors: 2,
    };
    const figures = patients === undefined ? {} : { statistics };
    return store.mirror.record({ clinic: key, poll, at, upserts, removals: [], changes, ...figures });
  };
  const organization = (currency: string, previous: JsonObject | null = null): NewChange => ({
    ...{ type: 'organization.updated', resource: 'organization', id: '1', previous },
    data: { care_id: 1, name: `Clinic <${currency}>`, currency },
  });
  const treatment = (
    verb: 'created' | 'updated',
    id: number,
    base_fee: string,
    previous: JsonObject | null = null,
  ) =>
    ({
      ...{ type: `treatment.${verb}`, resource: 'treatment', id: String(id), previous },
      data: { treatment_id: id, treatment_name: `Treatment ${id}`, base_fee },
    }) as NewChange;
  const visit = async (
    id: number,
    at: string,
    seen: { status: string; date: string },
    previous: JsonObject,
  ) => {
    const change: NewChange = {
      ...{ type: 'appointment.updated', resource: 'appointment', id: String(id), previous },
      data: { appointment_id: id, ...seen },
    };
    await store.appointments.track('main', [id], at);
    await store.appointments.observe({
      ...{ clinic: 'main', appointment_id: id, at, next_due_at: at, done: false, changes: [change] },
      seen: { ...seen, name: 'Planted Patient', time: '10:00', raw: {} },
    });
  };
  return { store, config, record, organization, treatment, visit };
}

async function march() {
  const { store, config, record, organization, treatment, visit } = await withMonth();
  await record('main', '2026-02-10T00:00:00.000Z', [organization('USD')], 40);
  await record('main', '2026-02-10T00:01:00.000Z', [
    treatment('created', 1, '70.00'),
    treatment('created', 2, '90'),
  ]);
  // Midnight of 1 April in New York is 04:00 UTC: one change in March, the next in April.
  await record('main', '2026-04-01T03:59:00.000Z', [treatment('updated', 1, '75.5', { base_fee: '70.00' })]);
  // Its dentists were unanswered as long, to the minute.
  for (const at of ['2026-02-10T00:01:20.000Z', '2026-04-01T03:59:20.000Z']) await record('main', at, []);
  await record('main', '2026-04-01T04:01:00.000Z', [treatment('updated', 1, '80', { base_fee: '75.5' })]);
  await record('main', '2026-03-20T00:00:00.000Z', [organization('USD')], 52);
  await record('tokyo', '2026-03-05T00:00:00.000Z', [organization('JPY')], 7);
  await record('tokyo', '2026-03-05T00:01:00.000Z', [treatment('created', 1, '12500.00')]);
  await visit(
    1,
    '2026-03-12T12:00:00.000Z',
    { status: 'Completed', date: '2026-03-12' },
    { status: 'Scheduled' },
  );
  await visit(2, '2026-03-12T13:00:00.000Z', { status: 'Cancelled', date: '2026-03-31' }, { status: null });
  await visit(3, '2026-03-30T12:00:00.000Z', { status: 'Scheduled', date: '2026-03-30' }, { status: null });
  // After March was closed: it is in April now.
  await visit(
    3,
    '2026-04-02T12:00:00.000Z',
    { status: 'Scheduled', date: '2026-04-09' },
    { date: '2026-03-30' },
  );
  await store.bookings.accept(
    booking({ received_at: '2026-03-15T09:00:00.000Z', patient_name: 'Planted Patient' }),
    judgeWithin(1),
  );
  await store.bookings.accept(
    booking({ received_at: '2026-04-01T03:00:00.000Z', source: 'sheet' }),
    judgeWithin(1),
  );
  await store.bookings.accept(booking({ received_at: '2026-04-01T05:00:00.000Z' }), judgeWithin(1));
  await store.bookings.accept(
    booking({ clinic: 'tokyo', received_at: '2026-03-10T05:00:00.000Z' }),
    judgeWithin(1),
  );
  await store.close();
  return (...argv: string[]) => runCommand(['report', 'month', ...argv, '--config', config]);
}

it('has a month by each clinic’s own clock, and never adds two currencies', async () => {
  const report = await march();

  const { code, out } = await report('2026-03', '--json');

  expect(code).toBe(0);
  const { clinics, all } = JSON.parse(out);
  expect(clinics[0]).toMatchObject({
    ...{
      clinic: 'main',
      name: 'Clinic <USD>',
      from: '2026-03-01T05:00:00.000Z',
      to: '2026-04-01T04:00:00.000Z',
    },
    fees: [
      { id: '1', fee: '75.50', currency: 'USD' },
      { id: '2', fee: '90.00' },
    ],
    changes: [{ id: '1', before: '70.00', after: '75.50', difference: '5.50', poll: 'treatments' }],
    visits: [
      { status: 'Cancelled', visits: 1 },
      { status: 'Completed', visits: 1 },
    ],
    visits_total: 2,
    leads: [
      { source: 'sheet', leads: 1, booked: 0 },
      { source: 'website', leads: 1, booked: 0 },
    ],
    leads_total: { leads: 2, booked: 0, open: 2, completed: 0, value: 0, currency: null },
    // Since when is not known: there was no answer from February on.
    corrections: [{ about: 'fee', item: 'treatment 1', month: '2026-02', before: '70.00', after: '75.50' }],
  });
  expect(clinics[0].figures).toContainEqual({
    figure: 'total_patients',
    at_start: 40,
    at_end: 52,
    difference: 12,
  });
  expect(clinics[0].head).toEqual({
    sequence: expect.any(Number),
    hash: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(clinics[1]).toMatchObject({ fees: [{ fee: '12500', currency: 'JPY' }], visits_total: 0 });
  expect(all).toMatchObject({
    ...{ visits_total: 2, leads_total: { leads: 3 } },
    leads: [
      { source: 'website', leads: 2 },
      { source: 'sheet', leads: 1 },
    ],
  });
  expect(all.figures).toContainEqual({
    figure: 'total_patients',
    at_start: null,
    at_end: 59,
    difference: null,
  });
  expect(out).not.toContain('Planted');
});

it('says what was not known, and what changed later about a closed month', async () => {
  const report = await march();

  const { out: text } = await report('2026-03');
  const { out: json } = await report('2026-04', '--json', '--clinic', 'main');

  expect(text).toContain(
    'Treatments and Dentists: no answer from 2026-02-09 19:01 to 2026-03-31 23:59. What changed in between was not known before then',
  );
  expect(text).toContain('Nothing is known before 2026-03-05 09:00.');
  expect(text).toContain('Fees at the end of the month (2)');
  expect(text).toMatch(/Total +2\n/);
  expect(text).not.toContain('165.50');
  expect(JSON.parse(json).clinics[0].corrections).toEqual([
    {
      ...{ about: 'visit', item: 'appointment 3', campaign: null, month: '2026-03' },
      ...{ noticed_at: '2026-04-02T12:00:00.000Z', what: 'date' },
      ...{ before: '2026-03-30', after: '2026-04-09' },
    },
  ]);
});

it('is one page that needs nothing else, and one CSV with every total', async () => {
  const report = await march();

  const { out: page } = await report('2026-03', '--html');
  const { out: csv } = await report('2026-03', '--csv');

  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain('<h3>Visits by status</h3><p>No rows.</p>');
  expect(page).toContain('Clinic &lt;USD&gt;');
  expect(page.match(/<svg/g)).toHaveLength(9);
  expect(page).not.toMatch(/<script|src=|url\(|<link/);
  // On paper: one total at a table's end, and no page for the title alone. In the dark: letters in the page's own colour.
  expect(page).toMatch(
    /@media print \{[\s\S]*h1 \+ h2 \{\s*break-before: auto;\s*\}[\s\S]*tfoot \{\s*display: table-row-group;/,
  );
  expect(page).toMatch(/svg text \{\s*fill: currentColor;/);
  expect(page).not.toContain('Planted');
  expect(csv).toContain('main,2026-03,fees total,,,,,,,2,');
  expect(csv).toContain('main,2026-03,visits total,,,,,,,2,');
  const [german, arabic] = [
    await report('2026-03', '--html', '--language', 'de'),
    await report('2026-03', '--html', '--language', 'ar'),
  ];
  expect(german.out).toContain('75,50 USD');
  expect(german.out).toContain('Preise am Monatsende (2)');
  expect(german.out).toContain('Behandlungen und Zahnärzte: keine Antwort von 2026-02-09 19:01');
  expect(arabic.out).toContain('<html lang="ar" dir="rtl">');
  expect(csv).toMatch(/tokyo,2026-03,head,tokyo:\d+:[\w-]{43}/);
});

it('refuses a text that is not a month, and a month that has not begun', async () => {
  const report = await march();

  expect(await report('March')).toMatchObject({ code: 64, err: expect.stringContaining('write 2026-03') });
  expect(await report('2999-01')).toMatchObject({ code: 64, err: expect.stringContaining('has not begun') });
  expect(await report('2026-03', '--html', '--csv')).toMatchObject({ code: 64 });
});
