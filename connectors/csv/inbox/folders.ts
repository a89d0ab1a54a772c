import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MINUTE } from '../../../src/platform/duration.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { ensureDirectory, errnoOf, statOf, syncDirectory } from '../files.ts';
import { endOfText, isZip, roughText, utf16Of } from './content/decode.ts';
import { directoryOf } from './content/unzip.ts';
import { fileKindOf } from './file-kinds.ts';

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

/** Whether what was left in the inbox is gone. */
export async function isAway(inbox: string, ledger: { stems(): Promise<string[]> }): Promise<boolean> {
  const entries = await readdir(inbox).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  return entries.length === 0 && (await ledger.stems()).length > 0;
}

/** Folders held open: their paths keep leading to them even if something replaces them. */
export interface HeldFolders extends Folders {
  release(): Promise<void>;
}

/**
 * Creates missing folders and holds them open. Refuses symbolic links: people who drop files could use one to point the
 * daemon anywhere, even between a check and its use. Systems without `/proc` have only the check.
 */
export async function holdFolders(inbox: string, fileMode: number): Promise<HeldFolders> {
  await ensureDirectory(inbox, fileMode);
  const held: FileHandle[] = [];
  const release = async () => {
    for (const handle of held.splice(0)) await handle.close();
  };
  const hold = async (path: string, flags: number): Promise<string> => {
    if (!(await hasDescriptorPaths())) return path;
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | flags);
    held.push(handle);
    return `${DESCRIPTORS}/${handle.fd}`;
  };
  const inside = async (root: string, name: string): Promise<string> => {
    const path = join(root, name);
    if ((await statOf(path)) === undefined) await ensureDirectory(path, fileMode);
    if (!(await lstat(path)).isDirectory()) throw notAFolder(join(inbox, name));
    return hold(path, constants.O_NOFOLLOW);
  };
  try {
    const root = await hold(inbox, 0);
    return {
      inbox: root,
      processing: await inside(root, 'processing'),
      done: await inside(root, 'done'),
      failed: await inside(root, 'failed'),
      results: await inside(root, 'results'),
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

const DESCRIPTORS = '/proc/self/fd';
const hasDescriptorPaths = async () => (await statOf(DESCRIPTORS)) !== undefined;

const notAFolder = (path: string) =>
  new Failure({
    kind: 'refused',
    message: `${path} is not a folder`,
    hint: `Remove what is at ${path}; it must be a folder, not a file or a link.`,
  });

/** Names of plain files with bookings: no links, folders, temporary or hidden files. */
export async function csvFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .flatMap((entry) => (entry.isFile() && fileKindOf(entry.name) === 'csv' ? [entry.name] : []))
    .sort();
}

const endings = ['.csv', '.xlsx'] as const;
const ending = /\.(?:csv|xlsx)$/i;

/** `leads.csv` and `leads.xlsx` → `leads`. */
export const stemOf = (name: string) => name.replace(ending, '');

/** The name of a file in `done` or `failed`, and what it may be: a workbook that was refused stays one. */
export const doneNameOf = ({ stem, name }: { stem: string; name: string }): string =>
  stem + (/\.xlsx$/i.test(name) ? '.xlsx' : '.csv');
export const folderNamesOf = (stem: string): string[] => endings.map((one) => stem + one);

/**
 * How long a file must stay unchanged before it is taken. Longer when it does not look whole: it is probably still
 * being written, but some programs end no last line.
 */
const SETTLE_MS = 2_000;
const SETTLE_PARTIAL_MS = MINUTE;
export const lookAgainMs = SETTLE_MS;
/** A file that has not settled for so long is reported; one that is open in an office program is taken nevertheless. */
const UNSETTLED_MS = 10 * MINUTE;

interface Observation {
  size: number;
  mtimeMs: number;
  /** Changes with every write, also by programs that set the other time back. */
  ctimeMs: number;
  ino: number;
  /** Since when it is unchanged, and since when it is there (monotonic milliseconds). */
  since: number;
  first: number;
  looks?: Looks;
}

/** Files as last seen. */
export type Observations = Map<string, Observation>;

/** A file that is not complete, and for how long. */
export interface Unsettled {
  name: string;
  forMs: number;
}

export interface Settled {
  /** Names of files that are no longer being written. */
  settled: string[];
  waiting: number;
  /** Names of files that have not settled for long, and for how long. */
  unsettled: Unsettled[];
  /** Files that cannot be opened because their names are not UTF-8. */
  unnameable: number;
}

/** Finds files that are no longer being written. Updates `seen`. */
export async function settledFiles(folder: string, seen: Observations, now: number): Promise<Settled> {
  const gone = new Set(seen.keys());
  const found: Settled = { settled: [], waiting: 0, unsettled: [], unnameable: 0 };
  for (const name of await csvFiles(folder)) {
    const path = join(folder, name);
    const stat = await statOf(path);
    if (stat === undefined && name.includes('\uFFFD')) found.unnameable += 1;
    if (!stat?.isFile()) continue;
    gone.delete(name);
    if (await hasSettled({ path, stat, key: name }, seen, now)) {
      found.settled.push(name);
      continue;
    }
    const forMs = now - (seen.get(name)?.first ?? now);
    if (forMs >= UNSETTLED_MS) found.unsettled.push({ name, forMs });
    else found.waiting += 1;
  }
  for (const name of gone) seen.delete(name);
  return found;
}

/** Whether a file is no longer being written. Updates `seen`. A blank file waits for its content. */
export async function hasSettled(
  { path, stat, key }: { path: string; stat: Stats; key: string },
  seen: Observations,
  now: number,
): Promise<boolean> {
  const { size, mtimeMs, ctimeMs, ino } = stat;
  const last = seen.get(key);
  const same =
    last?.size === size && last.mtimeMs === mtimeMs && last.ctimeMs === ctimeMs && last.ino === ino;
  const first = last?.first ?? now;
  const observed: Observation = same ? last : { size, mtimeMs, ctimeMs, ino, since: now, first };
  seen.set(key, observed);
  const rested = now - observed.since;
  if (size === 0 || rested < SETTLE_MS) return false;
  if (rested < UNSETTLED_MS && (await isOpened(path))) return false;
  observed.looks ??= await lookAt(path);
  return observed.looks === 'whole' || (observed.looks === 'partial' && rested >= SETTLE_PARTIAL_MS);
}

/** Excel and LibreOffice keep a file beside the one that somebody has open, and leave it there when they crash. */
async function isOpened(path: string): Promise<boolean> {
  const [folder, name] = [dirname(path), basename(path)];
  const locks = [`.~lock.${name}#`, `~$${name}`].map((lock) =>
    statOf(join(folder, lock)).catch(() => undefined),
  );
  return (await Promise.all(locks)).some((stat) => stat !== undefined);
}

/** `blank`: what a program or syncer leaves in the place of a file that is still to come. */
type Looks = 'blank' | 'partial' | 'whole';

/**
 * Whole: there is more than separators, the last line ends, no quotation mark is open, and nothing is zero, as where a
 * copy has not yet arrived; also a file that cannot be read, which is reported once it is taken.
 */
async function lookAt(path: string): Promise<Looks> {
  const read = await readPlainFile(path).catch(() => undefined);
  if (read === undefined || !('bytes' in read)) return 'whole';
  const { bytes } = read;
  const looks = (isWhole: boolean) => (isWhole ? 'whole' : 'partial');
  if (isZip(bytes)) return looks(directoryOf(bytes) !== undefined);
  const wide = utf16Of(bytes);
  const text = roughText(bytes.subarray(0, endOfText(bytes, wide, [0x1a])), wide);
  if (text.trim() === '') return 'blank';
  const isPadded = !/[\r\n]$/.test(text) || text.includes('\0') || !hasContent(text);
  if (isPadded || (wide !== undefined && bytes.length % 2 === 1)) return 'partial';
  let marks = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) marks += 1;
  return looks(marks % 2 === 0);
}

