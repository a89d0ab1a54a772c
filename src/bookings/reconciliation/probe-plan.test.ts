import { describe, expect, it } from 'vitest';
import { sampleBooking } from '../../../test/support/bookings/sample-booking.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../platform/log.ts';
import { openFileStore } from '../../store/sqlite.ts';
import { nextProbe, type ProbeRange, probeRange } from './probe-plan.ts';

/** Every number looked at when `exists` says which of them there are. */
function look(range: ProbeRange, exists: (id: number) => boolean) {
  const probed: number[] = [];
  let misses = 0;
  for (;;) {
    const next = nextProbe(range, probed, misses);
    if (next.id === undefined) return { probed, complete: next.complete };
    probed.push(next.id);
    if (!exists(next.id)) misses += 1;
  }
}

describe('where to look for an unknown booking', () => {
  it('probes between our last number before and our first after, skipping claimed ones', () => {
    const range = { above: 100, below: 105, claimed: new Set([104]) };

    expect(look(range, () => true)).toEqual({ probed: [101, 102, 103], complete: true });
  });

  it('without a number after, probes upward until twenty numbers do not exist', () => {
    const range = { above: 100, below: null, claimed: new Set<number>() };

    const { probed, complete } = look(range, (id) => id <= 105);

    expect(probed).toHaveLength(25);
    expect(complete).toBe(true);
  });

  it('probes sixty numbers at most, and reports that it did not reach the end', () => {
    const range = { above: 100, below: 500, claimed: new Set<number>() };

    const { probed, complete } = look(range, () => true);

    expect(probed).toHaveLength(60);
    expect(complete).toBe(false);
  });

  it.each([undefined, 0])('probes nothing when our number before the send is %s', async (highest_own_id) => {
    const store = await openFileStore({
      file: ':memory:',
      clock: fakeClock(),
      log: silentLog,
      mode: 'daemon',
    });
    const evidence = {
      sent_at: '2026-03-02T09:00:00.000Z',
      ...(highest_own_id === undefined ? {} : { highest_own_id }),
    };

    expect(await probeRange(store, sampleBooking({ evidence }))).toBeUndefined();
    await store.close();
  });
});
