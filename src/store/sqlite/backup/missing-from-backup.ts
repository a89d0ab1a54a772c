import { rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Instant } from '../../../platform/clock.ts';

/** A booking of which the restored database does not know, or not all: only the former one does. */
export interface MissingBooking {
  ref: string;
  clinic: string;
  received_at: Instant;
  /** What became of it by the former database. */
  state: string;
  appointment_id: number | null;
  /** What the restored database has; null if it came after the backup. */
  restored_state: string | null;
}

/** Oldest first. Null if the former database cannot be read: it may be why a backup was restored. */
export function missingFromBackup(former: string, restored: string): MissingBooking[] | null {
  const beside = [former, restored].flatMap((file) => [`${file}-wal`, `${file}-shm`]);
  const made = beside.filter((path) => sizeOf(path) === undefined);
  let database: Database.Database | undefined;
  try {
    database = new Database(former, { readonly: true, fileMustExist: true });
    database.prepare('attach ? as restored').run(restored);
    return database.prepare(MISSING).all() as MissingBooking[];
  } catch {
    return null;
  } finally {
    database?.close();
    // SQLite makes them to read, and a reader does not delete them again.
    for (const path of made) if (path.endsWith('-shm') || sizeOf(path) === 0) rmSync(path, { force: true });
  }
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

const MISSING = `select one.ref, one.clinic, one.received_at, one.state, one.appointment_id,
  other.state as restored_state from main.bookings as one left join restored.bookings as other on other.ref = one.ref
  where other.ref is null or other.state <> one.state
  order by one.received_at, one.ref`;