/** What is more than separators; a line that names the separator is none. */
const hasContent = (text: string): boolean =>
  /[\p{L}\p{N}\uFFFD]/u.test(text.slice(0, SEARCHED).replace(/^\uFEFF?sep=.*$/gim, ''));
const SEARCHED = 64 * 1024;

/** Moves a file, replacing the target; durable when it resolves. False when the file is gone. */
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

/** A file is held in memory once while it is booked; this is about 150,000 rows. */
const MAX_FILE_BYTES = 20 * 2 ** 20;

/** Neither through a link nor waiting for a pipe. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The file's bytes, never through a link and never beyond the limit. Undefined when it is no plain file. */
export async function readPlainFile(
  path: string,
): Promise<{ bytes: Buffer } | { tooLarge: number; start: Buffer } | undefined> {
  const file = await open(path, PLAIN);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    if (stat.size > MAX_FILE_BYTES) {
      const { buffer: start } = await file.read(Buffer.alloc(MAX_FILE_BYTES), 0, MAX_FILE_BYTES, 0);
      return { tooLarge: stat.size, start };
    }
    // `readFile` would read a growing file to its end, however far that is.
    return { bytes: stat.size === 0 ? Buffer.alloc(0) : await file.readFile() };
  } finally {
    await file.close();
  }
}
