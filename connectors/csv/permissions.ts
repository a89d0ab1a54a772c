import { open } from 'node:fs/promises';
import { isNoSync } from '../../src/platform/file-faults.ts';
import type { Log } from '../../src/platform/log.ts';
import { errnoOf, statOf } from './files.ts';

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/**
 * Warns once when files do not have the permissions of `file_mode`: some network shares and FAT disks have none, or the
 * file belongs to another user. Writing continues, but people should know who can read the files.
 */
export function createPermissionWatch(mode: number, log: Log): (paths: readonly string[]) => Promise<void> {
  let warned = false;
  let isSyncKnown = false;
  return async (paths) => {
    if (!isSyncKnown && paths[0] !== undefined) await warnOfNoSync(paths[0], log);
    isSyncKnown = true;
    for (const path of paths) {
      if (warned) return;
      const stat = await statOf(path);
      if (!stat?.isFile() || (stat.mode & 0o777) === mode) continue;
      warned = true;
      log.warn('file permissions could not be set', {
        path,
        problem: `It has ${octal(stat.mode)} instead of ${octal(mode)}, the file_mode`,
        hint: 'Restrict access with the mount options or the share’s settings, or give the file to the daemon’s user.',
      });
    }
  };
}

/** What has no sync is written as well: all of it can be written again. */
async function warnOfNoSync(path: string, log: Log): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch((error: unknown) => {
    if (!isNoSync(error)) return;
    log.warn('files cannot be synced to their disk', {
      path,
      problem: `Its file system has no sync (${errnoOf(error)}): a power cut may cut the newest files short`,
      hint: 'They are written again with the next change. A local disk, or a share with sync, has no such gap.',
    });
  });
  await handle?.close();
}
