import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { instant } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import type { Log } from '../../../src/platform/log.ts';
import { errnoOf, replaceFile, sha256, statOf } from '../files.ts';
import { bookRows, readCells } from './book-rows.ts';
import { isZip } from './content/decode.ts';
import { type DroppedFile, openDropped, openPlainDropped } from './content/dropped-file.ts';
import { mayGoOn } from './content/last-row.ts';
import { doneNameOf, type Folders, folderNamesOf, move, readPlainFile, stemOf } from './folders.ts';
import type { FileReading, Ledger } from './ledger.ts';
import { fileHashOf, isFree, writeOwn } from './own-files.ts';
import { type ResultsParts, readOptions, writeRefusal, writeResults } from './results.ts';
import { resultsOf, takeResultsName } from './results-name.ts';
import { csvOfWorkbook } from './unpack-workbook.ts';
import { digestsOf, familyOf, fromOf, type KnownRow, seriesOf } from './versions.ts';
import { withdrawRefusals } from './withdraw-refusals.ts';

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
  const { folders, name, signal } = taken;
  const path = join(folders.processing, name);
  const stat = await statOf(path);
  const content = stat?.isFile() ? await contentOf(path) : undefined;
  if (stat === undefined || content === undefined) return 'left alone';
  const { mtimeMs } = stat;
  const family = familyOf(name);
  const csv = isZip(content.bytes) ? await csvOfWorkbook(content.bytes, parts) : undefined;
  const bytes = csv ?? content.bytes;

  const { stem, earlier } = await named(parts, folders, name, bytes);
  const before = earlier && { stem, rows: earlier.rows };
  if (content.fault !== undefined)
    return refuse(parts, taken, { ...content, size: stat.size, mtimeMs, before });
  const { file, fault } = await opened(parts, { bytes, family, signal });
  if (fault !== undefined) {
    const { length: size } = content.bytes;
    return refuse(parts, taken, { fault, key: sha256(content.bytes), size, mtimeMs, before });
  }
  const read = { file, stem, family, bytes };
  if (csv === undefined) return book(parts, taken, read);
  // Only now, where nothing can be wrong with it any more: a workbook that is refused stays one.
  await withdrawRefusals(parts, folders, { family, bytes: content.bytes }, signal);
  return book(parts, { ...taken, name: await putInPlace(parts, folders, name, csv) }, read);
}

/** Puts the CSV file of its bookings in place of a workbook, which goes once that is whole. Resolves to its name. */
async function putInPlace(
  { mode }: InboxParts,
  { processing }: Folders,
  name: string,
  csv: Buffer,
): Promise<string> {
  const csvName = `${stemOf(name)}.csv`;
  await replaceFile(join(processing, csvName), csv, mode);
  if (csvName !== name) await rm(join(processing, name), { force: true });
  return csvName;
}

interface Opened {
  bytes: Buffer;
  family: string;
  signal: AbortSignal;
}

async function opened(parts: InboxParts, { bytes, family, signal }: Opened) {
  const { clinics, settings } = parts;
  const read = await openDropped(bytes, await readOptions(parts, family), signal);
  const isOfOne = clinics.length === 1 || settings.inbox_clinic !== undefined;
  return isOfOne || read.file === undefined || read.file.map.clinic !== undefined
    ? read
    : { fault: `The file needs a column clinic with one of: ${clinics.join(', ')}.` };
}

interface ToBook {
  file: DroppedFile;
  stem: string;
  family: string;
  bytes: Buffer;
}

