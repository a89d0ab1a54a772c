import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { booking } from '../../test/conformance/store/samples.ts';
import { type FakeClock, fakeClock, settle } from '../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { sampleTarget } from '../../test/support/notify/sample-target.ts';
import { newStoreFile } from '../../test/support/store/store-file.ts';
import { until } from '../../test/support/until.ts';
import { judgeWithin } from '../bookings/duplicates/judge-lead.ts';
import { deliveriesTo, type NotifyTarget, type TargetKind } from '../config/notify.ts';
import { type Deliveries, type RunningConnector, startDeliveries } from '../deliveries/deliveries.ts';
import { CLOSURES, closureUntil } from '../domain/clinics/closure.ts';
import type { Need } from '../domain/status/report.ts';
import { instant } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import type { Loop } from '../platform/loop.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import type { Message } from './message.ts';
import { startNotifier } from './notify.ts';
import { createTarget } from './targets/target.ts';

const NAME = 'notify.desk';

let receiver: Receiver;
let file: string;
let clock: FakeClock;
let needs: Need[];
let running: { store: Store; deliveries: Deliveries; notifier: Loop };

const need = (n: number): Need => ({
  kind: 'booking',
  clinic: 'main',
  subject: `CS-${n}`,
  sentence: `Booking CS-${n} from website: held.`,
  action: 'Decide.',
  since: instant(clock.now()),
  urgent: false,
});

let use: TargetKind = 'webhook';
/** Beside the desk, and what else the desk has. */
let others: NotifyTarget[];
let ofDesk: Partial<NotifyTarget>;

const targetTo = (name: string, over: Partial<NotifyTarget>) =>
  sampleTarget({ name, ...over, settings: { ...sampleTarget().settings, url: `${receiver.url}/${name}` } });

function deliverer(target: NotifyTarget, { keyValue }: Store): RunningConnector {
  const name = deliveriesTo(target.name);
  const scope = `connector:${name}`;
  const connector = createTarget(target, {
    clock,
    log: silentLog,
    patientOf: async () => undefined,
    clinics: [{ key: 'main', timezone: 'Asia/Dhaka' }],
    linksOf: async () => [],
    memory: {
      get: (key) => keyValue.get(scope, key),
      set: (entries) => keyValue.set(scope, entries),
      list: (prefix) => keyValue.list(scope, prefix),
    },
  });
  return { name, connector, clinics: [], includePatient: false };
}

async function start(): Promise<void> {
  const store = await openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
  const target = targetTo('desk', { use, on: ['needs_you', 'recovered', 'silence'], ...ofDesk });
  const targets = [target, ...others];
  const deliveries = startDeliveries({
    connectors: targets.map((one) => deliverer(one, store)),
    clinics: [],
    store,
    clock,
    log: silentLog,
    random: () => 0,
  });
  const notifier = startNotifier({
    targets,
    look: async () => ({ needs, reasons: [] }),
    ...{ store, clock, log: silentLog, publicUrl: undefined },
    clinics: [{ key: 'main', timezone: 'Asia/Dhaka' }],
    sources: ['website'],
    receivers: () => [],
    wake: (connector) => deliveries.wake({ connector }),
  });
  running = { store, deliveries, notifier };
}

async function stop(): Promise<void> {
  await Promise.all([running.notifier.stop(), running.deliveries.stop()]);
  await running.store.close();
}

beforeEach(async () => {
  receiver = await startReceiver();
  taken = [];
  status = 204;
  answered = 0;
  receiver.answer = ({ path, body }, response) => {
    const { type, data } = JSON.parse(body);
    const target = path.split('/').at(-1) ?? '';
    const code = target === 'desk' ? status : 204;
    if (code === 204) taken.push({ target, type, count: data.count, items: data.items });
    response.writeHead(code).end(() => {
      answered += 1;
    });
  };
  file = newStoreFile();
  clock = fakeClock();
  needs = [];
  others = [];
  ofDesk = {};
  await start();
});
afterEach(async () => {
  await stop();
  await receiver[Symbol.asyncDispose]();
});

