import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type MirrorTable, type MirrorView, mirrorTables, type Row } from '../../../src/connector.ts';
import type { Clock, Instant } from '../../../src/model/clock.ts';
import { crashpoint } from '../../../src/model/crashpoint.ts';
import type { Log } from '../../../src/model/log.ts';
import { ensureDirectory, errnoOf, fileFailure, replaceFile, sha256, statOf } from '../files.ts';
import { type Dialect, dialectOf, renderCsv } from '../render-csv.ts';
import type { CsvSettings } from '../settings.ts';
import { archiveMonth } from './archive.ts';
import { createChangeFile } from './change-file.ts';
import { type FileFacts, type Manifest, readManifest, renderManifest } from './manifest.ts';
import { columnsFor, tableColumns } from './tables.ts';
import { renderWorkbook } from './workbook.ts';

/** One clinic's folder. */
export interface ClinicExport {
  run(
    view: MirrorView,
    signal: AbortSignal,
  ): Promise<{ written: Record<string, number>; problems: string[] }>;
  /** Has nothing happened since the last `run` that this could know of: no change, no poll, no foreign hand? */
  settled(view: MirrorView): Promise<boolean>;
}

interface Options {
  settings: CsvSettings;
  clinic: string;
  timezone: string;
  includePatient: boolean;
  clock: Clock;
  log: Log;
}

type Stamp = { sha256: string; size: number; mtimeMs: number; ino: number };

const pollOf: Partial<Record<MirrorTable, string>> = {
  organization: 'organization',
  organization_statistics: 'organization',
  website: 'website',
  treatments: 'treatments',
  dentists: 'dentists',
  appointments: 'appointments',
};

export function createClinicExport({
  settings,
  clinic,
  timezone,
  includePatient,
  clock,
  log,
}: Options): ClinicExport {
  const dialect: Dialect = dialectOf(settings);
  const folder = join(settings.directory, clinic);
  const changeFile = createChangeFile({
    clinic,
    path: join(folder, 'changes.csv'),
    dialect,
    includePatient,
    clock,
  });
  const stamps = new Map<string, Stamp>();
  let seen: string | undefined;

  const isAsLeft = async (name: string) => {
    const known = stamps.get(name);
    const found = await statOf(join(folder, name));
    return (
      known !== undefined &&
      found?.size === known.size &&
      found.mtimeMs === known.mtimeMs &&
      found.ino === known.ino
    );
  };

  /** Leaves a file with this content alone, its time of change too. */
  async function put(name: string, bytes: Buffer): Promise<boolean> {
    const path = join(folder, name);
    const wanted = sha256(bytes);
    if (stamps.get(name)?.sha256 === wanted && (await isAsLeft(name))) return false;

    const found = await statOf(path);
    const same = found?.isFile() && found.size === bytes.length && sha256(await readFile(path)) === wanted;
    if (!same) await replaceFile(path, bytes);
    const { size, mtimeMs, ino } = await stat(path);
    stamps.set(name, { sha256: wanted, size, mtimeMs, ino });
    return !same;
  }

  async function render(table: MirrorTable, rows: Row[], withPatient: boolean, signal: AbortSignal) {
    const columns = columnsFor(tableColumns[table], withPatient);
    if (settings.format === 'xlsx') {
      const { bytes, cut } = await renderWorkbook(table, columns, rows, signal);
      return { name: `${table}.xlsx`, bytes, cut };
    }
    return { name: `${table}.csv`, bytes: await renderCsv(columns, rows, dialect, signal), cut: 0 };
  }

  /** Files of an earlier configuration would go stale without a word; only such as nobody has touched are removed. */
  async function removeFormer(now: Manifest): Promise<void> {
    const former = await readManifest(join(folder, 'manifest.json'));
    for (const table of mirrorTables) {
      for (const name of [`${table}.csv`, `${table}.xlsx`]) {
        const path = join(folder, name);
        const ours = former?.files[name]?.sha256;
        if (ours === undefined || now.files[name] !== undefined || !(await statOf(path))?.isFile()) continue;
        if (sha256(await readFile(path)) === ours) await rm(path);
      }
    }
  }

  async function write(view: MirrorView, signal: AbortSignal) {
    const written: Record<string, number> = {};
    const problems: string[] = [];
    const files: Record<string, FileFacts> = {};
    const asOf = new Map((await view.freshness(clinic)).map(({ poll, as_of }) => [poll, as_of]));

    // The log first: rows read after it are at least as new as its last sequence.
    if (await changeFile.bring(view, signal)) written['changes.csv'] = changeFile.facts().rows;
    crashpoint('csv.export.changes');

    const tables: { table: MirrorTable; rows: Row[] }[] = [];
    for (const table of mirrorTables) {
      signal.throwIfAborted();
      const rows = await view.rows(table, clinic);
      tables.push({ table, rows });
      const { name, bytes, cut } = await render(table, rows, includePatient, signal);
      if (await put(name, bytes)) written[name] = rows.length;
      crashpoint('csv.export.table');
      if (cut > 0) problems.push(`${name}: ${cut} texts are longer than a cell can hold and were cut.`);
      const poll = pollOf[table];
      const as_of = poll === undefined ? latest(rows, 'changed_at') : (asOf.get(poll) ?? null);
      files[name] = { rows: rows.length, bytes: bytes.length, sha256: sha256(bytes), as_of };
    }
    files['changes.csv'] = changeFile.facts();

    const manifest: Manifest = {
      version: 1,
      clinic,
      profile: settings.profile,
      format: settings.format,
      delimiter: settings.delimiter,
      line_ending: settings.line_ending,
      patient: includePatient,
      files,
    };
    await removeFormer(manifest);
    await put('manifest.json', renderManifest(manifest));
    crashpoint('csv.export.manifest');

    if (settings.archive === 'monthly') {
      const month = await archiveMonth({
        folder,
        timezone,
        now: clock.now(),
        tables,
        render: (table, rows) => render(table, rows, false, signal),
        manifest: { ...manifest, patient: false },
      });
      if (month !== undefined) {
        log.info('month archived', { clinic, at: month });
        written[`archive/${month}`] = tables.reduce((sum, { rows }) => sum + rows.length, 0);
      }
    }
    return { written, problems };
  }

  return {
    async run(view, signal) {
      seen = undefined;
      const freshness = JSON.stringify(await view.freshness(clinic));
      try {
        await ensureDirectory(folder);
        const result = await write(view, signal);
        seen = freshness;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        throw errnoOf(error) === undefined ? error : fileFailure(error, folder);
      }
    },
    async settled(view) {
      if (seen === undefined || seen !== JSON.stringify(await view.freshness(clinic))) return false;
      if (!(await changeFile.untouched())) return false;
      for (const name of stamps.keys()) if (!(await isAsLeft(name))) return false;
      return (await view.changes(clinic, changeFile.sequence, 1)).length === 0;
    },
  };
}

function latest(rows: readonly Row[], column: string): Instant | null {
  let found: Instant | null = null;
  for (const row of rows) {
    const at = row[column];
    if (typeof at === 'string' && (found === null || at > found)) found = at;
  }
  return found;
}
