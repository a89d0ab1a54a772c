import type { Kysely, Transaction } from 'kysely';
import type { Json, JsonObject } from '../../platform/json.ts';
import type { Schema } from './schema.ts';

/** For reading: any connection or the transaction one is in. */
export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/**
 * Runs `job` in a write transaction and resolves when it is durable. What waits at the same moment shares one commit;
 * a job that throws takes nothing of the others with it. A job may run twice, so it does nothing but database work.
 */
export type Write = <T>(name: WriteName, job: (trx: Trx) => Promise<T>, when?: 'now' | 'soon') => Promise<T>;

/** Every kind of write; each has the crash points `store.NAME.before-commit` and `store.NAME.after-commit`. */
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

/** What every group of verbs is built from. */
export interface Parts {
  db: Db;
  write: Write;
}

export const parseJson = <T extends Json = JsonObject>(stored: string): T => JSON.parse(stored) as T;

export const fromJson = <T>(stored: string | null): T | null => (stored === null ? null : JSON.parse(stored));

/** `in (…)` lists and rows of one statement stay far below SQLite's 32,766 variables. */
export function* slices<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