/** Messages that the target has taken. */
let taken: { target: string; type: Message['type']; count: number; items: Message['items'] }[];
let status: number;
let answered: number;
const waiting = () => running.store.deliveries.counts(NAME).then(({ pending }) => pending);

/** Until everything that can be sent is sent. */
async function pass(ms: number): Promise<void> {
  clock.jump(ms);
  await clock.advance(11 * SECOND);
  for (let tries = 0; tries < 50; tries += 1) {
    await until('answers are in', async () => {
      await settle();
      return receiver.received.length === answered;
    });
    if (status !== 204 || (await waiting()) === 0) break;
    clock.jump(MINUTE);
    await clock.advance(11 * SECOND);
  }
  await clock.advance(11 * SECOND);
}

it('reports an alert once, also across restarts, and that it is settled', async () => {
  needs = [need(1)];
  await pass(0);
  await stop();
  await start();
  await pass(HOUR);
  needs = [];
  await pass(0);

  expect(taken.map(({ type, count }) => [type, count])).toEqual([
    ['needs_you.opened', 1],
    ['needs_you.settled', 1],
  ]);
});

it('changes its message in Telegram once when the alert is settled, over restarts too', async () => {
  use = 'telegram';
  receiver.answer = (_request, response) =>
    response.writeHead(200).end(JSON.stringify({ ok: true, result: { message_id: 7 } }), () => {
      answered += 1;
    });
  await stop();
  await start();
  needs = [need(1)];
  await pass(0);
  await stop();
  await start();
  needs = [];
  await pass(HOUR);
  await stop();
  await start();
  await pass(HOUR);
  use = 'webhook';

  expect(receiver.received.map(({ path }) => path.split('/').at(-1))).toEqual([
    'sendMessage',
    'editMessageText',
  ]);
});

it('delivers after a restart what was stored but had not reached the deliveries', async () => {
  const { store } = running;
  const { enqueue } = store.deliveries;
  store.deliveries.enqueue = () => Promise.reject(new Error('killed'));
  needs = [need(1)];
  await clock.advance(11 * SECOND);
  await until('it is noted', async () => Object.keys(await store.keyValue.list('notify', '')).length === 1);
  store.deliveries.enqueue = enqueue;
  await stop();
  await start();

  await pass(0);

  expect(taken.filter(({ type }) => type === 'needs_you.opened')).toHaveLength(1);
});

it('sends one message for ten thousand alerts', async () => {
  needs = Array.from({ length: 10_000 }, (_, n) => need(n));

  await pass(0);
  await pass(HOUR);

  expect(taken.map(({ count }) => count)).toEqual([10_000]);
});

it('sends to a target that was away for a day only what is still open', async () => {
  status = 503;
  needs = [need(1)];
  await pass(0);
  needs = [need(2), need(3)];
  await pass(12 * HOUR);
  needs = needs.slice(1);
  await pass(12 * HOUR);
  status = 204;

  await pass(HOUR);
  await pass(HOUR);

  expect(taken.map(({ type, items }) => [type, items.map(({ subject }) => subject)])).toEqual([
    ['needs_you.opened', ['CS-3']],
  ]);
});

it('says without the database that it does not answer, once, and that it does again', async () => {
  const { keyValue } = running.store;
  const { set } = keyValue;
  keyValue.set = () => Promise.reject(new Failure({ kind: 'transient', message: 'The disk is full.' }));
  needs = [need(1)];
  await clock.advance(2 * MINUTE);
  await until('it is said', () => taken.length > 0);
  await clock.advance(2 * MINUTE);

  keyValue.set = set;
  await pass(MINUTE);

  expect(taken.map(({ type, items }) => [type, items[0]?.subject])).toEqual([
    ['health.trouble', 'database'],
    ['health.recovered', 'database'],
    ['needs_you.opened', 'CS-1'],
  ]);
});

