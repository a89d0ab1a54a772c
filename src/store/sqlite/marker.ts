import {
  accessSync,
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { failpoint } from '../../platform/failpoint.ts';
import { codeOf, Failure } from '../../platform/failure.ts';
import { isNoFolderSync, isNoSync } from '../../platform/file-faults.ts';

/** Kept beside the database so that a missing or older database is noticed. */
export const Marker = z.object({
  instance: z.string().min(1),
  /** The newest epoch of this database; 0 while it is being created for the first time. */
  epoch: z.number().int().nonnegative(),
  /** The database's progress at its last start, claim or orderly stop. See `Progress`. */
  changes: z.number().int().nonnegative().optional(),
  claims: z.number().int().nonnegative().optional(),
  /** Number of commits that the file is known to contain without its log. */
  stamp: z.number().int().nonnegative().optional(),
  /** When it was written, by the file system's clock; see `isCopied`. */
  written: z.number().optional(),
  /** The server to which the installation was moved, and when. */
  moved: z.object({ to: z.string(), at: z.string() }).optional(),
});
export type Marker = z.infer<typeof Marker>;

export const markerPath = (file: string): string => `${file}.marker`;

export function readMarker(file: string): Marker | undefined {
  const path = markerPath(file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
  try {
    return Marker.parse(JSON.parse(text));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** File systems may round their times to two seconds. */
const LATER_MS = 2_000;

/**
 * Whether this marker is a copy: whatever puts a file in place leaves a time of change later than that of its writing.
 */
export function isCopied(file: string, { written }: Marker): boolean {
  const { ctimeMs, mtimeMs } = statSync(markerPath(file));
  return written !== undefined && Math.max(ctimeMs, mtimeMs) - written > LATER_MS;
}

/** Throws `Failure` refused for a database that was moved: two daemons would book the same leads. */
export function assertNotMoved(file: string, marker: Marker | undefined): void {
  if (marker?.moved === undefined) return;
  throw new Failure({
    kind: 'refused',
    message: `The database ${file} was moved to ${marker.moved.to} (${marker.moved.at}).`,
    hint:
      `Put that address under store.postgres. To use the file anyway, delete ${markerPath(file)}: ` +
      'the file lacks what came since, so what waited in it will be held.',
  });
}

/** Replaces the marker by rename, so that a crash leaves the old or the new one. Durable when it returns. */
export function writeMarker(file: string, marker: Marker): void {
  const path = markerPath(file);
  const temporary = `${path}.new`;
  try {
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      writeText(descriptor, marker);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    failpoint('store.marker.before-rename');
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    throw notWritten(path, error);
  }
  // The rename changed the times of the file, which `isCopied` compares.
  writeInPlace(file, marker);
}

const notWritten = (path: string, cause: unknown) =>
  new Failure({
    kind: 'transient',
    lasting: true,
    ...(isNoSync(cause)
      ? {
          message: `The volume of ${path} cannot be told to write to its disk now (fsync: ${codeOf(cause)}).`,
          hint: 'Put the database on a local disk: here, a power cut would lose bookings that were accepted.',
        }
      : {
          message: `The marker ${path} cannot be written.`,
          hint: 'Check that it is there, that its folder is writable, and its free space and quota.',
        }),
    cause,
  });

/** Less than one sector, which disks write atomically, and constant, so that a sync writes only data. */
const MARKER_BYTES = 256;
const textOf = (marker: Marker): string => `${JSON.stringify(marker).padEnd(MARKER_BYTES - 1)}\n`;

/** Twice, because only a write tells what time it is for the file system. */
function writeText(descriptor: number, marker: Marker): void {
  writeSync(descriptor, textOf(marker), 0);
  const written = Math.floor(fstatSync(descriptor).mtimeMs);
  writeSync(descriptor, textOf({ ...marker, written }), 0);
}

/** Like `writeMarker`, but in place, with one sync, if it can: runs before each send. */
export function updateMarker(file: string, marker: Marker): void {
  try {
    writeInPlace(file, marker);
  } catch {
    // Someone deleted it, or made it read-only.
    writeMarker(file, marker);
  }
}

function writeInPlace(file: string, marker: Marker): void {
  const path = markerPath(file);
  try {
    const descriptor = openSync(path, 'r+');
    try {
      writeText(descriptor, marker);
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** Whether it is there. Changes nothing. Throws `Failure` transient if it cannot be written, nor replaced. */
export function hasMarker(file: string): boolean {
  const path = markerPath(file);
  try {
    closeSync(openSync(path, 'r+'));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) !== 'EACCES' || !isWritable(dirname(path))) throw notWritten(path, error);
    return true;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A rename is durable only once its folder is. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isNoFolderSync(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

const unreadable = (path: string, cause: unknown) =>
  new Failure({
    kind: 'refused',
    message: `The marker ${path} cannot be read.`,
    hint:
      'Check its permissions. If it is damaged, delete it: queued bookings ' +
      'are then held until a person releases them.',
    cause,
  });
