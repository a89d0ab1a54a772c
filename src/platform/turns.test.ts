import { setImmediate as turnOver } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns, inTurns } from './turns.ts';

it('lets other work run between two tasks', async () => {
  const nextTurn = createTurns();
  const order: string[] = [];
  const pieces = ['one', 'two', 'three'].map(async (name) => {
    await nextTurn();
    order.push(name);
  });

  for (const turn of [1, 2, 3]) {
    await turnOver();
    order.push(`turn ${turn}`);
  }
  await Promise.all(pieces);

  expect(order).toEqual(['one', 'turn 1', 'two', 'turn 2', 'three', 'turn 3']);
});

it('accepts work while other work waits, and after a pause', async () => {
  const nextTurn = createTurns();
  const order: string[] = [];
  const piece = async (name: string) => {
    await nextTurn();
    order.push(name);
  };

  await Promise.all([piece('first').then(() => piece('third')), piece('second')]);
  await turnOver();
  await piece('fourth');

  expect(order).toEqual(['first', 'second', 'third', 'fourth']);
});

it('gives requests a turn after every few items of a list', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('a request'));
  const all = inTurns([1, 2, 3, 4, 5], 2, (n) => order.push(`${n}`));

  expect(await all).toEqual([1, 2, 4, 5, 6]);
  expect(order).toEqual(['1', '2', 'a request', '3', '4', '5']);
});
