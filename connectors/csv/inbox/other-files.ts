import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Note, said } from '../../../src/connector.ts';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import { MINUTE } from '../../../src/platform/duration.ts';
import { statOf } from '../files.ts';
import { type FileKind, fileKindOf } from './file-kinds.ts';
import { csvFiles, doneNameOf, type Folders, foldersOf, stemOf, type Unsettled } from './folders.ts';
import type { Ledger } from './ledger.ts';

/** What lies in the inbox and is not read, by name. All but what was refused has lain there for a while. */
interface OtherFiles {
  /** Refused by us; what somebody put beside them is in a folder. */
  refused: string[];
  /** Neither read nor litter. */
  other: string[];
  onlineOnly: string[];
  /** Files with bookings in folders, by their path. */
  inFolders: string[];
  unsettled: Unsettled[];
}

/** For how long a file may be on its way under another name. */
const OTHER_MS = 10 * MINUTE;
/** A syncer's shared folder may be a tree of its own. */
const DEPTH = 3;
const ENTRIES = 1_000;

export async function otherFiles(
  { inbox, failed }: Pick<Folders, 'inbox' | 'failed'>,
  ledger: Ledger,
  now: number,
): Promise<OtherFiles> {
  const found: OtherFiles = {
    ...{ other: [], onlineOnly: [], unsettled: [] },
    ...(await refusedFiles(failed, ledger, now)),
  };
  let left = ENTRIES;
  for await (const entry of entriesIn(inbox, '', DEPTH)) {
    left -= 1;
    if (left < 0) break;
    const meaning = meaningOf(entry);
    const stat = meaning && (await statOf(join(inbox, entry.path)));
    // Files have times between milliseconds.
    const forMs = Math.round(now - (stat?.mtimeMs ?? now));
    if (forMs <= OTHER_MS) continue;
    if (meaning === 'unsettled') found.unsettled.push({ name: entry.path, forMs });
    else if (meaning !== undefined) found[meaning].push(entry.path);
  }
  return found;
}

const FAILED = foldersOf('').failed;

async function refusedFiles(failed: string, ledger: Ledger, now: number) {
  const found: Pick<OtherFiles, 'refused' | 'inFolders'> = { refused: [], inFolders: [] };
  const readings = (await ledger.readings()).filter(({ folder }) => folder === 'failed');
  const names = new Map(readings.map((reading) => [reading.stem, doneNameOf(reading)]));
  for (const name of await csvFiles(failed)) {
    const { mtimeMs = now } = (await statOf(join(failed, name))) ?? {};
    const stem = stemOf(name);
    // An earlier version forgot them after a day.
    const isOurs = names.has(stem)
      ? names.get(stem) === name
      : await statOf(join(failed, `${stem}.error.txt`));
    if (isOurs) found.refused.push(name);
    else if (now - mtimeMs > OTHER_MS) found.inFolders.push(join(FAILED, name));
  }
  return found;
}

interface Entry {
  path: string;
  kind: FileKind;
  type: 'file' | 'folder' | 'special';
  isDeep: boolean;
}

/** What is to be said of it, once it has lain there for a while. */
function meaningOf({ kind, type, isDeep }: Entry): Exclude<keyof OtherFiles, 'refused'> | undefined {
  if (kind === 'online_only') return 'onlineOnly';
  if (kind === 'transfer') return isDeep ? undefined : 'unsettled';
  if (isDeep) return kind === 'csv' && type === 'file' ? 'inFolders' : undefined;
  // A folder is said only if it looks like a file: its content is said for itself.
  if (kind === 'csv') return type === 'file' ? undefined : 'other';
  return type === 'folder' ? undefined : 'other';
}

/** Everything but litter and our own folders; a folder that may not be read is passed over. */
async function* entriesIn(inbox: string, folder: string, depth: number): AsyncGenerator<Entry> {
  const entries = await readdir(join(inbox, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (folder === '') throw error;
    return [];
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const kind = fileKindOf(entry.name);
    if (kind === 'litter' || ownFolders.has(path)) continue;
    const type = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'special';
    yield { path, kind, type, isDeep: folder !== '' };
    // Some browsers keep what has arrived in a folder.
    if (type === 'folder' && kind !== 'transfer' && depth > 0) yield* entriesIn(inbox, path, depth - 1);
  }
}

const ownFolders: ReadonlySet<string> = new Set(Object.values(foldersOf('')));

export interface WhenShown {
  now: number;
  timezone: string;
}

/** What is said of them, and of those that may yet be read. */
export function otherNotesOf(
  { refused, other, unsettled, onlineOnly, inFolders }: OtherFiles,
  place: string,
  { now, timezone }: WhenShown,
): Note[] {
  const longest = Math.max(...unsettled.map(({ forMs }) => forMs));
  const { date, time } = wallClockAt(now - (unsettled.length > 0 ? longest : 0), timezone);
  const incomplete = listNames(unsettled.map(({ name }) => name));
  return [
    ...(refused.length > 0
      ? [said('files_failed', { place: foldersOf(place).failed, count: refused.length })]
      : []),
    ...(unsettled.length > 0
      ? [said('files_unsettled', { names: incomplete, place, since: `${date} ${time}` })]
      : []),
    ...(inFolders.length > 0 ? [said('files_in_folders', { names: listNames(inFolders), place })] : []),
    ...(onlineOnly.length > 0 ? [said('files_online_only', { names: listNames(onlineOnly), place })] : []),
    ...(other.length > 0 ? [said('files_other', { names: listNames(other), place })] : []),
  ];
}

const NAMED = 3;
const LONGEST_NAME = 60;

/** Some names, for a sentence: a person chose them, so they are short and without control characters. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => {
    const plain = name.toWellFormed().replace(/[\p{C}\p{Z}]+/gu, ' ');
    return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME).toWellFormed()}…` : plain;
  });
  return shown.join(', ') + (names.length > NAMED ? `, … (${names.length})` : '');
}
