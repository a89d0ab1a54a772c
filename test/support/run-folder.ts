import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 30;

let folder: string | undefined;

/**
 * Once before all tests: whatever they write lies in one folder, which goes with the run however it ends. In memory where
 * there is room: nothing in the test command depends on a real disk. What was synced and what was not is proven by
 * system calls, and a killed process leaves its files in the system's hands either way. The long run takes the disk.
 */
export function setup(): void {
  const inMemory = process.env.TMPDIR === undefined && !isLongRun && hasRoom(MEMORY);
  folder = mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'clinic-sync-run-'));
  process.env.TMPDIR = folder;
}

/** Once after all tests. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
