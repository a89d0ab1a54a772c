import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createLimitWriter } from './saved-limit.ts';

function setup() {
  const saved: string[] = [];
  const clock = fakeClock();
  const memory = { load: async () => undefined, save: async (state: string) => void saved.push(state) };
  return { saved, clock, writer: createLimitWriter({ memory, clock, log: silentLog }) };
}

describe('saving the learned limit', () => {
  it('writes each new state once', async () => {
    const { saved, clock, writer } = setup();

    for (const state of ['a', 'a', 'b']) {
      writer.changed(state);
      await clock.advance(5_000);
    }

    expect(saved).toEqual(['a', 'b']);
  });

  it('writes from time to time during constant changes', async () => {
    const { saved, clock, writer } = setup();

    for (let i = 0; i < 100; i += 1) {
      writer.changed(String(i));
      await clock.advance(100);
    }
    await writer.close();

    expect(saved.length).toBeLessThanOrEqual(6);
    expect(saved.at(-1)).toBe('99');
  });
});
