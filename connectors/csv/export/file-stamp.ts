import { chmod } from 'node:fs/promises';
import { statOf } from '../files.ts';

/** Size, time and inode as one text; equal while nobody has touched the file. */
export type FileStamp = string;

/**
 * The file's stamp; undefined when it is no plain file. Also corrects its permissions, so that a file of an older
 * version or another `file_mode` does not stay readable to others.
 */
export async function stampOf(path: string, mode: number): Promise<FileStamp | undefined> {
  const stat = await statOf(path);
  if (!stat?.isFile()) return undefined;
  // Some network shares have their own permissions; `permissions.ts` warns of them.
  if ((stat.mode & 0o777) !== mode) await chmod(path, mode).catch(() => {});
  return `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}
