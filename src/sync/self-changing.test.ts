import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clinicOfLists, treatment } from '../../test/support/clinic/clinic-of-lists.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { ClinicConfig } from '../config/config.ts';
import { readHeldNames } from '../domain/clinics/latest-rows.ts';
import { instant } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import { createMirror } from './mirror-poller.ts';

const signal = new AbortController().signal;
const runs = 10 * Number(process.env.VERIFY_RUNS ?? 1);

async function setUp() {
  const clock = fakeClock();
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const clinic = clinicOfLists();
  const settings = {
    ...ClinicConfig.parse({ base_url: 'https://clinic.example/api/v1', timezone: 'Asia/Dhaka' }),
    key: 'main',
    app_key: 'app',
    secret_key: 'secret',
  };
  const again = () => createMirror({ clinic, store, clock, log: silentLog, settings });
  const mirror = again();
  const poll = async () => {
    await clock.advance(15 * MINUTE);
    return mirror.poll('treatments', signal);
  };
  const rows = () => store.mirror.rows('treatments', 'main');
  return { clock, store, clinic, poll, rows, again };
}

let made = 0;
const plain = (id: number) => `https://cdn.example/${id}.png`;
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
    // Another one in each answer: the newest is kept, and nothing is asked any more.
    expect(second).toMatchObject({ changes: [] });
    expect(second.guarded).toBeUndefined();
    expect((await rows()).map(({ image_url }) => image_url)).not.toContain(former[0]);
    expect(await store.guards.list()).toMatchObject([{ state: 'withdrawn' }]);
    expect(await store.polls.unreadable()).toEqual([]);
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

    expect(changes).toEqual([]);
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
  const field = fc.constantFrom('treatment_name', 'description', 'image_url', 'base_fee', 'duration_minutes');
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 10 });
  const way = fc.constantFrom<Way>('anew', 'in turn', 'signed');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ field, ids, way }), { maxLength: 3 }),
      fc.array(fc.record({ field, id: fc.integer({ min: 1, max: 10 }) }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
      async (volatile, wanted, before) => {
        const { clinic, poll, rows } = await setUp();
        const isVolatile = (id: number, name: string) =>
          volatile.some((one) => one.field === name && one.ids.includes(id));
        const stable = wanted.filter(({ id, field: name }) => !isVolatile(id, name));
        let polled = 0;
        const answer = (isChanged: boolean) => {
          polled += 1;
          return ten(plain).map((one) => {
            const result: Record<string, unknown> = { ...one };
            for (const { field: name, ids: some, way: how } of volatile)
              if (some.includes(one.treatment_id))
                result[name] = valueIn(how, name, polled, one.treatment_id);
            for (const { id, field: name } of isChanged ? stable : [])
              if (id === one.treatment_id) result[name] = changedTo(name);
            return result as typeof one;
          });
        };
        for (let n = 0; n <= before; n += 1) {
          clinic.answers.treatments = answer(false);
          await poll();
        }

        for (let n = 0; n < 2; n += 1) {
          clinic.answers.treatments = answer(true);
          await poll();
        }

        const stored = new Map((await rows()).map((row) => [row.treatment_id, row]));
        for (const { id, field: name } of stable) expect(stored.get(id)?.[name]).toBe(changedTo(name));
      },
    ),
    { numRuns: 3 * runs },
  );
});

type Way = 'anew' | 'in turn' | 'signed';

/** A value that is not the same in the next answer. */
function valueIn(way: Way, field: string, polled: number, id: number): unknown {
  const n = way === 'in turn' ? polled % 2 : polled;
  if (field === 'base_fee') return `${n + 1}.00`;
  if (field === 'duration_minutes') return 30 + n;
  if (field === 'image_url') return way === 'signed' ? signed(id) : `https://cdn.example/${n}/${id}.png`;
  return `${field} ${n} of ${id}`;
}

const changedTo = (field: string): string | number =>
  field === 'base_fee' ? '999.00' : field === 'duration_minutes' ? 99 : 'https://cdn.example/other';

