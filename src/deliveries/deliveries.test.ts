import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { patientTraces, plantPatients } from '../../test/support/daemon/planted-patients.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type FakeClock, fakeClock, settle } from '../../test/support/fake-clock.ts';
import { bodies, type ScriptedConnector, scriptedConnector } from '../../test/support/scripted-connector.ts';
import { accept } from '../../test/support/store/store-file.ts';
import type { Connector } from '../connector.ts';
import type { Change } from '../domain/clinics/change.ts';
import { instant } from '../platform/clock.ts';
import { MINUTE, SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { type Deliveries, type DeliveriesOptions, startDeliveries } from './deliveries.ts';

const clinics = [{ clinic: 'main', timezone: 'UTC' }];
const signal = AbortSignal.timeout(60_000);
const down = () => Promise.reject(new Failure({ kind: 'transient', message: 'It is down.' }));
const refused = () => Promise.reject(new Failure({ kind: 'refused', message: 'It does not fit.' }));

let clock: FakeClock;
let store: Store;
let started: Deliveries[];

beforeEach(async () => {
  clock = fakeClock();
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((deliveries) => deliveries.stop()));
  await store.close();
});

function start(connectors: Record<string, Connector>, options: Partial<DeliveriesOptions> = {}): Deliveries {
  const deliveries = startDeliveries({
    connectors: Object.entries(connectors).map(([name, connector]) => ({
      name,
      connector,
      clinics: ['main'],
      includePatient: false,
    })),
    clinics,
    store,
    clock,
    log: silentLog,
    random: () => 0,
    ...options,
  });
  started.push(deliveries);
  return deliveries;
}

const record = (fees: Record<string, string | null>) => recordTreatments({ store, clock }, fees);
const attempts = (connector: ScriptedConnector, count: number) =>
  eventually(() => connector.attempts.length >= count);
const state = async (connector = 'crm') =>
  (await store.deliveries.list({ connector })).map((one) => one.state);

