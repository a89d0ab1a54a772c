import { fc, it } from '@fast-check/vitest';
import { expect } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { scriptedConnector } from '../../test/support/scripted-connector.ts';
import type { OutgoingEvent } from '../connector.ts';
import type { Change } from '../domain/clinics/change.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import { startDeliveries } from './deliveries.ts';

const numRuns = 60 * Number(process.env.VERIFY_RUNS ?? 1);

/** What may happen to one attempt. `lost`: the receiver has it, and we do not know. */
const faults = ['fine', 'fine', 'down', 'lost', 'refused', 'odd', 'cut'] as const;
type Fault = (typeof faults)[number];

type Step =
  | { do: 'change'; fees: Record<string, string | null> }
  | { do: 'deliver'; faults: Fault[] }
  | { do: 'restart' }
  | { do: 'wait' };

const id = fc.constantFrom('1', '2', '3', '4');
const fee = fc.option(fc.constantFrom('10.00', '11.00', '12.00'), { freq: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('change'), fees: fc.dictionary(id, fee, { minKeys: 1 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('deliver'),
      faults: fc.array(fc.constantFrom(...faults), { maxLength: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'wait' } as const) },
);

/** First arrivals of one thing, by sequence. */
const firstOf = (ledger: readonly OutgoingEvent[], thing: string) => {
  const seen = new Set<string>();
  return ledger
    .filter(({ body }) => body.split(' ')[1] === thing)
    .filter(({ id: one }) => !seen.has(one) && seen.add(one))
    .map(({ sequence }) => sequence);
};

it.prop([fc.array(step, { maxLength: 40 })], { numRuns })(
  'every change arrives at least once, in order per thing, under one id; a healthy connector notices nothing',
  async (steps) => {
    const clock = fakeClock();
    const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
    const crm = scriptedConnector({ concurrency: 3 });
    const healthy = scriptedConnector();
    /** Everything the receiver got to see, whether or not we know. */
    const ledger: OutgoingEvent[] = [];
    const recorded: Change[] = [];
    let interrupt = new AbortController();
    let script: Fault[] = [];

    crm.answer = async (event) => {
      const fault = script.shift() ?? 'fine';
      if (fault === 'fine' || fault === 'lost' || fault === 'cut') ledger.push(event);
      if (fault === 'cut') interrupt.abort(new Error('cut'));
      if (fault === 'odd') throw new TypeError('odd');
      if (fault === 'refused') throw new Failure({ kind: 'refused', message: 'No.' });
      if (fault !== 'fine') throw new Failure({ kind: 'transient', message: 'Down.' });
    };

    const fresh = () =>
      startDeliveries({
        connectors: Object.entries({ crm, healthy }).map(([name, connector]) => ({
          name,
          connector,
          clinics: ['main'],
          includePatient: true,
        })),
        clinics: [{ clinic: 'main', timezone: 'UTC' }],
        store,
        clock,
        log: silentLog,
        random: () => 0.5,
        loops: false,
      });
    let deliveries = fresh();
    await deliveries.runOnce(interrupt.signal);

    for (const one of steps) {
      if (one.do === 'change') recorded.push(...(await recordTreatments({ store, clock }, one.fees)));
      if (one.do === 'wait') await clock.advance(3_600_000);
      if (one.do === 'restart') deliveries = fresh();
      if (one.do !== 'deliver') continue;
      interrupt = new AbortController();
      script = [...one.faults];
      await deliveries.runOnce(interrupt.signal).catch(() => {});
    }
    script = [];
    for (let round = 0; round < 100; round += 1) {
      await clock.advance(600_000);
      await deliveries.decide('crm', 'retry');
      const [summary] = await deliveries.runOnce(new AbortController().signal);
      if (summary?.pending === 0 && summary.dead === 0) break;
    }

    for (const thing of ['1', '2', '3', '4']) {
      const wanted = recorded.filter((change) => change.id === thing).map(({ sequence }) => sequence);
      expect(firstOf(ledger, thing)).toEqual(wanted);
      expect(firstOf(healthy.taken, thing)).toEqual(wanted);
    }
    const contents = new Map<string, Set<string>>();
    for (const event of crm.attempts)
      contents.set(event.id, (contents.get(event.id) ?? new Set()).add(`${event.sequence} ${event.body}`));
    expect([...contents.values()].every(({ size }) => size === 1)).toBe(true);
    expect(contents.size).toBe(recorded.length);
    expect(await store.deliveries.counts('crm')).toEqual({ pending: 0, dead: 0 });
    await store.close();
  },
  30_000 + 500 * numRuns,
);
