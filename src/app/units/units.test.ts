import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../../connectors/registry.ts';
import { startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { openDay } from '../../../test/support/open-day.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { fromText } from '../../config/load.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { startDaemon } from '../app.ts';

/** The system's clock, how many timers of it are running, and how many were at most at once so far. */
function countingClock() {
  let running = 0;
  let most = 0;
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => {
      running += 1;
      most = Math.max(most, running);
      return systemClock.sleep(ms, signal).finally(() => {
        running -= 1;
      });
    },
  };
  // Not the running ones: a loop at work has none.
  return { clock, waits: () => running, most: () => most };
}

/** One daemon with the clinics `north` and `south`, each with its own server. */
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
  const { clock, waits, most } = countingClock();
  const daemon = await startDaemon({
    config: loaded.config,
    clock,
    log: silentLog,
    version: '0.0.0',
  });
  onTestFinished(() => daemon.stop());
  const { store, bookings } = daemon.parts;
  const treatments = (key: string) => store.mirror.rows('treatments', key);
  const feesOf = async (key: string) => (await treatments(key)).map(({ base_fee }) => base_fee);
  // Different people: nobody is asked whether they are the same.
  const people = ['Ann Lee', 'Rafiq Hossain', 'Nadia Karim', 'Tom Baker'];
  let count = 0;
  const lead = async (key: string) => {
    count += 1;
    const { ref } = await bookings.accept({
      source: 'desk',
      clinic: key,
      fields: {
        patient_name: people[count] ?? '',
        patient_phone: `+8801712${count}456${10 + count}`,
        appointment_date: openDay(30),
        appointment_time: '11:00',
      },
    });
    return ref;
  };
  const stateOf = async (ref: string) => (await store.bookings.get(ref))?.state;
  await until('everything has been read', async () => {
    const read = (await daemon.report()).clinics.flatMap(({ resources }) => resources);
    return read.every(({ last_success_at, idle_at }) => (last_success_at ?? idle_at) !== null);
  });
  return { daemon, north, south, folder, waits, most, feesOf, lead, stateOf };
}

it('leaves nothing running when the code of a part cannot be loaded', { tags: ['thorough'] }, async () => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.endsWith('/notify/heartbeat.ts')) throw new Error('removed by an upgrade');
      return next(specifier, context);
    },
  });
  onTestFinished(() => hooks.deregister());
  const yaml = `version: 1
clinics: { main: { base_url: "http://127.0.0.1:9", app_key: k, secret_key: s, timezone: Asia/Dhaka } }
store: { sqlite: ${join(await temporaryFolder(), 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
notify: { heartbeat: { url: "http://127.0.0.1:9/" } }
`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const { clock, waits } = countingClock();

  const starting = startDaemon({ config: loaded.config, clock, log: silentLog, version: '0.0.0' });

  await expect(starting).rejects.toThrow('removed by an upgrade');
  expect(waits()).toBe(0);
});

const PATIENCE = { timeout: 120_000 };
/** On a slow machine only the next look at bookings finds it, 30 s later. */
const NEXT_LOOK = { withinMs: 60_000 };

it('stops one clinic: it gets no more calls, and the other continues', {
  ...PATIENCE,
  tags: ['thorough'],
}, async () => {
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
});

it('does not judge a stopped clinic by the last call to it', {
  ...PATIENCE,
  tags: ['thorough'],
}, async () => {
  const { daemon, north } = await twoClinics();
  const connection = async () => {
    const { clinics } = await daemon.report();
    return clinics.find(({ clinic }) => clinic === 'north')?.connection.state;
  };

  await north.close();
  await daemon.syncNow('north');
  await until('it does not answer', async () => (await connection()) === 'failing');
  await daemon.clinics.get('north')?.stop();

  expect(await connection()).toBe('unknown');
});

