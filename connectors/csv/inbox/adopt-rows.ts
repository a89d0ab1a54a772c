import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { readCells } from './book-rows.ts';
import { type DroppedFile, openPlainDropped } from './content/dropped-file.ts';
import type { Folders } from './folders.ts';
import { type ResultsParts, readOptions } from './results.ts';
import { digestsOf, familyOf, fromOf, type KnownRow, seriesOf } from './versions.ts';

/**
 * Makes the rows known that were booked before rows were remembered, from the files that are still in `done`: else the
 * next version of such a file would ask about each of them.
 */
export async function adoptRows(
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
