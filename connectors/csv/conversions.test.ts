import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it, onTestFinished } from 'vitest';
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

/** Converted leads of one click id of each kind, and the files of a connector beside them. */
async function exported({ includeHashed = false, more = 0 } = {}) {
  const root = await temporaryFolder();
  const clock = fakeClock();
  const store = await openStore({ file: join(root, 'db'), clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const connector = await csv.create({
    ...{
      name: 'reports',
      clinics,
      includePatient: false,
      includeHashed,
      instance: 'test',
      clock,
      log: silentLog,
      wake() {},
    },
    settings: csv.settings.parse({ directory: root, conversion_name: 'Implant visit' }),
    ...{ bookings: desk(clock).door, memory: desk(clock).memory },
  });
  const view = () =>
    mirrorView({ store, connector: 'reports', includePatient: false, includeHashed, clinics });
  let pages = 0;
  const files = async (...names: string[]) => {
    const all = await view();
    const page: typeof all.page = (table, ...asked) => {
      if (table === 'conversions') pages += 1;
      return all.page(table, ...asked);
    };
    await connector.state?.converge({ ...all, page }, new AbortController().signal);
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
    const phone = { patient_phone: `01712 00000${id}`, phone_e164: `+880171200000${id}` };
    const asked = booking({ touch, ...phone, appointment_time: `1${id % 10}:00` });
    await store.bookings.accept(asked, QUARTER_HOUR_MS);
    const { ref = '', attempt = 1 } = (await claimNext(store, 'main', minute(1))) ?? {};
    const to = { to: 'booked', actor: 'daemon', by: 'daemon', at: minute(2), appointment_id: id } as const;
    await store.bookings.move({ ref, attempt, from: ['sending'], ...to });
    return ref;
  };
  const refs = [
    await book(1, 'gclid', 'Cj0'),
    await book(2, 'msclkid', 'ab12'),
    await book(3, 'fbclid', 'IwAR0'),
    await book(4, 'wbraid', 'CL1'),
  ];
  for (let n = 0; n < more; n += 1) refs.push(await book(5 + n, 'gclid', `more${n}`));
  return { store, connector, view, refs, files, statusIs, pagesRead: () => pages };
}

it('keeps leads and conversions current, and has for each platform the clicks of its own ads', async () => {
  const { refs, files, statusIs } = await exported();

  const [none = []] = await files('conversions');
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);
  const [leads = [], all, google, microsoft, meta] = await files(
    ...['leads', 'conversions', 'conversions-google', 'conversions-microsoft', 'conversions-meta'],
  );
  await statusIs(1, 'Cancelled', 90);
  const [after = [], left = [], taken = []] = await files('leads', 'conversions', 'conversions-google');

  expect(none).toEqual([]);
  expect(leads.map((row) => (row as { outcome: string }).outcome)).toEqual(Array(4).fill('completed'));
  expect(all).toMatchObject([
    { click_id: 'Cj0', click_id_kind: 'gclid', campaign: "'=spring", converted_at: minute(61) },
    { click_id_kind: 'msclkid' },
    { click_id_kind: 'fbclid' },
    { click_id_kind: 'wbraid' },
  ]);
  const visit = { 'Conversion Name': 'Implant visit', 'Conversion Value': '', 'Conversion Currency': '' };
  expect(google).toEqual([
    {
      ...{ 'Google Click ID': 'Cj0', GBRAID: '', WBRAID: '', ...visit },
      ...{ 'Conversion Time': '2026-03-02 10:01:00+0000', 'Order ID': refs[0] },
    },
    {
      ...{ 'Google Click ID': '', GBRAID: '', WBRAID: 'CL1', ...visit },
      ...{ 'Conversion Time': '2026-03-02 10:04:00+0000', 'Order ID': refs[3] },
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
  expect(taken.map((row) => (row as { WBRAID: string }).WBRAID)).toEqual(['CL1']);
});

it('reads only the conversions around one that was taken back or made again, and leaves the others as they are', async () => {
  const { refs, files, statusIs, pagesRead } = await exported({ more: 101 });
  for (const [index] of refs.entries()) await statusIs(index + 1, 'Completed', 60 + index);
  const names = ['conversions', 'conversions-google'] as const;
  const inFiles = async () => {
    const [all = [], google = []] = (await files(...names)) as Record<string, string>[][];
    return [all.map(({ ref }) => ref), google.map((row) => row['Order ID'])];
  };
  const [all] = await inFiles();
  const whole = pagesRead();

  await statusIs(30, 'Cancelled', 400);
  const [without, googleWithout] = await inFiles();
  await statusIs(30, 'Completed', 401);
  const [again, googleAgain] = await inFiles();
  const read = pagesRead() - whole;
  await inFiles();

  const ref = refs[29] as string;
  const others = refs.filter((one) => one !== ref);
  const ofGoogle = (some: string[]) => some.filter((one) => one !== refs[1] && one !== refs[2]);
  expect(all).toEqual(refs);
  expect([without, googleWithout]).toEqual([others, ofGoogle(others)]);
  expect([again, googleAgain]).toEqual([[...others, ref], ofGoogle([...others, ref])]);
  // Of each of the four files the page it was on, then the last, which has it now.
  expect({ whole, read }).toEqual({ whole: 4 * 3, read: 4 * (1 + 1) });
  expect(pagesRead()).toBe(whole + read);
});

/** `printf %s +8801712000001 | sha256sum`, and of the others; Meta's without the `+`. */
const hashes = {
  google: '5b1e0e80a1a3166e91e7f9f0871e6cc124b2702ac10a864211ee96b8c116729d',
  microsoft: '1e00e6412bfb8ed909f2f8d806bea0f73b299ff5611592c90bb6f3d514cd09aa',
  meta: '1eb3bfaf0d5180f5e64b460681b3156f4c239a2222e8c85f5ac9c998ffed4972',
};

it('hands a platform the hashed numbers of its own clicks, only when asked, until the person is erased', async () => {
  const { store, connector, view, refs, files, statusIs } = await exported({ includeHashed: true });
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);
  const names = [
    'conversions-google',
    'conversions-microsoft',
    'conversions-meta',
    'conversions',
    'bookings',
  ];

  const [google = [], microsoft = [], meta = [], ...own] = await files(...names);
  await store.erase({ refs }, minute(99), 'Rima');
  await connector.forget?.({ refs, appointments: [] }, await view(), new AbortController().signal);
  const left = await files(...names);

  const columnOf = (rows: unknown[], name: string) =>
    rows.map((row) => (row as Record<string, string>)[name]);
  // Who comes with a wbraid asked not to be followed.
  expect(columnOf(google, 'Phone Number')).toEqual([hashes.google, '']);
  expect(columnOf(microsoft, 'Hashed Phone Number')).toEqual([hashes.microsoft]);
  expect(columnOf(meta, 'ph')).toEqual([hashes.meta]);
  for (const hash of Object.values(hashes)) expect(JSON.stringify(own)).not.toContain(hash);
  expect(JSON.stringify([google, microsoft, meta, own])).not.toContain('171200000');
  for (const hash of Object.values(hashes)) expect(JSON.stringify(left)).not.toContain(hash);
});