async function book(
  parts: InboxParts,
  taken: Taken,
  { file, stem, family, bytes }: ToBook,
): Promise<Outcome> {
  const { source, log } = parts;
  const { folders, name, signal } = taken;
  const { mtimeMs = 0 } = (await statOf(join(folders.processing, name))) ?? {};
  const { sha256: hash, rows } = file;
  const reading = { name, sha256: hash, size: bytes.length, mtimeMs, at: now(parts), rows };
  await adoptRows(parts, folders, family, signal);
  await parts.ledger.name(stem, { family, headers: file.headers }, reading);
  failpoint('csv.inbox.named');
  const isCut = rows > 0 && !file.isEnded && mayGoOn(file);
  const fates = await bookRows({ ...parts, ...taken, file, family, isCut });
  if (fates.length < file.rows) return 'more';

  await takeResultsName(parts, folders, { place: { folder: 'done', stem }, results: resultsFor(name, stem) });
  await writeResults(parts, folders, { stem, file, fates }, signal);
  failpoint('csv.inbox.results');
  // Somebody may have put a file there meanwhile.
  if (!(await isStartOf(bytes, join(folders.done, `${stem}.csv`)))) return 'more';
  await move([folders.processing, name], [folders.done, `${stem}.csv`]);
  failpoint('csv.inbox.done');
  await withdrawRefusals(parts, folders, { family, bytes }, signal);
  log.info('inbox file done', { connector: source, count: rows });
  return 'booked';
}

const now = ({ clock }: InboxParts) => instant(clock.now());

type Content = { bytes: Buffer; fault?: never } | { bytes: Buffer; fault: string; key: string };

/**
 * The content of a file, or its start and why it cannot be read; undefined when there is nothing to read. `key`
 * identifies unreadable files.
 */
async function contentOf(path: string): Promise<Content | undefined> {
  try {
    const read = await readPlainFile(path);
    if (read === undefined || 'bytes' in read) return read;
    const { start: bytes, tooLarge } = read;
    return { bytes, fault: 'The file is larger than 20 MB. Split it into several.', key: `${tooLarge}` };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ELOOP' || code === 'ENOENT') return undefined;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const user = process.getuid?.() ?? 'of the daemon';
    const fault = `The file may not be read by user id ${user}. Change its permissions.`;
    return { bytes: Buffer.alloc(0), fault, key: code };
  }
}

interface Refused {
  fault: string;
  /** The hash of its content, if that could be read. */
  key: string;
  size: number;
  mtimeMs: number;
  /** The rows that were booked before the file went on, and the name of their results. */
  before: { rows: number; stem: string } | undefined;
}

/** Moves a file to `failed`. Writes the reason first, so that no failed file lacks one. */
async function refuse(
  parts: InboxParts,
  { folders, name }: Taken,
  { fault, key, size, mtimeMs, before }: Refused,
): Promise<Outcome> {
  const { ledger, log, source } = parts;
  const report = (stem: string) => ['failed', `${stem}.error.txt`] as const;
  const stem = await firstFree(name, key, async (candidate) => {
    for (const there of folderNamesOf(candidate).map((one) => join(folders.failed, one)))
      if ((await statOf(there)) !== undefined && (await fileHashOf(there)) !== key) return false;
    return isFree(ledger, folders, report(candidate));
  });
  const text = `${await reportOf(ledger, fault, before)} into the inbox; then delete this one here.\n`;
  await writeOwn(parts, folders, report(stem), Buffer.from(text));
  if (before === undefined || before.rows === 0) {
    const place = { folder: 'failed', stem } as const;
    const results = await takeResultsName(parts, folders, { place, results: resultsFor(name, stem) });
    await writeRefusal(parts, folders, results, fault);
  }
  const reading = { name, sha256: key, size, mtimeMs, at: now(parts), rows: 0 };
  await ledger.note({ folder: 'failed', stem }, reading);
  failpoint('csv.inbox.refused');
  await move([folders.processing, name], [folders.failed, doneNameOf({ stem, name })]);
  log.warn('inbox file could not be read', { connector: source });
  return 'failed';
}

const reportOf = async (ledger: Ledger, fault: string, before: Refused['before']): Promise<string> =>
  before === undefined || before.rows === 0
    ? `Nothing in this file was booked.\n\n${fault}\n\nDrop a corrected copy`
    : `Only the first rows were booked (${before.rows}): see ` +
      `results/${await ledger.answer({ folder: 'done', stem: before.stem })}. What follows them was ` +
      `not.\n\n${fault}\n\nDrop the other rows, corrected and with the first line, as another file`;

/**
 * The file's permanent name in `done`; equal content always gets the same name, and so does content that only continues
 * what was read before (`earlier`).
 */
