import { expect, it } from 'vitest';
import { settle } from '../../test/support/fake-clock.ts';
import { fewAtOnce } from './few-at-once.ts';

/** Work that ends on request. */
function bench() {
  const begun = new Map<number, PromiseWithResolvers<string>>();
  const work = (n: number) => {
    const one = Promise.withResolvers<string>();
    begun.set(n, one);
    return one.promise;
  };
  return { begun, work };
}

it('begins the next as soon as one ends, and keeps the order', async () => {
  const { begun, work } = bench();
  const all = fewAtOnce([1, 2, 3, 4], 2, work);
  expect([...begun.keys()]).toEqual([1, 2]);

  begun.get(2)?.resolve('b');
  await settle();
  expect([...begun.keys()]).toEqual([1, 2, 3]);
  begun.get(3)?.resolve('c');
  await settle();
  begun.get(4)?.resolve('d');
  begun.get(1)?.resolve('a');

  expect(await all).toEqual(['a', 'b', 'c', 'd']);
});

it('begins nothing more after a failure, and ends with what was under way', async () => {
  const { begun, work } = bench();
  let hasEnded = false;
  const all = fewAtOnce([1, 2, 3, 4], 2, work).finally(() => {
    hasEnded = true;
  });
  all.catch(() => {});

  begun.get(1)?.reject(new Error('the disk is full'));
  await settle();
  expect([hasEnded, [...begun.keys()]]).toEqual([false, [1, 2]]);
  begun.get(2)?.resolve('b');

  await expect(all).rejects.toThrow('the disk is full');
  expect([...begun.keys()]).toEqual([1, 2]);
});
