import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it, onTestFinished } from 'vitest';
import { mirrorView } from '../../src/deliveries/view.ts';
import { outcomeReader } from '../../src/domain/bookings/status-outcome.ts';
import { type ClickIdKind, noCampaign } from '../../src/domain/campaign.ts';
import { phoneE164 } from '../../src/domain/phone.ts';
import { DAY, MINUTE } from '../../src/platform/duration.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import {
  booking,
  claimNext,
  created,
  judge,
  minute,
  treatment,
} from '../../test/conformance/store/samples.ts';
import { desk } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { csv } from './csv.ts';

const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
const outcomeOf = outcomeReader({});

/** Converted leads of one click id of each kind, and the files of a connector beside them. */
async function exported({
  includeHashed = false,
  more = 0,
  settings = {},
  currency = null as string | null,
  phones = [] as string[],
} = {}) {
  const root = await temporaryFolder();
  const clock = fakeClock();
  const store = await openFileStore({ file: join(root, 'db'), clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const { memory, port } = desk(clock);
  const create = async () =>
    csv.create({
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
      settings: csv.settings.parse({ directory: root, conversion_name: 'Implant visit', ...settings }),
      ...{ bookings: port, memory },
    });
  let connector = await create();
  const restart = async () => {
    connector = await create();
  };
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
        parse(await readFile(join(root, `main/${name}.csv`), 'utf8'), {
          columns: true,
          // The first line of these is not that of the names.
          from_line: /^retractions-|-microsoft$/.test(name) ? 2 : 1,
        }),
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
    const typed = phones[id - 1] ?? `01712 00000${id}`;
    const phone = { patient_phone: typed, phone_e164: phoneE164(typed, 'BD') };
    const asked = booking({ touch, ...phone, appointment_time: `1${id % 10}:00`, treatment_id: 3 });
    await store.bookings.accept(asked, judge);
    const { ref = '', attempt = 1 } = (await claimNext(store, 'main', minute(1))) ?? {};
    const to = { to: 'booked', actor: 'daemon', by: 'daemon', at: minute(2), appointment_id: id } as const;
    await store.bookings.move({ ref, attempt, from: ['sending'], ...to });
    return ref;
  };
  if (currency !== null) {
    const fields = { care_id: 1, name: 'Clinic', currency };
    const thing = treatment(3, { base_fee: '1.5' });
    const change = { type: 'organization.updated', resource: 'organization', id: '1', data: fields } as const;
    const record = { clinic: 'main', at: minute(0), removals: [] };
    await store.mirror.record({
      ...{ ...record, poll: 'organization', changes: [{ ...change, previous: null }] },
      upserts: [{ id: '1', fields, raw: fields, hash: currency }],
    });
    await store.mirror.record({ ...record, poll: 'treatments', changes: [created(thing)], upserts: [thing] });
  }
  const refs = [
    await book(1, 'gclid', 'Cj0'),
    await book(2, 'msclkid', 'ab12'),
    await book(3, 'fbclid', 'IwAR0'),
    await book(4, 'wbraid', 'CL1'),
  ];
  for (let n = 0; n < more; n += 1) refs.push(await book(5 + n, 'gclid', `more${n}`));
  const text = (name: string) => readFile(join(root, `main/${name}`), 'utf8');
  const forget = async (...refs: string[]) =>
    connector.forget?.({ refs, appointments: [] }, await view(), new AbortController().signal);
  return { clock, store, restart, forget, refs, files, text, statusIs, pagesRead: () => pages };
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
    { 'Microsoft Click ID': 'ab12', 'Conversion Time': '2026-03-02 10:02:00' },
  ]);
  expect(meta).toMatchObject([{ event_name: 'Implant visit', fbc: `fb.1.${Date.parse(minute(0))}.IwAR0` }]);
  expect(after.map((row) => (row as { outcome: string }).outcome).sort()).toEqual([
    'cancelled',
    ...Array(3).fill('completed'),
  ]);
  expect(left).toHaveLength(3);
  expect(taken.map((row) => (row as { WBRAID: string }).WBRAID)).toEqual(['CL1']);
});

