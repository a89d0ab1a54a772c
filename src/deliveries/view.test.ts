import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { patientTraces, plantPatients } from '../../test/support/daemon/planted-patients.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type MirrorView, mirrorTables } from '../connector.ts';
import { silentLog } from '../model/log.ts';
import { openStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { mirrorView } from './view.ts';

const clock = fakeClock();
let store: Store;

beforeEach(async () => {
  store = await openStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  await recordTreatments({ store, clock }, { 1: '10.00' });
  await plantPatients({ store, clock, clinic: 'main', source: 'website' });
});

afterEach(() => store.close());

const view = (includePatient: boolean, connector = 'crm') =>
  mirrorView({ store, connector, includePatient, clinics: [{ clinic: 'main', timezone: 'Asia/Dhaka' }] });

async function everything(mirror: MirrorView): Promise<string> {
  const rows = await Promise.all(mirrorTables.map((table) => mirror.rows(table, 'main')));
  return JSON.stringify([rows, await mirror.changes('main', 0, 1_000), await mirror.freshness('main')]);
}

it('shows no patient to a connector that was not given them', async () => {
  const shown = await everything(await view(false));

  expect(shown).not.toMatch(patientTraces);
  expect(shown).toContain('Treatment 1');
});

it('shows no hash over what a patient gave, to nobody', async () => {
  const [row] = await (await view(true)).rows('bookings', 'main');

  expect(row).toHaveProperty('ref');
  expect(row).not.toHaveProperty('content_hash');
  expect(row).not.toHaveProperty('evidence');
});

it('shows patients to one that was', async () => {
  expect(await everything(await view(true))).toMatch(patientTraces);
});

it('shows a source its own bookings whole, and nobody else’s', async () => {
  const own = await (await view(false, 'website')).ownBookings('main');
  const others = await (await view(false, 'crm')).ownBookings('main');

  expect(JSON.stringify(own)).toMatch(patientTraces);
  expect(others).toEqual([]);
});

it('knows the clinic before its first poll', async () => {
  const mirror = await view(false);

  expect(mirror.clinics).toEqual([
    { clinic: 'main', timezone: 'Asia/Dhaka', name: null, currency: null, currency_symbol: null },
  ]);
});

it('refuses a clinic that the connector does not serve', async () => {
  const mirror = await view(true);

  await expect(mirror.rows('treatments', 'other')).rejects.toThrow(RangeError);
});
