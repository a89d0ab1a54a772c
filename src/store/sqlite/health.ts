import { type BigIntStats, statSync } from 'node:fs';
import { formatBytes } from '../../platform/bytes.ts';
import type { Clock } from '../../platform/clock.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { sizeOf } from './file-header.ts';

export interface Health {
  ok: boolean;
  problem: string | null;
  /** With the log; null for a database in memory. */
  bytes: number | null;
  log_bytes: number | null;
  /** It works, and will not for long unless a person acts. */
  warning: string | null;
}

interface HealthOptions {
  file: string;
  /** Why nothing may be written any more. */
  broken: () => Failure | undefined;
  beat: () => Promise<void>;
  clock: Clock;
  log: Log;
}

const stat = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/** A check that writes and reads back, and that notices when the file it writes to is no longer the one at its path. */
export function healthCheck({ file, broken, beat, clock, log }: HealthOptions): () => Promise<Health> {
  const inMemory = file === ':memory:';
  const opened = inMemory ? undefined : stat(file);

  const problem = async (): Promise<string | null> => {
    const now = inMemory ? undefined : stat(file);
    if (now?.ino !== opened?.ino || now?.dev !== opened?.dev)
      return `The database file ${file} was moved, deleted or replaced while it was in use. Restart with the right file in place.`;
    try {
      const failure = broken();
      if (failure !== undefined) throw failure;
      await beat();
      return null;
    } catch (error) {
      const failure = asFailure(error, 'Checking the database');
      return failure.hint === undefined ? failure.message : `${failure.message} ${failure.hint}`;
    }
  };

  const warningOf = logAlarm({ file, clock, log });

  return async () => {
    try {
      const found = await problem();
      const log_bytes = inMemory ? null : sizeOf(`${file}-wal`);
      const bytes = log_bytes === null ? null : sizeOf(file) + log_bytes;
      return { ok: found === null, problem: found, bytes, log_bytes, warning: warningOf(log_bytes ?? 0) };
    } catch (error) {
      const { message } = asFailure(error, 'Checking the database');
      return { ok: false, problem: message, bytes: null, log_bytes: null, warning: null };
    }
  };
}

/** After a huge poll the log is this long for a moment; SQLite shortens it with the next write. In bytes. */
const LONG_LOG = 32_000_000;
const LONG_FOR_MS = 10 * 60_000;
/** Longer than any poll makes it. In bytes. */
const TOO_LONG_LOG = 512_000_000;

/** A reader that stays open keeps the log from ever being emptied: it grows until the disk is full. */
function logAlarm({ file, clock, log }: Pick<HealthOptions, 'file' | 'clock' | 'log'>) {
  let longSince: number | undefined;
  let alarmed = false;
  return (bytes: number): string | null => {
    if (bytes < LONG_LOG) {
      if (alarmed) log.info('the log of the database is short again', { path: `${file}-wal`, bytes });
      longSince = undefined;
      alarmed = false;
      return null;
    }
    longSince ??= clock.monotonic();
    if (bytes < TOO_LONG_LOG && clock.monotonic() - longSince < LONG_FOR_MS) return null;
    if (!alarmed) log.warn('the log of the database cannot be emptied', { path: `${file}-wal`, bytes });
    alarmed = true;
    return `The log ${file}-wal has grown to ${formatBytes(bytes)}, because another program keeps the database open for reading. End that program (a database browser, an interrupted copy) before the disk is full.`;
  };
}
