import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepCompiled } from './compiled.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 30;

let folder: string | undefined;

/**
 * Once before all tests: whatever they write lies in one folder, which goes with the run however it ends. In memory where
 * there is room: nothing in the test command depends on a real disk. What was synced and what was not is proven by
 * system calls, and a killed process leaves its files in the system's hands either way. The long run takes the disk.
 * What one worker has compiled, the next one finds.
 */
export function setup(): void {
  const inMemory = process.env.TMPDIR === undefined && !isLongRun && hasRoom(MEMORY);
  const base = inMemory ? MEMORY : tmpdir();
  for (const name of readdirSync(base)) if (isLeftBehind(name)) removeIfFree(join(base, name));
  folder = mkdtempSync(join(base, `clinic-sync-run-${process.pid}-`));
  process.env.TMPDIR = folder;
  // Made by the first test that needs a PostgreSQL server.
  process.env.TEST_EMPTY_CLUSTER = join(folder, 'empty-cluster');
  process.env.NODE_COMPILE_CACHE ??= keepCompiled.NODE_COMPILE_CACHE;
}

/** Once after all tests. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A disk that a killed test had mounted there stays until someone unmounts it, and keeps no run from starting. */
function removeIfFree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    console.warn(`${path} was left by a killed run and cannot be removed: ${String(error)}`);
  }
}

/** Left by a run that was killed. */
function isLeftBehind(name: string): boolean {
  const pid = /^clinic-sync-run-(\d+)-/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
