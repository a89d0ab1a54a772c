import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { openStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';

interface OpenOptions {
  clock: Clock;
  log: Log;
  version: string;
  /** See `openStore` and `openPostgres`. */
  mode: 'daemon' | 'tool';
}

/** Opens the configured database. What PostgreSQL needs is loaded only for one. */
export async function openDatabase(
  { sqlite, postgres, min_free }: Config['store'],
  options: OpenOptions,
): Promise<Store> {
  if (postgres === undefined) return openStore({ file: sqlite, minFree: min_free, ...options });
  const { openPostgres } = await import('../store/postgres.ts');
  return openPostgres({ url: postgres, ...options });
}

/** No daemon has made the file yet. A server is asked by opening it. */
export const isDatabaseNew = ({ sqlite, postgres }: Config['store']): boolean =>
  postgres === undefined && !existsSync(sqlite);
