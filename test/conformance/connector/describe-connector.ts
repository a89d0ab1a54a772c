import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Connector, ConnectorKind, IntakeRequest, OutgoingEvent } from '../../../src/connector.ts';
import { type Deliveries, startDeliveries } from '../../../src/deliveries/deliveries.ts';
import type { Change } from '../../../src/domain/clinics/change.ts';
import { systemClock as clock } from '../../../src/platform/clock.ts';
import { silentLog as log } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { recordTreatments, treatmentFields } from '../../support/clinic/recorded-treatments.ts';
import { patientTraces, plantPatients } from '../../support/daemon/planted-patients.ts';
import { connectorContext } from './connector-context.ts';

/** What the connector writes to, created for each test. */
interface OtherSide {
  /** Settings as a person writes them in the configuration. */
  settings: Record<string, unknown>;
  /** Everything that is there now, as text: files, cells, requests. Equal text means that nothing was written. */
  contents(): Promise<string>;
  /** From now on it accepts and never answers. */
  hang?(): void;
  tearDown(): Promise<void>;
}

export interface ConnectorUnderTest<Settings> {
  kind: ConnectorKind<Settings>;
  abilities: readonly ('events' | 'state' | 'intake')[];
  /** The other side can `hang`. */
  hangs?: boolean;
  setUp(): Promise<OtherSide>;
}

const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
const soon = () => AbortSignal.timeout(10_000);

