import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ErasedPeople,
  type Memory,
  type MirrorTable,
  type MirrorView,
  mirrorTables,
  type Row,
} from '../../../src/connector.ts';
import { type ChangedResource, changedResources } from '../../../src/domain/clinics/change.ts';
import type { Clock, Instant } from '../../../src/platform/clock.ts';
import { DAY } from '../../../src/platform/duration.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import type { Log } from '../../../src/platform/log.ts';
import { localeOf } from '../../../src/platform/text/locale.ts';
import { ensureDirectory, errnoOf, fileFailure, replaceFile, sha256, statOf } from '../files.ts';
import { createPermissionWatch } from '../permissions.ts';
import { dialectOf } from '../render-csv.ts';
import { type CsvSettings, fileModeOf } from '../settings.ts';
import { archiveMonth } from './archive.ts';
import { type ChangeFile, createChangeFile } from './change-file.ts';
import { createFileAttempts, type FailedFile, type FileAttempts } from './file-attempts.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { IMPORTED, type Importer, importers } from './importers.ts';
import { type FileFacts, type Manifest, readManifest, renderManifest } from './manifest.ts';
import { createOwnNames } from './own-names.ts';
import { createTableFile, type FileUpdate, type TableFile } from './table-file.ts';
import { columnsFor, tableColumns } from './tables.ts';

/** One clinic's folder. */
export interface ClinicExport {
  run(view: MirrorView, signal: AbortSignal): Promise<ExportRun>;
  /**
   * Call after people were erased from the mirror: the next `run` writes their rows. Resolves to the refs that are in
   * the mirror.
   */
  forget(erased: ErasedPeople, view: MirrorView): Promise<string[]>;
  /** Makes the next `run` compare everything. */
  invalidate(): void;
}

export interface ExportRun {
  written: Record<string, number>;
  /** Texts that were cut, by file. */
  cut: Record<string, number>;
  /** Files that are not up to date, for their own reasons; the others are. */
  failed: FailedFile[];
  /** Milliseconds until a postponed large file may be written, or a failed one is tried again. */
  waitMs: number | undefined;
}

interface Options {
  settings: CsvSettings;
  clinic: string;
  timezone: string;
  /** ISO code; undefined while unknown. */
  country: string | undefined;
  includePatient: boolean;
  includeHashed: boolean;
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
  fees: 'treatments',
  consultation_fees: 'dentists',
  appointments: 'appointments',
};

const resourcesOf: Partial<Record<MirrorTable, readonly ChangedResource[]>> = {
  organization: ['organization'],
  website: ['website'],
  treatments: ['treatment'],
  dentists: ['dentist'],
  // With their currencies.
  fees: ['treatment', 'organization'],
  consultation_fees: ['dentist', 'organization'],
};

interface Parts extends Options {
  mode: number;
  folder: string;
  changeFile: ChangeFile;
  /** `fades`: rows leave it with time. */
  files: { table: MirrorTable; file: TableFile; fades?: boolean }[];
  watchPermissions: ReturnType<typeof createPermissionWatch>;
  attempts: FileAttempts;
  ownNames: ReturnType<typeof createOwnNames>;
  state: {
    /** The clinic's answers as of which the files are. */
    seen: AsOf;
    manifest: { sha256: string; stamp: FileStamp | undefined } | undefined;
    /** The day of the last run. */
    day?: number;
  };
}

type AsOf = ReadonlyMap<string, Instant | null>;

