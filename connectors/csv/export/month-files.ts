import { join } from 'node:path';
import type { MonthPack } from '../../../src/domain/clinics/month.ts';
import type { ValueKind } from '../../../src/domain/fields.ts';
import type { Locale } from '../../../src/platform/text/locale.ts';
import { monthPage } from '../../../src/reports/month-page.ts';
import { flatColumns, flatFigures, flatRows } from '../../../src/reports/month-tables.ts';
import { monthWorkbook } from '../../../src/reports/workbook/month-workbook.ts';
import { replaceFile, sha256 } from '../files.ts';
import { type CsvDialect, encoded, renderHeader, renderRows } from '../render-csv.ts';
import { column } from './tables.ts';

interface MonthFiles {
  folder: string;
  dialect: CsvDialect;
  mode: number;
  locale: Locale;
}

interface MonthFile {
  rows: number;
  bytes: number;
  sha256: string;
}

/** Amounts and counts share columns, so each cell is typed by its own value. */
const flatKinds: Record<string, ValueKind> = {
  ...Object.fromEntries(flatFigures.map((name) => [name, 'number'])),
  ...{ before: 'decimal', amount: 'decimal', difference: 'decimal', at: 'instant' },
};
/** Marked as a visitor's text, because anyone can put a campaign into an address. */
const columns = flatColumns.map((name) => ({ ...column(name, flatKinds[name] ?? 'text'), visitor: true }));

/** Writes a month as a workbook with a sheet per part, as one CSV file, and as a page. */
export async function writeMonth(
  pack: MonthPack,
  { folder, dialect, mode, locale }: MonthFiles,
): Promise<Record<string, MonthFile>> {
  const rows = flatRows(pack);
  const contents: Record<string, Buffer> = {
    'month.csv': encoded(renderHeader(columns, dialect) + renderRows(columns, rows, dialect), dialect),
    'month.xlsx': await monthWorkbook(pack, locale),
    'month.html': Buffer.from(monthPage([pack], undefined, locale)),
  };
  const files: Record<string, MonthFile> = {};
  for (const [name, bytes] of Object.entries(contents)) {
    await replaceFile(join(folder, name), bytes, mode);
    files[name] = {
      rows: name === 'month.csv' ? rows.length : 0,
      bytes: bytes.length,
      sha256: sha256(bytes),
    };
  }
  return files;
}
