import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clinicOfLists, treatment } from '../../test/support/clinic/clinic-of-lists.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { ClinicConfig } from '../config/config.ts';
import { instant } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { openStore } from '../store/sqlite.ts';
import { createMirror } from './mirror.ts';

const signal = new AbortController().signal;
const runs = 10 * Number(process.env.VERIFY_RUNS ?? 1);

async function setUp() {
  const clock = fakeClock();
  const store = await openStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const clinic = clinicOfLists();
  const settings = {
    ...ClinicConfig.parse({ base_url: 'https://clinic.example/api/v1', timezone: 'Asia/Dhaka' }),
    key: 'main',
    app_key: 'app',
    secret_key: 'secret',
  };
  const mirror = createMirror({ clinic, store, clock, log: silentLog, settings });
  const poll = async () => {
    await clock.advance(15 * MINUTE);
    return mirror.poll('treatments', signal);
  };
  const rows = () => store.mirror.rows('treatments', 'main');
  return { clock, store, clinic, poll, rows };
}

let made = 0;
const signed = (id: number) => {
  made += 1;
  return `https://cdn.example/${id}.png?w=200&X-Amz-Date=${made}&X-Amz-Signature=${made}f`;
};
/** An address of which nothing tells that it is made anew each time. */
const renamed = (id: number) => {
  made += 1;
  return `https://cdn.example/${made}/${id}.png`;
};
const ten = (address: (id: number) => string, fees: Record<number, string> = {}) =>
  Array.from({ length: 10 }, (_, at) =>
    treatment(at + 1, {
      image_url: address(at + 1),
      ...(fees[at + 1] !== undefined && { base_fee: fees[at + 1] }),
    }),
  );

describe('addresses that are signed anew in each answer', () => {
  it('are no change, hold nothing back, and are stored as they came last', async () => {
    const { clinic, poll, rows, store } = await setUp();
    clinic.answers.treatments = ten(signed);
    await poll();
    const [before] = await rows();

    clinic.answers.treatments = ten(signed);
    const again = await poll();
    const last = ten(signed, { 3: '99.00' });
    clinic.answers.treatments = last;
    const changed = await poll();

    expect(again).toMatchObject({ changes: [] });
    expect(changed.changes).toMatchObject([
      { type: 'treatment.updated', id: '3', previous: { base_fee: expect.any(String) } },
    ]);
    expect(Object.keys(changed.changes[0]?.previous ?? {})).toEqual(['base_fee']);
    expect(await store.guards.list()).toEqual([]);
    const after = await rows();
    expect(after.map(({ image_url }) => image_url)).toEqual(last.map(({ image_url }) => image_url));
    expect(after[0]?.changed_at).toBe(before?.changed_at);
  });
});

describe('a mass change of addresses', () => {
  it('holds back the addresses, and not the fee beside them', async () => {
    const { clinic, poll, rows, store } = await setUp();
    clinic.answers.treatments = ten(renamed);
    await poll();
    const former = (await rows()).map(({ image_url }) => image_url);
    clinic.answers.treatments = ten(renamed, { 3: '99.00' });

    const first = await poll();
    clinic.answers.treatments = ten(renamed, { 3: '99.00' });
    const second = await poll();

    expect(first).toMatchObject({
      changes: [{ id: '3', data: { base_fee: '99.00' } }],
      guarded: { kind: 'changed', count: 10, seen: 1, sentence: expect.stringContaining('(image_url)') },
    });
    expect(second).toMatchObject({ changes: [], guarded: { id: first.guarded?.id, seen: 2 } });
    expect((await rows()).map(({ image_url }) => image_url)).toEqual(former);
    expect(await store.guards.list()).toHaveLength(1);
  });

  it('goes through once approved, although the next answer has other addresses', async () => {
    const { clinic, clock, poll, rows, store } = await setUp();
    clinic.answers.treatments = ten(renamed);
    await poll();
    clinic.answers.treatments = ten(renamed);
    const { guarded } = await poll();
    await store.guards.approve(guarded?.id ?? '', instant(clock.now()), 'person');
    const last = ten(renamed);
    clinic.answers.treatments = last;

    const { changes } = await poll();

    expect(changes).toHaveLength(10);
    expect((await rows()).map(({ image_url }) => image_url)).toEqual(last.map(({ image_url }) => image_url));
  });

  it('does not let anything through where names are in doubt, too', async () => {
    const { clinic, poll } = await setUp();
    clinic.answers.treatments = ten(renamed);
    await poll();
    clinic.answers.treatments = ten(renamed, { 3: '99.00' }).map((one) => ({
      ...one,
      treatment_name: `${made} x`,
    }));

    expect(await poll()).toMatchObject({ changes: [], guarded: { kind: 'changed' } });
  });
});

it('lets every change of a stable part through within two polls, whatever else changes in each answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { maxLength: 10 }),
      fc.boolean(),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 99 })), {
        minLength: 1,
        maxLength: 4,
      }),
      async (volatile, isSigned, fees) => {
        const { clinic, poll, rows } = await setUp();
        const address = (id: number) =>
          volatile.includes(id) ? (isSigned ? signed : renamed)(id) : `https://cdn.example/${id}.png`;
        clinic.answers.treatments = ten(address);
        await poll();
        const wanted = Object.fromEntries(fees.map(([id, fee]) => [id, `${fee}.00`]));

        for (let polled = 0; polled < 2; polled += 1) {
          clinic.answers.treatments = ten(address, wanted);
          await poll();
        }

        const stored = new Map((await rows()).map(({ treatment_id, base_fee }) => [treatment_id, base_fee]));
        for (const [id, fee] of Object.entries(wanted)) expect(stored.get(Number(id))).toBe(fee);
      },
    ),
    { numRuns: runs },
  );
});

describe('what cannot be read', () => {
  it('does not make the same answer fail later that was accepted once', async () => {
    const { clinic, poll, rows } = await setUp();
    const thirty = (fee: string) =>
      Array.from({ length: 30 }, (_, at) =>
        treatment(at + 1, at === 0 ? { base_fee: fee } : at > 20 ? { base_fee: 'on request' } : {}),
      );
    clinic.answers.treatments = thirty('1200.00');
    await poll();
    clinic.answers.treatments = thirty('77.00');

    const { changes } = await poll();

    expect(changes).toMatchObject([{ id: '1', data: { base_fee: '77.00' } }]);
    expect(await rows()).toHaveLength(21);
  });
});
