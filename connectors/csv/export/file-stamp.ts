import { chmod } from 'node:fs/promises';
import { statOf } from '../files.ts';

/** What tells whether a file is as we left it, as one comparable text. */
export type FileStamp = string;

/**
 * The file's stamp; undefined when there is no plain file. Its permissions are put right on the way: a file of a former
 * version, or of another `file_mode`, stays readable to others no longer than until the first look.
 */
export async function stampOf(path: string, mode: number): Promise<FileStamp | undefined> {
  const stat = await statOf(path);
  if (!stat?.isFile()) return undefined;
  // Some network shares have permissions of their own: `permissions.ts` says so.
  if ((stat.mode & 0o777) !== mode) await chmod(path, mode).catch(() => {});
  return `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}
