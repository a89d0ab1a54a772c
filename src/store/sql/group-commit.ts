import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import type { BatchRun, Trx, When, Write, WriteEach, WriteName } from './database.ts';
import type { Grouped } from './run-group.ts';

/** Waits between tries while another process (a command) writes; they do not block this process. */
export const BUSY_WAITS_MS = [10, 20, 40, 80, 150, 300, 500, 800, 1_000, 1_000, 1_000];
/** Shorter after a write that failed for this reason, because a form needs its answer soon. */
const STILL_BUSY_WAITS_MS = [10, 20, 40, 80, 150, 300];

interface Waiting extends Grouped {
  name: WriteName;
  when: When;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface GroupOptions {
  /** Runs `job` in a transaction of its own, and again after each of these waits while another process has the lock. */
  transaction<T>(waitsMs: readonly number[], job: (trx: Trx) => Promise<T>): Promise<T>;
  /** Runs the jobs of a group; resolves to one result each. */
  run(trx: Trx, group: readonly Grouped[]): Promise<readonly unknown[]>;
  /** Another process has the write lock; nothing was done. */
  isBusy: (error: unknown) => boolean;
  /** The database failed, as opposed to a job that refused. */
  isStorage: (error: unknown) => boolean;
  /** Before each try of a transaction. */
  onBegin?: (() => void) | undefined;
  /** After each commit; `isWhole`: nothing in it was undone. */
  onCommit?: ((isWhole: boolean) => void) | undefined;
}

/** Why the last write failed, until one succeeds. The health check's small row does not count: a booking is larger. */
export interface WriteHealth {
  failure(): unknown;
  recovered(): void;
}

/** Maximum writes per transaction: later writes, and reads inside it, wait until it ends. */
const MOST_IN_GROUP = 256;

/** Turns of the event loop that a write may wait for others. */
const TURNS = { now: 0, soon: 1, later: 8 };

/**
 * An fsync costs more than the rows it makes durable, so concurrent calls share a transaction. `now` starts it as soon
 * as the previous one has ended; `soon` waits for the end of the event loop's turn, to include all requests of that
 * turn; `later` waits some turns, in each of which another clinic's poll may end. All resolve after the commit.
 */
export function groupCommit({
  transaction,
  run: runAll,
  isBusy,
  isStorage,
  onBegin,
  onCommit,
}: GroupOptions): {
  write: Write;
  writeEach: WriteEach;
  idle(): Promise<void>;
  health: WriteHealth;
} {
  let failure: unknown;
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  /** Turns left for the least patient of the waiting writes. */
  let patience = 0;

  /** Runs what `chosen` returns once the transaction has its lock. Resolves to it. */
  const commit = async (
    chosen: () => readonly Waiting[],
    run: (trx: Trx, group: readonly Waiting[]) => Promise<void>,
  ): Promise<readonly Waiting[]> => {
    const group = await transaction(isBusy(failure) ? STILL_BUSY_WAITS_MS : BUSY_WAITS_MS, async (trx) => {
      onBegin?.();
      const some = chosen();
      await run(trx, some);
      for (const { name } of some) failpoint(`store.${name}.before-commit`);
      return some;
    });
    for (const { name } of group) failpoint(`store.${name}.after-commit`);
    if (group.some(isReal)) failure = undefined;
    return group;
  };

  /** The usual case: everything succeeds without the cost of savepoints. */
  const together = async (chosen: () => readonly Waiting[]) => {
    let results: readonly unknown[] = [];
    const group = await commit(chosen, async (trx, some) => {
      results = await runAll(trx, some);
    });
    onCommit?.(true);
    for (const [i, { resolve }] of group.entries()) resolve(results[i]);
  };

  /** After a failure: runs each item again in its own savepoint, so that it fails alone. */
  const apart = async (group: readonly Waiting[]) => {
    let settled: (() => void)[] = [];
    await commit(
      () => group,
      async (trx) => {
        settled = [];
        for (const { run, item, resolve, reject } of group) {
          await sql`savepoint one`.execute(trx);
          try {
            const [value] = await run(trx, [item]);
            settled.push(() => resolve(value));
          } catch (error) {
            // With a full disk SQLite rolls back the whole transaction, including the savepoint.
            await sql`rollback to one`.execute(trx).catch(() => Promise.reject(error));
            settled.push(() => reject(error));
          }
          await sql`release one`.execute(trx);
        }
      },
    );
    onCommit?.(false);
    for (const tell of settled) tell();
  };

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      for (; patience > 0; patience -= 1) await nextTurn();
      let group: readonly Waiting[] = [];
      // More writes arrive while another process has the lock. Those of the previous try go first.
      const choose = () => {
        const all = [...group, ...waiting];
        group = nextGroup(all);
        const taken = new Set(group);
        waiting = all.filter((one) => !taken.has(one));
        return group;
      };
      const fail = (error: unknown) => {
        if (group.some(isReal) && isStorage(error)) failure = error;
        for (const { reject } of group) reject(error);
      };
      // If another process holds the lock, no job is at fault, and a second try would only double the delay.
      const allAlike = (error: unknown) => group.length === 1 || isBusy(error);
      await together(choose).catch((error) => {
        const hasBegun = group.length > 0;
        if (!hasBegun) choose();
        return !hasBegun || allAlike(error) ? fail(error) : apart(group).catch(fail);
      });
    }
    flushing = undefined;
  };

  const enqueue = (wanted: Omit<Waiting, 'resolve' | 'reject'>) =>
    new Promise<unknown>((resolve, reject) => {
      const turns = TURNS[wanted.when];
      patience = waiting.length === 0 ? turns : Math.min(patience, turns);
      waiting.push({ ...wanted, resolve, reject });
      flushing ??= flush();
    });

  return {
    write: <T>(name: WriteName, job: (trx: Trx) => Promise<T>, when: When = 'now', unit?: string) =>
      enqueue({ name, run: async (trx) => [await job(trx)], item: undefined, when, unit }) as Promise<T>,
    writeEach: <I, T>(name: WriteName, run: BatchRun<I, T>, item: I) =>
      enqueue({ name, run: run as BatchRun<unknown, unknown>, item, when: 'soon' }) as Promise<T>,
    health: {
      failure: () => failure,
      recovered() {
        failure = undefined;
      },
    },
    async idle() {
      while (waiting.length > 0 || flushing !== undefined) await (flushing ?? nextTurn());
    },
  };
}

/** Retries while another process has the lock, after each of these waits in turn. */
export const patientTries =
  ({ clock, isBusy }: Pick<GroupOptions, 'isBusy'> & { clock: Clock }) =>
  async <T>(waitsMs: readonly number[], transaction: () => Promise<T>): Promise<T> => {
    const forever = new AbortController().signal;
    for (const ms of waitsMs) {
      try {
        return await transaction();
      } catch (error) {
        if (!isBusy(error)) throw error;
        await clock.sleep(ms, forever);
      }
    }
    return transaction();
  };

/** All that wait, in order; if there are too many, those that a caller is waiting for go first. */
function nextGroup(waiting: readonly Waiting[]): readonly Waiting[] {
  if (waiting.length <= MOST_IN_GROUP) return waiting;
  const [patient, urgent] = [true, false].map((is) =>
    waiting.filter(({ when }) => (when === 'later') === is),
  );
  return [...(urgent ?? []), ...(patient ?? [])].slice(0, MOST_IN_GROUP);
}

const isReal = ({ name }: Waiting): boolean => name !== 'health';
