import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { mirrorView } from '../../src/deliveries/view.ts';
import type { NewChange } from '../../src/domain/clinics/change.ts';
import { DAY, HOUR, MINUTE } from '../../src/platform/duration.ts';
import type { JsonObject } from '../../src/platform/json.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import { bookingsWorld, zone } from '../../test/support/bookings/world.ts';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { desk } from '../../test/support/csv/kit.ts';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { csv } from './csv.ts';

const source = 'main-form';
const signal = new AbortController().signal;
const table = async (path: string): Promise<Record<string, string>[]> =>
  parse(await readFile(path, 'utf8'), { columns: true });

async function openedStore(root: string, clock = fakeClock()) {
  const store = await openFileStore({ file: join(root, 'db'), clock, log: silentLog, mode: 'daemon' });
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

it('writes every price there was, with its currency’s decimals, over a real store', async () => {
  const root = await temporaryFolder();
  await using store = await openedStore(root);
  const clinics = [{ clinic: 'main', timezone: zone }];
  const connector = await csv.create({
    ...{ name: 'reports', settings: csv.settings.parse({ directory: root }), clinics, includePatient: false },
    ...{
      instance: store.identity.instance,
      bookings: desk(fakeClock()).port,
      memory: desk(fakeClock()).memory,
    },
    ...{ clock: fakeClock(), log: silentLog, wake() {} },
  });
  const converge = async () =>
    connector.state?.converge(
      await mirrorView({ store, connector: 'reports', includePatient: false, clinics }),
      signal,
    );
  const record = (
    poll: 'organization' | 'treatments',
    at: string,
    data: JsonObject,
    previous: JsonObject | null,
  ) => {
    const one = { id: '1', fields: data, raw: data, hash: at };
    const of =
      poll === 'organization'
        ? ['organization', 'updated']
        : ['treatment', previous === null ? 'created' : 'updated'];
    const change = { type: of.join('.'), resource: of[0], id: '1', data, previous } as NewChange;
    return store.mirror.record({ clinic: 'main', poll, at, upserts: [one], removals: [], changes: [change] });
  };
  const treatment = (base_fee: string) => ({ treatment_id: 1, treatment_name: '=Scaling', base_fee });
  const organization = (currency: string) => ({ care_id: 1, name: 'Clinic', currency });
  await record('organization', '2026-03-01T00:00:00.000Z', organization('JPY'), null);
  await record('treatments', '2026-03-02T00:00:00.000Z', treatment('1500.00'), null);
  await converge();
  await record('organization', '2026-03-03T00:00:00.000Z', organization('BHD'), { currency: 'JPY' });
  await record('treatments', '2026-03-04T00:00:00.000Z', treatment('1.5'), { base_fee: '1500.00' });
  await converge();

  expect(await table(join(root, 'main/fees.csv'))).toEqual(
    [
      ['1500', 'JPY', '2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
      ['1500.000', 'BHD', '2026-03-03T00:00:00.000Z', '2026-03-04T00:00:00.000Z'],
      ['1.500', 'BHD', '2026-03-04T00:00:00.000Z', ''],
    ].map(([fee, currency, valid_from, valid_to]) => ({
      ...{ clinic: 'main', treatment_id: '1', treatment_name: '=Scaling' },
      ...{ fee, currency, valid_from, valid_to },
    })),
  );
});

it('closes a month once, by the clinic’s clock, with every part, in its language', async () => {
  const root = await temporaryFolder();
  // 31 March, 23:00 in Dhaka.
  const clock = fakeClock('2026-03-31T17:00:00.000Z');
  await using store = await openedStore(root, clock);
  const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
  const settings = csv.settings.parse({ directory: root, archive: 'monthly', language: 'de' });
  const connector = await csv.create({
    ...{ name: 'reports', settings, clinics, includePatient: false, instance: store.identity.instance },
    ...{ bookings: desk(clock).port, memory: desk(clock).memory, clock, log: silentLog, wake() {} },
  });
  const view = () => mirrorView({ store, connector: 'reports', includePatient: false, clinics });
  await recordTreatments({ store, clock }, { 1: '1500.00' });
  await connector.state?.converge(await view(), signal);
  await clock.advance(2 * 3_600_000);

  await connector.state?.converge(await view(), signal);
  const closed = await readFile(join(root, 'main/archive/2026-03/month.csv'), 'utf8');
  await recordTreatments({ store, clock }, { 1: '1700.00' });
  await connector.state?.converge(await view(), signal);

  const archive = join(root, 'main/archive/2026-03');
  expect(await readFile(join(archive, 'month.csv'), 'utf8')).toBe(closed);
  expect(closed).toContain('"main","2026-03","fees","treatment 1"');
  expect(closed).toContain('"fees total"');
  expect(closed).toContain('"main","2026-03","head","main:1:');
  const page = await readFile(join(archive, 'month.html'), 'utf8');
  expect(page.match(/<svg/g)).toHaveLength(3);
  expect(page).toContain('Preise am Monatsende');
  expect(page).toContain('1.500,00');
  const names = await readdir(archive);
  expect(names).toEqual(expect.arrayContaining(['month.xlsx', 'fees.csv', 'manifest.json']));
  const manifest = JSON.parse(await readFile(join(archive, 'manifest.json'), 'utf8'));
  const workbook = await readFile(join(archive, 'month.xlsx'));
  expect(manifest.files['month.xlsx'].sha256).toBe(createHash('sha256').update(workbook).digest('hex'));
});

it('adds the months that ended while nothing ran, as far as their reports can still say', async () => {
  const root = await temporaryFolder();
  const clock = fakeClock('2026-03-31T17:00:00.000Z');
  await using store = await openedStore(root, clock);
  const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
  const connector = await csv.create({
    ...{ name: 'reports', settings: csv.settings.parse({ directory: root, archive: 'monthly' }) },
    ...{ clinics, includePatient: false, instance: store.identity.instance },
    ...{ bookings: desk(clock).port, memory: desk(clock).memory, clock, log: silentLog, wake() {} },
  });
  const converge = async () =>
    connector.state?.converge(
      await mirrorView({ store, connector: 'reports', includePatient: false, clinics }),
      signal,
    );
  const filesOf = (month: string) => readdir(join(root, 'main/archive', month));
  await recordTreatments({ store, clock }, { 1: '1500.00' });
  // What a person may have put there.
  await mkdir(join(root, 'main/archive/2025-12'), { recursive: true });
  await mkdir(join(root, 'main/archive/2025-99'));
  await converge();
  await clock.advance(2 * HOUR);
  await converge();

  clock.jump(65 * DAY);
  await recordTreatments({ store, clock }, { 1: '1700.00' });
  await converge();

  expect(await readdir(join(root, 'main/archive'))).toEqual([
    ...['2025-12', '2025-99'],
    ...['2026-03', '2026-04', '2026-05'],
  ]);
  expect(await filesOf('2026-04')).toContain('month.csv');
  expect(await filesOf('2026-04')).not.toContain('treatments.csv');
  expect(await filesOf('2026-05')).toContain('treatments.csv');
  const april = await readFile(join(root, 'main/archive/2026-04/month.csv'), 'utf8');
  expect(april).toContain('"main","2026-04","fees","treatment 1"');
  expect(april).toContain('1500.00');
  expect(april).not.toContain('1700.00');
});

/** A connector with an inbox over a real store. */
async function inboxOver(store: Awaited<ReturnType<typeof openedStore>>, root: string, clock: FakeClock) {
  const world = bookingsWorld({ store, clock });
  await world.start();
  const clinics = [{ clinic: 'main', timezone: zone }];
  const inbox = join(root, 'inbox');
  const connector = await csv.create({
    name: source,
    settings: csv.settings.parse({ directory: join(root, 'csv'), inbox }),
    clinics,
    includePatient: false,
    instance: store.identity.instance,
    bookings: world.bookings,
    memory: {
      get: (key) => store.keyValue.get(source, key),
      set: (entries) => store.keyValue.set(source, entries),
      list: (prefix) => store.keyValue.list(source, prefix),
    },
    clock,
    log: silentLog,
    wake() {},
  });
  const converge = async () =>
    connector.state?.converge(
      await mirrorView({ store, connector: source, includePatient: false, clinics }),
      signal,
    );
  return { world, inbox, converge };
}

it('books a dropped row at the clinic and writes back its number, over a real store', async () => {
  const clock = fakeClock();
  const root = await temporaryFolder();
  await using store = await openedStore(root, clock);
  const { world, inbox, converge } = await inboxOver(store, root, clock);
  await converge();
  await writeFile(
    join(inbox, 'leads.csv'),
    'Name,Phone,Date,Time\nPlanted Patient,01712-345678,2026-03-03,10:00\nNo Date,01712-345679,,\n',
  );

  await converge();
  await clock.advance(2_000);
  await converge();
  await clock.advance(1_000);
  await converge();
  const { written } = (await converge()) ?? {};
  const stopped = world.bookings.stop();
  await clock.advance(10_000);
  await stopped;

  expect(world.clinic.posts).toHaveLength(1);
  expect(await table(join(inbox, 'results/leads.results.csv'))).toMatchObject([
    { Name: 'Planted Patient', state: 'booked', appointment_id: '101' },
    { Name: 'No Date', state: 'held', appointment_id: '', message: expect.stringContaining('date') },
  ]);
  expect((await table(join(root, 'csv/main/bookings.csv'))).map(({ state }) => state).sort()).toEqual([
    'booked',
    'held',
  ]);
  expect((await table(join(root, 'csv/main/changes.csv'))).map(({ sequence }) => Number(sequence))).toEqual(
    (await store.changes.after('main', 0, 100)).map(({ sequence }) => sequence),
  );
  expect(await readFile(join(root, 'csv/main/changes.csv'), 'utf8')).not.toContain('Planted');
  expect(written).toEqual({});
});

/** Runs an inbox that looks into its folder, with a minute to settle. */
async function settling(store: Awaited<ReturnType<typeof openedStore>>, root: string, clock: FakeClock) {
  const { world, inbox, converge } = await inboxOver(store, root, clock);
  const settle = async () => {
    await converge();
    await clock.advance(MINUTE);
    await converge();
    await clock.advance(5_000);
    await converge();
  };
  const stop = async () => {
    const stopped = world.bookings.stop();
    await clock.advance(10_000);
    await stopped;
  };
  await converge();
  return { world, inbox, settle, stop };
}

it('holds a row that may be half written, and books it when the rest has come', async () => {
  const clock = fakeClock();
  const root = await temporaryFolder();
  await using store = await openedStore(root, clock);
  const { world, inbox, settle, stop } = await settling(store, root, clock);
  const row = 'Planted Patient,01712-345678,2026-03-03,10:00,1';
  await writeFile(join(inbox, 'leads.csv'), `Name,Phone,Date,Time,Treatment id\n${row}`);
  await settle();
  const cut = await table(join(inbox, 'results/leads.results.csv'));

  await appendFile(join(inbox, 'done/leads.csv'), '4\nOther Patient,01712-345679,2026-03-03,11:00,1\n');
  await settle();
  await stop();

  expect(cut).toMatchObject([{ state: 'held', message: expect.stringContaining('middle of its last line') }]);
  expect(world.clinic.posts.map(({ request }) => request.treatment_id).sort()).toEqual([1, 14]);
  expect(await table(join(inbox, 'results/leads.results.csv'))).toMatchObject([
    { state: 'booked' },
    { state: 'booked' },
  ]);
});

it('asks about a corrected file and books nobody twice, after days, under the name of a conflict copy', async () => {
  const clock = fakeClock();
  const root = await temporaryFolder();
  await using store = await openedStore(root, clock);
  const { world, inbox, settle, stop } = await settling(store, root, clock);
  const first = 'Planted Patient,01712-345678,2026-03-08,10:00';
  const second = 'Other Patient,01712-345679,2026-03-08,11:00';
  await writeFile(join(inbox, 'leads.csv'), `Name,Phone,Date,Time\n${first}\n${second}\n`);
  await settle();
  clock.jump(2 * DAY);

  const corrected = `Name,Phone,Date,Time\n${first.replace('10:00', '12:00')}\n${second}\n`;
  await writeFile(join(inbox, 'leads.sync-conflict-20260304-101112-ABCDEFG.csv'), corrected);
  await settle();
  await writeFile(join(inbox, 'leads.csv'), corrected.replace('11:00', '11:30'));
  await settle();
  await stop();

  expect(world.clinic.posts).toHaveLength(2);
  const held = await store.bookings.list({ states: ['held'] });
  expect(held).toHaveLength(2);
  for (const one of held)
    expect(one).toMatchObject({ reason: 'changed_submission', changed_fields: ['appointment_time'] });
  // Not of their ids, which nobody has seen.
  const sentence = (name: string) => held.find((one) => one.patient_name === name);
  const [planted, other] = [sentence('Planted Patient'), sentence('Other Patient')];
  expect(planted?.message).toContain(
    'In row 2 of leads.sync-conflict-20260304-101112-ABCDEFG.csv it has another time than ' +
      `${planted?.duplicate_of}, which is row 2 of leads.csv.`,
  );
  expect(other?.message).toContain(
    `In row 3 of leads.csv it has another time than ${other?.duplicate_of}, which is row 3 of the earlier leads.csv.`,
  );
});
