import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { move, sending } from '../../test/conformance/store/booking-samples.ts';
import { minute } from '../../test/conformance/store/samples.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { outcomeReader } from '../domain/bookings/status-outcome.ts';
import { type ClickIdKind, noCampaign } from '../domain/campaign.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';

const PHONE = '+8801712345678';
const outcomeOf = outcomeReader({});

/** A patient who came by an ad of each platform: the first visit was taken back and completed again, the last never was. */
async function patient() {
  const folder = await temporaryFolder();
  const [config, file] = [join(folder, 'clinic-sync.yaml'), join(folder, 'clinic.db')];
  const crm = 'use: webhook, url: "https://crm.example/hook", secret: a-secret-for-the-receiver';
  writeFileSync(
    config,
    `version: 1
clinics:
  main: { base_url: "https://c.example", app_key: a, secret_key: b, timezone: Asia/Dhaka }
  other: { base_url: "https://d.example", app_key: a, secret_key: b, timezone: Asia/Dhaka }
connectors:
  reports: { use: csv, clinics: [main], directory: ${folder}/csv, include: [hashed_contacts], conversion_name: Implant }
  elsewhere: { use: csv, clinics: [other], directory: ${folder}/other }
  crm: { ${crm}, events: ["lead.*"] }
  prices: { ${crm}, events: ["treatment.*"] }
store: { sqlite: ${file} }
`,
  );
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  const refs: string[] = [];
  const clicks: [ClickIdKind, string][] = [
    ['gclid', 'Cj0-a'],
    ['msclkid', 'ab12'],
    ['fbclid', 'IwAR0'],
    ['wbraid', 'CL1'],
    ['gclid', 'Cj0-never'],
  ];
  for (const [at, [click_id_kind, click_id]] of clicks.entries()) {
    const touch = { ...noCampaign, campaign: 'spring', click_id, click_id_kind };
    const person = { patient_phone: '01712345678', phone_e164: PHONE };
    const { ref } = await sending(store, { touch, ...person, appointment_time: `1${at}:00` });
    await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: at + 1, at: minute(2) });
    refs.push(ref);
  }
  const statusIs = (appointment_id: number, status: string, at: number) =>
    store.appointments.observe({
      ...{
        clinic: 'main',
        appointment_id,
        at: minute(at),
        next_due_at: minute(at),
        done: false,
        changes: [],
      },
      seen: {
        ...{ status, name: null, date: '2026-03-05', time: '10:30', raw: {}, outcome: outcomeOf(status) },
        visit_at: minute(at),
      },
    });
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60);
  await statusIs(1, 'Cancelled', 90);
  await statusIs(1, 'Completed', 120);
  await statusIs(5, 'Cancelled', 60);
  await store.close();
  const run = (...argv: string[]) => runCommand([...argv, '--config', config]);
  return { refs, run };
}

it('lists, when a person is erased, what each advertising platform may have imported, with its ids there', async () => {
  const { refs, run } = await patient();
  const [google = '', microsoft = '', meta = '', untracked = ''] = refs;

  const exported = JSON.parse((await run('people', 'export', '--phone', PHONE)).out);
  const { code, out } = await run('erase', '--phone', PHONE, '--yes');
  const again = await run('erase', '--phone', PHONE, '--also', google, '--yes');

  expect(code).toBe(0);
  const told = out.split('\n').filter((line) => line.includes('imported'));
  const [noon, one, two] = [60, 90, 120].map((at) => minute(at));
  const line = (platform: string, at: string | undefined, known: string, remedy: string) =>
    `  what ${platform} imported from the files of reports (csv): “Implant” of ${at}, order id ${known}; ${remedy}`;
  const hashed = ', with a hash of the phone number';
  expect(told.toSorted()).toEqual(
    [
      line('Google Ads', noon, `${google}, gclid Cj0-a${hashed}`, `the files took it back at ${one}`),
      line(
        ...(['Google Ads', two, `${google}-2, gclid Cj0-a${hashed}`] as const),
        `to take it back, upload an adjustment RETRACT of the order id ${google}-2`,
      ),
      line(
        ...(['Microsoft Advertising', noon, `${microsoft}, msclkid ab12${hashed}`] as const),
        'to take it back, upload a Retract of this click id, name and time',
      ),
      line(
        ...(['Meta', noon, `${meta}, fbclid IwAR0${hashed}`] as const),
        'Meta takes back nothing of this kind: ask there for its deletion',
      ),
      line(
        ...(['Google Ads', noon, `${untracked}, wbraid CL1`] as const),
        'Google Ads takes back nothing of this kind: ask there for its deletion',
      ),
    ].toSorted(),
  );
  expect(out).toContain(
    `campaigns and clicks that the receiver of crm (webhook) received about ${refs.toSorted().join(', ')}`,
  );
  expect(out).not.toContain('prices');
  expect(exported.advertised).toHaveLength(5);
  expect(exported.advertised).toContainEqual({
    ...{ platform: 'Google Ads', connector: 'reports', clinic: 'main', ref: google, order_id: google },
    ...{ conversion_name: 'Implant', click_id_kind: 'gclid', click_id: 'Cj0-a', with_hash: true },
    ...{ converted_at: noon, retracted_at: one },
  });
  const logged = exported.bookings.flatMap(({ changes }: { changes: { type: string }[] }) => changes);
  expect(logged.map(({ type }: { type: string }) => type)).toContain('lead.conversion_retracted');
  // Once erased, nothing is left that could name it.
  expect(again.out).not.toContain('Cj0-a');
  expect(again.out).toContain('what advertising platforms imported of the files of reports');
});
