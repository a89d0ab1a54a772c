import { describe, expect, it } from 'vitest';
import { nextProbe, type ProbeRange } from './probe-plan.ts';

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
    const range = { above: 100, below: 105, claimed: new Set([104]) };

    expect(look(range, () => true)).toEqual({ probed: [101, 102, 103], complete: true });
  });

  it('goes up until twenty numbers do not exist when we have none after', () => {
    const range = { above: 100, below: null, claimed: new Set<number>() };

    const { probed, complete } = look(range, (id) => id <= 105);

    expect(probed).toHaveLength(25);
    expect(complete).toBe(true);
  });

  it('looks at sixty numbers at most, and says that it did not see all', () => {
    const range = { above: 100, below: 500, claimed: new Set<number>() };

    const { probed, complete } = look(range, () => true);

    expect(probed).toHaveLength(60);
    expect(complete).toBe(false);
  });
});