it('stops one connector: the other continues', PATIENCE, async () => {
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

it('starts a stopped clinic again: nothing is lost, sent twice or run twice', {
  ...PATIENCE,
  tags: ['thorough'],
}, async () => {
  const { daemon, north, south, waits, most, feesOf, lead, stateOf } = await twoClinics();
  const { store } = daemon.parts;
  const unit = daemon.clinics.get('north');
  const before = await lead('north');
  await until('it is booked', async () => (await stateOf(before)) === 'booked');
  const isVerified = async () => (await store.bookings.unverified('north')).length === 0;
  await until('its number is verified', isVerified, NEXT_LOOK);
  const timers = most();

  for (let round = 0; round < 2; round += 1) await Promise.all([unit?.stop(), unit?.start(), unit?.start()]);
  await unit?.stop();
  const waiting = await lead('north');
  north.control.editTreatment(3, { base_fee: '321.00' });
  await daemon.syncNow('north', 'treatments');
  const meanwhile = await lead('south');
  await until('the other continues', async () => (await stateOf(meanwhile)) === 'booked');
  const whileStopped = waits();
  await unit?.start();
  await until('what changed is read', async () => (await feesOf('north')).includes('321.00'));
  await until('what waited is sent', async () => (await stateOf(waiting)) === 'booked');
  await until('its number is verified', isVerified, NEXT_LOOK);
  await until('no more timers run than before', async () => waits() <= timers);

  expect(whileStopped).toBeLessThan(timers);
  expect(north.control.ledger()).toHaveLength(2);
  expect(south.control.ledger()).toHaveLength(1);
  const changes = await store.changes.history('north', 'treatment', '3');
  expect(changes.map(({ type }) => type)).toEqual(['treatment.created', 'treatment.updated']);
});

it('lets a booking on the wire end before its clinic stops, and does not send it again', {
  ...PATIENCE,
  tags: ['thorough'],
}, async () => {
  const { daemon, north, lead, stateOf } = await twoClinics();
  const unit = daemon.clinics.get('north');
  north.control.script({ match: { endpoint: 'book' }, fault: { kind: 'late_answer', ms: 1_000 } });
  const ref = await lead('north');
  await until('it is on the wire', () => north.control.ledger().length === 1);

  await unit?.stop();
  const stopped = await stateOf(ref);
  await unit?.start();
  const next = await lead('north');
  await until('the next one is booked', async () => (await stateOf(next)) === 'booked');

  expect(stopped).toBe('booked');
  expect(north.control.ledger()).toHaveLength(2);
});

it('restarts a stopped connector, which catches up once on what it missed', {
  ...PATIENCE,
  tags: ['thorough'],
}, async () => {
  const { daemon, south, folder, waits, most } = await twoClinics();
  const [first, second] = daemon.parts.connectors;
  const fileOf = (connector: string, name: string) =>
    readFile(join(folder, connector, 'south', name), 'utf8').catch(() => '');
  const hasWritten = (connector: string) =>
    until(`${connector} has written`, async () =>
      (await fileOf(connector, 'treatments.csv')).includes('321.00'),
    );
  await until('both have written', async () => (await fileOf('first', 'treatments.csv')) !== '');
  const timers = most();

  await Promise.all([first?.stop(), first?.start()]);
  await first?.stop();
  const whileStopped = waits();
  south.control.editTreatment(3, { base_fee: '321.00' });
  await daemon.syncNow('south', 'treatments');
  await hasWritten('second');
  const meanwhile = await fileOf('first', 'treatments.csv');
  await first?.start();
  await hasWritten('first');
  await until('no more timers run than before', async () => waits() <= timers);

  expect(whileStopped).toBeLessThan(timers);
  expect(meanwhile).not.toContain('321.00');
  await until('both files of changes are the same', async () => {
    const [one, other] = await Promise.all([fileOf('first', 'changes.csv'), fileOf('second', 'changes.csv')]);
    return one === other && one.includes('treatment.updated');
  });
  expect([first?.connector, second?.connector].map((one) => one !== undefined)).toEqual([true, true]);
});
