import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import {
  type Connector,
  type ConnectorContext,
  type Converged,
  defineConnector,
  type GivenAway,
  type MirrorView,
  said,
  trouble,
} from '../../src/connector.ts';
import { mentionsPhone } from '../../src/domain/phone.ts';
import { noteOfFailure } from '../../src/domain/texts/problem.ts';
import { MINUTE } from '../../src/platform/duration.ts';
import { codeOf, Failure } from '../../src/platform/failure.ts';
import type { Log } from '../../src/platform/log.ts';
import { loadTexts } from '../../src/texts/texts.ts';
import { checkFolders } from './check.ts';
import { type ClinicExport, createClinicExport, type ExportRun } from './export/clinic-export.ts';
import { createInbox, type Inbox } from './inbox/inbox.ts';
import { tidyInbox } from './inbox/tidy.ts';
import { CsvSettings } from './settings.ts';
import { forgetShare, lookAtShare } from './share.ts';

/** How often drift is repaired, such as a share that came back empty, and how often the inbox is read. */
const HEAL_EVERY_MS = MINUTE;
const LOOK_EVERY_MS = 5_000;
/** Whoever mended a folder or mounted a share looks whether it works. */
const RETRY_WITHIN_MS = 20_000;

export const csv = defineConnector<CsvSettings>({
  name: 'csv',
  summary:
    'Keeps CSV or XLSX files of everything in a folder, and books the rows of CSV files dropped into another.',
  settings: CsvSettings,
  former: ['charts'],
  secrets: [],
  beyondReach,
  mentions,
  conversionName: ({ conversion_name }) => conversion_name ?? '',
  async create(context) {
    refuseImpossible(context);
    await loadTexts(context.settings.language);
    const { settings, clinics, includePatient, includeHashed = false, clock, log, memory } = context;
    const common = { settings, includePatient, includeHashed, clock, log, memory };
    const exports = clinics.map(({ clinic, timezone, country: configured }) => {
      const made = (country: string | undefined) =>
        createClinicExport({ ...common, clinic, timezone, country });
      return exportOf(clinic, made, { configured, matters: settings.profile === 'excel' });
    });
    const inbox = settings.inbox === undefined ? undefined : createInbox(context, settings, settings.inbox);
    const look = () => lookAtShare(settings.directory, context);
    const sources: Sources = { exports, inbox, look, log };

    const connector: Connector = {
      state: {
        everyMs: inbox ? LOOK_EVERY_MS : HEAL_EVERY_MS,
        retryWithinMs: RETRY_WITHIN_MS,
        converge: (mirror, signal) => converge(sources, mirror, signal),
      },
      async forget(erased, mirror, signal) {
        await inbox?.forget(erased.refs, signal);
        const known = new Set<string>();
        for (const { filesFor } of exports)
          for (const ref of await filesFor(mirror).forget(erased, mirror)) known.add(ref);
        // Where rows were that no table has any more, only a comparison finds.
        if (erased.refs.some((ref) => !known.has(ref)))
          for (const { filesFor } of exports) filesFor(mirror).invalidate();
        // Until each file is written, it may show the erased person.
        await converge(sources, mirror, signal, true);
      },
      ...(settings.inbox !== undefined && {
        tidy: tidyInbox({
          inbox: settings.inbox,
          memory,
          bookings: context.bookings,
          source: context.name,
          clock,
        }),
      }),
      check: (signal) => checkFolders(context, signal),
      async repair() {
        for (const place of [settings.directory, settings.inbox ?? []].flat())
          await forgetShare(place, memory);
        return { written: {}, problems: [] };
      },
      async stop() {},
    };
    return connector;
  },
});

interface OneExport {
  clinic: string;
  filesFor(view: MirrorView): ClinicExport;
}

/** The files of a clinic, made anew when its country becomes known, on which their format depends. */
function exportOf(
  clinic: string,
  made: (country: string | undefined) => ClinicExport,
  { configured, matters }: { configured: string | undefined; matters: boolean },
): OneExport {
  let country = configured;
  let files = made(country);
  return {
    clinic,
    filesFor(view) {
      const now = configured ?? view.clinics.find((one) => one.clinic === clinic)?.country;
      if (matters && now !== undefined && now !== country) {
        country = now;
        files = made(country);
      }
      return files;
    },
  };
}

interface Sources {
  exports: readonly OneExport[];
  inbox: Inbox | undefined;
  /** At the share of the exported files. */
  look: () => Promise<string | undefined>;
  log: Log;
}

