import type { Memory } from '../../src/connector.ts';
import type { TabKey } from './settings.ts';

export type LastWritten = ReturnType<typeof createLastWritten>;

/**
 * For `on_drift: report`: a hash of what was last written into each row, to tell people's edits from the clinic's
 * changes.
 */
export function createLastWritten(memory: Memory) {
  const known = new Map<TabKey, ReadonlyMap<string, string>>();
  async function of(tab: TabKey): Promise<ReadonlyMap<string, string>> {
    const loaded =
      known.get(tab) ??
      new Map(JSON.parse((await memory.get(`written:${tab}`)) ?? '[]') as [string, string][]);
    known.set(tab, loaded);
    return loaded;
  }
  async function store(tab: TabKey, rows: ReadonlyMap<string, string>): Promise<void> {
    known.set(tab, rows);
    await memory.set({ [`written:${tab}`]: JSON.stringify([...rows]) });
  }
  return {
    of,
    async note(tab: TabKey, rows: ReadonlyMap<string, string>): Promise<void> {
      const before = await of(tab);
      if ([...rows].some(([key, hash]) => before.get(key) !== hash))
        await store(tab, new Map([...before, ...rows]));
    },
    async forget(tab: TabKey, keys: ReadonlySet<string>): Promise<void> {
      const before = await of(tab);
      const left = new Map([...before].filter(([key]) => !keys.has(key)));
      if (left.size < before.size) await store(tab, left);
    },
  };
}
