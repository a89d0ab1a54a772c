import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';

/** Beside the database, so that a database that went missing or went back in time is noticed. */
export const Marker = z.object({
  instance: z.string().min(1),
  /** The newest epoch of this database; 0 while it is being created for the first time. */
  epoch: z.number().int().nonnegative(),
  /** How far the database got: at its last start, claim of a booking or orderly stop. See `Progress`. */
  changes: z.number().int().nonnegative().optional(),
  claims: z.number().int().nonnegative().optional(),
  /** Commits that the file itself, without its log, surely has. */
  stamp: z.number().int().nonnegative().optional(),
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

/** Replaced by rename, so that a crash leaves the old one or the new one; synced, file and folder, before it returns. */
export function writeMarker(file: string, marker: Marker): void {
  const path = markerPath(file);
  const temporary = `${path}.new`;
  try {
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      writeSync(descriptor, textOf(marker));
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
}

const notWritten = (path: string, cause: unknown) =>
  new Failure({
    kind: 'transient',
    message: `The marker ${path} cannot be written.`,
    hint: 'Check that it is there, that its folder is writable and that there is free space.',
    cause,
  });

/** Less than a sector, which a disk writes whole or not at all, and always as long, so that nothing but data is synced. */
const MARKER_BYTES = 256;
const textOf = (marker: Marker): string => `${JSON.stringify(marker).padEnd(MARKER_BYTES - 1)}\n`;

/** As `writeMarker`, for each booking that is sent: one small write into the file that is there, one sync. */
export function updateMarker(file: string, marker: Marker): void {
  const path = markerPath(file);
  try {
    const descriptor = openSync(path, 'r+');
    try {
      writeSync(descriptor, textOf(marker), 0);
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** A rename is durable only when its folder is. */
export function syncFolder(folder: string): void {
  // Windows has no such thing as an open folder.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const unreadable = (path: string, cause: unknown) =>
  new Failure({
    kind: 'refused',
    message: `The marker ${path} cannot be read.`,
    hint: 'Check its permissions. If it is damaged, delete it: queued bookings are then held until a person releases them.',
    cause,
  });
