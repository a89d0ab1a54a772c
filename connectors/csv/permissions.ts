import type { Log } from '../../src/platform/log.ts';
import { statOf } from './files.ts';

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/**
 * Warns once when files do not have the permissions of `file_mode`: some network shares and FAT disks have none, or the
 * file belongs to another user. Writing continues, but people should know who can read the files.
 */
export function createPermissionWatch(mode: number, log: Log): (paths: readonly string[]) => Promise<void> {
  let warned = false;
  return async (paths) => {
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
