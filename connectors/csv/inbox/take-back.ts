import type { Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toMs } from '../../../src/platform/clock.ts';
import { DAY } from '../../../src/platform/duration.ts';
import type { BlockedFiles } from '../blocked-files.ts';
import { sha256, statOf } from '../files.ts';
import { bytesOf, openPlainDropped } from './content/dropped-file.ts';
import { doneNameOf, type Folders, hasSettled, move, type Observations } from './folders.ts';
import type { FilePlace, FileReading, Ledger } from './ledger.ts';
import type { InboxParts } from './take-file.ts';
import { removeRefusal } from './withdraw-refusals.ts';

/** How long after the last reading the writer of a file may go on. */
const WATCH_MS = DAY;

type Parts = InboxParts & { growing: Observations };

/**
 * Takes back files that changed after they were moved to `done` or `failed`: a writer that had paused went on, and what
 * it wrote since has not been read. Resolves to the number of those that are still being written.
 */
export async function takeBackFiles(
  parts: Parts,
  folders: Folders,
  blocked: BlockedFiles,
  signal: AbortSignal,
): Promise<number> {
  const { ledger, clock, growing } = parts;
  let waiting = 0;
  for (const reading of await ledger.readings()) {
    const { folder, stem } = reading;
    const name = doneNameOf(reading);
    const places = [reading.name, name].map((one) => statOf(join(folders.processing, one)));
    if ((await Promise.all(places)).some((stat) => stat !== undefined)) continue;
    const path = join(folders[folder], name);
    const stat = await statOf(path);
    const key = `${folder}/${stem}`;
    if (stat?.isFile() && !(await isAsRead(ledger, { folder, stem }, { path, stat, reading }))) {
      if (await hasSettled({ path, stat, key }, growing, clock.monotonic()))
        await blocked.attempt(path, name, () => takeOne(parts, folders, reading, signal));
      else waiting += 1;
    } else if (isOver(reading, stat, clock.now())) {
      growing.delete(key);
      await ledger.note({ folder, stem }, undefined);
      // Kept for its writer, after everyone in it was erased.
      if (folder === 'done' && reading.rows === 0) await rm(path, { force: true });
    }
  }
  return waiting;
}

/** What was refused waits for a person as long as it is there. */
const isOver = ({ folder, at }: FilePlace & FileReading, stat: Stats | undefined, now: number): boolean =>
  now - toMs(at) > WATCH_MS && (folder === 'done' || stat === undefined);

async function takeOne(
  { ledger, settings, log, source }: Parts,
  folders: Folders,
  reading: FilePlace & FileReading,
  signal: AbortSignal,
): Promise<void> {
  const { folder, stem, rows } = reading;
  const results = join(folders.results, await ledger.answer({ folder: 'done', stem }));
  const { columns } = settings;
  // We wrote it.
  const asWritten = { columns, encoding: 'utf-8' } as const;
  const answered = folder === 'done' ? await openPlainDropped(results, asWritten, signal) : undefined;
  // Results of rows that the ledger does not know: an older copy of the database was opened, and they may be booked.
  if (answered !== undefined && answered.rows > rows) return ledger.note({ folder, stem }, undefined);
  const name = doneNameOf(reading);
  if (!(await move([folders[folder], name], [folders.processing, name]))) return;
  if (folder === 'failed') await removeRefusal(ledger, folders, stem);
  log.info('inbox file is read again, because it changed', { connector: source });
}

/** Whether the file is still what was read: some programs fill a hole, or write over a file, and set its time back. */
async function isAsRead(
  ledger: Ledger,
  place: FilePlace,
  { path, stat, reading }: { path: string; stat: Stats; reading: FileReading },
): Promise<boolean> {
  const { size, mtimeMs, ctimeMs } = stat;
  if (size !== reading.size || mtimeMs !== reading.mtimeMs) return false;
  if (ctimeMs === reading.ctimeMs) return true;
  const bytes = await bytesOf(path).catch(() => undefined);
  if (bytes !== undefined && sha256(bytes) !== reading.sha256) return false;
  await ledger.note(place, { ...reading, ctimeMs });
  return true;
}
