import { join } from 'node:path';
import { stated } from '../../../src/connector.ts';
import { backoffMs } from '../../../src/platform/backoff.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { MINUTE, SECOND } from '../../../src/platform/duration.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { errnoOf, fileFailure } from '../files.ts';

export interface FailedFile {
  name: string;
  failure: Failure;
  /** Attempts in a row that failed. */
  times: number;
}

/** A large file is read and written as a whole at each attempt. */
const WAITS = { floor: 5 * SECOND, cap: MINUTE };
/** Codes by which other programs, and shares, refuse to have this file replaced. */
const HELD: readonly (string | undefined)[] = ['EBUSY', 'EACCES', 'EPERM', 'ETXTBSY', 'EISDIR', 'ENOTEMPTY'];

/** Each file of a folder for itself: one that is open somewhere holds up no other. */
export type FileAttempts = ReturnType<typeof createFileAttempts>;

export function createFileAttempts(folder: string, clock: Clock) {
  const failures = new Map<string, FailedFile & { dueAt: number; cause: unknown }>();
  let succeeded = 0;
  return {
    /** The result, or undefined if the work failed, now or so recently that it is not yet due again. */
    async of<T>(name: string, work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
      const before = failures.get(name);
      if (before !== undefined && clock.monotonic() < before.dueAt) return undefined;
      try {
        const result = await work();
        failures.delete(name);
        succeeded += 1;
        return result;
      } catch (cause) {
        signal.throwIfAborted();
        // What is no fault of a file is a fault of the run.
        if (errnoOf(cause) === undefined && !(cause instanceof Failure)) throw cause;
        const times = 1 + (before?.times ?? 0);
        const dueAt = clock.monotonic() + backoffMs(times, WAITS);
        failures.set(name, { name, times, dueAt, cause, failure: failureOf(cause, join(folder, name)) });
        return undefined;
      }
    },
    /** The files whose last attempt failed. */
    failed: (): FailedFile[] => [...failures.values()],
    /** Throws when not one file could be written: that is a fault of the folder. */
    throwIfNoneSucceeded(): void {
      const [first] = failures.values();
      const hadSuccess = succeeded > 0;
      succeeded = 0;
      if (hadSuccess || first === undefined) return;
      for (const one of failures.values()) one.dueAt = 0;
      throw fileFailure(first.cause, folder);
    },
    /** Milliseconds until the next attempt at a file that failed. */
    waitMs(): number | undefined {
      const dues = [...failures.values()].map(({ dueAt }) => dueAt);
      return dues.length === 0 ? undefined : Math.max(0, Math.min(...dues) - clock.monotonic());
    },
    /** Makes all due. */
    hurry(): void {
      for (const one of failures.values()) one.dueAt = 0;
    },
  };
}

function failureOf(error: unknown, path: string): Failure {
  const code = errnoOf(error);
  if (!HELD.includes(code)) return fileFailure(error, path);
  return new Failure({
    kind: 'transient',
    ...stated('file_in_use', { place: path, code: ` (${code})` }),
    cause: error,
  });
}
