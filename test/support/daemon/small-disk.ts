import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A volume of its own, small enough to be filled. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** Takes the last byte. */
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Only while nothing on it is open for writing. */
  readOnly(on: boolean): Promise<void>;
}

/** Undefined where this user may not mount anything. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-sync-disk-'));
  const ballast = join(folder, 'ballast');
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a');
      for (let size = 65_536; size >= 1; )
        await file.write(Buffer.alloc(size)).catch(() => {
          size /= 2;
        });
      await file.close();
    },
    free: () => rm(ballast, { force: true }),
    async readOnly(on) {
      await run('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, folder]);
    },
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * From now on this process cannot make any file larger than it is (null: may again), so that its writes fail as on a
 * broken disk. False where there is no such tool.
 */
export async function limitFileSize(pid: number, bytes: number | null): Promise<boolean> {
  try {
    await run('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
    return true;
  } catch {
    return false;
  }
}
