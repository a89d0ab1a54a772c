import type { Stats } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { statOf } from '../files.ts';

/** Size, time and inode as one text; equal while nobody has touched the file. */
export type FileStamp = string;

/**
 * Corrects the permissions of a file, so that one of an older version or another `file_mode` does not stay readable to
 * others. Resolves to its facts; undefined when it is no plain file.
 */
export async function correctMode(path: string, mode: number): Promise<Stats | undefined> {
  const stat = await statOf(path);
  if (!stat?.isFile()) return undefined;
  // Some network shares have their own permissions; `permissions.ts` warns of them. A file with a second name elsewhere
  // is not only ours.
  if ((stat.mode & 0o777) !== mode && stat.nlink === 1) await chmod(path, mode).catch(() => {});
  return stat;
}

/** The file's stamp, after `correctMode`; undefined when it is no plain file. */
export async function stampOf(path: string, mode: number): Promise<FileStamp | undefined> {
  const stat = await correctMode(path, mode);
  return stat && `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}