describe('the delivered events', () => {
  it('are every change once, in order, and nothing again after a restart', async () => {
    const crm = scriptedConnector();
    const first = start({ crm });
    await eventually(async () => (await store.deliveries.cursor('crm', 'main')) === 0);

    await record({ 1: '10.00', 2: '20.00' });
    first.wake();
    await attempts(crm, 2);
    await first.stop();
    await record({ 1: '11.00', 2: null });
    start({ crm });
    await attempts(crm, 4);
    await settle(50);

    expect(bodies(crm.taken)).toEqual([
      'treatment.created 1 10.00',
      'treatment.created 2 20.00',
      'treatment.updated 1 11.00',
      'treatment.removed 2 20.00',
    ]);
    expect(new Set(crm.taken.map(({ id }) => id)).size).toBe(4);
  });

  it('are only what the connector wants', async () => {
    const crm = scriptedConnector({ wants: ({ type }) => type === 'treatment.removed' });
    const deliveries = start({ crm }, { loops: false });
    await deliveries.runOnce(signal);

    await record({ 1: '10.00', 2: '20.00' });
    await record({ 2: null });
    const [summary] = await deliveries.runOnce(signal);

    expect(bodies(crm.taken)).toEqual(['treatment.removed 2 20.00']);
    expect(summary).toMatchObject({ connector: 'crm', delivered: 1, failed: 0, pending: 0, dead: 0 });
  });

  it('have different ids for each connector', async () => {
    const [crm, erp] = [scriptedConnector(), scriptedConnector()];
    const deliveries = start({ crm, erp }, { loops: false });
    await deliveries.runOnce(signal);

    await record({ 1: '10.00' });
    await deliveries.runOnce(signal);

    expect(crm.taken[0]?.id).not.toBe(erp.taken[0]?.id);
    expect(crm.taken[0]?.body).toBe(erp.taken[0]?.body);
  });

  it('name no patient to a connector without access to them, in the snapshot or in changes', async () => {
    await plantPatients({ store, clock, clinic: 'main', source: 'website' });
    const encode = (change: Change) => JSON.stringify(change);
    const crm = scriptedConnector({ snapshot: true, encode });
    const deliveries = start({ crm }, { loops: false });
    await deliveries.runOnce(signal);
    await deliveries.runOnce(signal);
    const snapshot = crm.taken.length;

    await accept(store, { patient_name: 'Zelda Quillfeather', phone_e164: '+15005550199' });
    await deliveries.runOnce(signal);

    const sent = bodies(crm.taken).join('\n');
    expect(snapshot).toBeGreaterThan(0);
    expect(crm.taken.length).toBeGreaterThan(snapshot);
    expect(sent).toContain('"resource":"booking"');
    expect(sent).not.toMatch(patientTraces);
  });

  it('start with a snapshot for a new connector that wants one', async () => {
    await record({ 1: '10.00', 2: '20.00' });
    await record({ 1: '11.00', 2: null });
    const latest = await store.changes.latest('main');
    const crm = scriptedConnector({
      snapshot: true,
      encode: ({ type, id, snapshot }: Change) => `${type} ${id} ${snapshot}`,
    });
    const plain = scriptedConnector();

    const deliveries = start({ crm, plain }, { loops: false });
    await deliveries.runOnce(signal);
    await deliveries.runOnce(signal);

    expect(bodies(crm.taken)).toEqual(['treatment.created 1 true']);
    expect(crm.taken[0]?.sequence).toBe(latest);
    expect(plain.taken).toEqual([]);
  });

  it('start with many years of appointments, in portions', async () => {
    const ids = Array.from({ length: 1_203 }, (_, index) => index + 1);
    await store.appointments.track('main', ids, instant(clock.now()));
    const latest = await store.changes.latest('main');
    const sizes: number[] = [];
    const enqueue: typeof store.deliveries.enqueue = (...asked) => {
      sizes.push(asked[3].length);
      return store.deliveries.enqueue(...asked);
    };
    const crm = scriptedConnector({ snapshot: true });
    const watched = { ...store, deliveries: { ...store.deliveries, enqueue } };

    await start({ crm }, { loops: false, store: watched }).runOnce(signal);

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_203);
    expect(Math.max(...sizes)).toBe(500);
    expect(await store.deliveries.cursor('crm', 'main')).toBe(latest);
  });

  it('can be replayed from a sequence, under new ids', async () => {
    const crm = scriptedConnector();
    const deliveries = start({ crm }, { loops: false });
    await deliveries.runOnce(signal);
    await record({ 1: '10.00' });
    await record({ 1: '11.00' });
    await deliveries.runOnce(signal);

    await deliveries.replay('crm', 'main', 2);
    await deliveries.runOnce(signal);
    // As another process does it.
    await store.deliveries.replay('crm', 'main', 1);
    await deliveries.runOnce(signal);

    expect(crm.taken.map(({ sequence }) => sequence)).toEqual([1, 2, 2, 1, 2]);
    expect(new Set(crm.taken.map(({ id }) => id)).size).toBe(5);
  });

  it('are replayed although another process is taking a batch when a command asks for it', async () => {
    const isTaking = Promise.withResolvers<void>();
    const mayTake = Promise.withResolvers<void>();
    const crm = scriptedConnector({
      async encode({ type, sequence }) {
        if (sequence === 2) {
          isTaking.resolve();
          await mayTake.promise;
        }
        return type;
      },
    });
    const daemon = start({ crm }, { loops: false });
    const command = start({ crm: scriptedConnector() }, { loops: false });
    await daemon.runOnce(signal);
    await record({ 1: '10.00' });
    await daemon.runOnce(signal);
    await record({ 1: '11.00' });

    const taking = daemon.runOnce(signal);
    await isTaking.promise;
    await command.replay('crm', 'main', 1);
    mayTake.resolve();
    await taking;

    expect(crm.taken.map(({ sequence }) => sequence)).toEqual([1, 1, 2]);
    expect(new Set(crm.taken.map(({ id }) => id)).size).toBe(3);
  });

  it('cannot be replayed from a future sequence: changes before it would be lost', async () => {
    const crm = scriptedConnector();
    const deliveries = start({ crm }, { loops: false });
    const beforeTheFirst = deliveries.replay('crm', 'main', 1);
    await expect(beforeTheFirst).rejects.toThrow(Failure);
    await deliveries.runOnce(signal);
    await record({ 1: '10.00' });
    await deliveries.runOnce(signal);

    const ahead = deliveries.replay('crm', 'main', 900);
    await expect(ahead).rejects.toThrow('up to sequence 1');
    await record({ 1: '11.00' });
    await deliveries.runOnce(signal);

    expect(crm.taken.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });
});

