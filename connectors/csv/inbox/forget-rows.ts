import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../src/platform/failure.ts';
import { hasOtherNames, overwrite, replaceFile, sha256, statOf } from '../files.ts';
import type { Encoding } from './content/code-pages.ts';
import { widthOf } from './content/decode.ts';
import { bytesOf, type DroppedFile, openDropped } from './content/dropped-file.ts';
import { csvFiles, type Folders, stemOf } from './folders.ts';
import type { RowFate } from './ledger.ts';
import { isFree, removeOwn, writeOwn } from './own-files.ts';
import { type ResultsParts, readOptions, writeResults } from './results.ts';
import { familyOf } from './versions.ts';

/**
 * Removes these bookings' rows from dropped files and their results, and any file left without rows, unless it may
 * still be written. Safe to repeat from any point. Throws `Failure` transient while a file with such a row is being
 * booked.
 */
export async function forgetRows(
  parts: ResultsParts,
  folders: Folders,
  refs: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const forgotten = new Set(refs);
  const isForgotten = (fate: RowFate | undefined) =>
    fate !== undefined && 'ref' in fate && forgotten.has(fate.ref);
  for (const folder of ['processing', 'done'] as const) {
    const names = await csvFiles(folders[folder]).catch(() => []);
    for (const name of names) {
      signal.throwIfAborted();
      const found = await rowsOf(parts, folders, { folder, name, isForgotten });
      if (found) await rewrite(parts, folders, found, signal);
    }
  }
  await forgetResults(parts, folders, forgotten, signal);
  await parts.ledger.forgetRows((ref) => forgotten.has(ref));
}

/**
 * Removes rows from results whose file is no longer in `done`: someone took it, or the rest of it could not be read.
 */
async function forgetResults(
  parts: ResultsParts,
  folders: Folders,
  forgotten: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { settings, ledger, mode } = parts;
  const isForgotten = (ref = '') => forgotten.has(ref);
  for (const name of await csvFiles(folders.results)) {
    const path = join(folders.results, name);
    const bytes = await bytesOf(path);
    if (bytes === undefined || ![...forgotten].some((ref) => bytes.includes(ref))) continue;
    const asWritten = { columns: settings.columns, encoding: 'utf-8' } as const;
    const { file } = await openDropped(bytes, asWritten, signal);
    const refs: (string | undefined)[] = [];
    for await (const cells of file?.records() ?? []) refs.push(cells[file?.map.ref?.[0] ?? -1]);
    if (file === undefined || !refs.some(isForgotten)) continue;
    if (refs.every(isForgotten)) {
      await rm(path, { force: true });
      continue;
    }
    const rest = cutOut(bytes, await spansOf(bytes, file, (row) => isForgotten(refs[row])));
    // Somebody's copy stays theirs, without the person.
    const isOurs = await isFree(ledger, folders, ['results', name]);
    await (isOurs ? writeOwn(parts, folders, ['results', name], rest) : replaceFile(path, rest, mode));
  }
}

/** A file with forgotten rows in it. */
async function rowsOf(
  parts: ResultsParts,
  folders: Folders,
  { folder, name, isForgotten }: { folder: 'done' | 'processing'; name: string; isForgotten: IsForgotten },
): Promise<Shortened | undefined> {
  const bytes = await bytesOf(join(folders[folder], name));
  const fates = bytes === undefined ? [] : await parts.ledger.fates(sha256(bytes));
  // After it was read: whatever is written from now on does not move its rows.
  const unread = await unreadFates(parts, folder, name, bytes && sha256(bytes));
  if (unread.some(isForgotten) || (folder === 'processing' && fates.some(isForgotten)))
    throw new Failure({
      kind: 'transient',
      message: 'A file of the inbox with an erased person in it is being booked.',
      hint: 'It is cleaned as soon as that is done.',
    });
  return bytes && fates.some(isForgotten) ? { stem: stemOf(name), bytes, fates, isForgotten } : undefined;
}

/** The outcomes of rows read before from a file that has changed since, or is in `processing`. */
async function unreadFates(
  { ledger }: ResultsParts,
  folder: 'done' | 'processing',
  name: string,
  hash: string | undefined,
): Promise<RowFate[]> {
  const fates: RowFate[] = [];
  for (const reading of await ledger.readings()) {
    const isUnread =
      folder === 'processing'
        ? reading.name === name
        : `${reading.stem}.csv` === name && hash !== reading.sha256;
    if (reading.folder === 'done' && isUnread) fates.push(...(await ledger.fates(reading.sha256)));
  }
  return fates;
}

