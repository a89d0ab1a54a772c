import { join } from 'node:path';
import type { Row } from '../../../src/connector.ts';
import type { MonthPack } from '../../../src/domain/clinics/month.ts';
import { wallClockText } from '../../../src/domain/date-time.ts';
import type { ValueKind } from '../../../src/domain/fields.ts';
import { toMs } from '../../../src/platform/clock.ts';
import { toText } from '../../../src/platform/text/html.ts';
import { monthCharts, monthPage } from '../../../src/reports/month-page.ts';
import { flatColumns, flatRows, monthTables } from '../../../src/reports/month-tables.ts';
import { replaceFile, sha256 } from '../files.ts';
import { type CsvDialect, encoded, renderHeader, renderRows } from '../render-csv.ts';
import { column } from './tables.ts';
import { renderSheets } from './workbook.ts';

interface MonthFiles {
  folder: string;
  dialect: CsvDialect;
  mode: number;
}

interface MonthFile {
  rows: number;
  bytes: number;
  sha256: string;
}

/** Amounts and counts share columns, so each cell is typed by its own value. */
const flatKinds: Partial<Record<(typeof flatColumns)[number], ValueKind>> = {
  ...{ before: 'decimal', amount: 'decimal', difference: 'decimal', at: 'instant' },
  ...{ count: 'number', booked: 'number', completed: 'number', change: 'number' },
};
/** Marked as a visitor's text, because anyone can put a campaign into an address. */
const columns = flatColumns.map((name) => ({ ...column(name, flatKinds[name] ?? 'text'), visitor: true }));

/** Writes a month as a workbook with a sheet per part, as one CSV file, as a page and as pictures. */
export async function writeMonth(
  pack: MonthPack,
  { folder, dialect, mode }: MonthFiles,
): Promise<Record<string, MonthFile>> {
  const rows = flatRows(pack);
  const contents: Record<string, Buffer> = {
    'month.csv': encoded(renderHeader(columns, dialect) + renderRows(columns, rows, dialect), dialect),
    'month.xlsx': await workbookOf(pack),
    'month.html': Buffer.from(monthPage([pack], undefined)),
    ...chartFiles(pack, 'month-'),
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

/** The pictures by file name. */
export const chartFiles = (pack: MonthPack, prefix: string): Record<string, Buffer> =>
  Object.fromEntries(
    Object.entries(monthCharts(pack)).map(([name, chart]) => [
      `${prefix}${name}.svg`,
      Buffer.from(`${toText(chart)}\n`),
    ]),
  );

const CLOCK_LENGTH = '2026-03-31 23:59'.length;

/** Instants as the clinic's wall-clock time, because a workbook's cells have no time zone. */
function onWallClock(row: Row, columns: readonly { name: string; kind: ValueKind }[], timezone: string): Row {
  const moments = columns.flatMap(({ name, kind }) => {
    const at = row[name];
    if (kind !== 'instant' || typeof at !== 'string') return [];
    const local = wallClockText(toMs(at), timezone);
    // In the hour that autumn repeats, stays a text that says which of the two it was.
    return [[name, local.length === CLOCK_LENGTH ? `${local.replace(' ', 'T')}:00Z` : local]];
  });
  return { ...row, ...Object.fromEntries(moments) };
}

async function workbookOf(pack: MonthPack): Promise<Buffer> {
  const local = (at: string | null) => at && wallClockText(toMs(at), pack.timezone);
  const about = [
    ...[
      ['Clinic', pack.name ?? pack.clinic],
      ['Month', pack.month],
      ['Time zone of all times', pack.timezone],
    ],
    ...[
      ['Taken', local(pack.taken_at)],
      ['Known since', local(pack.known_since)],
    ],
    ['Head of the hash chain', pack.head && `${pack.clinic}:${pack.head.sequence}:${pack.head.hash}`],
    ...pack.notes.map((note) => ['Note', note]),
  ].map(([what = null, value = null]) => ({ what, value }));
  const sheets = [
    { name: 'month', columns: [column('what', 'text'), column('value', 'text')], rows: about, totals: [] },
    ...monthTables(pack).map(({ key, columns: of, rows, totals }) => ({
      ...{ name: key, columns: of.map(({ name, kind }) => column(name, kind)) },
      ...{ rows: rows.map((row) => onWallClock(row, of, pack.timezone)), totals },
    })),
  ].map(({ rows, totals, ...sheet }) => ({
    ...sheet,
    pages: (async function* () {
      yield [...rows, ...totals];
    })(),
    // At most a treatment's name can be longer than a cell.
    onCut() {},
  }));
  const pieces: Buffer[] = [];
  for await (const bytes of renderSheets(sheets)) pieces.push(bytes);
  return Buffer.concat(pieces);
}
