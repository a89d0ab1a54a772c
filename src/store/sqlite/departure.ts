import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { type Marker, markerPath, writeMarker } from './marker.ts';
import { storageFailure } from './storage-failure.ts';

interface Table {
  name: string;
  columns: readonly string[];
  key: readonly string[];
  numbered: string | undefined;
}
export type StoredRow = readonly unknown[];

/** Only one batch is held in memory at a time. */
const ROWS_OF_A_BATCH = 1_000;
const CHARACTERS_OF_A_BATCH = 1_000_000;

/**
 * Reads a whole database while nothing is written to it, not even by a command, and marks it as moved. The connection
 * must not be used for anything else meanwhile.
 */
export function departure(database: Database.Database, file: string) {
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storageFailure(error, file);
    }
  };
  const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  told(() => database.exec('begin immediate'));

  return {
    count: ({ name }: Table): number =>
      told(() => database.prepare(`select count(*) from "${name}"`).pluck().get() as number),

    /** All rows in key order. */
    *batches({ name, columns, key }: Table): Generator<StoredRow[]> {
      const select = database.prepare(`select ${list(columns)} from "${name}" order by ${list(key)}`).raw();
      let batch: StoredRow[] = [];
      let characters = 0;
      for (const row of select.iterate() as IterableIterator<StoredRow>) {
        batch.push(row);
        for (const value of row) if (typeof value === 'string') characters += value.length;
        if (batch.length < ROWS_OF_A_BATCH && characters < CHARACTERS_OF_A_BATCH) continue;
        yield batch;
        batch = [];
        characters = 0;
      }
      if (batch.length > 0) yield batch;
    },

    /** The highest number that the database ever assigned to a row, even if that row is gone. */
    lastNumber: ({ name, numbered }: Table): number =>
      told(() => {
        if (numbered === undefined) return 0;
        const rows = database
          .prepare(
            `select max("${numbered}") as last from "${name}" union all select seq from sqlite_sequence where name = ?`,
          )
          .pluck()
          .all(name) as (number | null)[];
        return Math.max(0, ...rows.map((last) => last ?? 0));
      }),

    close(): void {
      if (database.inTransaction) database.exec('rollback');
      database.close();
    },
  };
}

/**
 * From now on neither a daemon nor a command opens the file. An older version does not know `moved`: it finds the
 * database behind its marker and holds whatever waits. Durable when it returns; returns a function that reverts it.
 */
export function markMoved(
  file: string,
  { marker, identity }: { marker: Marker | undefined; identity: Pick<Marker, 'instance' | 'epoch'> },
  moved: NonNullable<Marker['moved']>,
): () => void {
  const last = marker ?? identity;
  writeMarker(file, { ...last, epoch: last.epoch + 1, moved });
  return () => (marker === undefined ? rmSync(markerPath(file)) : writeMarker(file, marker));
}