/** The contract of `src/connector.ts`, stated as tests that every connector passes. */
export function describeConnector<Settings>(tested: ConnectorUnderTest<Settings>): void {
  const { kind, abilities, hangs = false, setUp } = tested;
  let otherSide: OtherSide;
  let store: Store;
  let connector: Connector;
  let deliveries: Deliveries;

  beforeEach(async () => {
    otherSide = await setUp();
    store = await openFileStore({ file: ':memory:', clock, log, mode: 'daemon' });
    await recordTreatments({ store, clock }, { 1: '10.00', 2: '20.00' });
    await connect(false);
  });

  afterEach(async () => {
    await connector.stop();
    await store.close();
    await otherSide.tearDown();
  });

  async function connect(includePatient: boolean): Promise<void> {
    const settings = await kind.settings.parseAsync(otherSide.settings);
    connector = await kind.create(connectorContext({ settings, store, clinics, includePatient, clock }));
    const one = { name: 'tested', connector, clinics: ['main'], includePatient };
    deliveries = startDeliveries({ connectors: [one], clinics, store, clock, log, loops: false });
  }

  /** Everything the daemon would do for this connector now. */
  async function runOnce(signal = soon()) {
    const [summary] = await deliveries.runOnce(signal);
    expect.assert(summary);
    return summary;
  }

  describe(`the connector ${kind.name}`, () => {
    it('has the abilities it claims', () => {
      const has = (['events', 'state', 'intake'] as const).filter(
        (ability) => connector[ability] !== undefined,
      );

      expect(has).toEqual([...abilities]);
    });

    it('describes each of its settings, in snake_case, and knows its secrets by name', () => {
      const schema = z.toJSONSchema(kind.settings, { io: 'input', unrepresentable: 'any' });
      const settings = Object.entries(schema.properties ?? {});
      const undescribed = settings.filter(([, one]) => typeof one === 'boolean' || !one.description);

      expect(undescribed.map(([name]) => name)).toEqual([]);
      expect(settings.map(([name]) => name).filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
      expect(settings.map(([name]) => name)).toEqual(expect.arrayContaining([...kind.secrets]));
    });

    it('rejects an unknown setting', async () => {
      const parsed = await kind.settings.safeParseAsync({ ...otherSide.settings, no_such_setting: 1 });

      expect(parsed.success).toBe(false);
    });

    it('checks without changing anything', async () => {
      const before = await otherSide.contents();

      const lines = await connector.check(soon());

      expect(lines.length).toBeGreaterThan(0);
      expect(lines.filter(({ level, hint }) => level !== 'ok' && !hint)).toEqual([]);
      expect(await otherSide.contents()).toBe(before);
    });

    it('does not throw from an aborted check', async () => {
      const lines = await connector.check(AbortSignal.abort(new Error('called off')));

      expect(Array.isArray(lines)).toBe(true);
    });

    it('can be stopped twice', async () => {
      await connector.stop();

      await expect(connector.stop()).resolves.toBeUndefined();
    });

    it('discloses no patient unless configured', async () => {
      await runOnce();
      await plantPatients({ store, clock, clinic: 'main', source: 'website' });

      const { problems, error } = await runOnce();

      expect(await otherSide.contents()).not.toMatch(patientTraces);
      expect([...problems, error].join()).not.toMatch(patientTraces);
    });
  });

  if (abilities.includes('events'))
    describe(`the events of ${kind.name}`, () => {
      it('reach the other side, each once', async () => {
        await runOnce();
        const before = await otherSide.contents();
        await recordTreatments({ store, clock }, { 1: '11.00' });

        const changed = await runOnce();
        const after = await otherSide.contents();
        const again = await runOnce();

        expect(changed).toMatchObject({ delivered: 1, failed: 0, pending: 0, dead: 0 });
        expect(after).not.toBe(before);
        expect(again.delivered).toBe(0);
        expect(await otherSide.contents()).toBe(after);
      });

      it('may be delivered again with the same id', async () => {
        const { events } = connector;
        const event = await encoded(connector);

        await events?.deliver(event, soon());

        await expect(events?.deliver({ ...event, attempt: 2 }, soon())).resolves.toBeUndefined();
      });

      it('are chosen and encoded without modifying the change', async () => {
        const frozen = deepFreeze(structuredClone(change));

        expect(typeof (await connector.events?.wants(frozen))).toBe('boolean');
        expect(typeof (await connector.events?.encode(frozen))).toBe('string');
      });

      it('are retried after positive delays', () => {
        const schedule = connector.events?.schedule ?? [];

        expect(schedule.length).toBeGreaterThan(0);
        expect(schedule.filter((ms) => !(ms > 0))).toEqual([]);
      });

      it('are not sent after an abort', async () => {
        const before = await otherSide.contents();

        const delivery = connector.events?.deliver(
          await encoded(connector),
          AbortSignal.abort(new Error('too late')),
        );

        await expect(delivery).rejects.toThrow();
        expect(await otherSide.contents()).toBe(before);
      });

      if (hangs)
        it('are aborted on stopping, even if the other side does not answer', async () => {
          otherSide.hang?.();
          const stopping = new AbortController();

          const delivery = connector.events?.deliver(await encoded(connector), stopping.signal);
          setImmediate(() => stopping.abort(new Error('stopping')));

          await expect(delivery).rejects.toThrow();
        });
    });

  if (abilities.includes('state'))
    describe(`the state of ${kind.name}`, () => {
      it('is synchronized, and then left alone while nothing changes', async () => {
        const first = await runOnce();
        const after = await otherSide.contents();
        const second = await runOnce();

        expect(first.error).toBeNull();
        expect(sum(first.written)).toBeGreaterThan(0);
        expect(sum(second.written)).toBe(0);
        expect(await otherSide.contents()).toBe(after);
      });

      it('follows what changes', async () => {
        await runOnce();
        const before = await otherSide.contents();
        await recordTreatments({ store, clock }, { 1: '4321.75', 2: null });

        const { written } = await runOnce();

        expect(sum(written)).toBeGreaterThan(0);
        expect(await otherSide.contents()).not.toBe(before);
      });

      it('is not changed after an abort, and complete after the next run', async () => {
        const before = await otherSide.contents();
        const view = await deliveries.view('tested');

        const converged = connector.state?.converge(view, AbortSignal.abort(new Error('too late')));

        await expect(converged).rejects.toThrow();
        expect(await otherSide.contents()).toBe(before);
        expect(sum((await runOnce()).written)).toBeGreaterThan(0);
      });

      it('is checked regularly even if nothing changes', () => {
        expect(connector.state?.everyMs).toBeGreaterThan(0);
      });
    });

  if (abilities.includes('intake'))
    describe(`the intake of ${kind.name}`, () => {
      it.each(['', '{', '[]', 'null', '"x"', 'a=1&a=2', '{"patient_name":{}}', '\u0000\ud800'])(
        'answers %j without throwing',
        async (body) => {
          const answer = await connector.intake?.receive(request(body));

          expect(['submission', 'ignored', 'refused']).toContain(answer?.kind);
        },
      );
    });
}

const change: Change = {
  clinic: 'main',
  sequence: 1,
  at: '2026-03-02T09:00:00.000Z',
  type: 'treatment.created',
  resource: 'treatment',
  id: '7',
  data: treatmentFields('7', '10.00'),
  previous: null,
};

async function encoded({ events }: Connector): Promise<OutgoingEvent> {
  const { clinic, sequence, type } = change;
  return {
    id: 'evt_conformance',
    clinic,
    sequence,
    type,
    body: (await events?.encode(change)) ?? '',
    attempt: 1,
  };
}

const request = (body: string): IntakeRequest => ({
  method: 'POST',
  path: '',
  query: new URLSearchParams(),
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
  remoteAddress: '203.0.113.7',
});

const sum = (written: Record<string, number>) =>
  Object.values(written).reduce((total, rows) => total + rows, 0);

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
