import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../files.ts';
import type { CsvSettings } from '../settings.ts';
import { isZip } from './content/decode.ts';
import { mapHeaders } from './content/headers.ts';
import { TITLE_LINES } from './content/records.ts';
import { readSheets } from './content/workbook-reader.ts';
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
  const rows = await readSheets(bytes).then(
    (sheets) => bookingsIn(sheets, parts.settings),
    () => undefined,
  );
  if (rows !== undefined)
    await withdrawRefusals(parts, folders, { family: familyOf(csvName), bytes }, signal);
  const content = rows === undefined ? bytes : Buffer.from(rows.map(line).join(''));
  if (csvName !== name || content !== bytes)
    await replaceFile(join(folders.processing, csvName), content, parts.mode);
  if (csvName !== name) await rm(path, { force: true });
  return csvName;
}

/** The sheet with the columns of bookings, else the first one; undefined if several have them, or there is none. */
function bookingsIn(sheets: readonly string[][][], { columns }: CsvSettings): string[][] | undefined {
  const filled = sheets.filter((rows) => rows.some((row) => row.length > 0));
  const named = filled.filter((rows) =>
    rows.slice(0, TITLE_LINES + 1).some((row) => mapHeaders(row, columns).map !== undefined),
  );
  return named.length > 1 || sheets.length === 0 ? undefined : (named[0] ?? filled[0] ?? []);
}

const line = (row: readonly string[]): string =>
  `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