async function named(
  { ledger }: InboxParts,
  folders: Folders,
  name: string,
  bytes: Buffer,
): Promise<{ stem: string; earlier: FileReading | undefined }> {
  const hash = sha256(bytes);
  let earlier: FileReading | undefined;
  const stem = await firstFree(name, hash, async (candidate) => {
    const owner = await ledger.fileNamed(candidate);
    const reading = await ledger.reading(candidate);
    earlier = reading !== undefined && startsAs(bytes, reading) ? reading : undefined;
    if (owner !== undefined && owner !== hash && earlier === undefined) return false;
    return isStartOf(bytes, join(folders.done, `${candidate}.csv`));
  });
  return { stem, earlier };
}

const startsAs = (bytes: Buffer, { size, sha256: hash }: FileReading): boolean =>
  size <= bytes.length && sha256(bytes.subarray(0, size)) === hash;

/** Whether nothing is there, or only content with which these bytes start. */
async function isStartOf(bytes: Buffer, path: string): Promise<boolean> {
  const there = await statOf(path);
  if (there === undefined) return true;
  const read = there.isFile() ? await readPlainFile(path).catch(() => undefined) : undefined;
  return read !== undefined && 'bytes' in read && read.bytes.equals(bytes.subarray(0, read.bytes.length));
}

/** A long name is shortened, and has only its own results. */
const resultsFor = (name: string, stem: string): string =>
  Buffer.byteLength(stemOf(name)) > LONGEST_STEM ? `${stem}.results.csv` : resultsOf(name);

const LONGEST_STEM = 150;

/** The first free one of `leads`, `leads-2` and so on. */
async function firstFree(
  name: string,
  hash: string,
  isFree: (stem: string) => Promise<boolean>,
): Promise<string> {
  const stem = stemOf(name);
  const base =
    Buffer.byteLength(stem) > LONGEST_STEM ? `${stem.slice(0, 40).toWellFormed()}-${hash.slice(0, 8)}` : stem;
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? base : `${base}-${n}`;
    if (await isFree(candidate)) return candidate;
  }
}

/**
 * Makes the rows known that were booked before rows were remembered, from the files that are still in `done`: else the
 * next version of such a file would ask about each of them.
 */
async function adoptRows(
  parts: ResultsParts,
  folders: Folders,
  family: string,
  signal: AbortSignal,
): Promise<void> {
  const { ledger } = parts;
  if (await ledger.knows(family)) return;
  const options = await readOptions(parts, family);
  for (const stem of await ledger.stems()) {
    const version = familyOf(stem);
    const path = join(folders.done, `${stem}.csv`);
    const isAlike = seriesOf(version) === seriesOf(family);
    const file = isAlike ? await openPlainDropped(path, options, signal) : undefined;
    if (file === undefined) continue;
    const rows = await rowsOf(file, `${stem}.csv`, parts);
    const from = fromOf(version, await ledger.salt());
    await ledger.adopt(file.sha256, { family, rows: rows.map((row) => ({ ...row, ...from })) });
  }
}

async function rowsOf(
  file: DroppedFile,
  name: string,
  { settings, ledger }: ResultsParts,
): Promise<KnownRow[]> {
  const salt = await ledger.salt();
  const fates = await ledger.fates(file.sha256);
  const rows: KnownRow[] = [];
  let row = -1;
  for await (const { cells, kind, number } of file.lines()) {
    if (kind !== 'row') continue;
    row += 1;
    if (row % 1_000 === 999) await turn();
    const fate = fates[row];
    if (fate === undefined || !('ref' in fate)) continue;
    const reading = readCells(cells, file, settings);
    const submissionId = reading.submissionId ?? formerId(file.sha256, cells);
    rows.push({ ...digestsOf(reading, salt), submissionId, ref: fate.ref, place: { file: name, number } });
  }
  return rows;
}

/** The submission id that such a row had. */
const formerId = (fileSha256: string, cells: readonly string[]): string =>
  `csv:${fileSha256.slice(0, 16)}:${hash('sha256', JSON.stringify(cells)).slice(0, 16)}`;