describe('a delivery that fails', () => {
  it('is retried by the schedule with the same id and bytes, and then waits for a user', async () => {
    const crm = scriptedConnector();
    crm.answer = down;
    const deliveries = start({ crm });
    await eventually(async () => (await store.deliveries.cursor('crm', 'main')) === 0);

    await record({ 1: '10.00' });
    deliveries.wake();
    await attempts(crm, 1);
    await settle(50);
    await clock.advance(5 * SECOND);
    await attempts(crm, 2);
    await settle(50);
    await clock.advance(4 * MINUTE);
    const early = crm.attempts.length;
    await clock.advance(MINUTE);
    await attempts(crm, 3);
    await eventually(async () => (await state())[0] === 'dead');

    expect(early).toBe(2);
    expect(crm.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(crm.attempts.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  });

  it('is never retried sooner than the receiver asked, nor is anything else sent', async () => {
    const crm = scriptedConnector({ concurrency: 1 });
    crm.answer = async () => {
      throw new Failure({ kind: 'transient', message: 'Busy.', status: 429, retryAfterMs: 10 * MINUTE });
    };
    const deliveries = start({ crm });
    await eventually(async () => (await store.deliveries.cursor('crm', 'main')) === 0);

    await record({ 1: '10.00', 2: '20.00' });
    deliveries.wake();
    await attempts(crm, 1);
    await settle(50);
    await clock.advance(9 * MINUTE);
    const early = crm.attempts.length;
    crm.answer = async () => {};
    await clock.advance(2 * MINUTE);
    await eventually(() => crm.taken.length === 2);

    expect(early).toBe(1);
  });

  it('goes to a user at once when refused, and the next one of that record waits behind it', async () => {
    const crm = scriptedConnector();
    const deliveries = start({ crm }, { loops: false });
    await deliveries.runOnce(signal);
    crm.answer = ({ body }) => (body === 'treatment.created 1 10.00' ? refused() : Promise.resolve());

    await record({ 1: '10.00', 2: '20.00' });
    await record({ 1: '11.00' });
    const [summary] = await deliveries.runOnce(signal);
    const before = bodies(crm.taken);
    await deliveries.decide('crm', 'skip');
    await deliveries.runOnce(signal);

    expect(summary).toMatchObject({
      delivered: 1,
      failed: 1,
      pending: 1,
      dead: 1,
      error: 'It does not fit.',
    });
    expect(before).toEqual(['treatment.created 2 20.00']);
    expect(bodies(crm.taken)).toEqual(['treatment.created 2 20.00', 'treatment.updated 1 11.00']);
  });

  it('to be recorded as delivered is resent with the same id', async () => {
    const crm = scriptedConnector();
    let broken = true;
    const settleOrFail: Store['deliveries']['settle'] = (outcomes) =>
      broken ? Promise.reject(new Error('disk full')) : store.deliveries.settle(outcomes);
    const fragile = { ...store, deliveries: { ...store.deliveries, settle: settleOrFail } };
    const deliveries = start({ crm }, { store: fragile, loops: false });
    await deliveries.runOnce(signal);

    await record({ 1: '10.00' });
    await expect(deliveries.runOnce(signal)).rejects.toThrow('disk full');
    broken = false;
    await deliveries.runOnce(signal);

    expect(crm.taken).toHaveLength(2);
    expect(new Set(crm.taken.map(({ id }) => id)).size).toBe(1);
    expect(await state()).toEqual(['delivered']);
  });

  it('by throwing anything at all counts as transient', async () => {
    const crm = scriptedConnector();
    const deliveries = start({ crm }, { loops: false });
    await deliveries.runOnce(signal);
    crm.answer = () => Promise.reject(new TypeError('x of undefined: Jane Planted'));

    await record({ 1: '10.00' });
    const [summary] = await deliveries.runOnce(signal);

    expect(await state()).toEqual(['pending']);
    expect(summary?.error).toBe('The delivery failed: TypeError.');
  });
});

describe('a connector', () => {
  it('that hangs delays no other, and is aborted at its deadline', async () => {
    const hanging = scriptedConnector({ deadlineMs: 30 * SECOND, concurrency: 1 });
    hanging.answer = () => new Promise(() => {});
    const crm = scriptedConnector();
    const deliveries = start({ hanging, crm });
    await eventually(async () => (await store.deliveries.cursor('hanging', 'main')) === 0);

    await record({ 1: '10.00', 2: '20.00' });
    deliveries.wake();
    await eventually(() => crm.taken.length === 2);
    await clock.advance(31 * SECOND);
    await eventually(async () => (await store.deliveries.connector('hanging')).failures === 1);

    expect(hanging.attempts).toHaveLength(1);
    expect((await store.deliveries.connector('hanging')).last_error).toContain('did not end within 30 s');
  });

  it('that cannot encode a change keeps all of them and shows it', async () => {
    const broken = scriptedConnector({
      encode: () => {
        throw new TypeError('Jane Planted');
      },
    });
    const crm = scriptedConnector();
    const deliveries = start({ broken, crm }, { loops: false });
    await deliveries.runOnce(signal);

    await record({ 1: '10.00' });
    const [first, second] = await deliveries.runOnce(signal);

    expect(first?.problems).toEqual([expect.stringContaining('change 1 (treatment.created)')]);
    expect(first?.problems.join()).not.toContain('Planted');
    expect(await store.deliveries.cursor('broken', 'main')).toBe(0);
    expect(second?.delivered).toBe(1);
  });

  it('that is paused is not called, and gets everything when it is resumed', async () => {
    const crm = scriptedConnector();
    const deliveries = start({ crm }, { loops: false });
    await deliveries.runOnce(signal);
    await deliveries.pause('crm', 'Mina');
    const paused = await store.deliveries.connector('crm');

    await record({ 1: '10.00' });
    await deliveries.runOnce(signal);
    const whilePaused = crm.attempts.length;
    await deliveries.resume('crm', 'Rita');
    await deliveries.runOnce(signal);

    expect(whilePaused).toBe(0);
    expect(paused).toMatchObject({
      pause_kind: 'person',
      paused_reason: 'Paused by Mina.',
      paused_by: 'Mina',
    });
    expect(await store.deliveries.connector('crm')).toMatchObject({
      pause_kind: null,
      paused_at: null,
      paused_by: null,
      resumed_by: 'Rita',
      resumed_at: expect.any(String),
    });
    expect(bodies(crm.taken)).toEqual(['treatment.created 1 10.00']);
  });

  it('whose receiver is gone (410) is paused until a user resumes it, and loses nothing', async () => {
    const crm = scriptedConnector();
    const deliveries = start({ crm }, { loops: false });
    await deliveries.runOnce(signal);
    crm.answer = () => Promise.reject(new Failure({ kind: 'refused', message: 'It is gone.', status: 410 }));

    await record({ 1: '10.00' });
    await deliveries.runOnce(signal);
    await clock.advance(48 * 60 * MINUTE);
    await deliveries.runOnce(signal);
    const paused = await store.deliveries.connector('crm');
    crm.answer = async () => {};
    await deliveries.resume('crm');
    await deliveries.runOnce(signal);

    expect(paused).toMatchObject({ paused: true, pause_kind: 'gone', paused_reason: 'It is gone.' });
    expect(crm.attempts).toHaveLength(2);
    expect(bodies(crm.taken)).toEqual(['treatment.created 1 10.00']);
    expect(await store.deliveries.connector('crm')).toMatchObject({ paused: false, last_error: null });
  });

  it('that waits for its receiver is stopped at once, and sends the same event after the next start', async () => {
    const crm = scriptedConnector();
    crm.answer = (_event, stopping) =>
      new Promise((_resolve, reject) => {
        stopping.addEventListener('abort', () => reject(stopping.reason));
      });
    const first = start({ crm });
    await eventually(async () => (await store.deliveries.cursor('crm', 'main')) === 0);
    await record({ 1: '10.00' });
    first.wake();
    await attempts(crm, 1);

    await first.stop();
    crm.answer = async () => {};
    start({ crm });
    await eventually(() => crm.taken.length === 1);

    expect(new Set(crm.attempts.map(({ id }) => id)).size).toBe(1);
    expect(crm.attempts.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });
});

it('tells how each delivery and each writing run ended, for the metrics', async () => {
  const heard: string[] = [];
  const answers = [async () => {}, refused, down];
  const crm = scriptedConnector({ deliver: () => (answers.shift() ?? (async () => {}))() });
  const files: Connector = {
    ...{ check: async () => [], stop: async () => {} },
    state: { converge: async () => ({ written: {} }) } as unknown as NonNullable<Connector['state']>,
  };
  const onDelivery: DeliveriesOptions['onDelivery'] = (...[connector, outcome, ms]) =>
    void heard.push(`${connector} ${outcome} ${ms >= 0}`);

  const running = start({ crm, files }, { onDelivery });
  await eventually(async () => (await store.deliveries.cursor('crm', 'main')) === 0);
  await record({ 1: '10.00', 2: '20.00', 3: '30.00' });
  running.wake();
  const ofCrm = () => heard.filter((one) => one.startsWith('crm')).slice(0, 3);
  await eventually(() => ofCrm().length === 3);

  expect(heard).toContain('files done true');
  expect(ofCrm().sort()).toEqual(['crm done true', 'crm refused true', 'crm transient true']);
});