export function createClinicExport(options: Options): ClinicExport {
  const { settings, clinic, includePatient, clock, log, memory } = options;
  const mode = fileModeOf(settings);
  const folder = join(settings.directory, clinic);
  const path = join(folder, 'changes.csv');
  const dialect = dialectOf(settings, options);
  const parts: Parts = {
    ...options,
    mode,
    folder,
    changeFile: createChangeFile({ clinic, path, dialect, includePatient, clock, mode, memory }),
    files: [
      ...mirrorTables.map((table) => ({
        table,
        file: fileOf(options, table, { directory: folder, withPatient: includePatient, memory }),
      })),
      ...importers.map((importer) => ({
        table: importer.table,
        file: importerFile(options, importer, folder),
        fades: importer.expires !== undefined,
      })),
    ],
    watchPermissions: createPermissionWatch(mode, log),
    attempts: createFileAttempts(folder, clock),
    ownNames: createOwnNames(folder, clinic, memory),
    state: { seen: new Map(), manifest: undefined },
  };
  return {
    async run(view, signal) {
      try {
        await ensureDirectory(folder, mode);
        return await write(parts, view, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw errnoOf(error) === undefined ? error : fileFailure(error, folder);
      }
    },
    async forget({ refs, appointments }, view) {
      const ids = [
        ...new Set(appointments.flatMap((one) => (one.clinic === clinic ? [one.appointment_id] : []))),
      ];
      const found: Partial<Record<MirrorTable, Row[]>> = {
        bookings: await view.rowsById('bookings', clinic, refs),
        appointments: await view.rowsById('appointments', clinic, ids.map(String)),
      };
      // The same people in the same order.
      found.leads = found.bookings ?? [];
      const isKnown = found.appointments?.length === ids.length;
      parts.attempts.hurry();
      parts.changeFile.rewrite([
        ...refs.flatMap((id) => [{ resource: 'booking', id } as const, { resource: 'lead', id } as const]),
        ...ids.map((id) => ({ resource: 'appointment', id: String(id) }) as const),
      ]);
      for (const { table, file, fades } of parts.files) {
        const rows = fades === undefined && isKnown ? found[table] : undefined;
        if (rows === undefined) file.invalidate();
        else file.rewrite(rows);
      }
      return found.leads.map(({ ref }) => String(ref));
    },
    invalidate() {
      parts.attempts.hurry();
      parts.changeFile.invalidate();
      for (const { file } of parts.files) file.invalidate();
    },
  };
}

function fileOf(
  options: Options,
  table: MirrorTable,
  { directory, withPatient, memory }: { directory: string; withPatient: boolean; memory?: Memory },
): TableFile {
  const { settings, clinic, clock, timezone } = options;
  return createTableFile({
    ...{ table, clinic, clock, directory, memory, timezone },
    columns: columnsFor(tableColumns[table], withPatient),
    dialect: settings.format === 'csv' ? dialectOf(settings, options) : undefined,
    mode: fileModeOf(settings),
  });
}

function importerFile(
  { settings, clinic, includeHashed, clock, memory, timezone }: Options,
  { name, table, columns, rowOf, expires, preamble }: Importer,
  directory: string,
): TableFile {
  return createTableFile({
    ...{ table, clinic, clock, directory, memory, timezone },
    columns: columns.filter(({ hashed }) => includeHashed || hashed !== true),
    shown: {
      name,
      rowOf: (row) =>
        expires !== undefined && expires(row) <= clock.now()
          ? undefined
          : rowOf(row, settings.conversion_name),
      ...(preamble !== undefined && { preamble }),
    },
    dialect: IMPORTED,
    mode: fileModeOf(settings),
  });
}

async function write(parts: Parts, view: MirrorView, signal: AbortSignal): Promise<ExportRun> {
  const { clinic, folder, changeFile, files, state, attempts, ownNames, clock } = parts;
  const run: ExportRun = { written: {}, cut: {}, failed: [], waitMs: undefined };
  const facts: Record<string, FileFacts> = {};
  const asOf: AsOf = new Map((await view.freshness(clinic)).map(({ poll, as_of }) => [poll, as_of]));
  /** A file that fails keeps its former content, and so do its facts. */
  const attempt = async (name: string, work: () => Promise<FileFacts>): Promise<void> => {
    signal.throwIfAborted();
    const claimed = async () => {
      await ownNames.claim(name);
      return work();
    };
    const fact =
      (await attempts.of(name, claimed, signal)) ??
      (await readManifest(join(folder, 'manifest.json')))?.files[name];
    if (fact !== undefined) facts[name] = fact;
  };

  // The log first, so that rows read after it are at least as new as its last sequence.
  let resources: ReadonlySet<ChangedResource> = new Set(changedResources);
  let through = changeFile.sequence;
  await attempt('changes.csv', async () => {
    const log = await changeFile.update(view, signal);
    if (log.written) run.written['changes.csv'] = changeFile.facts().rows;
    resources = log.resources;
    through = changeFile.sequence;
    return changeFile.facts();
  });
  failpoint('csv.export.changes');

  const day = Math.floor(clock.now() / DAY);
  const isNextDay = state.day !== undefined && state.day !== day;
  for (const { table, file, fades } of files) {
    if (isNextDay && fades) file.invalidate();
    await attempt(file.name, async () => {
      const moved = mayHaveMoved(table, resources, state.seen, asOf);
      note(run, file, await file.update(view, { through, moved }, signal));
      failpoint('csv.export.table');
      const { latest, ...known } = file.facts();
      const poll = pollOf[table];
      return { ...known, as_of: poll === undefined ? latest : (asOf.get(poll) ?? null) };
    });
  }
  attempts.throwIfNoneSucceeded();
  await finish(parts, { facts, view, run }, signal);
  state.seen = asOf;
  state.day = day;
  run.failed = attempts.failed();
  run.waitMs = soonest(run.waitMs, attempts.waitMs());
  return run;
}

const soonest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** Manifest and archive: a file that could not be replaced keeps none of them back. */
async function finish(
  parts: Parts,
  { facts, view, run }: { facts: Record<string, FileFacts>; view: MirrorView; run: ExportRun },
  signal: AbortSignal,
): Promise<void> {
  const { folder, attempts, watchPermissions } = parts;
  const manifest = manifestOf(parts, facts);
  await attempts.of('manifest.json', () => putManifest(parts, manifest), signal);
  await watchPermissions([...Object.keys(facts), 'manifest.json'].map((name) => join(folder, name)));
  failpoint('csv.export.manifest');
  const archived = () => archive(parts, view, manifest, signal);
  Object.assign(run.written, await attempts.of('archive', archived, signal));
}

/** Whether the log or a newer answer of the clinic may have changed this table. */
function mayHaveMoved(
  table: MirrorTable,
  resources: ReadonlySet<ChangedResource>,
  seen: AsOf,
  asOf: AsOf,
): boolean {
  if (table === 'organization_statistics') return seen.get('organization') !== asOf.get('organization');
  return resourcesOf[table]?.some((resource) => resources.has(resource)) ?? false;
}

function note(run: ExportRun, file: TableFile, { written, waitMs, cut }: FileUpdate): void {
  if (written) run.written[file.name] = file.facts().rows;
  if (waitMs !== undefined) run.waitMs = Math.max(run.waitMs ?? 0, waitMs);
  if (cut > 0) run.cut[file.name] = cut;
}

function manifestOf(options: Options, files: Record<string, FileFacts>): Manifest {
  const { clinic, settings, includePatient } = options;
  const { delimiter, decimal, encoding } = dialectOf(settings, options);
  return {
    version: 1,
    clinic,
    profile: settings.profile,
    format: settings.format,
    delimiter: delimiter === ',' ? 'comma' : delimiter === ';' ? 'semicolon' : 'tab',
    ...(decimal === ',' && { decimal: 'comma' }),
    ...(encoding !== 'utf-8' && { encoding }),
    line_ending: settings.line_ending,
    patient: includePatient,
    files,
  };
}

async function putManifest({ folder, mode, ownNames, state }: Parts, manifest: Manifest): Promise<void> {
  await ownNames.claim('manifest.json');
  const path = join(folder, 'manifest.json');
  const bytes = renderManifest(manifest);
  const wanted = sha256(bytes);
  const stamp = await stampOf(path, mode);
  if (stamp !== undefined && state.manifest?.sha256 === wanted && state.manifest.stamp === stamp) return;
  if (stamp === undefined || sha256(await readFile(path)) !== wanted) {
    await removeFormer(folder, manifest);
    await replaceFile(path, bytes, mode);
  }
  state.manifest = { sha256: wanted, stamp: await stampOf(path, mode) };
}

/** Removes files of an earlier configuration, which would go stale, unless someone has edited them. */
async function removeFormer(folder: string, now: Manifest): Promise<void> {
  const former = await readManifest(join(folder, 'manifest.json'));
  for (const table of [...mirrorTables, ...importers.map(({ name }) => name)]) {
    for (const name of [`${table}.csv`, `${table}.xlsx`]) {
      const path = join(folder, name);
      const ours = former?.files[name]?.sha256;
      if (ours === undefined || now.files[name] !== undefined || !(await statOf(path))?.isFile()) continue;
      if (sha256(await readFile(path)) === ours) await rm(path);
    }
  }
}

async function archive(parts: Parts, view: MirrorView, manifest: Manifest, signal: AbortSignal) {
  const { settings, clinic, log } = parts;
  if (settings.archive !== 'monthly') return {};
  const archived = await archiveMonth({
    ...parts,
    ...{ view, manifest, signal, dialect: dialectOf(settings, parts), locale: localeOf(settings.language) },
    fileOf: (table, directory) => fileOf(parts, table, { directory, withPatient: false }),
  });
  if (archived === undefined) return {};
  log.info('month archived', { clinic, at: archived.month });
  return { [`archive/${archived.month}`]: archived.rows };
}
