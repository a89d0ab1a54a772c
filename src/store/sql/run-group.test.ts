import { describe, expect, it } from 'vitest';
import type { Trx } from './database.ts';
import { type Grouped, runGroup } from './run-group.ts';

const trx = {} as Trx;
const job = (unit: string | undefined, work: () => Promise<unknown>): Grouped => ({
  run: async () => [await work()],
  item: undefined,
  unit,
});

describe('the writes of a group', () => {
  it('do not wait for each other when they have different units', async () => {
    const begun = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };

    const results = await runGroup(trx, [
      job('a', async () => {
        begun.a.resolve();
        await begun.b.promise;
        return 'of a';
      }),
      job('b', async () => {
        begun.b.resolve();
        await begun.a.promise;
        return 'of b';
      }),
    ]);

    expect(results).toEqual(['of a', 'of b']);
  });

  it('run one after the other within a unit, and alone without one', async () => {
    const order: string[] = [];
    const noting = (name: string, unit?: string) =>
      job(unit, async () => {
        order.push(`${name} begins`);
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
        order.push(`${name} ends`);
        return name;
      });

    const results = await runGroup(trx, [
      noting('first', 'a'),
      noting('second', 'a'),
      noting('anything'),
      noting('last', 'b'),
    ]);

    expect(results).toEqual(['first', 'second', 'anything', 'last']);
    expect(order).toEqual(
      ['first', 'second', 'anything', 'last'].flatMap((one) => [`${one} begins`, `${one} ends`]),
    );
  });

  it('with the same run are combined, and each gets its own result', async () => {
    const given: unknown[][] = [];
    const run: Grouped['run'] = async (_, items) => {
      given.push([...items]);
      return items.map((item) => `result of ${item}`);
    };

    const results = await runGroup(trx, [
      { run, item: 1 },
      { run, item: 2 },
      job('a', async () => 'another'),
      { run, item: 3 },
    ]);

    expect(given).toEqual([[1, 2], [3]]);
    expect(results).toEqual(['result of 1', 'result of 2', 'another', 'result of 3']);
  });

  it('have all ended before a failure is reported, so that nothing follows the rollback', async () => {
    const ended: string[] = [];
    const failing = runGroup(trx, [
      job('a', () => Promise.reject(new Error('refused'))),
      job('b', async () => {
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        ended.push('b');
      }),
    ]);

    await expect(failing).rejects.toThrow('refused');
    expect(ended).toEqual(['b']);
  });
});