it('leaves out what a platform takes no more, and keeps it among all conversions', async () => {
  const { clock, files, statusIs } = await exported();
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);
  const names = ['conversions-google', 'conversions-microsoft', 'conversions-meta', 'conversions'];
  const counts = async (at: number) => {
    // No comparison of the whole file is due by this clock.
    clock.jump(at - clock.now());
    return (await files(...names)).map((rows) => rows.length);
  };
  const [lead, visit] = [Date.parse(minute(0)), Date.parse(minute(63))];

  expect(await counts(visit + 60 * DAY - MINUTE)).toEqual([2, 1, 1, 4]);
  expect(await counts(visit + 61 * DAY)).toEqual([2, 1, 0, 4]);
  expect(await counts(lead + 90 * DAY - MINUTE)).toEqual([2, 1, 0, 4]);
  expect(await counts(visit + 91 * DAY)).toEqual([0, 0, 0, 4]);
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
  expect([again, googleAgain]).toEqual([[...others, ref], ofGoogle([...others, `${ref}-2`])]);
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

it('gives a platform hashed numbers only for its own clicks, only if configured, and until the person is erased', async () => {
  const { store, forget, refs, files, statusIs } = await exported({ includeHashed: true });
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
  await forget(...refs);
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

/** As people type one number, and another that is none: spaces, dashes, local zero, digits of another script. */
const typed = [' 01712-000 001 ', '+880 (1712) 000002', '০১৭১২০০০০০৩', 'ask my sister', '00880 1712 000005'];

it.each([
  ['for programs', {}],
  ['for Excel, with semicolons', { profile: 'excel', delimiter: 'semicolon', line_ending: 'crlf' }],
  ['as workbooks', { format: 'xlsx' }],
])('are what each platform documents, whatever the other files are: %s', async (_what, settings) => {
  const { refs, files, text, statusIs } = await exported({
    ...{ includeHashed: true, currency: 'KWD', phones: typed, settings },
  });
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);
  await files();

  expect(await text('conversions-google.csv')).toBe(
    `Google Click ID,GBRAID,WBRAID,Phone Number,Conversion Name,Conversion Time,Conversion Value,Conversion Currency,Order ID
"Cj0",,,"${hashes.google}","Implant visit","2026-03-02 10:01:00+0000","1.5","KWD","${refs[0]}"
,,"CL1",,"Implant visit","2026-03-02 10:04:00+0000","1.5","KWD","${refs[3]}"
`,
  );
  expect(await text('conversions-microsoft.csv')).toBe(
    `Parameters:TimeZone=+0000
Microsoft Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency,Hashed Phone Number
"ab12","Implant visit","2026-03-02 10:02:00","1.5","KWD","${hashes.microsoft}"
`,
  );
  const seconds = Date.parse(minute(63)) / 1_000;
  expect(await text('conversions-meta.csv')).toBe(
    `event_name,event_time,action_source,fbc,value,currency,order_id,ph
"Implant visit",${seconds},"physical_store","fb.1.${Date.parse(minute(0))}.IwAR0","1.5","KWD","${refs[2]}","${hashes.meta}"
`,
  );
});

it('leave out an amount in a currency that no platform knows', async () => {
  const { files, statusIs } = await exported({ currency: 'Tk.' });
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);

  const [google, microsoft, meta, own] = await files(
    ...['conversions-google', 'conversions-microsoft', 'conversions-meta', 'conversions'],
  );

  for (const rows of [google, microsoft])
    expect(rows?.[0]).toMatchObject({ 'Conversion Value': '', 'Conversion Currency': '' });
  expect(meta?.[0]).toMatchObject({ value: '', currency: '' });
  expect(own?.[0]).toMatchObject({ value: '1.5', currency: 'TK.' });
});

const takenBack = ['retractions', 'retractions-google', 'retractions-microsoft'];

it('reports each retracted conversion to its platform once, and gives the next one a new order id', async () => {
  const { refs, files, text, statusIs, restart } = await exported();
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);
  expect(await files(...takenBack)).toEqual([[], [], []]);

  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Cancelled', 80 + id);
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'No show', 90 + id);
  await files();
  const google = `Parameters:TimeZone=+0000
Order ID,Conversion Name,Adjustment Time,Adjustment Type,Adjusted Value,Adjusted Value Currency
"${refs[0]}","Implant visit","2026-03-02 10:21:00+0000","RETRACT",,
`;
  const microsoft = `Parameters:TimeZone=+0000
Microsoft Click ID,Conversion Name,Conversion Time,Adjustment Time,Adjustment Type
"ab12","Implant visit","2026-03-02 10:02:00","2026-03-02 10:22:00","Retract"
`;
  expect(await text('retractions-google.csv')).toBe(google);
  expect(await text('retractions-microsoft.csv')).toBe(microsoft);

  await restart();
  await statusIs(1, 'Completed', 100);
  await files();
  expect(await text('retractions-google.csv')).toBe(google);
  // The completion was a slip; what comes after it takes nothing back once more.
  await statusIs(1, 'Pending', 101);
  await statusIs(1, 'Cancelled', 102);
  await statusIs(1, 'Completed', 103);
  const [own = [], again = []] = await files('retractions', 'retractions-google');
  const [now = []] = await files('conversions-google');

  // Whoever subtracts has every conversion once: Google refuses an order id that it has already seen.
  const orderIds = (rows: unknown[]) => rows.map((row) => (row as Record<string, string>)['Order ID']);
  expect(orderIds(again)).toEqual([refs[0], `${refs[0]}-2`]);
  expect(orderIds(now)).toEqual([`${refs[0]}-3`]);
  expect(own).toMatchObject([
    {
      ref: refs[0],
      click_id: 'Cj0',
      converted_at: minute(61),
      retracted_at: minute(81),
      outcome: 'cancelled',
    },
    ...[{ ref: refs[1] }, { ref: refs[2] }, { ref: refs[3] }],
    {
      ref: refs[0],
      converted_at: minute(100),
      retracted_at: minute(101),
      outcome: 'booked',
      order_id: `${refs[0]}-2`,
    },
  ]);
});

