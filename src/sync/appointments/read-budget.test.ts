import { expect, it } from 'vitest';
import { MINUTE } from '../../platform/duration.ts';
import { ReadBudget } from './read-budget.ts';

it('starts with three intervals’ worth, and earns more with time', () => {
  const budget = new ReadBudget(MINUTE);

  const first = budget.allowance(10, 0);
  for (let read = 0; read < first; read += 1) budget.spend();

  expect(first).toBe(30);
  expect(budget.allowance(10, MINUTE)).toBe(10);
});

it('saves unused calls, but no more than three intervals’ worth', () => {
  const budget = new ReadBudget(MINUTE);
  for (let read = budget.allowance(10, 0); read > 0; read -= 1) budget.spend();

  expect(budget.allowance(10, 12 * 60 * MINUTE)).toBe(30);
});

it('always allows one read after a while, however few calls the clinic allows', () => {
  const budget = new ReadBudget(MINUTE);

  expect(budget.allowance(0.01, 0)).toBe(0);
  expect(budget.allowance(0.01, 100 * MINUTE)).toBe(1);
});
