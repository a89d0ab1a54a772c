import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock, settle } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../platform/log.ts';
import { type Listen, notices } from './notices.ts';

/** A database that notifies its listeners, unless a pooler is in between. */
function setup({ swallows = false } = {}) {
  const clock = fakeClock();
  const line = { swallows, opened: 0, open: 0, lost: () => {} };
  const listeners = new Set<(payload: string) => void>();
  const listen: Listen = async (_channel, heard, lost) => {
    line.opened += 1;
    line.open += 1;
    listeners.add(heard);
    line.lost = lost;
    return async () => {
      line.open -= 1;
      listeners.delete(heard);
    };
  };
  const sent: string[] = [];
  const run = async (_statement: string, _channel = '', payload = '') => {
    sent.push(payload.split(' ')[1] ?? '');
    if (!line.swallows) for (const heard of listeners) heard(payload);
    return [];
  };
  const one = () => notices({ listen, run, schema: 'public', clock, log: silentLog });
  let told = 0;
  const watch = one().watch(() => {
    told += 1;
  });
  onTestFinished(() => watch.stop());
  return { clock, line, sent, watch, other: one(), told: () => told };
}

describe('notices of changes', () => {
  it('count as heard once one of our own returns, and report others’ writes, once per flood', async () => {
    const { clock, watch, other, told } = setup();
    await settle();

    for (let lead = 0; lead < 100; lead += 1) other.tell();
    await clock.advance(500);

    expect(watch.isHeard).toBe(true);
    expect(told()).toBe(1);
  });

  it('do not count as heard behind a pooler that swallows them; listening is retried later', async () => {
    const { clock, line, watch } = setup({ swallows: true });
    await clock.advance(2_000);
    const behind = { isHeard: watch.isHeard, open: line.open };

    line.swallows = false;
    await clock.advance(5 * 60_000);

    expect(behind).toEqual({ isHeard: false, open: 0 });
    expect(watch.isHeard).toBe(true);
    expect(line.opened).toBe(2);
  });

  it('notice a closed connection, and one that died silently', async () => {
    const { clock, line, watch } = setup();
    await settle();

    line.lost();
    await clock.advance(1);
    const afterEnd = { isHeard: watch.isHeard, opened: line.opened };
    line.swallows = true;
    await clock.advance(32_000);
    const afterSilence = watch.isHeard;

    expect(afterEnd).toEqual({ isHeard: true, opened: 2 });
    expect(afterSilence).toBe(false);
    expect(line.open).toBe(0);
  });

  it('are no longer sent after a close', async () => {
    const { clock, sent, other } = setup();
    await settle();

    other.tell();
    other.close();
    other.tell();
    await clock.advance(1_000);

    expect(sent).not.toContain('news');
  });
});
