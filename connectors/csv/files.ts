import { hash } from 'node:crypto';
import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs';
import { copyFile, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stated } from '../../src/connector.ts';
import { codeOf, Failure } from '../../src/platform/failure.ts';
import { isNoFolderSync, isNoSync } from '../../src/platform/file-faults.ts';
import { makeFolder } from '../../src/platform/folder.ts';

export const sha256 = (bytes: Buffer | string): string => hash('sha256', bytes);

/** Error codes such as `ENOENT`; undefined for other errors. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? codeOf(error)?.replace(/^ERR_FS_/, '')
    : undefined;

const faults: Readonly<
  Record<string, readonly [Failure['kind'], 'folder_read_only' | 'folder_is_file' | 'disk_full']>
> = {
  EROFS: ['refused', 'folder_read_only'],
  ENOTDIR: ['refused', 'folder_is_file'],
  EEXIST: ['refused', 'folder_is_file'],
  ENOSPC: ['transient', 'disk_full'],
  EDQUOT: ['transient', 'disk_full'],
};

/** A file system error as a `Failure`; `place` comes from the configuration, never from a dropped file. */
export function fileFailure(cause: unknown, place: string): Failure {
  if (cause instanceof Failure) return cause;
  const code = errnoOf(cause);
  const [kind, what] = faults[code ?? ''] ?? [];
  if (kind !== undefined && what !== undefined)
    return new Failure({ kind, ...stated(what, { place }), cause });
  const user = String(process.getuid?.() ?? 'of the daemon');
  if (code === 'EACCES' || code === 'EPERM')
    return new Failure({ kind: 'refused', ...stated('folder_denied', { place, user }), cause });
  const shown = code === undefined ? '' : ` (${code})`;
  return new Failure({ kind: 'transient', ...stated('write_failed', { place, code: shown }), cause });
}

export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * A file with a second name elsewhere (a hard link) is not only ours: it is replaced here, and never changed in place.
 */
export const hasOtherNames = async (path: string): Promise<boolean> => ((await statOf(path))?.nlink ?? 1) > 1;

/** Whoever may read a file may also enter its folder: 0640 → 0750. */
const folderMode = (fileMode: number): number => fileMode | ((fileMode & 0o444) >> 2);

/** Creates a missing directory and its parents, readable to whoever may read its files. */
export async function ensureDirectory(path: string, fileMode: number): Promise<void> {
  try {
    await makeFolder(path, folderMode(fileMode));
  } catch (error) {
    throw fileFailure(error, path);
  }
}

/** Where a file system has no sync, its files are as durable as it makes them. */
async function synced(handle: FileHandle): Promise<void> {
  await handle.sync().catch((error: unknown) => {
    if (!isNoSync(error)) throw error;
  });
}

/** Makes a rename or a new file survive a power cut, where the file system supports it. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    if (!isNoFolderSync(error)) throw error;
  } finally {
    await directory.close();
  }
}

/** Nothing takes effect before `commit`. */
export interface FileWriter {
  write(bytes: Buffer): Promise<void>;
  /** Durable when it resolves. */
  commit(): Promise<void>;
  abandon(): Promise<void>;
}

const temporaryFor = (path: string) => join(dirname(path), `.${basename(path)}.tmp`);

/** Some shares refuse only the last step of the system's copy, which sets the mode. */
async function copied(path: string, to: string): Promise<void> {
  try {
    await copyFile(path, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') throw error;
    await rm(to, { force: true });
    await pipeline(createReadStream(path), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  }
}

/**
 * Writes a temporary file and replaces the target in one step: readers see the old content or the new. `from: 'copy'`
 * starts with the current content. The temporary name is fixed, so the next attempt removes what a crash left behind.
 */
export async function replacing(
  path: string,
  { mode, from = 'empty' }: { mode: number; from?: 'empty' | 'copy' },
): Promise<FileWriter> {
  const temporary = temporaryFor(path);
  await rm(temporary, { force: true });
  if (from === 'copy') await copied(path, temporary);
  const handle = await open(temporary, from === 'copy' ? 'a' : 'wx', 0o600);
  // Overrides the process's umask; some network shares have their own permissions, of which `permissions.ts` warns.
  if (mode !== 0o600 || from === 'copy') await handle.chmod(mode).catch(() => {});
  return {
    write: (bytes) => handle.writeFile(bytes),
    async commit() {
      await synced(handle);
      await handle.close();
      await rename(temporary, path);
      await syncDirectory(dirname(path));
    },
    async abandon() {
      await handle.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Appends in place. A reader may see half a row meanwhile. */
export async function appending(path: string): Promise<FileWriter> {
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  return {
    write: (bytes) => handle.writeFile(bytes),
    async commit() {
      await synced(handle);
      await handle.close();
    },
    abandon: () => handle.close().catch(() => {}),
  };
}

/**
 * Writes a part of the content in place, so that whoever has it open goes on in the same file. Durable when it
 * resolves.
 */
export async function overwrite(
  path: string,
  bytes: Buffer,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    await handle.write(bytes, from, to - from, from);
    await synced(handle);
  } finally {
    await handle.close();
  }
}

/** Replaces the whole file in one step; durable when it resolves. */
export async function replaceFile(path: string, bytes: Buffer, mode: number): Promise<void> {
  const writer = await replacing(path, { mode });
  try {
    await writer.write(bytes);
    await writer.commit();
  } catch (error) {
    await writer.abandon().catch(() => {});
    throw error;
  }
}
