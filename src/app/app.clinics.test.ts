import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { instant } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { startDaemon } from './app.ts';

/** Accepts every connection and never answers. */
async function startSilent() {
  const open = { now: 0, most: 0 };
  const server = createServer((socket) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.now -= 1;
    });
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`, open };
}

/** `silent` clinics that never answer, and then one that does. */
async function withSilentClinics(silent: number) {
  const clock = fakeClock();
  const practice = await startSandbox({ clock });
  onTestFinished(() => practice.close());
  const { url, open } = await startSilent();
  const folder = await temporaryFolder();
  const { app_key, secret_key } = practice.credentials;
  const clinic = (name: string, base_url: string) =>
    `  ${name}: { base_url: "${base_url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }`;
  const silentOnes = Array.from({ length: silent }, (_, n) => clinic(`silent-${n}`, url));
  const yaml = `version: 1
clinics:
${[...silentOnes, clinic('well', practice.url)].join('\n')}
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const daemon = await startDaemon({ config: loaded.config, clock, log: silentLog, version: '0.0.0' });
  onTestFinished(() => daemon.stop());
  return { clock, practice, open, daemon };
}

it('polls and books at a clinic that answers, whatever a hundred others do that never answer', {
  timeout: 60_000,
}, async () => {
  const { clock, practice, open, daemon } = await withSilentClinics(100);
  const { store, bookings } = daemon.parts;
  const readOf = async () =>
    (await store.polls.list('well')).filter((run) => run.last_success_at ?? run.last_idle_at).length;
  let waitedS = 0;
  for (; waitedS < 60 && (await readOf()) < 5; waitedS += 1) {
    await clock.advance(1_000);
    // What is on the wire needs time of its own.
    await pause(50);
  }

  const { ref } = await bookings.accept({
    source: 'desk',
    clinic: 'well',
    fields: {
      patient_name: 'Ann Lee',
      patient_phone: '+8801712345610',
      appointment_date: instant(clock.now() + 30 * 86_400_000).slice(0, 10),
      appointment_time: '11:00',
    },
  });
  const before = clock.monotonic();
  await until('it is booked', async () => (await store.bookings.get(ref))?.state === 'booked');

  expect(waitedS).toBeLessThan(30);
  expect(clock.monotonic()).toBe(before);
  expect(practice.control.ledger()).toHaveLength(1);
  expect(open.most).toBeGreaterThan(64);
  expect(open.most).toBeLessThanOrEqual(64 + 101 + 1);
});
