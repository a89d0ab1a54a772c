import { constants } from 'node:fs';
import { lstat, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { ensureDirectory, errnoOf, statOf, syncDirectory } from '../files.ts';

export interface Folders {
  inbox: string;
  processing: string;
  done: string;
  failed: string;
  results: string;
}

export const foldersOf = (inbox: string): Folders => ({
  inbox,
  processing: join(inbox, 'processing'),
  done: join(inbox, 'done'),
  failed: join(inbox, 'failed'),
  results: join(inbox, 'results'),
});

/** Creates what is missing. A link in the place of a folder is refused: whoever may drop files could lead us anywhere. */
export async function prepareFolders(folders: Folders, fileMode: number): Promise<void> {
  await ensureDirectory(folders.inbox, fileMode);
  for (const folder of [folders.processing, folders.done, folders.failed, folders.results]) {
    if (await statOf(folder).then((stat) => stat === undefined)) await ensureDirectory(folder, fileMode);
    if (!(await lstat(folder)).isDirectory())
      throw new Failure({
        kind: 'refused',
        message: `${folder} is not a folder`,
        hint: `Remove what is at ${folder}; it must be a folder, not a file or a link.`,
      });
  }
}

const isOurs = (name: string) => /\.csv$/i.test(name) && !/^(\.|~\$)/.test(name);

/** Plain files with a name of ours, by name. Links, folders, temporary and hidden files are nobody's business. */
export async function csvFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() && isOurs(entry.name) ? [entry.name] : [])).sort();
}

/** `leads.csv` → `leads`. */
export const stemOf = (name: string) => name.replace(/\.csv$/i, '');

/** How long a file must have stood still before it is taken; an empty one is probably about to be filled. */
const SETTLE_MS = 2_000;
const SETTLE_EMPTY_MS = 60_000;
export const lookAgainMs = SETTLE_MS;

/** Tells the files that are not being written any more. Keeps what it saw between looks. */
export interface Settling {
  look(folder: string): Promise<{ settled: string[]; waiting: number }>;
}

export function createSettling(clock: Clock): Settling {
  let seen = new Map<string, { size: number; mtimeMs: number; ino: number; since: number }>();
  return {
    async look(folder) {
      const now = clock.monotonic();
      const next: typeof seen = new Map();
      const settled: string[] = [];
      for (const name of await csvFiles(folder)) {
        const stat = await statOf(join(folder, name));
        if (!stat?.isFile()) continue;
        const before = seen.get(name);
        const still =
          before?.size === stat.size && before.mtimeMs === stat.mtimeMs && before.ino === stat.ino;
        const since = still ? before.since : now;
        next.set(name, { size: stat.size, mtimeMs: stat.mtimeMs, ino: stat.ino, since });
        if (still && now - since >= (stat.size === 0 ? SETTLE_EMPTY_MS : SETTLE_MS)) settled.push(name);
      }
      seen = next;
      return { settled, waiting: next.size - settled.length };
    },
  };
}

/** Moves a file, replacing what is there; durable when it resolves. False when it is not there (any more). */
export async function move(from: [folder: string, name: string], to: [folder: string, name: string]) {
  try {
    await rename(join(...from), join(...to));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
  await syncDirectory(to[0]);
  await syncDirectory(from[0]);
  return true;
}

/** A file is held in memory once while its rows are booked: some 150,000 rows. */
const MAX_FILE_BYTES = 20 * 2 ** 20;

/** The file's bytes; never through a link, never from a pipe, never more than the limit. */
export async function readPlainFile(path: string): Promise<{ bytes: Buffer } | { tooLarge: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) return { tooLarge: size };
    return { bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}
