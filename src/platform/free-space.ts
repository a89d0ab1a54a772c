import { statfsSync } from 'node:fs';

/** Bytes that this user can still write there; null where the file system does not say. Does not throw. */
export function freeBytes(folder: string): number | null {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    // Some network and user-space file systems report no blocks at all.
    return blocks === 0 ? null : bavail * bsize;
  } catch {
    return null;
  }
}
