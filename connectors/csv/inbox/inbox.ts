import { join } from 'node:path';
import type { ConnectorContext, MirrorView } from '../../../src/connector.ts';
import type { Booking } from '../../../src/domain/booking.ts';
import { instant } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { stampOf } from '../export/file-stamp.ts';
import { errnoOf, fileFailure, replaceFile, sha256, statOf } from '../files.ts';
import { createPermissionWatch } from '../permissions.ts';
import { type CsvSettings, fileModeOf } from '../settings.ts';
import { bookRows } from './book-rows.ts';
import { openDropped } from './dropped-file.ts';
import {
  createSettling,
  csvFiles,
  foldersOf,
  lookAgainMs,
  move,
  prepareFolders,
  readPlainFile,
  stemOf,
} from './folders.ts';
import { forgetRows } from './forget-rows.ts';
import { createLedger } from './ledger.ts';
import { movedBookings } from './moved-bookings.ts';
import { createResults } from './results.ts';

/** The folder in which files with bookings are dropped. */
export interface Inbox {
  /**
   * One look: resumes what was being booked, takes what has settled, and rewrites the results of bookings that moved on.
   * Ends after some seconds at most and asks to be called again.
   */
  look(view: MirrorView, signal: AbortSignal): Promise<InboxLook>;
  /** Takes the rows of these bookings out of the files in `done` and `results`. */
  forget(refs: readonly string[], signal: AbortSignal): Promise<void>;
}

interface InboxLook {
  written: Record<string, number>;
  problems: string[];
  nextInMs: number | undefined;
}

/** Then the other files, the exports and whatever else waits get their turn. */
const BUDGET_MS = 5_000;

type Outcome = 'booked' | 'failed' | 'more' | 'left alone';

