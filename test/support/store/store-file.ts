import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/platform/log.ts';
import { type FileStore, openFileStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, judge } from '../../conformance/store/samples.ts';
import { fakeClock } from '../fake-clock.ts';

/** A path in a folder of its own that goes with the test. */
export function newStoreFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'clinic-sync.db');
}

/** A store that is closed with the test. */
export async function openTestStore(
  file = ':memory:',
  mode: 'daemon' | 'tool' = 'daemon',
  clock = fakeClock(),
): Promise<FileStore> {
  const store = await openFileStore({ file, clock, log: silentLog, mode });
  onTestFinished(() => store.close());
  return store;
}

/** What another program does to the file. */
export function alterFile(file: string, statement: string): void {
  const database = new Database(file);
  database.exec(statement);
  database.close();
}

/** Opens and closes once, so that there is a database. */
export async function createDatabase(file: string): Promise<Store['identity']> {
  const store = await openTestStore(file);
  await store.close();
  return store.identity;
}

export const accept = (store: Store, fields: Parameters<typeof booking>[0] = {}) =>
  store.bookings.accept(booking(fields), judge);
