import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../src/platform/failure.ts';
import { replaceFile, sha256 } from '../files.ts';
import { dialectOf, renderCells } from '../render-csv.ts';
import { type DroppedFile, openDropped, openPlainDropped } from './dropped-file.ts';
import { csvFiles, type Folders, stemOf } from './folders.ts';
import type { RowFate } from './ledger.ts';
import { type ResultsParts, writeResults } from './results.ts';

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
  for (const folder of [folders.processing, folders.done]) {
    const names = await csvFiles(folder).catch(() => []);
    for (const name of names) {
      signal.throwIfAborted();
      const file = await openPlainDropped(join(folder, name), parts.settings, signal);
      if (file === undefined) continue;
      const fates = await parts.ledger.fates(file.sha256);
      if (!fates.some(isForgotten)) continue;
      if (folder === folders.processing)
        throw new Failure({
          kind: 'transient',
          message: 'A file of the inbox with an erased person in it is being booked.',
          hint: 'It is cleaned as soon as that is done.',
        });
      await rewrite(parts, folders, { stem: stemOf(name), file, fates, isForgotten }, signal);
    }
  }
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
