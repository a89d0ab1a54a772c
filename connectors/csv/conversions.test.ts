import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { mirrorView } from '../../src/deliveries/view.ts';
import { type ClickIdKind, noCampaign } from '../../src/domain/campaign.ts';
import { outcomeReader } from '../../src/domain/outcome.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openStore } from '../../src/store/sqlite.ts';
import { booking, claimNext, minute, QUARTER_HOUR_MS } from '../../test/conformance/store/samples.ts';
import { desk } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { csv } from './csv.ts';

const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
const outcomeOf = outcomeReader({});

it('keeps leads and conversions current, and has for each platform the clicks of its own ads', async () => {
  const root = await temporaryFolder();
  const clock = fakeClock();
  await using store = Object.assign(
    await openStore({ file: join(root, 'db'), clock, log: silentLog, mode: 'daemon' }),
    { [Symbol.asyncDispose]: () => store.close() },
  );
  const connector = await csv.create({
    ...{
      name: 'reports',
      clinics,
      includePatient: false,
      instance: 'test',
      clock,
      log: silentLog,
      wake() {},
    },
    settings: csv.settings.parse({ directory: root, conversion_name: 'Implant visit' }),
    ...{ bookings: desk(clock).door, memory: desk(clock).memory },
  });
  const files = async (...names: string[]) => {
    const view = await mirrorView({ store, connector: 'reports', includePatient: false, clinics });
    await connector.state?.converge(view, new AbortController().signal);
    return Promise.all(
      names.map(async (name) =>
        parse(await readFile(join(root, `main/${name}.csv`), 'utf8'), { columns: true }),
      ),
    );
  };
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
  const book = async (id: number, click_id_kind: ClickIdKind, click_id: string) => {
    const touch = { ...noCampaign, campaign: '=spring', click_id, click_id_kind };
    await store.bookings.accept(booking({ touch, appointment_time: `1${id}:00` }), QUARTER_HOUR_MS);
    const { ref = '', attempt = 1 } = (await claimNext(store, 'main', minute(1))) ?? {};
    const to = { to: 'booked', actor: 'daemon', by: 'daemon', at: minute(2), appointment_id: id } as const;
    await store.bookings.move({ ref, attempt, from: ['sending'], ...to });
  };
  await book(1, 'gclid', 'Cj0');
  await book(2, 'msclkid', 'ab12');
  await book(3, 'fbclid', 'IwAR0');
  await book(4, 'wbraid', 'CL1');

  const [none = []] = await files('conversions');
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);
  const [leads = [], all, google, microsoft, meta] = await files(
    ...['leads', 'conversions', 'conversions-google', 'conversions-microsoft', 'conversions-meta'],
  );
  await statusIs(1, 'Cancelled', 90);
  const [after = [], left = [], taken] = await files('leads', 'conversions', 'conversions-google');

  expect(none).toEqual([]);
  expect(leads.map((row) => (row as { outcome: string }).outcome)).toEqual(Array(4).fill('completed'));
  expect(all).toMatchObject([
    { click_id: 'Cj0', click_id_kind: 'gclid', campaign: "'=spring", converted_at: minute(61) },
    { click_id_kind: 'msclkid' },
    { click_id_kind: 'fbclid' },
    { click_id_kind: 'wbraid' },
  ]);
  expect(google).toEqual([
    {
      'Google Click ID': 'Cj0',
      'Conversion Name': 'Implant visit',
      'Conversion Time': '2026-03-02 10:01:00+0000',
      'Conversion Value': '',
      'Conversion Currency': '',
    },
  ]);
  expect(microsoft).toMatchObject([
    { 'Microsoft Click ID': 'ab12', 'Conversion Time': '2026-03-02T10:02:00Z' },
  ]);
  expect(meta).toMatchObject([{ event_name: 'Implant visit', fbc: `fb.1.${Date.parse(minute(0))}.IwAR0` }]);
  expect(after.map((row) => (row as { outcome: string }).outcome).sort()).toEqual([
    'cancelled',
    ...Array(3).fill('completed'),
  ]);
  expect(left).toHaveLength(3);
  expect(taken).toEqual([]);
});
