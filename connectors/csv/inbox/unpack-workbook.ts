import { sha256 } from '../files.ts';
import type { CsvSettings } from '../settings.ts';
import { mapHeaders } from './content/headers.ts';
import { readSheets, type Sheet } from './content/workbook-reader.ts';
import type { Ledger } from './ledger.ts';

/** A workbook during which the process died may be why. Once more, as it may have been for another reason. */
const MOST_ATTEMPTS = 2;

/**
 * The CSV file of the bookings in a workbook, of which single rows can be removed; undefined for one that cannot be
 * read.
 */
export async function csvOfWorkbook(
  bytes: Buffer,
  { ledger, settings }: { ledger: Ledger; settings: CsvSettings },
): Promise<Buffer | undefined> {
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
 * The sheet with the columns of bookings, else the first one; undefined if several have them, if another has rows with
 * phone numbers that nobody would read, or if there is none.
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