describe('two servers that differ', () => {
  const told = async (store: Awaited<ReturnType<typeof setUp>>['store']) =>
    (await store.polls.unreadable()).map(({ id, field, problem }) => `${id} ${field} ${problem}`);

  it('are told once, and no change at every poll; what else changes goes through', async () => {
    const { clinic, poll, rows, store } = await setUp();
    const fees = ['100.00', '120.00'];
    const changes: unknown[] = [];
    for (let polled = 0; polled < 12; polled += 1) {
      clinic.answers.treatments = ten(plain, {
        3: fees[polled % 2] ?? '',
        ...(polled > 8 && { 5: '77.00' }),
      });
      changes.push(...(await poll()).changes);
    }

    expect(changes.filter((one) => (one as { type: string }).type !== 'treatment.created')).toMatchObject([
      { id: '3', data: { base_fee: '120.00' } },
      { id: '3', data: { base_fee: '100.00' } },
      { id: '3', data: { base_fee: '120.00' } },
      { id: '5', data: { base_fee: '77.00' } },
    ]);
    expect(await told(store)).toEqual(['3 base_fee goes to and fro: two servers of the clinic differ']);
    expect((await rows())[2]?.base_fee).toBe('120.00');
    expect((await rows())[4]?.base_fee).toBe('77.00');
  });

  it('are believed again once they agree for a while', async () => {
    const { clinic, poll, rows, store } = await setUp();
    for (const fee of [
      '100.00',
      '120.00',
      '100.00',
      '120.00',
      ...Array.from({ length: 12 }, () => '120.00'),
    ]) {
      clinic.answers.treatments = ten(plain, { 3: fee });
      await poll();
    }

    expect((await rows())[2]?.base_fee).toBe('120.00');
    expect(await told(store)).toEqual([]);
  });

  it('raise one guard at most where most records differ, and hold back nothing else', async () => {
    const { clinic, poll, rows, store } = await setUp();
    for (let polled = 0; polled < 9; polled += 1) {
      clinic.answers.treatments = ten(plain, polled > 6 ? { 5: '77.00' } : {}).map((one) => ({
        ...one,
        treatment_name: polled % 2 === 0 ? one.treatment_name : `Soin ${one.treatment_id}`,
      }));
      await poll();
    }

    expect(await store.guards.list()).toMatchObject([{ state: 'withdrawn' }]);
    expect((await rows())[4]).toMatchObject({ base_fee: '77.00', treatment_name: 'Treatment 5' });
  });

  it('of which one lacks a record leave it as it is', async () => {
    const { clinic, poll, store } = await setUp();
    let changes = 0;
    for (let polled = 0; polled < 12; polled += 1) {
      clinic.answers.treatments = ten(plain).slice(polled % 2);
      const { changes: some } = await poll();
      if (polled > 0) changes += some.length;
    }

    expect(changes).toBe(3);
    expect(await told(store)).toEqual([
      '1 null is in one answer and not in the next: two servers of the clinic differ',
    ]);
  });

  it('are remembered by the next process', async () => {
    const { clinic, clock, poll, store, again } = await setUp();
    for (const fee of ['100.00', '120.00', '100.00', '120.00', '100.00']) {
      clinic.answers.treatments = ten(plain, { 3: fee });
      await poll();
    }
    const next = again();
    clinic.answers.treatments = ten(plain, { 3: '100.00' });
    await clock.advance(15 * MINUTE);

    expect((await next.poll('treatments', signal)).changes).toEqual([]);
    expect(await told(store)).toHaveLength(1);
  });

  it('are not seen in what people change to and fro in the course of days', async () => {
    const { clinic, clock, poll, store } = await setUp();
    let changes = 0;
    for (let polled = 0; polled < 10; polled += 1) {
      clinic.answers.treatments = ten(plain, { 3: ['100.00', '120.00'][polled % 2] ?? '' });
      const { changes: some } = await poll();
      if (polled > 0) changes += some.length;
      await clock.advance(4 * HOUR);
    }

    expect(changes).toBe(9);
    expect(await told(store)).toEqual([]);
  });

  it('do not hold a correction and its own correction', async () => {
    const { clinic, poll, rows, store } = await setUp();
    for (const fee of ['100.00', '120.00', '100.00', '110.00', '130.00']) {
      clinic.answers.treatments = ten(plain, { 3: fee });
      await poll();
      if (fee === '100.00') await poll();
    }

    expect((await rows())[2]?.base_fee).toBe('130.00');
    expect(await told(store)).toEqual([]);
  });
});

it('asks one question about a list with other numbers', async () => {
  const { clinic, poll, store } = await setUp();
  clinic.answers.treatments = ten(plain);
  await poll();
  clinic.answers.treatments = ten(plain).map((one) => ({ ...one, treatment_id: one.treatment_id + 1000 }));
  await poll();

  const { guarded } = await poll();

  expect(await store.guards.list()).toHaveLength(1);
  expect(guarded?.sentence).toContain('10 of 10 treatments under other numbers');
});

it('keeps the names of an answer that a guard holds for whoever maps names', async () => {
  const { clinic, poll, store } = await setUp();
  const held = async () => [...(await readHeldNames(store.keyValue, 'main', 'treatments'))];
  const list = ten(plain);
  clinic.answers.treatments = list;
  await poll();

  // Each number means the next treatment: a name in the mirror would lead to another one's number.
  clinic.answers.treatments = list.map((one, at) => ({
    ...one,
    treatment_name: list[(at + 1) % 10]?.treatment_name ?? '',
  }));
  await poll();
  const during = await held();
  clinic.answers.treatments = list;
  await poll();

  expect(during).toHaveLength(10);
  expect(during[0]).toEqual(['1', list[1]?.treatment_name]);
  expect(await held()).toEqual([]);
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
