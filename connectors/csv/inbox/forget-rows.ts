import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../src/platform/failure.ts';
import { replaceFile, sha256, statOf } from '../files.ts';
import { dialectOf, renderCells } from '../render-csv.ts';
import { type DroppedFile, openDropped, openPlainDropped } from './dropped-file.ts';
import { csvFiles, type Folders, stemOf } from './folders.ts';
import type { RowFate } from './ledger.ts';
import { type ResultsParts, writeResults } from './results.ts';
import { isAsRead } from './take-back.ts';

/**
 * Removes these bookings' rows from dropped files and their results, and any file left without rows. Safe to repeat
 * from any point. Throws `Failure` transient while a file with such a row is being booked.
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
      const found = await rowsOf(parts, folders, { folder, name, isForgotten }, signal);
      if (found) await rewrite(parts, folders, found, signal);
    }
  }
}

/** A file with forgotten rows in it. */
async function rowsOf(
  parts: ResultsParts,
  folders: Folders,
  {
    folder,
    name,
    isForgotten,
  }: { folder: 'done' | 'processing'; name: string; isForgotten: Shortened['isForgotten'] },
  signal: AbortSignal,
): Promise<Shortened | undefined> {
  const unread = await unreadFates(parts, folders, folder, name);
  const file = await openPlainDropped(join(folders[folder], name), parts.settings, signal);
  const fates = file === undefined ? [] : await parts.ledger.fates(file.sha256);
  if (unread.some(isForgotten) || (folder === 'processing' && fates.some(isForgotten)))
    throw new Failure({
      kind: 'transient',
      message: 'A file of the inbox with an erased person in it is being booked.',
      hint: 'It is cleaned as soon as that is done.',
    });
  return file && fates.some(isForgotten) ? { stem: stemOf(name), file, fates, isForgotten } : undefined;
}

/** The outcomes of rows read before from a file that has changed since, or is in `processing`. */
async function unreadFates(
  { ledger }: ResultsParts,
  folders: Folders,
  folder: 'done' | 'processing',
  name: string,
): Promise<RowFate[]> {
  const stat = await statOf(join(folders[folder], name));
  const fates: RowFate[] = [];
  for (const reading of await ledger.readings()) {
    const isUnread =
      folder === 'processing'
        ? reading.name === name
        : `${reading.stem}.csv` === name && stat !== undefined && !isAsRead(stat, reading);
    if (reading.folder === 'done' && isUnread) fates.push(...(await ledger.fates(reading.sha256)));
  }
  return fates;
}

interface Shortened {
  stem: string;
  file: DroppedFile;
  fates: readonly RowFate[];
  isForgotten: (fate: RowFate | undefined) => boolean;
}

async function rewrite(
  parts: ResultsParts,
  folders: Folders,
  { stem, file, fates, isForgotten }: Shortened,
  signal: AbortSignal,
): Promise<void> {
  const { settings, ledger, mode } = parts;
  const done = join(folders.done, `${stem}.csv`);
  const dialect = { ...dialectOf(settings), delimiter: file.delimiter };
  const lines = [file.headers];
  let row = 0;
  for await (const cells of file.records()) {
    if (!isForgotten(fates[row])) lines.push(cells);
    row += 1;
  }
  if (lines.length === 1) {
    await ledger.close(stem);
    await rm(join(folders.results, `${stem}.results.csv`), { force: true });
    await rm(done, { force: true });
    return;
  }
  const bytes = Buffer.from((file.wantsMark ? '\uFEFF' : '') + renderCells(lines, dialect));
  const kept = fates.filter((fate) => !isForgotten(fate));
  const { file: shorter } = await openDropped(bytes, settings.columns, signal);
  // The ledger first: a file with unknown rows would be booked if it were dropped again.
  await ledger.rename(stem, sha256(bytes), kept);
  await replaceFile(done, bytes, mode);
  if (shorter) await writeResults(parts, folders, { stem, file: shorter, fates: kept }, signal);
}