it('says that no lead comes where four a day are usual, to a target that wants to know', {
  tags: ['thorough'],
}, async () => {
  const { bookings } = running.store;
  const at = (day: number, hour: number) => instant(clock.now() - day * DAY + hour * HOUR);
  for (let day = 30; day > 1; day -= 1)
    for (const hour of [0, 3, 6, 9])
      await bookings.accept(booking({ received_at: at(day, hour), source: 'website' }), judgeWithin(0));

  await pass(0);
  await pass(HOUR);

  expect(taken.map(({ type, items }) => [type, items[0]?.sentence])).toEqual([
    ['silence', 'No lead from website for 40 hr, usually 4 a day.'],
  ]);

  const until = instant(clock.now() + 4 * DAY).slice(0, 10);
  const closure = closureUntil(until, { zone: 'Asia/Dhaka', now: clock.now(), before: undefined });
  await running.store.keyValue.set(CLOSURES, { main: JSON.stringify(closure) });
  const toldOf = async (days: number) => {
    taken.length = 0;
    for (let hour = 0; hour < days * 24; hour += 1) await pass(HOUR);
    return taken.map(({ type, items }) => [type, items[0]?.kind]);
  };

  // Closed, and then for as long as no lead would be missed.
  expect(await toldOf(4)).toEqual([]);
  expect(await toldOf(2)).toEqual([['silence', 'silence']]);
});

describe('a desk that took no messages before its quiet hours', () => {
  const opened = () =>
    taken
      .filter(({ type }) => type === 'needs_you.opened')
      .map(({ target, items }) => `${target} ${items.map((one) => one.subject).join()}`);

  beforeEach(async () => {
    await stop();
    // In Dhaka, six hours ahead, they begin in ten minutes.
    clock.jump(Date.parse('2026-03-02T13:50:00Z') - clock.now());
    const quiet = { from: 20 * 60, to: 7 * 60 };
    ofDesk = { quiet, escalate: { to: 'phone', afterMs: 30 * MINUTE } };
    others = [targetTo('phone', { on: ['guard'] })];
    await start();
    status = 503;
    needs = [need(1)];
    await pass(0);
  });

  it('escalates in time what a target should have received, also across a restart', async () => {
    await pass(15 * MINUTE);
    await stop();
    await start();
    needs = [...needs, need(2)];
    await pass(10 * MINUTE);
    const early = opened();
    await pass(5 * MINUTE);
    const inTheNight = opened();
    status = 204;
    await pass(11 * HOUR);

    expect(early).toEqual([]);
    expect(inTheNight).toEqual(['phone CS-1']);
    expect(opened().slice(1)).toEqual(['desk CS-1', 'desk CS-2']);
  });

  it('hears of nothing in the night that was taken back when the process ended', async () => {
    const { deliveries, keyValue } = running.store;
    deliveries.decide = () => Promise.reject(new Error('killed'));
    clock.jump(15 * MINUTE);
    await clock.advance(11 * SECOND);
    await until('it is stored as owed', async () =>
      Object.values(await keyValue.list('notify', 'desk ')).some((note) => note.includes('"owed":true')),
    );
    await stop();
    await start();
    status = 204;
    await pass(5 * MINUTE);
    const inTheNight = opened();
    await pass(11 * HOUR);

    expect(inTheNight).toEqual([]);
    expect(opened()).toEqual(expect.arrayContaining(['desk CS-1']));
    expect(opened().filter((one) => one.startsWith('desk'))).toHaveLength(1);
  });

  it('escalates what came while one message waited', async () => {
    needs = [...needs, need(2)];
    await pass(0);
    await pass(31 * MINUTE);

    expect(opened()).toEqual(['phone CS-1', 'phone CS-2']);
  });
});