it('takes a conversion back a second after it was made at the earliest, which both platforms ask for', async () => {
  const { files, statusIs } = await exported();
  for (const id of [1, 2]) await statusIs(id, 'Completed', 60);
  // The clock was set back.
  for (const id of [1, 2]) await statusIs(id, 'Cancelled', 50);

  const [google, microsoft] = await files('retractions-google', 'retractions-microsoft');

  for (const rows of [google, microsoft])
    expect(rows?.[0]).toMatchObject({ 'Adjustment Time': expect.stringMatching(/^2026-03-02 10:00:01/) });
});

it('forgets what was taken back with its person, also when the booking grows old, and keeps the rows of others', async () => {
  const { store, refs, files, text, statusIs, forget, restart } = await exported();
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Completed', 60 + id);
  for (const id of [1, 2, 3, 4]) await statusIs(id, 'Cancelled', 80 + id);
  const [first = '', second = ''] = refs;
  await files();

  await store.erase({ refs: [first] }, minute(99), 'Rima');
  await forget(first);
  const [erased = [], google = []] = await files(...takenBack);
  await restart();
  // What becomes of the visit afterwards is no news to a platform that does not know whose it was.
  for (const status of ['Completed', 'Cancelled']) await statusIs(1, status, 110);
  const [, stillNone = []] = await files(...takenBack);
  await store.appointments.untrack('main', [1, 2, 3, 4], minute(120));
  const now = '2031-01-01T00:00:00.000Z';
  await store.prune({
    ...{ now, bookings: now, deliveries: now, observations: now, connectors: [], forgetting: [] },
  });
  await forget(...refs);
  const left = await files(...takenBack);

  expect(erased).toHaveLength(4);
  expect(erased[0]).toMatchObject({ ref: first, click_id: '', click_id_kind: '', campaign: '' });
  expect([google, stillNone]).toEqual([[], []]);
  expect(left).toEqual([[], [], []]);
  expect(await text('retractions-microsoft.csv')).not.toContain(second);
});
