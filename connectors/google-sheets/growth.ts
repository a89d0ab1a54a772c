import type { Memory } from '../../src/connector.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { HOUR, MINUTE } from '../../src/platform/duration.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { TabKey } from './settings.ts';

/** Rows that are being added, so that an answer that never came adds none of them twice. */
export type Growth = ReturnType<typeof createGrowth>;

interface Attempt {
  /** Keys of the rows. */
  rows: string[];
  /** First reading after the attempt that showed none of them. Milliseconds since the epoch. */
  missedAt?: number;
}

interface Repeated {
  rows: string[];
  at: number;
}

/** Google may apply a write that it answered with an error, later: this long, readings without it must agree. */
const AGREES_AFTER_MS = MINUTE;
const KEPT_MS = HOUR;

/** What a tab may do while it is unknown whether rows were added. */
interface Allowed {
  mayGrow: boolean;
  /** Rows that were added a second time: an equal row of ours is taken back. */
  repeated: ReadonlySet<string>;
}

export function createGrowth({ memory, clock }: { memory: Memory; clock: Clock }) {
  const load = async <T>(key: string): Promise<T | undefined> => {
    const text = await memory.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const store = (key: string, value: Attempt | Repeated | undefined): Promise<void> =>
    memory.set({ [key]: value && JSON.stringify(value) });
  const attemptKey = (tab: TabKey) => `adding:${tab}`;
  const repeatedKey = (tab: TabKey) => `added-again:${tab}`;

  async function repeatedIn(tab: TabKey): Promise<ReadonlySet<string>> {
    const found = await load<Repeated>(repeatedKey(tab));
    if (found === undefined) return new Set();
    if (Math.abs(clock.now() - found.at) < KEPT_MS) return new Set(found.rows);
    await store(repeatedKey(tab), undefined);
    return new Set();
  }

  return {
    /** Tabs that are filled for the first time, in several runs. */
    filling: new Set<TabKey>(),
    /** Adds rows by `work`. Until it is known that they were, or were not, the attempt is remembered. */
    async adding(tab: TabKey, rows: readonly string[], work: () => Promise<void>): Promise<void> {
      await store(attemptKey(tab), { rows: [...rows] });
      try {
        await work();
      } catch (error) {
        if (isSurelyRefused(error)) await store(attemptKey(tab), undefined);
        throw error;
      }
      await store(attemptKey(tab), undefined);
    },
    /** Decides by a reading: whether the last attempt is in it, or surely was never applied. */
    async look(tab: TabKey, isPresent: (row: string) => boolean): Promise<Allowed> {
      const repeated = await repeatedIn(tab);
      const attempt = await load<Attempt>(attemptKey(tab));
      if (attempt === undefined) return { mayGrow: true, repeated };
      if (attempt.rows.some(isPresent)) {
        await store(attemptKey(tab), undefined);
        return { mayGrow: true, repeated };
      }
      const { missedAt } = attempt;
      if (missedAt === undefined || clock.now() < missedAt) {
        await store(attemptKey(tab), { ...attempt, missedAt: clock.now() });
        return { mayGrow: false, repeated };
      }
      if (clock.now() - missedAt < AGREES_AFTER_MS) return { mayGrow: false, repeated };
      await store(repeatedKey(tab), { rows: [...repeated, ...attempt.rows], at: clock.now() });
      await store(attemptKey(tab), undefined);
      return { mayGrow: true, repeated };
    },
  };
}

/** Google answered that it did nothing. */
const isSurelyRefused = (error: unknown): boolean =>
  error instanceof Failure &&
  error.status !== undefined &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 408;
