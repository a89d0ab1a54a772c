import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import type { Db, Trx, Write, WriteName } from './database.ts';

/** How long a write waits for another process (a command-line tool) to finish its own, without blocking this one. */
const BUSY_WAITS_MS = [10, 20, 40, 80, 150, 300, 500, 800, 1_000, 1_000, 1_000];
/** While the last write failed for that reason the next one asks briefly: a form must be told soon to come back. */
const STILL_BUSY_WAITS_MS = [10, 20, 40, 80, 150, 300];

interface Waiting {
  name: WriteName;
  job: (trx: Trx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface GroupCommitOptions {
  db: Db;
  clock: Clock;
  /** Another process has the write lock; nothing was done. */
  isBusy: (error: unknown) => boolean;
  /** The database did not take it, as opposed to a job that refused. */
  isStorage: (error: unknown) => boolean;
}

/** Why the last write failed, until one succeeds. Health's own row says nothing about whether a booking fits. */
export interface WriteHealth {
  failure(): unknown;
  recovered(): void;
}

/**
 * An fsync costs more than the rows it makes durable, so calls that wait at the same time are written in one
 * transaction. `now` starts at once, `soon` waits for the turn of the event loop to end, so that all requests that
 * arrived in it go together. A caller gets its answer after the commit that holds its job.
 */
export function groupCommit({ db, clock, isBusy, isStorage }: GroupCommitOptions): {
  write: Write;
  idle(): Promise<void>;
  health: WriteHealth;
} {
  let failure: unknown;
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let scheduled = false;
  const forever = new AbortController().signal;

  const patiently = async <T>(transaction: () => Promise<T>): Promise<T> => {
    for (const ms of isBusy(failure) ? STILL_BUSY_WAITS_MS : BUSY_WAITS_MS) {
      try {
        return await transaction();
      } catch (error) {
        if (!isBusy(error)) throw error;
        await clock.sleep(ms, forever);
      }
    }
    return transaction();
  };

  const commit = async (group: readonly Waiting[], run: (trx: Trx) => Promise<void>) => {
    await patiently(() =>
      db.transaction().execute(async (trx) => {
        await run(trx);
        for (const { name } of group) failpoint(`store.${name}.before-commit`);
      }),
    );
    for (const { name } of group) failpoint(`store.${name}.after-commit`);
    if (group.some(isReal)) failure = undefined;
  };

  /** The usual case: everything succeeds, and no savepoints are paid for. */
  const together = async (group: readonly Waiting[]) => {
    const results: unknown[] = [];
    await commit(group, async (trx) => {
      results.length = 0;
      for (const { job } of group) results.push(await job(trx));
    });
    for (const [i, { resolve }] of group.entries()) resolve(results[i]);
  };

  /** One of them failed: run them again, each in a savepoint, so that it fails alone. */
  const apart = async (group: readonly Waiting[]) => {
    let settled: (() => void)[] = [];
    await commit(group, async (trx) => {
      settled = [];
      for (const { job, resolve, reject } of group) {
        await sql`savepoint one`.execute(trx);
        try {
          const value = await job(trx);
          settled.push(() => resolve(value));
        } catch (error) {
          // SQLite rolls back the whole transaction when the disk is full: then the savepoint is gone.
          await sql`rollback to one`.execute(trx).catch(() => Promise.reject(error));
          settled.push(() => reject(error));
        }
        await sql`release one`.execute(trx);
      }
    });
    for (const tell of settled) tell();
  };

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const fail = (error: unknown) => {
        if (group.some(isReal) && isStorage(error)) failure = error;
        for (const { reject } of group) reject(error);
      };
      // Another process holds the lock, so no job of the group is at fault; waiting again would only double the delay.
      const allAlike = (error: unknown) => group.length === 1 || isBusy(error);
      await together(group).catch((error) => (allAlike(error) ? fail(error) : apart(group).catch(fail)));
    }
    flushing = undefined;
  };

  const start = () => {
    // With nothing waiting, flush() would be over before it is assigned, and every later write would wait for it forever.
    if (waiting.length > 0) flushing ??= flush();
  };

  const startSoon = async () => {
    scheduled = true;
    await nextTurn();
    scheduled = false;
    start();
  };

  return {
    write<T>(name: WriteName, job: (trx: Trx) => Promise<T>, when: 'now' | 'soon' = 'now') {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ name, job, resolve: resolve as (value: unknown) => void, reject });
        if (when === 'now') start();
        else if (!scheduled && flushing === undefined) void startSoon();
      });
    },
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

const isReal = ({ name }: Waiting): boolean => name !== 'health';
