import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { startDaemon } from './app.ts';

/** One daemon with the clinics `north` and `south`, each behind a server of its own. */
async function twoClinics() {
  const folder = await temporaryFolder();
  const north = await startSandbox();
  const south = await startSandbox();
  onTestFinished(() => Promise.all([north.close(), south.close()]).then(() => {}));
  const clinic = ({ url, credentials: { app_key, secret_key } }: typeof north) =>
    `{ base_url: "${url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }`;
  const yaml = `version: 1
clinics: { north: ${clinic(north)}, south: ${clinic(south)} }
connectors:
  first: { use: csv, directory: ${join(folder, 'first')} }
  second: { use: csv, directory: ${join(folder, 'second')} }
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const daemon = await startDaemon({
    config: loaded.config,
    clock: systemClock,
    log: silentLog,
    version: '0.0.0',
  });
  onTestFinished(() => daemon.stop());
  const { store, bookings } = daemon.parts;
  const treatments = (key: string) => store.mirror.rows('treatments', key);
  const feesOf = async (key: string) => (await treatments(key)).map(({ base_fee }) => base_fee);
  let count = 0;
  const lead = async (key: string) => {
    count += 1;
    const { ref } = await bookings.accept({
      source: 'desk',
      clinic: key,
      fields: {
        patient_name: 'Ann Lee',
        patient_phone: `+88017123456${10 + count}`,
        appointment_date: instant(systemClock.now() + 30 * 86_400_000).slice(0, 10),
        appointment_time: '11:00',
      },
    });
    return ref;
  };
  const stateOf = async (ref: string) => (await store.bookings.get(ref))?.state;
  await until('both are mirrored', async () => (await treatments('south')).length === 14);
  await until('both are mirrored', async () => (await treatments('north')).length === 14);
  return { daemon, north, south, folder, feesOf, lead, stateOf };
}

const PATIENCE = { timeout: 30_000 };

it(
  'stops one clinic: nothing is asked of it or sent to it any more, and the other goes on',
  PATIENCE,
  async () => {
    const { daemon, north, south, feesOf, lead, stateOf } = await twoClinics();

    await daemon.clinics.get('north')?.stop();
    const asked = JSON.stringify(north.control.requests());
    const [waiting, sent] = [await lead('north'), await lead('south')];
    north.control.editTreatment(3, { base_fee: '321.00' });
    south.control.editTreatment(3, { base_fee: '321.00' });
    await daemon.syncNow('north', 'treatments');
    await daemon.syncNow('south', 'treatments');
    await until('the other is polled', async () => (await feesOf('south')).includes('321.00'));
    await until('the other is booked', async () => (await stateOf(sent)) === 'booked');

    expect(JSON.stringify(north.control.requests())).toBe(asked);
    expect(await feesOf('north')).not.toContain('321.00');
    expect(await stateOf(waiting)).not.toBe('booked');
    expect(north.control.ledger()).toHaveLength(0);
  },
);

it('stops one connector: the other goes on', PATIENCE, async () => {
  const { daemon, south } = await twoClinics();
  const [first, second] = daemon.parts.connectors;
  await until('both have written', async () =>
    (await daemon.report()).connectors.every(({ last_success_at }) => last_success_at !== null),
  );
  const lastOf = async (name: string) =>
    (await daemon.report()).connectors.find(({ connector }) => connector === name)?.last_success_at;

  await first?.stop();
  const [firstBefore, secondBefore] = [await lastOf('first'), await lastOf('second')];
  south.control.editTreatment(3, { base_fee: '321.00' });
  await daemon.syncNow('south', 'treatments');
  await until('the other has written', async () => (await lastOf('second')) !== secondBefore);

  expect(await lastOf('first')).toBe(firstBefore);
  expect([first?.connector, second?.connector !== undefined]).toEqual([undefined, true]);
});
