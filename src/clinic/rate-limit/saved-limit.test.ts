import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createKeeper } from './saved-limit.ts';

function setup() {
  const saved: string[] = [];
  const clock = fakeClock();
  const memory = { load: async () => undefined, save: async (state: string) => void saved.push(state) };
  return { saved, clock, keeper: createKeeper({ memory, clock, log: silentLog }) };
}

describe('saving the learned limit', () => {
  it('writes each new state once', async () => {
    const { saved, clock, keeper } = setup();

    for (const state of ['a', 'a', 'b']) {
      keeper.changed(state);
      await clock.advance(5_000);
    }

    expect(saved).toEqual(['a', 'b']);
  });

  it('writes from time to time during constant changes', async () => {
    const { saved, clock, keeper } = setup();

    for (let i = 0; i < 100; i += 1) {
      keeper.changed(String(i));
      await clock.advance(100);
    }
    await keeper.close();

    expect(saved.length).toBeLessThanOrEqual(6);
    expect(saved.at(-1)).toBe('99');
  });
});
