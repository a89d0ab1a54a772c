import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it, onTestFinished } from 'vitest';
import { csv } from '../../connectors/csv/csv.ts';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { mirrorView } from '../../src/deliveries/view.ts';
import { silentLog } from '../../src/platform/log.ts';
import { bookingsWorld, zone } from '../support/bookings/world.ts';
import { desk } from '../support/csv/kit.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { sheetsRig } from '../support/sheets/kit.ts';
import { at } from '../support/sheets/office.ts';
import { openTestStore } from '../support/store/store-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const signal = new AbortController().signal;
const clinics = [{ clinic: 'main', timezone: zone }];
/** 19 March 2026, 10:30, as a spreadsheet counts days. */
const slot = { date: 46_100, time: 0.4375 };

it('books a lead once that comes by form, sheet and file, and gives each its booking', async () => {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const world = bookingsWorld({ store, clock, sources: ['accounts', 'reports'] });
  await world.start();
  const viewOf = (connector: string) => mirrorView({ store, connector, includePatient: false, clinics });
  const memoryOf = (connector: string) => ({
    get: (key: string) => store.keyValue.get(connector, key),
    set: (entries: Record<string, string | undefined>) => store.keyValue.set(connector, entries),
    list: (prefix: string) => store.keyValue.list(connector, prefix),
  });

  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const sheet = await sheetsRig({
    sandbox,
    clock,
    settings: { tabs: ['bookings', 'sync'] },
    desk: { ...desk(clock), port: world.bookings, memory: memoryOf('accounts') },
    instance: store.identity.instance,
  });
  const root = await temporaryFolder();
  const inbox = join(root, 'inbox');
  const files = await csv.create({
    name: 'reports',
    settings: csv.settings.parse({ directory: join(root, 'csv'), inbox }),
    clinics,
    includePatient: false,
    instance: store.identity.instance,
    bookings: world.bookings,
    memory: memoryOf('reports'),
    clock,
    log: silentLog,
    wake() {},
  });
  const rounds = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      await clock.advance(5_000);
      await sheet.connector.state.converge(await viewOf('accounts'), signal);
      await files.state?.converge(await viewOf('reports'), signal);
    }
  };
  await rounds(1);

  const form = await world.accept({
    patient_name: 'Rahim Uddin',
    appointment_date: '2026-03-19',
    appointment_time: '10:30',
  });
  const row = { patient: 'RAHIM  Uddin', phone: '+880 1712 345678', ...slot, send: true };
  for (const [name, value] of Object.entries(row))
    sandbox.control.userActions.type('Bookings', 1, at(name), value);
  await writeFile(
    join(inbox, 'leads.csv'),
    'Name,Phone,Date,Time\nrahim uddin,01712345678,2026-03-19,10:30\n',
  );
  await rounds(6);
  const stopped = world.bookings.stop();
  await clock.advance(10_000);
  await stopped;

  const told = (name: string) => sheet.shown('Bookings')[1]?.[at(name)];
  const results = parse(await readFile(join(inbox, 'results/leads.results.csv'), 'utf8'), { columns: true });
  expect(world.clinic.posts).toHaveLength(1);
  expect(await store.bookings.get(form.ref)).toMatchObject({ state: 'booked', merged: 2 });
  expect([told('ref'), told('state'), told('appointment')]).toEqual([form.ref, 'booked', 101]);
  expect(results).toMatchObject([{ ref: form.ref, state: 'booked', appointment_id: '101' }]);
});
