import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, sha256 } from '../files.ts';
import type { CsvSettings } from '../settings.ts';
import { isZip } from './content/decode.ts';
import { mapHeaders } from './content/headers.ts';
import { readSheets, type Sheet } from './content/workbook-reader.ts';
import { type Folders, readPlainFile } from './folders.ts';
import type { InboxParts } from './take-file.ts';
import { familyOf } from './versions.ts';
import { withdrawRefusals } from './withdraw-refusals.ts';

const isWorkbook = /\.xlsx$/i;

/** The name under which a workbook is read. */
export const csvNameOf = (name: string): string => name.replace(isWorkbook, '.csv');

/**
 * Puts the CSV file of its bookings in place of a workbook, whatever its name: from then on it is a file like any other, of
 * which single rows can be removed. Safe to repeat: the CSV file is whole before the workbook goes. One that cannot be read
 * keeps its bytes, and is refused for them.
 */
export async function unpackWorkbook(
  parts: InboxParts,
  folders: Folders,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folders.processing, name);
  const csvName = csvNameOf(name);
  const read = await readPlainFile(path).catch(() => undefined);
  const bytes = read && ('bytes' in read ? read.bytes : read.start);
  if (bytes === undefined || (csvName === name && !isZip(bytes))) return name;
  const csv = await csvOf(bytes, parts);
  if (csv !== undefined) await withdrawRefusals(parts, folders, { family: familyOf(csvName), bytes }, signal);
  const content = csv ?? bytes;
  if (csvName !== name || content !== bytes)
    await replaceFile(join(folders.processing, csvName), content, parts.mode);
  if (csvName !== name) await rm(path, { force: true });
  return csvName;
}

/** A workbook during which the process died may be why. Once more, as it may have been for another reason. */
const MOST_ATTEMPTS = 2;

async function csvOf(bytes: Buffer, { ledger, settings }: InboxParts): Promise<Buffer | undefined> {
  const hash = sha256(bytes);
  const attempts = await ledger.attempt(hash);
  const csv =
    attempts > MOST_ATTEMPTS
      ? undefined
      : await readSheets(bytes).then(
          (sheets) => bookingsIn(sheets, settings),
          () => undefined,
        );
  await ledger.attempted(hash);
  return csv;
}

/**
 * The sheet with the columns of bookings, else the first one; undefined if several have them, if another has rows with phone
 * numbers that nobody would read, or if there is none.
 */
function bookingsIn(sheets: readonly Sheet[], { columns }: CsvSettings): Buffer | undefined {
  const filled = sheets.filter(({ csv }) => csv.length > 0);
  const named = filled.filter(({ top }) => top.some((row) => mapHeaders(row, columns).map !== undefined));
  const [read = filled[0]] = named;
  const isUnread = filled.some((sheet) => sheet !== read && hasPeople(sheet));
  return named.length > 1 || sheets.length === 0 || isUnread ? undefined : (read?.csv ?? Buffer.of());
}

/** A cell with seven digits or more that is no day, beside two others. */
const phoneCell = /^(?!\d{4}-\d\d-\d\d$)[+(]{0,2}\d[\d\s()./-]{6,30}$/;
const hasPeople = ({ csv }: Sheet): boolean =>
  csv
    .toString()
    .split('\r\n')
    .map((row) => row.slice(1, -1).split('","'))
    .some((cells) => cells.filter(Boolean).length > 2 && cells.some((cell) => phoneCell.test(cell)));
