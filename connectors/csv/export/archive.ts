import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type MirrorTable, type MirrorView, mirrorTables, type Row } from '../../../src/connector.ts';
import type { MonthPack } from '../../../src/domain/clinics/month.ts';
import { monthAfter, wallClockAt, wallClockInstant } from '../../../src/domain/date-time.ts';
import type { ValueKind } from '../../../src/domain/fields.ts';
import { mirrorNames, withoutPatient } from '../../../src/domain/patient.ts';
import { type Clock, type Instant, instant, toMs } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import type { Locale } from '../../../src/platform/text/locale.ts';
import { monthPage } from '../../../src/reports/month-page.ts';
import { flatColumns, flatFigures, flatRows } from '../../../src/reports/month-tables.ts';
import { monthWorkbook } from '../../../src/reports/workbook/month-workbook.ts';
import { ensureDirectory, replaceFile, sha256, statOf, syncDirectory } from '../files.ts';
import { type CsvDialect, encoded, renderHeader, renderRows } from '../render-csv.ts';
import { type FileFacts, type Manifest, renderManifest } from './manifest.ts';
import type { TableFile } from './table-file.ts';
import { pagesOf } from './table-rows.ts';
import { column } from './tables.ts';

interface Options {
  folder: string;
  clinic: string;
  timezone: string;
  clock: Clock;
  mode: number;
  locale: Locale;
  view: MirrorView;
  /** Dialect of the month's own CSV file. */
  dialect: CsvDialect;
  /** A table as a file in the given folder, without patient columns. */
  fileOf: (table: MirrorTable, folder: string) => TableFile;
  /** Facts of the files just written, which give each table's as-of. */
  manifest: Manifest;
  signal: AbortSignal;
}

/**
 * In the first run of a month on the clinic's wall clock, copies the tables to `archive/YYYY-MM` of the month before
 * and adds that month as a workbook, a CSV file and a page. Never rewritten. Skips a month without a mirror;
 * of months that ended while nothing ran, adds what their reports say now, without tables. Resolves to the month and
 * its rows, or undefined when there was nothing to do.
 */
export async function archiveMonth(options: Options): Promise<{ month: string; rows: number } | undefined> {
  const { folder, clinic, timezone, clock, mode, view, signal } = options;
  const today = wallClockAt(clock.now(), timezone).date;
  const firstOfMonth = wallClockInstant(`${today.slice(0, 8)}01`, '00:00', timezone).ms;
  const month = wallClockAt(firstOfMonth - 1, timezone).date.slice(0, 7);

  const archive = join(folder, 'archive');
  if (await statOf(join(archive, month))) return undefined;
  if (!(await knownBefore(view, clinic, firstOfMonth, signal))) return undefined;
  await ensureDirectory(archive, mode);
  for (const missed of await missedMonths(archive, month)) {
    const { ms: end } = wallClockInstant(`${monthAfter(missed)}-01`, '00:00', timezone);
    if (await knownBefore(view, clinic, end, signal)) await addMonth(options, missed, []);
  }
  return { month, rows: await addMonth(options, month, archived) };
}

/** Between the newest month of the archive and this one. */
async function missedMonths(archive: string, month: string): Promise<string[]> {
  const known = (await readdir(archive)).filter(
    (name) => /^\d{4}-(0[1-9]|1[0-2])$/.test(name) && name < month,
  );
  const newest = known.toSorted().at(-1);
  const missed: string[] = [];
  if (newest === undefined) return missed;
  for (let next = monthAfter(newest); next < month; next = monthAfter(next)) missed.push(next);
  return missed;
}

/** Built under another name and renamed, so that an existing month is complete. Resolves to the rows of its tables. */
async function addMonth(options: Options, month: string, tables: readonly MirrorTable[]): Promise<number> {
  const { folder, clinic, clock, mode, locale, view, fileOf, manifest, signal, dialect } = options;
  const now = clock.now();
  const building = join(folder, 'archive', `.${month}.tmp`);
  await rm(building, { recursive: true, force: true });
  await ensureDirectory(building, mode);
  const files: Record<string, FileFacts> = {};
  const nameless = await withoutPeople(view, clinic);
  let rows = 0;
  for (const table of tables) {
    const file = fileOf(table, building);
    await file.update(nameless, { through: 0, moved: true }, signal);
    const { latest: _latest, ...facts } = file.facts();
    files[file.name] = { ...facts, as_of: manifest.files[file.name]?.as_of ?? null };
    rows += facts.rows;
  }
  const pack = await view.month(clinic, month, now);
  if (pack !== undefined)
    for (const [name, facts] of Object.entries(
      await writeMonth(pack, { folder: building, dialect, mode, locale }),
    ))
      files[name] = { ...facts, as_of: pack.taken_at };
  const contents = renderManifest({ ...manifest, patient: false, taken_at: instant(now), files });
  await replaceFile(join(building, 'manifest.json'), contents, mode);
  failpoint('csv.archive.built');
  await rename(building, join(folder, 'archive', month));
  await syncDirectory(join(folder, 'archive'));
  return rows;
}

/** Conversions and retractions are for advertising platforms, and carry a click id each. */
const archived = mirrorTables.filter((table) => table !== 'conversions' && table !== 'retractions');

/** Whether the mirror had rows before `ms`, by the first page of each table. */
async function knownBefore(
  view: MirrorView,
  clinic: string,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (const table of mirrorTables)
    for await (const page of pagesOf(view, { table, clinic }, {}, signal)) {
      const at = page.map((row) => row.first_seen_at ?? row.received_at ?? row.valid_from);
      if (at.some((one) => typeof one === 'string' && toMs(one as Instant) < ms)) return true;
      break;
    }
  return false;
}

/** Blanks fields that could identify a person elsewhere. The names of campaigns and channels are ours. */
const unnamed = {
  ...{ message: null, click_id: null, utm_term: null, utm_content: null },
  ...{ landing_page: null, referrer: null },
};

/**
 * The tables without anything that identifies a person, including text typed into the wrong field and the clinic's
 * answers: archives are never rewritten, so no one could be erased from them.
 */
async function withoutPeople(view: MirrorView, clinic: string): Promise<MirrorView> {
  const [dentists, treatments] = [await view.rows('dentists', clinic), await view.rows('treatments', clinic)];
  const isName = mirrorNames({ dentists, treatments });
  const strip = (table: MirrorTable, rows: Row[]) =>
    table === 'bookings' || table === 'appointments' || table === 'leads'
      ? rows.map((row) => ({ ...withoutPatient(row, isName), ...unnamed }))
      : rows;
  return {
    ...view,
    page: async (table, ...rest) => strip(table, await view.page(table, ...rest)),
  };
}

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
async function writeMonth(
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
