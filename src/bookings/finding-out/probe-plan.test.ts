import { describe, expect, it } from 'vitest';
import { nextProbe, type ProbeRange, probeRange } from './probe-plan.ts';

const sentAt = '2026-03-02T09:00:00.000Z';
const own = (appointment_id: number, minute: number) => ({
  appointment_id,
  at: `2026-03-02T0${minute < 0 ? 8 : 9}:${String(Math.abs(minute)).padStart(2, '0')}:00.000Z`,
});

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
  it('looks between our last number before and our first after, and at none that is claimed', () => {
    const range = probeRange(100, sentAt, [own(90, -30), own(100, -10), own(104, 5), own(109, 9)]);
    expect.assert(range);

    expect(look(range, () => true)).toEqual({ probed: [101, 102, 103], complete: true });
  });

  it('goes up until twenty numbers do not exist when we have none after', () => {
    const range = probeRange(100, sentAt, [own(100, -10)]);
    expect.assert(range);

    const { probed, complete } = look(range, (id) => id <= 105);

    expect(probed).toHaveLength(25);
    expect(complete).toBe(true);
  });

  it('looks at sixty numbers at most, and says that it did not see all', () => {
    const range = probeRange(100, sentAt, [own(100, -10), own(500, 5)]);
    expect.assert(range);

    const { probed, complete } = look(range, () => true);

    expect(probed).toHaveLength(60);
    expect(complete).toBe(false);
  });

  it('does not guess where to start', () => {
    expect(probeRange(0, sentAt, [])).toBeUndefined();
    expect(probeRange(undefined, sentAt, [])).toBeUndefined();
    expect(probeRange(100, undefined, [])).toBeUndefined();
  });
});
