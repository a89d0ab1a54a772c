import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Creates a folder and its missing parents; throws the system's error. Step by step, because Node's `recursive` hangs
 * where the parent exists but nothing can be created in it (`/proc`, an automount).
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Fine if another process has just created it.
    if (!(await isFolder(path))) throw error;
  }
}
