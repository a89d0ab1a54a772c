import { type BigIntStats, statSync } from 'node:fs';
import { asFailure, type Failure } from '../../model/failure.ts';

export interface Health {
  ok: boolean;
  problem: string | null;
  bytes: number | null;
}

interface HealthOptions {
  file: string;
  unsure: () => Failure | undefined;
  beat: () => Promise<void>;
}

const stat = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/** A check that writes and reads back, and that notices when the file it writes to is no longer the one at its path. */
export function healthCheck({ file, unsure, beat }: HealthOptions): () => Promise<Health> {
  const inMemory = file === ':memory:';
  const opened = inMemory ? undefined : stat(file);

  const problem = async (): Promise<string | null> => {
    const now = inMemory ? undefined : stat(file);
    if (now?.ino !== opened?.ino || now?.dev !== opened?.dev)
      return `The database file ${file} was moved, deleted or replaced while it was in use. Restart with the right file in place.`;
    try {
      const doubt = unsure();
      if (doubt !== undefined) throw doubt;
      await beat();
      return null;
    } catch (error) {
      const failure = asFailure(error, 'Checking the database');
      return failure.hint === undefined ? failure.message : `${failure.message} ${failure.hint}`;
    }
  };

  return async () => {
    try {
      const found = await problem();
      return { ok: found === null, problem: found, bytes: inMemory ? null : size(file) };
    } catch (error) {
      return { ok: false, problem: asFailure(error, 'Checking the database').message, bytes: null };
    }
  };
}

/** With its write-ahead log, in bytes. */
function size(file: string): number {
  const bytes = ['', '-wal'].map((suffix) => statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0);
  return bytes.reduce((sum, one) => sum + one, 0);
}
