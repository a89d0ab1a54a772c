import { describe, expect, it } from 'vitest';
import { atOnce } from './transaction.ts';

const inTurns = async (turns: number, work: () => void): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  work();
};

describe('statements that do not wait for each other', () => {
  it('have all ended before the first failure is reported', async () => {
    const ended: string[] = [];
    const failing = (name: string, turns: number) =>
      inTurns(turns, () => {
        ended.push(name);
        throw new Error(name);
      });

    const work = atOnce(
      inTurns(20, () => void ended.push('slow')),
      failing('second failure', 9),
      failing('first failure', 3),
    );

    await expect(work).rejects.toThrow('first failure');
    expect(ended).toEqual(['first failure', 'second failure', 'slow']);
  });
});
