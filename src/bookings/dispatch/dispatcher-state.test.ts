import { describe, expect, it } from 'vitest';
import { instant } from '../../platform/clock.ts';
import {
  afterEffect,
  afterRead,
  afterResume,
  openState,
  readDispatcherState,
  withDoubt,
  withPause,
} from './dispatcher-state.ts';

const start = Date.parse('2026-03-02T09:00:00Z');
const minutes = (n: number) => start + n * 60_000;
const doubt = (state: typeof openState, ref: string, minute: number) =>
  withDoubt(state, { ref, attempt: 1, at: instant(minutes(minute)) }, minutes(minute));

describe('the dispatcher state of a clinic', () => {
  it('stops for a person at the third unknown outcome within ten minutes', () => {
    const two = doubt(doubt(openState, 'A', 0), 'B', 4);

    expect(two.pause).toBeNull();
    expect(doubt(two, 'C', 9).pause).toMatchObject({ kind: 'doubts', until: null });
  });

  it('starts the pause of an older copy now, not when the copy was paused', () => {
    const copy = withPause(openState, 'configuration', 'The clinic answers 403.', instant(minutes(0)));

    const longer = withPause(copy, 'person', 'Mina.', instant(minutes(9)));
    const restored = withPause(copy, 'restored', 'This is an older copy.', instant(minutes(9)));

    expect([longer.pause?.since, restored.pause?.since]).toEqual([instant(minutes(0)), instant(minutes(9))]);
  });

  it('does not stop when the first of the three is older', () => {
    expect(doubt(doubt(doubt(openState, 'A', 0), 'B', 4), 'C', 11).pause).toBeNull();
  });

  it('counts one outcome once, and none from before a user resumed', () => {
    const twice = doubt(doubt(doubt(openState, 'A', 0), 'B', 1), 'B', 2);
    const since = doubt(afterResume(instant(minutes(2)), 'Mina'), 'C', 3);
    const resumed = withDoubt(since, { ref: 'A', attempt: 1, at: instant(minutes(1)) }, minutes(3));

    expect(twice.doubts).toHaveLength(2);
    expect(resumed.doubts).toEqual([{ ref: 'C', attempt: 1, at: instant(minutes(3)) }]);
  });

  it('counts one outcome once that an older version has stored, without its attempt', () => {
    const { doubts } = readDispatcherState(
      JSON.stringify({ ...openState, doubts: [{ ref: 'A', at: instant(minutes(0)) }] }),
      instant(minutes(0)),
    );

    const again = doubt({ ...openState, doubts }, 'A', 1);

    expect(again.doubts).toHaveLength(1);
  });

  it('counts outcomes after a user resumed, even if the clock was set back since', () => {
    const resumed = afterResume(instant(minutes(90)), 'Mina');

    expect(doubt(doubt(doubt(resumed, 'A', 0), 'B', 4), 'C', 9).pause).toMatchObject({ kind: 'doubts' });
  });

  it('waits as long as the clinic asks, and at least its own backoff', () => {
    const asked = afterEffect(openState, { kind: 'limit', reason: '', retryAfterMs: 90_000 }, start, 0.5);
    const unasked = afterEffect(openState, { kind: 'limit', reason: '', retryAfterMs: 0 }, start, 0.5);

    expect(asked.pause?.until).toBe(instant(start + 90_000));
    expect(unasked.pause?.until).toBe(instant(start + 1_500));
  });

  it('resumes after a read, but counts faults until a booking goes through', () => {
    const once = afterEffect(openState, { kind: 'configuration', reason: '', safe: true }, start, 1);
    const again = afterEffect(afterRead(once), { kind: 'configuration', reason: '', safe: true }, start, 1);

    expect(afterRead(once).pause).toBeNull();
    expect(again.pause?.until).toBe(instant(start + 120_000));
    expect(afterEffect(afterRead(again), { kind: 'fine' }, start, 1).faults).toBe(0);
  });

  it.each(['credentials', 'configuration'] as const)(
    'looks again within minutes when it was the %s, however often that failed',
    (kind) => {
      let state = openState;
      for (let n = 0; n < 20; n += 1)
        state = afterEffect(afterRead(state), { kind, reason: '', safe: true }, start, 1);

      expect(Date.parse(state.pause?.until ?? '') - start).toBeLessThanOrEqual(5 * 60_000);
    },
  );

  it('leaves alone a pause that waits for a user', () => {
    const paused = withPause(openState, 'person', 'Paused by Mina.', instant(start));

    const later = afterEffect(paused, { kind: 'unreachable', reason: '' }, minutes(1), 0);

    expect(afterRead(later).pause).toEqual(paused.pause);
  });

  it('waits for a user where resuming could burn bookings', () => {
    const effect = { kind: 'configuration', reason: 'redirect', safe: false } as const;

    expect(afterEffect(openState, effect, start, 0).pause?.until).toBeNull();
  });

  it('survives a restart, and pauses when the stored state cannot be read', () => {
    const paused = doubt(doubt(doubt(openState, 'A', 0), 'B', 1), 'C', 2);

    expect(readDispatcherState(JSON.stringify(paused), instant(start))).toEqual(paused);
    expect(readDispatcherState('{"pause":', instant(start)).pause).toMatchObject({
      kind: 'person',
      until: null,
    });
    expect(readDispatcherState(undefined, instant(start))).toEqual(openState);
  });
});
