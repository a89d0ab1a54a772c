import type { Stats } from 'node:fs';
import { join } from 'node:path';
import type { Booking } from '../../../src/domain/booking.ts';
import { instant } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import type { Log } from '../../../src/platform/log.ts';
import { errnoOf, replaceFile, sha256, statOf } from '../files.ts';
import { bookRows } from './book-rows.ts';
import { type DroppedFile, openDropped } from './dropped-file.ts';
import { type Folders, move, readPlainFile, stemOf } from './folders.ts';
import { type ResultsParts, writeResults } from './results.ts';

export interface InboxParts extends ResultsParts {
  clinics: readonly string[];
  log: Log;
}

/** A file in `processing`. */
interface Taken {
  folders: Folders;
  name: string;
  own: (ref: string) => Promise<Booking | undefined>;
  outOfTime: () => boolean;
  signal: AbortSignal;
}

type Outcome = 'booked' | 'failed' | 'more' | 'left alone';

/** Books a file until the time is up. Safe to repeat from any point. */
export async function takeFile(parts: InboxParts, taken: Taken): Promise<Outcome> {
  const { clinics, settings, source, log } = parts;
  const { folders, name, signal } = taken;
  const path = join(folders.processing, name);
  const before = await statOf(path);
  const content = before?.isFile() ? await contentOf(path) : undefined;
  if (before === undefined || content === undefined) return 'left alone';
  if ('fault' in content) return refuse(parts, taken, content.key, content.fault);

  const { file, fault } = await openDropped(content.bytes, settings.columns, signal);
  if (fault !== undefined) return refuse(parts, taken, sha256(content.bytes), fault);
  if (clinics.length > 1 && settings.inbox_clinic === undefined && file.map.clinic === undefined)
    return refuse(
      parts,
      taken,
      file.sha256,
      `The file needs a column clinic with one of: ${clinics.join(', ')}.`,
    );

  const stem = await named(parts, taken, file);
  const fates = await bookRows({ ...parts, ...taken, file });
  if (fates.length < file.rows) return 'more';

  await writeResults(parts, folders, { stem, file, fates }, signal);
  failpoint('csv.inbox.results');
  if (await hasGrown(path, before)) {
    // The file was still being written: the rest is read as a new file, where known rows are merged.
    if (!(await statOf(join(folders.inbox, name))))
      await move([folders.processing, name], [folders.inbox, name]);
    return 'more';
  }
  await move([folders.processing, name], [folders.done, `${stem}.csv`]);
  failpoint('csv.inbox.done');
  log.info('inbox file booked', { connector: source, count: file.rows });
  return 'booked';
}

/** The content of a file; undefined when there is nothing to read. `key` identifies unreadable files. */
async function contentOf(
  path: string,
): Promise<{ bytes: Buffer } | { fault: string; key: string } | undefined> {
  try {
    const read = await readPlainFile(path);
    if (read === undefined || 'bytes' in read) return read;
    return { fault: 'The file is larger than 20 MB. Split it into several.', key: `${read.tooLarge}` };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ELOOP' || code === 'ENOENT') return undefined;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const user = process.getuid?.() ?? 'of the daemon';
    return { fault: `The file may not be read by user id ${user}. Change its permissions.`, key: code };
  }
}

async function hasGrown(path: string, before: Stats): Promise<boolean> {
  const after = await statOf(path);
  return after?.size !== before.size || after.mtimeMs !== before.mtimeMs;
}

/** Moves a file to `failed`. Writes the reason first, so that no failed file lacks one. */
async function refuse(
  { mode, log, source }: InboxParts,
  { folders, name }: Taken,
  hash: string,
  fault: string,
): Promise<Outcome> {
  const isFree = (stem: string) => isFreeFor(join(folders.failed, `${stem}.csv`), hash);
  const stem = await firstFree(name, hash, isFree);
  const text = `Nothing in this file was booked.\n\n${fault}\n\nCorrect it and drop it into the inbox again; then delete it here.\n`;
  await replaceFile(join(folders.failed, `${stem}.error.txt`), Buffer.from(text), mode);
  failpoint('csv.inbox.refused');
  await move([folders.processing, name], [folders.failed, `${stem}.csv`]);
  log.warn('inbox file could not be read', { connector: source });
  return 'failed';
}

/** The file's permanent name in `done`; equal content always gets the same name. */
async function named(
  { ledger, clock }: InboxParts,
  { folders, name }: Taken,
  { sha256: hash }: DroppedFile,
): Promise<string> {
  const stem = await firstFree(name, hash, async (candidate) => {
    const owner = await ledger.fileNamed(candidate);
    if (owner !== undefined && owner !== hash) return false;
    if (!(await isFreeFor(join(folders.done, `${candidate}.csv`), hash))) return false;
    // Results unknown to the ledger are not ours to overwrite.
    return owner !== undefined || !(await statOf(join(folders.results, `${candidate}.results.csv`)));
  });
  const isKnown = (await ledger.fileNamed(stem)) !== undefined;
  const isOpen = isKnown && (await ledger.open()).some((open) => open.stem === stem);
  if (!isOpen) await ledger.name(stem, hash, instant(clock.now()));
  failpoint('csv.inbox.named');
  return stem;
}

/** The first free one of `leads`, `leads-2` and so on. */
async function firstFree(
  name: string,
  hash: string,
  isFree: (stem: string) => Promise<boolean>,
): Promise<string> {
  const stem = stemOf(name);
  const base =
    Buffer.byteLength(stem) > 150 ? `${stem.slice(0, 40).toWellFormed()}-${hash.slice(0, 8)}` : stem;
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? base : `${base}-${n}`;
    if (await isFree(candidate)) return candidate;
  }
}

/** Whether nothing is there, or the same content. */
async function isFreeFor(path: string, hash: string): Promise<boolean> {
  const there = await statOf(path);
  if (there === undefined) return true;
  if (!there.isFile()) return false;
  // An unreadable file (possibly the reason it is in failed/) equals no other.
  const read = await readPlainFile(path).catch(() => undefined);
  return read !== undefined && 'bytes' in read && sha256(read.bytes) === hash;
}
