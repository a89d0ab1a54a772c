import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { openDay } from '../../test/support/open-day.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { type Clock, instant, systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { startDaemon } from './app.ts';

/** A clinic's sandbox and a database, and how to start a daemon there that knows the clinic by this key. */
async function installation() {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  const start = async (key: string, clock: Clock = systemClock) => {
    const yaml = `version: 1
clinics: { ${key}: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka } }
connectors: { files: { use: csv, directory: ${join(folder, 'files')} } }
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
`;
    const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
    expect.assert(loaded.ok);
    const daemon = await startDaemon({ config: loaded.config, clock, log: silentLog, version: '0.0.0' });
    onTestFinished(() => daemon.stop());
    return daemon;
  };
  return { sandbox, start };
}

const lead = () => ({
  source: 'desk',
  fields: {
    patient_name: 'Ann Lee',
    patient_phone: '+8801712345610',
    appointment_date: openDay(30),
    appointment_time: '11:00',
  },
});

it('sends nothing to a clinic with another care_id and takes nothing from it until a person approves', {
  timeout: 90_000,
}, async () => {
  const { sandbox, start } = await installation();
  let later = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + later };
  const daemon = await start('main', clock);
  const { store, bookings } = daemon.parts;
  const fees = async () =>
    (await store.mirror.rows('treatments', 'main')).map(({ base_fee }) => base_fee).join();
  await until('everything is mirrored and planned again', async () => {
    const now = instant(systemClock.now());
    const runs = await store.polls.list('main');
    return runs.filter(({ next_due_at }) => next_due_at !== null && next_due_at > now).length === 5;
  });
  const before = await fees();

  // What was confirmed just now is not asked for again at once.
  later = 60_000;
  sandbox.control.editOrganization({ care_id: 2 });
  sandbox.control.editTreatment(3, { base_fee: '321.00' });
  await daemon.syncNow('main', 'treatments');
  const { ref } = await bookings.accept(lead());
  await until('sending is paused', () => bookings.sendingState('main').state === 'paused');
  await until('a person is asked', async () => (await store.guards.list()).length > 0);
  await until('the poll has failed', async () => {
    const runs = await store.polls.list('main');
    return runs.some(({ poll, failures }) => poll === 'treatments' && failures > 0);
  });
  const held = { ledger: sandbox.control.ledger().length, fees: await fees() };
  const paused = bookings.sendingState('main').reason;
  const [guard] = await store.guards.list();
  await store.guards.approve(guard?.id ?? '', instant(systemClock.now()), 'Mina');
  await daemon.syncNow('main', 'treatments');
  await bookings.resumeSending('main', 'Mina');
  await until('it is booked', async () => (await store.bookings.get(ref))?.state === 'booked');
  await until('the fee is read', async () => (await fees()).includes('321.00'));

  expect(held).toEqual({ ledger: 0, fees: before });
  expect(paused).toContain('The organization that answers (care_id 2) is not confirmed');
  expect(sandbox.control.ledger()).toHaveLength(1);
});

it('asks a person before a clinic whose key was changed books again what it had booked under the former one', {
  timeout: 90_000,
}, async () => {
  const { sandbox, start } = await installation();
  const former = await start('main');
  const { ref: first } = await former.parts.bookings.accept(lead());
  await until('it is booked', async () => (await former.parts.store.bookings.get(first))?.state === 'booked');
  await until('it is mirrored', async () => (await former.parts.store.mirror.names()).size > 0);
  await former.stop();

  const daemon = await start('dhaka');
  const { store, bookings } = daemon.parts;
  const { ref: again } = await bookings.accept(lead());
  await until('sending is paused', () => bookings.sendingState('dhaka').state === 'paused');
  await until('a person is asked', async () => (await store.guards.open()).length > 0);
  const [guard] = await store.guards.open();
  const sent = sandbox.control.ledger().length;
  await daemon.stop();
  const restored = await start('main');
  const merged = await restored.parts.bookings.accept(lead());

  expect(guard?.sentence).toContain('is already known under the key main');
  expect(guard?.approval_only).toBe(true);
  expect(sent).toBe(1);
  expect(merged.ref).toBe(first);
  expect((await restored.parts.store.bookings.get(again))?.state).toBe('held');
});
