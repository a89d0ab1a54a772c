import { readFileSync, realpathSync, statSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';

/**
 * Refuses a database that another path leads to, past the lock, log and marker beside it: a second daemon there would
 * send the same bookings. Links to the file and to its folder are no other path, because they lead to the same place.
 */
export function assertOneName(file: string): void {
  const { nlink = 1, ino } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (nlink > 1)
    throw new Failure({
      kind: 'refused',
      message:
        `The database ${file} has ${nlink} names (hard links): a second ` +
        'daemon on another one would book the same leads.',
      hint:
        `Find the others with: find / -xdev -inum ${ino}. Delete them, or ` +
        'copy the database with clinic-sync backup.',
    });
  if (ino !== undefined && isMountPoint(realpathSync(file)))
    throw new Failure({
      kind: 'refused',
      message: `The database ${file} is itself a mount: its log and marker stay behind when the container is removed.`,
      hint: 'Mount its folder instead of the file.',
    });
}

/** On Linux only; elsewhere containers are Linux machines of their own. */
function isMountPoint(path: string): boolean {
  let mounts: string;
  try {
    mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return false;
  }
  return mounts.split('\n').some((line) => unescaped(line.split(' ')[4] ?? '') === path);
}

/** Spaces, tabs, line breaks and backslashes are written as octal numbers. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
