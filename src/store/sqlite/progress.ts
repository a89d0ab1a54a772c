import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { sizeOf } from './file-header.ts';
import { updateMarker, type writeMarker } from './marker.ts';
import type { StopTime } from './stop-time.ts';

interface SqlStore {
  progress(): Promise<{ changes: number; claims: number }>;
  beat(who: 'daemon'): Promise<void>;
  run(statement: string): Promise<Record<string, unknown>[]>;
}

interface Marking {
  file: string;
  sql: SqlStore;
  identity: { instance: string; epoch: number };
  stamp: number | undefined;
  stop: StopTime;
}

/** Writes the database's progress to the marker; of two concurrent writes, the one further ahead stays. */
export function markProgress({ file, sql, identity: { instance, epoch }, stamp, stop }: Marking) {
  let claims = 0;
  return {
    /** Durable when it resolves. Throws `Failure` transient when the marker cannot be written. */
    async write(to: typeof writeMarker): Promise<void> {
      const progress = await sql.progress();
      if (progress.claims < claims) return;
      stop.timed(() => to(file, { instance, epoch, stamp, ...progress }));
      claims = progress.claims;
      // A signal is heard between two syncs.
      await nextTurn();
    },
  };
}

/**
 * Writes the installation's number into the file itself. Resolves to the number of commits in the file; undefined while
 * a reader keeps some of them in the log.
 */
export async function stamp(sql: SqlStore, instance: string): Promise<number | undefined> {
  await sql.run(`pragma application_id = ${crc32(instance) | 0}`);
  const [row] = await sql.run('pragma user_version');
  return (await checkpoint(sql)) ? Number(row?.user_version) : undefined;
}

/** Moves the log into the file; false while another process reads from the log. */
async function checkpoint(sql: SqlStore): Promise<boolean> {
  const [done] = await sql.run('pragma wal_checkpoint(truncate)');
  return done?.busy === 0;
}

interface Settling extends Pick<Marking, 'file' | 'sql' | 'stop'> {
  marker: ReturnType<typeof markProgress>;
  unwritable: () => Failure | undefined;
  log: Log;
}

/**
 * What a stop does last: how far the database got, then when, for the next start, then the log into the file. Nothing
 * is lost without: the next start finds everything in the log, as after a kill.
 */
export const settling =
  ({ file, sql, marker, unwritable, stop, log }: Settling) =>
  async (): Promise<'leave open' | undefined> => {
    if (unwritable() !== undefined) return;
    try {
      if (stop.fits(1)) await marker.write(updateMarker);
      if (stop.fits(1)) await sql.beat('daemon');
      // Closing the last connection would do the same.
      if (!stop.fits(2)) {
        log.warn('the disk is slow: the log of the database stays for the next start', {
          path: `${file}-wal`,
        });
        return 'leave open';
      }
      if (await checkpoint(sql)) return;
      const path = `${file}-wal`;
      log.warn('another program keeps the log of the database: copy both files', {
        path,
        bytes: sizeOf(path),
      });
    } catch (error) {
      log.warn('database closed without cleanup', { problem: asFailure(error, 'closing').message });
    }
    return undefined;
  };
