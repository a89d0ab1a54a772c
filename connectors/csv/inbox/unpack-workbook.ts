import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../files.ts';
import type { CsvSettings } from '../settings.ts';
import { readPlainFile } from './folders.ts';
import { mapHeaders } from './headers.ts';
import { TITLE_LINES } from './records.ts';
import { readSheets } from './workbook-reader.ts';

const isWorkbook = /\.xlsx$/i;

/** The name under which a workbook is read. */
export const csvNameOf = (name: string): string => name.replace(isWorkbook, '.csv');

/**
 * Puts the CSV file of its bookings in place of a workbook: from then on it is a file like any other, of which single rows
 * can be removed. Safe to repeat: the CSV file is whole before the workbook goes. One that cannot be read keeps its bytes, and is refused for them.
 */
export async function unpackWorkbook(
  folder: string,
  name: string,
  { settings, mode }: { settings: CsvSettings; mode: number },
): Promise<string> {
  if (!isWorkbook.test(name)) return name;
  const path = join(folder, name);
  const read = await readPlainFile(path);
  if (read === undefined) return name;
  const bytes = 'bytes' in read ? read.bytes : read.start;
  const rows = await readSheets(bytes).then(
    (sheets) => bookingsIn(sheets, settings),
    () => undefined,
  );
  const content = rows === undefined ? bytes : Buffer.from(rows.map(line).join(''));
  await replaceFile(join(folder, csvNameOf(name)), content, mode);
  await rm(path, { force: true });
  return csvNameOf(name);
}

/** The sheet with the columns of bookings, else the first one; undefined if several have them. */
function bookingsIn(sheets: readonly string[][][], { columns }: CsvSettings): string[][] | undefined {
  const filled = sheets.filter((rows) => rows.some((row) => row.length > 0));
  const named = filled.filter((rows) =>
    rows.slice(0, TITLE_LINES + 1).some((row) => mapHeaders(row, columns).map !== undefined),
  );
  return named.length > 1 ? undefined : (named[0] ?? filled[0] ?? []);
}

const line = (row: readonly string[]): string =>
  `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