type IsForgotten = (fate: RowFate | undefined) => boolean;

interface Shortened {
  stem: string;
  bytes: Buffer;
  fates: readonly RowFate[];
  isForgotten: IsForgotten;
}

async function rewrite(
  parts: ResultsParts,
  folders: Folders,
  { stem, bytes, fates, isForgotten }: Shortened,
  signal: AbortSignal,
): Promise<void> {
  const { ledger, mode } = parts;
  const path = join(folders.done, `${stem}.csv`);
  const options = await readOptions(parts, familyOf(stem));
  const { file: whole } = await openDropped(bytes, options, signal);
  if (whole === undefined) return;
  const spans = await spansOf(bytes, whole, (row) => isForgotten(fates[row]));
  const kept = fates.filter((fate) => !isForgotten(fate));
  const earlier = await ledger.reading(stem);
  // Its writer may have it open, and would go on in a file that is gone.
  const rest = earlier ? blankOut(bytes, spans, whole.encoding) : cutOut(bytes, spans);
  const hash = sha256(rest);
  const reading = earlier && { ...earlier, sha256: hash, rows: kept.length };
  // The ledger first: a file with unknown rows would be booked if it were dropped again.
  await ledger.rename(stem, { sha256: hash, fates: kept, reading });
  const { file } = await openDropped(rest, options, signal);
  const isLeft = file !== undefined && file.rows > 0;
  if (isLeft) await writeResults(parts, folders, { stem, file, fates: kept }, signal);
  else {
    await ledger.close(stem);
    await removeOwn(ledger, folders, ['results', await ledger.answer({ folder: 'done', stem })]);
  }
  if (reading) {
    const range = { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 };
    if (await hasOtherNames(path)) await replaceFile(path, rest, mode);
    else await overwrite(path, rest, range);
    const { mtimeMs = 0 } = (await statOf(path)) ?? {};
    await ledger.note({ folder: 'done', stem }, { ...reading, mtimeMs });
  } else if (isLeft) await replaceFile(path, rest, mode);
  else await rm(path, { force: true });
}

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;

/** Bytes of a file with one row in it. */
interface Span {
  from: number;
  to: number;
}

/** Where the chosen rows are, in order. */
async function spansOf(
  bytes: Buffer,
  { body, encoding, tail, lines }: DroppedFile,
  isChosen: (row: number) => boolean,
): Promise<Span[]> {
  const utf8 = Buffer.from(body);
  const sizeOf = (start: number, end: number) =>
    encoding === 'utf-8' ? end - start : utf8.toString('utf8', start, end).length * widthOf(encoding);

  const spans: Span[] = [];
  let from = bytes.length - tail - sizeOf(0, utf8.length);
  let start = 0;
  let row = -1;
  for await (const { end, kind } of lines()) {
    const to = from + sizeOf(start, end);
    if (kind === 'row') row += 1;
    const isLast = end === utf8.length;
    if (kind === 'row' && isChosen(row)) spans.push({ from, to: isLast ? bytes.length : to });
    [from, start] = [to, end];
  }
  return spans;
}

function cutOut(bytes: Buffer, spans: readonly Span[]): Buffer {
  const ends = [...spans.map(({ from }) => from), bytes.length];
  return Buffer.concat(ends.map((end, index) => bytes.subarray(spans[index - 1]?.to ?? 0, end)));
}

/**
 * Overwrites rows with spaces and keeps the line ends. The length stays: whoever has the file open goes on at the
 * offset where they stopped.
 */
function blankOut(bytes: Buffer, spans: readonly Span[], encoding: Encoding): Buffer {
  const blanked = Buffer.from(bytes);
  const width = widthOf(encoding);
  const low = encoding === 'utf-16be' ? 1 : 0;
  for (const { from, to } of spans)
    for (let at = from; at < to; at += width) {
      const [sign, other = 0] = [bytes[at + low], width === 1 ? 0 : bytes[at + 1 - low]];
      const isLineEnd = (sign === LF || sign === CR) && other === 0;
      if (!isLineEnd) blanked.fill(0, at, at + width).writeUInt8(SPACE, at + low);
    }
  return blanked;
}
