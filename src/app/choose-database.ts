import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { placeInAddress } from '../platform/network/postgres-address.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';

/**
 * `daemon`: long-running; does the work of a unit while it holds the unit's tenure. `alone`: does all that work once;
 * refused while a daemon runs. `tool`: one command, also beside a running daemon.
 */
export type Mode = 'daemon' | 'alone' | 'tool';

interface OpenOptions {
  clock: Clock;
  log: Log;
  version: string;
  mode: Mode;
  /** Ends what may take minutes before a damaged database is open. */
  signal?: AbortSignal | undefined;
}

/** Opens the configured database. The code for PostgreSQL is loaded only when it is used. */
export async function openDatabase(
  { sqlite, postgres, postgres_file, min_free }: Config['store'],
  options: OpenOptions,
): Promise<Store> {
  if (postgres === undefined) {
    const mode = options.mode === 'tool' ? 'tool' : 'daemon';
    return openFileStore({ file: sqlite, minFree: min_free, ...options, mode });
  }
  const { openPostgres } = await import('../store/postgres.ts');
  const reread = postgres_file === undefined ? undefined : () => addressIn(postgres_file);
  return openPostgres({ url: postgres, reread, ...options });
}

/** A password may be changed while the daemon runs. */
function addressIn(file: string): string | undefined {
  try {
    const address = readFileSync(file, 'utf8').trim();
    return placeInAddress(address) === undefined ? undefined : address;
  } catch {
    return undefined;
  }
}

/** True before the first daemon creates the file. Always false for a server, where only opening it tells. */
export const isDatabaseNew = ({ sqlite, postgres }: Config['store']): boolean =>
  postgres === undefined && !existsSync(sqlite);