async function converge(
  { exports, inbox, look, log }: Sources,
  mirror: MirrorView,
  signal: AbortSignal,
  /** A file that cannot be written fails the run. */
  isStrict = false,
): Promise<Converged> {
  const total: Converged = { written: {}, problems: [] };
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
    }
  };
  const comeBackIn = (ms: number | undefined) => {
    if (ms !== undefined) total.nextInMs = Math.min(total.nextInMs ?? ms, ms);
  };

  // Bookings first: a full disk of the exported files must not delay leads.
  if (inbox)
    await attempt(async () => {
      const { written, problems, nextInMs } = await inbox.look(mirror, signal);
      Object.assign(total.written, written);
      total.problems.push(...problems);
      comeBackIn(nextInMs);
    });
  let isThere = false;
  await attempt(async () => {
    const covering = await look();
    if (covering)
      log.warn('files written before the share was mounted lie hidden below it', { at: covering });
    isThere = true;
  });
  for (const { clinic, filesFor } of isThere ? exports : [])
    await attempt(async () => {
      const run = await filesFor(mirror).run(mirror, signal);
      const [first] = run.failed;
      if (isStrict && first !== undefined) throw first.failure;
      addRun(total, run, exports.length > 1 ? `${clinic}/` : '');
      comeBackIn(run.waitMs);
    });
  if (failures.length > 0) throw failures[0];
  if (inbox) comeBackIn(LOOK_EVERY_MS);
  return total;
}

function addRun(total: Converged, { written, cut, failed, waitMs }: ExportRun, prefix: string): void {
  for (const [name, rows] of Object.entries(written)) total.written[prefix + name] = rows;
  for (const [name, count] of Object.entries(cut))
    total.problems.push(said('texts_cut', { place: prefix + name, count }));
  for (const { name, failure, times } of failed) {
    const what = said('part_refused', { place: prefix + name, detail: noteOfFailure(failure) });
    // Once may be a virus scanner.
    total.problems.push(times > 1 ? trouble(what) : what);
  }
  // What cannot be written must not count as work that goes on.
  if (waitMs !== undefined && failed.length === 0) total.unfinished = true;
}

function refuseImpossible({ settings, clinics }: ConnectorContext<CsvSettings>): void {
  const { directory, inbox, inbox_clinic } = settings;
  const keys = clinics.map(({ clinic }) => clinic);
  if (inbox_clinic !== undefined && !keys.includes(inbox_clinic))
    throw new Failure({
      kind: 'refused',
      message: `inbox_clinic names a clinic this connector does not serve: ${inbox_clinic}`,
      hint: `Write one of: ${keys.join(', ')}.`,
    });
  const inFolderOf =
    inbox === undefined
      ? undefined
      : keys.find((key) => `${resolve(inbox)}${sep}`.startsWith(`${resolve(directory, key)}${sep}`));
  if (inFolderOf !== undefined)
    throw new Failure({
      kind: 'refused',
      message: `The inbox is inside the folder that is written for the clinic ${inFolderOf}`,
      hint: 'Give the inbox a separate folder.',
    });
}

/** Files of a person that only people can clean. */
function beyondReach(given: GivenAway<CsvSettings>): string[] {
  const { name, settings, clinics, includePatient, includeHashed, host, isNamed } = given;
  const { inbox, directory, archive } = settings;
  const failed = `${inbox}/failed`;
  const files: string[] = [];
  if (inbox && host !== undefined)
    files.push(
      `lines that are not booked in the inbox of ${name} (${inbox}), which is ` +
        `on ${host}: repeat the command there with --phone`,
    );
  else if (inbox && mayHoldFiles(failed))
    files.push(`files that could not be read, in ${failed}: look into them`);
  if (includeHashed && !isNamed)
    files.push(`what advertising platforms imported of the files of ${name} (csv): hashes of phone numbers`);
  if (includePatient) files.push(`copies that people made of the files of ${name} (csv)`);
  const months = (clinic: string) => mayHoldFiles(`${directory}/${clinic}/archive`);
  if (includePatient && archive === 'monthly' && (host !== undefined || clinics.some(months)))
    files.push(`months in ${directory}/CLINIC/archive that version 0.1.0 made: it kept patients in them`);
  return files;
}

/** True also when the folder cannot be read. */
function mayHoldFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}

/** Lines of inbox files that contain the number, also in a column or row that was not booked. */
function mentions({ inbox }: Partial<CsvSettings>, phones: readonly string[]): string[] {
  if (inbox === undefined) return [];
  return ['', 'processing', 'done', 'results', 'failed']
    .flatMap((name) => plainFilesIn(join(inbox, name)))
    .flatMap((file) =>
      // In UTF-16, digits are followed by zero bytes.
      readFileSync(file, 'utf8')
        .replaceAll('\0', '')
        .split(/\r\n|\r|\n/)
        .flatMap((text, at) => (mentionsPhone(text, phones) ? [`${file}, line ${at + 1}`] : [])),
    );
}

function plainFilesIn(folder: string): string[] {
  try {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.filter((path) => lstatSync(path).isFile()).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