export function createInbox(
  context: Pick<ConnectorContext<CsvSettings>, 'name' | 'clinics' | 'bookings' | 'memory' | 'clock' | 'log'>,
  settings: CsvSettings,
  inbox: string,
): Inbox {
  const { name: source, bookings, clock, log } = context;
  const clinics = context.clinics.map(({ clinic }) => clinic);
  const folders = foldersOf(inbox);
  const ledger = createLedger(context.memory);
  const results = createResults({ folders, settings, source, bookings, ledger, clock });
  const mode = fileModeOf(settings);
  const watchPermissions = createPermissionWatch(mode, log);
  const moves = movedBookings(source, clinics);
  const settling = createSettling(clock);

  /** A name nobody else's content has: `leads`, then `leads-2`. The same file gets the same name every time. */
  async function nameFor(stem: string, hash: string, folder: string, remembered: boolean): Promise<string> {
    const base =
      Buffer.byteLength(stem) > 150 ? `${stem.slice(0, 40).toWellFormed()}-${hash.slice(0, 8)}` : stem;
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? base : `${base}-${n}`;
      const owner = remembered ? await ledger.fileNamed(name) : undefined;
      if (owner !== undefined && owner !== hash) continue;
      const path = join(folder, `${name}.csv`);
      const there = await statOf(path);
      if (there && !(there.isFile() && (await contentHash(path)) === hash)) continue;
      const stray = remembered && owner === undefined;
      if (stray && (await statOf(join(folders.results, `${name}.results.csv`)))) continue;
      return name;
    }
  }

  async function contentHash(path: string): Promise<string | undefined> {
    // One that cannot be read (it may be in failed/ for that) is nobody's double.
    const read = await readPlainFile(path).catch(() => undefined);
    return read && 'bytes' in read ? sha256(read.bytes) : undefined;
  }

  /** Nothing of it was booked. The reason goes beside it first, so that a failed file never lies there without one. */
  async function fail(name: string, hash: string, fault: string): Promise<Outcome> {
    const stem = await nameFor(stemOf(name), hash, folders.failed, false);
    const text = `Nothing in this file was booked.\n\n${fault}\n\nCorrect it and drop it into the inbox again; then delete it here.\n`;
    await replaceFile(join(folders.failed, `${stem}.error.txt`), Buffer.from(text), mode);
    failpoint('csv.inbox.refused');
    await move([folders.processing, name], [folders.failed, `${stem}.csv`]);
    log.warn('inbox file could not be read', { connector: source });
    return 'failed';
  }

  async function processFile(
    name: string,
    own: (ref: string) => Promise<Booking | undefined>,
    outOfTime: () => boolean,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const path = join(folders.processing, name);
    const before = await statOf(path);
    if (!before?.isFile()) return 'left alone';
    const read = await readPlainFile(path).catch((error: unknown) => ({ code: errnoOf(error), error }));
    if ('error' in read) {
      if (read.code === 'ELOOP' || read.code === 'ENOENT') return 'left alone';
      if (read.code !== 'EACCES' && read.code !== 'EPERM') throw read.error;
      const user = process.getuid?.() ?? 'of the daemon';
      return fail(name, read.code, `The file may not be read by user id ${user}. Change its permissions.`);
    }
    if ('tooLarge' in read)
      return fail(name, `${read.tooLarge}`, 'The file is larger than 20 MB. Split it into several.');
    const { bytes } = read;

    const { file, fault } = await openDropped(bytes, settings.columns, signal);
    if (fault !== undefined) return fail(name, sha256(bytes), fault);
    if (clinics.length > 1 && settings.inbox_clinic === undefined && file.map.clinic === undefined)
      return fail(name, file.sha256, `The file needs a column clinic with one of: ${clinics.join(', ')}.`);

    const stem = await nameFor(stemOf(name), file.sha256, folders.done, true);
    if ((await ledger.fileNamed(stem)) === undefined || !(await isOpen(stem)))
      await ledger.name(stem, file.sha256, instant(clock.now()));
    failpoint('csv.inbox.named');

    const fates = await bookRows({
      file,
      source,
      clinics,
      settings,
      bookings,
      ledger,
      own,
      outOfTime,
      signal,
    });
    if (fates.length < file.rows) return 'more';

    await results.write(stem, file, fates, signal);
    failpoint('csv.inbox.results');
    const after = await statOf(path);
    if (after?.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      // Somebody was still writing: what came later is read as a new file, and rows we know are merged.
      if (!(await statOf(join(folders.inbox, name))))
        await move([folders.processing, name], [folders.inbox, name]);
      return 'more';
    }
    await move([folders.processing, name], [folders.done, `${stem}.csv`]);
    failpoint('csv.inbox.done');
    log.info('inbox file booked', { connector: source, count: file.rows });
    return 'booked';
  }

  const isOpen = async (stem: string) => (await ledger.open()).some((open) => open.stem === stem);

  async function claim(name: string): Promise<boolean> {
    if (await statOf(join(folders.processing, name))) return false;
    const claimed = await move([folders.inbox, name], [folders.processing, name]);
    // It has patients in it, and stays in done/ or failed/: others need not read it any more.
    if (claimed) {
      await stampOf(join(folders.processing, name), mode);
      await watchPermissions([join(folders.processing, name)]);
    }
    failpoint('csv.inbox.claimed');
    return claimed;
  }

  async function look(view: MirrorView, signal: AbortSignal): Promise<InboxLook> {
    await prepareFolders(folders, mode);
    const deadline = clock.monotonic() + BUDGET_MS;
    const outOfTime = () => clock.monotonic() > deadline;
    const own = ownBooking(view, clinics);
    const written: Record<string, number> = {};
    const problems: string[] = [];
    let more = false;

    const work = async (name: string) => {
      signal.throwIfAborted();
      try {
        const outcome = await processFile(name, own, outOfTime, signal);
        if (outcome === 'booked') written.inbox = (written.inbox ?? 0) + 1;
        more ||= outcome === 'more';
      } catch (error) {
        // One bad spot on a disk must not stand in the way of the other files.
        if (errnoOf(error) !== 'EIO') throw error;
        problems.push(`A file in ${folders.processing} cannot be read (EIO): check the disk.`);
      }
    };

    const resuming = await csvFiles(folders.processing);
    const { settled, waiting } = await settling.look(folders.inbox);
    for (const name of resuming) {
      if (outOfTime()) more = true;
      else await work(name);
    }
    for (const name of settled) {
      if (outOfTime()) more = true;
      else if (await claim(name)) await work(name);
      else more = true;
    }

    const refreshed = await results.refresh(await moves.since(view), signal);
    if (refreshed > 0) written.results = refreshed;
    const failed = (await csvFiles(folders.failed)).length;
    if (failed > 0)
      problems.push(
        `${failed} ${failed === 1 ? 'file' : 'files'} in ${folders.failed}: nothing in them was booked. Each has an .error.txt beside it that says why; correct it, drop it again, delete it there.`,
      );
    return { written, problems, nextInMs: more ? 100 : waiting > 0 ? lookAgainMs : undefined };
  }

  return {
    forget: (refs, signal) => forgetRows({ folders, settings, ledger, results, mode }, refs, signal),
    async look(view, signal) {
      try {
        return await look(view, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw errnoOf(error) === undefined ? error : fileFailure(error, inbox);
      }
    },
  };
}

/** A booking of this connector's own by its ref. */
const ownBooking = (view: MirrorView, clinics: readonly string[]) => async (ref: string) => {
  for (const clinic of clinics) {
    const [booking] = await view.ownBookings(clinic, [ref]);
    if (booking !== undefined) return booking;
  }
  return undefined;
};
