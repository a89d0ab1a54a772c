import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Memory, type MirrorTable, type MirrorView, mirrorTables } from '../../../src/connector.ts';
import type { ChangedResource } from '../../../src/domain/change.ts';
import type { Clock, Instant } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import type { Log } from '../../../src/platform/log.ts';
import { ensureDirectory, errnoOf, fileFailure, replaceFile, sha256, statOf } from '../files.ts';
import { createPermissionWatch } from '../permissions.ts';
import { dialectOf } from '../render-csv.ts';
import { type CsvSettings, fileModeOf } from '../settings.ts';
import { archiveMonth } from './archive.ts';
import { createChangeFile } from './change-file.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { type FileFacts, type Manifest, readManifest, renderManifest } from './manifest.ts';
import { createTableFile, type TableFile } from './table-file.ts';
import { columnsFor, tableColumns } from './tables.ts';
import { createWorkbookFile } from './workbook-file.ts';

/** One clinic's folder. */
export interface ClinicExport {
  run(view: MirrorView, signal: AbortSignal): Promise<ExportRun>;
  /** People were erased from the mirror: the next `run` compares everything. */
  doubt(): void;
}

interface ExportRun {
  written: Record<string, number>;
  problems: string[];
  /** A large file waits for its turn; so many milliseconds until then. */
  waitMs: number | undefined;
}

interface Options {
  settings: CsvSettings;
  clinic: string;
  timezone: string;
  includePatient: boolean;
  clock: Clock;
  log: Log;
  memory: Memory;
}

const pollOf: Partial<Record<MirrorTable, string>> = {
  organization: 'organization',
  organization_statistics: 'organization',
  website: 'website',
  treatments: 'treatments',
  dentists: 'dentists',
  appointments: 'appointments',
};

const resourceOf: Partial<Record<MirrorTable, ChangedResource>> = {
  organization: 'organization',
  website: 'website',
  treatments: 'treatment',
  dentists: 'dentist',
};

export function createClinicExport(options: Options): ClinicExport {
  const { settings, clinic, timezone, includePatient, clock, log, memory } = options;
  const dialect = dialectOf(settings);
  const mode = fileModeOf(settings);
  const folder = join(settings.directory, clinic);
  const watchPermissions = createPermissionWatch(mode, log);
  const fileOf = (
    table: MirrorTable,
    { directory, withPatient, memory }: { directory: string; withPatient: boolean; memory?: Memory },
  ): TableFile => {
    const name = `${table}.${settings.format}`;
    const columns = columnsFor(tableColumns[table], withPatient);
    const common = { table, clinic, path: join(directory, name), columns, mode, clock, memory };
    return settings.format === 'xlsx'
      ? createWorkbookFile(common)
      : createTableFile({ ...common, name, dialect });
  };
  const changeFile = createChangeFile({
    clinic,
    path: join(folder, 'changes.csv'),
    dialect,
    includePatient,
    clock,
    mode,
    memory,
  });
  const files = mirrorTables.map((table) => ({
    table,
    file: fileOf(table, { directory: folder, withPatient: includePatient, memory }),
  }));
  /** Answers of the clinic that the files have seen. */
  let seen = new Map<string, Instant | null>();
  let manifestWritten: { sha256: string; stamp: FileStamp | undefined } | undefined;

  async function putManifest(manifest: Manifest): Promise<void> {
    const path = join(folder, 'manifest.json');
    const bytes = renderManifest(manifest);
    const wanted = sha256(bytes);
    const stamp = await stampOf(path, mode);
    if (stamp !== undefined && manifestWritten?.sha256 === wanted && manifestWritten.stamp === stamp) return;
    if (stamp === undefined || sha256(await readFile(path)) !== wanted) {
      await removeFormer(manifest);
      await replaceFile(path, bytes, mode);
    }
    manifestWritten = { sha256: wanted, stamp: await stampOf(path, mode) };
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

  async function write(view: MirrorView, signal: AbortSignal): Promise<ExportRun> {
    const written: Record<string, number> = {};
    const problems: string[] = [];
    let waitMs: number | undefined;
    const facts: Record<string, FileFacts> = {};
    const asOf = new Map((await view.freshness(clinic)).map(({ poll, as_of }) => [poll, as_of]));

    // The log first: rows read after it are at least as new as its last sequence.
    const log = await changeFile.bring(view, signal);
    if (log.written) written['changes.csv'] = changeFile.facts().rows;
    failpoint('csv.export.changes');

    for (const { table, file } of files) {
      signal.throwIfAborted();
      const poll = pollOf[table];
      const resource = resourceOf[table];
      const answered =
        table === 'organization_statistics' && seen.get('organization') !== asOf.get('organization');
      const moved = answered || (resource !== undefined && log.resources.has(resource));
      const brought = await file.bring(view, { through: changeFile.sequence, moved }, signal);
      const { latest, ...known } = file.facts();
      if (brought.written) written[file.name] = known.rows;
      if (brought.waitMs !== undefined) waitMs = Math.max(waitMs ?? 0, brought.waitMs);
      failpoint('csv.export.table');
      if (brought.cut > 0)
        problems.push(`${file.name}: ${brought.cut} texts are longer than a cell can hold and were cut.`);
      facts[file.name] = { ...known, as_of: poll === undefined ? latest : (asOf.get(poll) ?? null) };
    }
    facts['changes.csv'] = changeFile.facts();

    const manifest = manifestOf(facts);
    await putManifest(manifest);
    await watchPermissions([...Object.keys(facts), 'manifest.json'].map((name) => join(folder, name)));
    failpoint('csv.export.manifest');
    seen = asOf;
    Object.assign(written, await archive(view, manifest, signal));
    return { written, problems, waitMs };
  }

  const manifestOf = (files: Record<string, FileFacts>): Manifest => ({
    version: 1,
    clinic,
    profile: settings.profile,
    format: settings.format,
    delimiter: settings.delimiter,
    line_ending: settings.line_ending,
    patient: includePatient,
    files,
  });

  async function archive(view: MirrorView, manifest: Manifest, signal: AbortSignal) {
    if (settings.archive !== 'monthly') return {};
    const archived = await archiveMonth({
      ...{ folder, clinic, timezone, clock, mode, view, manifest, signal },
      fileOf: (table, directory) => fileOf(table, { directory, withPatient: false }),
    });
    if (archived === undefined) return {};
    log.info('month archived', { clinic, at: archived.month });
    return { [`archive/${archived.month}`]: archived.rows };
  }

  return {
    async run(view, signal) {
      try {
        await ensureDirectory(folder, mode);
        return await write(view, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw errnoOf(error) === undefined ? error : fileFailure(error, folder);
      }
    },
    doubt() {
      changeFile.doubt();
      for (const { file } of files) file.doubt();
    },
  };
}
