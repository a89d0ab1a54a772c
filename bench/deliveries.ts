import { Agent, request } from 'node:http';
import { join } from 'node:path';
import got from 'got';
import { webhook } from '../connectors/webhook/webhook.ts';
import type { ConnectorContext } from '../src/connector.ts';
import { startDeliveries } from '../src/deliveries/deliveries.ts';
import type { ClinicRecord } from '../src/domain/clinics/resource.ts';
import { systemClock as clock, instant } from '../src/platform/clock.ts';
import { silentLog as log } from '../src/platform/log.ts';
import { openFileStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { temporaryFolder } from './kit/folder.ts';
import { startProgram } from './kit/program.ts';
import { perSecond, type Report, times } from './kit/report.ts';
import { elapsed, interleaved, median, ratio } from './kit/rounds.ts';

const EVENTS = 2_000;
const ROUNDS = 5;
const headers = { 'content-type': 'application/json' };
/** As the webhook connector. */
const CONCURRENCY = 8;

/**
 * Webhook events per second, from the change log to a receiver on this machine: read, signed, posted, settled durably.
 * The yardstick only posts the same bodies with the same client over as many keep-alive connections.
 */
export async function deliveries(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const receiver = startProgram([join(import.meta.dirname, 'kit/receiver.ts')]);
  cleanup.defer(() => receiver.stop());
  const [, port = ''] = await receiver.line(/"port":(\d+)/);
  const url = `http://127.0.0.1:${port}/hook`;
  const store = await openFileStore({
    file: join(folder.path, 'clinic-sync.db'),
    clock,
    log,
    mode: 'daemon',
  });
  cleanup.defer(() => store.close());

  const things = Array.from({ length: EVENTS }, (_, index) => treatment(index + 1));
  await store.mirror.record({
    ...{ clinic: 'main', poll: 'treatments', at: instant(clock.now()) },
    ...{ upserts: things, removals: [], changes: [] },
  });
  const bodies = things.map(({ fields }, index) =>
    JSON.stringify({
      ...{ type: 'treatment.created', timestamp: instant(clock.now()), clinic: 'main' },
      ...{ sequence: index + 1, data: fields, previous: null },
    }),
  );

  const agent = { http: new Agent({ keepAlive: true, maxSockets: CONCURRENCY }) };
  cleanup.defer(() => agent.http.destroy());
  let round = 0;
  const perSecondOf = (tookMs: number) => (EVENTS / tookMs) * 1_000;
  const client = got.extend({ agent, retry: { limit: 0 }, followRedirect: false });
  const { ours, yardstick, bare } = await interleaved(
    {
      yardstick: async () =>
        perSecondOf(await elapsed(() => postAll(bodies, (body) => client.post(url, { body, headers })))),
      bare: async () =>
        perSecondOf(await elapsed(() => postAll(bodies, (body) => postBare(url, body, agent.http)))),
      ours: async () => {
        round += 1;
        return perSecondOf(await elapsed(() => deliverAll(store, `crm-${round}`, url)));
      },
    },
    ROUNDS,
  );

  return {
    title: `Webhook deliveries, ${CONCURRENCY} at once`,
    columns: ['', 'median', 'best', 'clinic-sync'],
    rows: [
      row('got in a loop', yardstick, times(ratio(ours, yardstick))),
      row('node:http in a loop', bare, times(ratio(ours, bare))),
      row('clinic-sync', ours),
    ],
  };
}

/** A new connector receives everything there is, one event per thing. */
async function deliverAll(store: Store, name: string, url: string): Promise<void> {
  const settings = webhook.settings.parse({
    ...{ url, secret: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0' },
    allow_networks: ['127.0.0.0/8'],
  });
  const context: ConnectorContext<typeof settings> = {
    ...{ name, settings, clock, log, includePatient: false },
    clinics: [{ clinic: 'main', timezone: 'UTC' }],
    instance: store.identity.instance,
    bookings: noBookings,
    memory: { get: async () => undefined, set: async () => {}, list: async () => ({}) },
    wake: () => {},
  };
  const connector = await webhook.create(context);
  const deliveries = startDeliveries({
    connectors: [{ name, connector, clinics: ['main'], includePatient: false }],
    clinics: context.clinics,
    ...{ store, clock, log, loops: false },
  });
  const [summary] = await deliveries.runOnce(new AbortController().signal);
  await deliveries.stop();
  await connector.stop();
  if (summary?.delivered !== EVENTS) throw new Error(`${summary?.delivered} delivered, not ${EVENTS}`);
}

async function postAll(bodies: readonly string[], post: (body: string) => Promise<unknown>): Promise<void> {
  const left = bodies.values();
  const worker = async () => {
    for (const body of left) await post(body);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** A minimal POST. */
const postBare = (url: string, body: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, (response) => response.resume());
    sent.once('error', reject).once('close', resolve).end(body);
  });

const row = (name: string, figures: readonly number[], inTimes = '') => [
  ...[name, perSecond(median(figures)), perSecond(Math.max(...figures)), inTimes],
];

const unused = () => Promise.reject(new Error('this connector takes no bookings'));
const noBookings = { accept: unused, validate: unused, find: unused, withdraw: unused };

function treatment(number: number): ClinicRecord {
  const fields = {
    ...{ treatment_id: number, treatment_name: `Treatment number ${number}`, base_fee: '1500.00' },
    description: `What is done in treatment ${number}, in a sentence as long as such sentences are.`,
    duration_minutes: 30,
    image_url: `https://media.clinic.example/treatments/${number}.webp`,
  };
  return { id: String(number), fields, raw: fields, hash: String(number) };
}
