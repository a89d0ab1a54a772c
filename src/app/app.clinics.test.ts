import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { openDay } from '../../test/support/open-day.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { instant } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { startDaemon } from './app.ts';

async function listening(server: NetServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
}

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
  return { url: await listening(server), open };
}

/** As many clinics at `url`, and then one that is well. */
async function besideOthers(others: number, url: string) {
  const clock = fakeClock();
  const practice = await startSandbox({ clock });
  onTestFinished(() => practice.close());
  const folder = await temporaryFolder();
  const { app_key, secret_key } = practice.credentials;
  const clinic = (name: string, base_url: string) =>
    `  ${name}: { base_url: "${base_url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }`;
  const rest = Array.from({ length: others }, (_, n) => clinic(`other-${n}`, url));
  const yaml = `version: 1
clinics:
${[...rest, clinic('well', practice.url)].join('\n')}
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const daemon = await startDaemon({ config: loaded.config, clock, log: silentLog, version: '0.0.0' });
  onTestFinished(() => daemon.stop());
  return { clock, practice, daemon };
}

type Beside = Awaited<ReturnType<typeof besideOthers>>;

/** Seconds until each resource of the clinic that is well has been read. */
async function secondsToRead({ clock, daemon }: Beside, most = 60): Promise<number> {
  const { polls } = daemon.parts.store;
  const readOf = async () =>
    (await polls.list('well')).filter((run) => run.last_success_at ?? run.last_idle_at).length;
  let waitedS = 0;
  for (; waitedS < most && (await readOf()) < 5; waitedS += 1) {
    await clock.advance(1_000);
    // What is on the wire needs time of its own.
    await pause(50);
  }
  return waitedS;
}

/** Books there while time stands still. */
async function bookAtOnce({ clock, practice, daemon }: Beside): Promise<void> {
  const { store, bookings } = daemon.parts;
  const { ref } = await bookings.accept({
    source: 'desk',
    clinic: 'well',
    fields: {
      patient_name: 'Ann Lee',
      patient_phone: '+8801712345610',
      appointment_date: openDay(30, clock.now()),
      appointment_time: '11:00',
    },
  });
  await until('it is booked', async () => (await store.bookings.get(ref))?.state === 'booked');
  expect(practice.control.ledger()).toHaveLength(1);
}

it('polls and books at a clinic that answers, whatever a hundred others do that never answer', {
  timeout: 60_000,
}, async () => {
  const { url, open } = await startSilent();
  const beside = await besideOthers(100, url);

  const waitedS = await secondsToRead(beside);
  await bookAtOnce(beside);

  expect(waitedS).toBeLessThan(30);
  expect(open.most).toBeGreaterThan(64);
  expect(open.most).toBeLessThanOrEqual(64 + 101 + 1);
});

const json = (value: unknown): string => JSON.stringify(value);

/** 10 MB, and other bytes each time. */
function longList(stamp: number): string {
  const treatment = (id: number) => ({
    treatment_id: id,
    treatment_name: `Treatment ${id} of ${stamp}`,
    description: 'What is done in it, in a sentence as long as such sentences are.',
    base_fee: '120.50',
  });
  return json({ success: true, data: Array.from({ length: 60_000 }, (_, n) => treatment(n + 1)) });
}

const neighbours: Record<string, RequestListener> = {
  'asks for an hour of rest': (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
  'sends a byte at a time': (_, response) => {
    response.writeHead(200);
    const dripping = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(dripping));
  },
  'has lists of 10 MB': ({ url }, response) => {
    if (url?.endsWith('/granttoken')) response.end(json({ access_token: 'token', expires_in: 3_600 }));
    else response.end(longList(performance.now()));
  },
  'follows 10,000 appointments': ({ url }, response) => {
    if (url?.endsWith('/granttoken')) response.end(json({ access_token: 'token', expires_in: 3_600 }));
    else response.end(json({ success: true, data: { status: 'Scheduled' } }));
  },
};

it.each(Object.keys(neighbours))('polls and books at a clinic whose neighbour %s', async (kind) => {
  const server = createHttp(neighbours[kind]);
  let asked = 0;
  server.on('request', () => {
    asked += 1;
  });
  const beside = await besideOthers(1, await listening(server));
  const { clock, daemon } = beside;
  if (kind.startsWith('follows'))
    await daemon.parts.store.appointments.track(
      'other-0',
      Array.from({ length: 10_000 }, (_, n) => n + 1),
      instant(clock.now()),
    );

  const waitedS = await secondsToRead(beside);
  await bookAtOnce(beside);

  expect(waitedS).toBeLessThan(15);
  expect(asked).toBeGreaterThan(0);
});
