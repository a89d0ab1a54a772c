import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../src/platform/failure.ts';
import { replaceFile, sha256, statOf } from '../files.ts';
import { dialectOf, renderCells } from '../render-csv.ts';
import type { CsvSettings } from '../settings.ts';
import { type DroppedFile, openDropped } from './dropped-file.ts';
import { csvFiles, type Folders, readPlainFile, stemOf } from './folders.ts';
import type { Ledger, RowFate } from './ledger.ts';
import type { Results } from './results.ts';

interface Parts {
  folders: Folders;
  settings: CsvSettings;
  ledger: Ledger;
  results: Results;
  mode: number;
}

/**
 * Takes the rows that became these bookings out of the dropped files and their results. A file without any row left is
 * removed. Safe to repeat from any point. Throws `Failure` transient while a file with such a row is being booked.
 */
export async function forgetRows(parts: Parts, refs: readonly string[], signal: AbortSignal): Promise<void> {
  const { folders } = parts;
  const forgotten = new Set(refs);
  const isForgotten = (fate: RowFate | undefined) =>
    fate !== undefined && 'ref' in fate && forgotten.has(fate.ref);
  for (const folder of [folders.processing, folders.done]) {
    const names = await csvFiles(folder).catch(() => []);
    for (const name of names) {
      signal.throwIfAborted();
      const file = await opened(join(folder, name), parts.settings, signal);
      if (file === undefined) continue;
      const fates = await parts.ledger.fates(file.sha256);
      if (!fates.some(isForgotten)) continue;
      if (folder === folders.processing)
        throw new Failure({
          kind: 'transient',
          message: 'A file of the inbox with an erased person in it is being booked.',
          hint: 'It is cleaned as soon as that is done.',
        });
      await rewrite(parts, stemOf(name), file, fates, isForgotten, signal);
    }
  }
}

async function opened(
  path: string,
  settings: CsvSettings,
  signal: AbortSignal,
): Promise<DroppedFile | undefined> {
  if (!(await statOf(path))?.isFile()) return undefined;
  const read = await readPlainFile(path);
  return 'bytes' in read ? (await openDropped(read.bytes, settings.columns, signal)).file : undefined;
}

async function rewrite(
  { folders, settings, ledger, results, mode }: Parts,
  stem: string,
  file: DroppedFile,
  fates: readonly RowFate[],
  isForgotten: (fate: RowFate | undefined) => boolean,
  signal: AbortSignal,
): Promise<void> {
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
  // Its fates first: a file whose rows are not known would be booked again when it is dropped once more.
  await ledger.rename(stem, sha256(bytes), kept);
  await replaceFile(done, bytes, mode);
  if (shorter) await results.write(stem, shorter, kept, signal);
}
