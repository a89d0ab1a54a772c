import type { Memory } from '../../src/connector.ts';
import type { TabKey } from './settings.ts';

/** For `on_drift: report`: a hash of what we last wrote into each row, so that a person's edit differs from a change of the clinic. */
export interface LastWritten {
  of(tab: TabKey): Promise<ReadonlyMap<string, string>>;
  note(tab: TabKey, rows: ReadonlyMap<string, string>): Promise<void>;
  forget(tab: TabKey, keys: ReadonlySet<string>): Promise<void>;
}

export function createLastWritten(memory: Memory): LastWritten {
  const known = new Map<TabKey, Map<string, string>>();
  const load = async (tab: TabKey) => {
    const there = known.get(tab);
    if (there) return there;
    const stored = JSON.parse((await memory.get(`written:${tab}`)) ?? '[]') as [string, string][];
    const loaded = new Map(stored);
    known.set(tab, loaded);
    return loaded;
  };
  return {
    of: load,
    async note(tab, rows) {
      const before = await load(tab);
      const news = [...rows].filter(([key, hash]) => before.get(key) !== hash);
      if (news.length === 0) return;
      for (const [key, hash] of news) before.set(key, hash);
      await memory.set({ [`written:${tab}`]: JSON.stringify([...before]) });
    },
    async forget(tab, keys) {
      const stored = await load(tab);
      const left = [...stored].filter(([key]) => !keys.has(key));
      if (left.length === stored.size) return;
      known.set(tab, new Map(left));
      await memory.set({ [`written:${tab}`]: JSON.stringify(left) });
    },
  };
}
