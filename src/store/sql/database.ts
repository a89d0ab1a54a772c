import type { Kysely, Transaction } from 'kysely';
import type { Json, JsonObject } from '../../platform/json.ts';
import type { Schema } from './schema.ts';

/** For reading: a connection or the current transaction. */
export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/**
 * Runs `job` in a write transaction and resolves when it is durable. Concurrent jobs share one commit; one that throws
 * does not affect the others. A job may run twice, so it must do database work only. Jobs of different units may
 * interleave, statement by statement: see `runGroup`.
 */
export type Write = <T>(
  name: WriteName,
  job: (trx: Trx) => Promise<T>,
  when?: When,
  unit?: string,
) => Promise<T>;

/** How long a write may wait for others to share its commit; see `groupCommit`. */
export type When = 'now' | 'soon' | 'later';

/** Does the same for several items in order; resolves to one result each. Like a job, it may run twice. */
export type BatchRun<I, T> = (trx: Trx, items: readonly I[]) => Promise<readonly T[]>;

/**
 * Like `Write` with `soon`, for work that is cheaper in bulk: `run` gets all waiting items. If it fails, it runs again
 * for each item separately, so that none affects the others.
 */
export type WriteEach = <I, T>(name: WriteName, run: BatchRun<I, T>, item: I) => Promise<T>;

/** Every kind of write; each has the failpoints `store.NAME.before-commit` and `store.NAME.after-commit`. */
export const writeNames = [
  'start',
  'record',
  'track',
  'observe',
  'accept',
  'claim',
  'note',
  'move',
  'interrupt',
  'enqueue',
  'settle',
  'decide',
  'replay',
  'connector',
  'run',
  'guard',
  'incidents',
  'memory',
  'prune',
  'erase',
  'health',
  'people',
] as const;
export type WriteName = (typeof writeNames)[number];

/** Passed to every group of verbs. */
export interface StoreParts {
  db: Db;
  write: Write;
}

/** Runs a deletion. Resolves to the number of rows it removed. */
export const deletedBy = async (statement: {
  executeTakeFirstOrThrow(): Promise<{ numDeletedRows: bigint }>;
}): Promise<number> => Number((await statement.executeTakeFirstOrThrow()).numDeletedRows);

export const parseJson = <T extends Json = JsonObject>(stored: string): T => JSON.parse(stored) as T;

export const fromJson = <T>(stored: string | null): T | null => (stored === null ? null : JSON.parse(stored));

/** Keeps `in (…)` lists and rows of one statement far below SQLite's 32,766 variables. */
export function* slices<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
