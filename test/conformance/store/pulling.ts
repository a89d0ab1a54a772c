import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { accept, move } from './booking-samples.ts';
import { created, minute, type OpenStore, treatment } from './samples.ts';

/** What a receiver gets that asks again and again for what follows the last sequence it has. */
async function pulled(store: Store, clinic: string, limit: number, from = 0): Promise<number[]> {
  const sequences: number[] = [];
  for (let after = from; ; ) {
    const page = await store.changes.after(clinic, after, limit);
    expect(page.length).toBeLessThanOrEqual(limit);
    for (const { sequence } of page) expect(sequence).toBeGreaterThan(after);
    sequences.push(...page.map(({ sequence }) => sequence));
    if (page.length === 0) return sequences;
    after = page.at(-1)?.sequence ?? after;
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

export function describePulling(open: OpenStore): void {
  describe('a receiver that pulls the changes of a clinic', () => {
    it('gets each once, in order, in pages of any size, and none of another clinic', async () => {
      const store = await open();
      const { booking: first } = await accept(store);
      await accept(store, { clinic: 'north' });
      await move(store, { ref: first.ref, from: ['queued'], to: 'held', reason: 'approval' });
      await accept(store);

      const latest = await store.changes.latest('main');
      const sizes = await Promise.all([1, 2, 1_000].map((limit) => pulled(store, 'main', limit)));

      expect(latest).toBe(5);
      expect(sizes).toEqual([upTo(5), upTo(5), upTo(5)]);
      expect(await pulled(store, 'main', 9, latest)).toEqual([]);
      expect(await pulled(store, 'main', 9, latest + 1_000)).toEqual([]);
      expect([await store.changes.latest('nowhere'), await pulled(store, 'nowhere', 9)]).toEqual([0, []]);
    });

    it('misses none of those that are written while it asks', async () => {
      const store = await open();
      const seen: number[] = [];
      let writing = true;
      const receiver = (async () => {
        while (writing || (seen.at(-1) ?? 0) < (await store.changes.latest('main')))
          seen.push(...(await pulled(store, 'main', 7, seen.at(-1))));
      })();

      await Promise.all([
        ...Array.from({ length: 30 }, (_, n) => accept(store, { clinic: n % 3 === 0 ? 'north' : 'main' })),
        ...upTo(10).map((n) =>
          store.mirror.record({
            ...{ clinic: 'main', poll: 'treatments', at: minute(n), removals: [] },
            ...{ upserts: [treatment(n)], changes: [created(treatment(n))] },
          }),
        ),
      ]);
      writing = false;
      await receiver;

      expect(seen).toEqual(upTo(50));
    });

    it('gets a latest sequence that it can reach, whatever is erased or removed', async () => {
      const store = await open();
      const { booking: first } = await accept(store);
      await accept(store);
      await store.erase({ refs: [first.ref] }, minute(2), 'Mina');

      const sequences = await pulled(store, 'main', 3);

      expect(sequences.at(-1)).toBe(await store.changes.latest('main'));
      const told = JSON.stringify(await store.changes.after('main', 0, 99));
      expect(told).not.toContain(first.patient_name);
    });
  });
}
