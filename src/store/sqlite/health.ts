import { formatBytes } from '../../platform/bytes.ts';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { failureSentence } from '../../platform/text/sentences.ts';
import type { StoreHealth } from '../ports/database.ts';
import type { KeyValueVerbs } from '../ports/key-value.ts';
import { sizeOf } from './file-header.ts';

interface HealthOptions {
  file: string;
  /** Why nothing more may be written. */
  broken: () => Failure | undefined;
  beat: () => Promise<void>;
  keyValue: KeyValueVerbs;
  mode: 'daemon' | 'tool';
  clock: Clock;
  log: Log;
}

/** Writes and reads back. */
export function healthCheck(options: HealthOptions): () => Promise<StoreHealth> {
  const { file, broken, beat } = options;
  const inMemory = file === ':memory:';

  const problem = async (): Promise<Pick<Failure, 'message' | 'hint'> | undefined> => {
    const failure = broken();
    if (failure !== undefined) return failure;
    await beat();
    return undefined;
  };

  const warningOf = logAlarm(options);

  return async () => {
    let found = await problem().catch((error: unknown) => asFailure(error, 'Checking the database'));
    const log_bytes = inMemory ? null : sizeOf(`${file}-wal`);
    const warning = await warningOf(log_bytes ?? 0).catch((error: unknown) => {
      found ??= asFailure(error, 'Checking the log of the database');
      return null;
    });
    return {
      ok: found === undefined,
      problem: found === undefined ? null : failureSentence(found),
      remedy: found?.hint ?? null,
      bytes: log_bytes === null ? null : sizeOf(file) + log_bytes,
      log_bytes,
      warning,
    };
  };
}

/** Bytes. A huge poll makes the log this long for a moment; SQLite shortens it with the next write. */
const LONG_LOG = 32_000_000;
const LONG_FOR_MS = 10 * MINUTE;
/** Bytes. Longer than any poll makes it. */
const TOO_LONG_LOG = 512_000_000;

/**
 * Warns of a reader that stays open: the log cannot be emptied and grows until the disk is full. The daemon stores
 * since when it is long, so that a short-lived command can warn as well.
 */
function logAlarm({ file, clock, log, keyValue, mode }: Omit<HealthOptions, 'broken' | 'beat'>) {
  let isStored = true;
  let alarmed = false;

  const longSince = async (): Promise<number> => {
    isStored = true;
    const stored = await keyValue.get('log', 'long_since');
    if (stored !== undefined) return Number(stored);
    const now = clock.now();
    if (mode === 'daemon') await keyValue.set('log', { long_since: String(now) });
    return now;
  };

  return async (bytes: number): Promise<string | null> => {
    if (bytes < LONG_LOG) {
      if (alarmed) log.info('the log of the database is short again', { path: `${file}-wal`, bytes });
      if (isStored && mode === 'daemon') await keyValue.set('log', { long_since: undefined });
      isStored = false;
      alarmed = false;
      return null;
    }
    // Absolute, because the wall clock may have been set back since.
    if (bytes < TOO_LONG_LOG && Math.abs(clock.now() - (await longSince())) < LONG_FOR_MS) return null;
    if (!alarmed && mode === 'daemon')
      log.warn('the log of the database cannot be emptied', { path: `${file}-wal`, bytes });
    alarmed = true;
    return (
      `The log ${file}-wal has grown to ${formatBytes(bytes)}, because another ` +
      'program keeps the database open for reading. End that program (a database ' +
      'browser, an interrupted copy) before the disk is full.'
    );
  };
}
