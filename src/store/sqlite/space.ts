import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { isNoRoom } from '../../platform/file-faults.ts';
import { freeBytes } from '../../platform/free-space.ts';

interface Space {
  /** Bytes this user can still write to the database's volume; null if unknown. */
  free: number | null;
  /** The configured floor (`store.min_free`), in bytes. */
  floor: number;
  below: boolean;
}

/** Cached, because every lead reads it and it changes slowly. */
const KEEP_MS = 1_000;

/** Free space on the volume of the database, measured at most once a second. Does not throw. */
export function freeSpace({
  file,
  floor,
  clock,
}: {
  file: string;
  floor: number;
  clock: Clock;
}): () => Space {
  let last: Space | undefined;
  let measuredAt = 0;
  return () => {
    const now = clock.monotonic();
    if (last !== undefined && now - measuredAt < KEEP_MS) return last;
    const free = file === ':memory:' ? null : freeBytes(dirname(file));
    measuredAt = now;
    last = { free, floor, below: free !== null && free < floor };
    return last;
  };
}

/** More than SQLite's shared memory begins with. */
const PROBE_BYTES = 64 * 1024;

/**
 * Whether the system has no room beside this file. SQLite does not tell: it takes a quota that is used up for a failed
 * disk, and a full disk at the start for one without shared memory.
 */
export function isOutOfRoom(file: string): boolean {
  const probe = `${file}.room`;
  try {
    writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    return false;
  } catch (error) {
    return isNoRoom(error);
  } finally {
    rmSync(probe, { force: true });
  }
}
