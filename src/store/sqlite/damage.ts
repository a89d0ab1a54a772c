import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';
import { findDamage } from './integrity.ts';
import { sqliteCode } from './storage-failure.ts';

/** Records damage in a file beside the database, because writes to a damaged database may be lost. */
export const damageNote = (file: string): string => `${file}.damaged`;

export const damaged = (file: string, cause?: unknown): Failure =>
  new Failure({
    kind: 'transient',
    message: `The database ${file} is damaged: nothing more is written to it.`,
    hint: 'Stop the daemon, then restore a backup: clinic-sync restore FILE.',
    lasting: true,
    cause,
  });

/** Lets the processes that have a database open tell each other about damage. */
export interface DamageNote {
  exists(): boolean;
  /** Does not throw, because this process knows already. */
  write(cause: unknown): void;
}

/** For a database that is only inspected, or in memory. */
export const noNote: DamageNote = { exists: () => false, write: () => {} };

export const noteBeside = (file: string): DamageNote => ({
  exists: () => existsSync(damageNote(file)),
  write(cause) {
    const found = typeof cause === 'string' ? cause : (sqliteCode(cause) ?? 'a damaged page');
    try {
      writeFileSync(damageNote(file), `${found}\n`, { mode: 0o600 });
    } catch {
      // Full disk or read-only volume: the next process will have to find the damage again.
    }
  },
});

/**
 * Rechecks a database in which damage was found before; undefined for any other. Reads the whole file and deletes the
 * note if the file is intact again, repaired or replaced by hand.
 */
export async function knownDamage(file: string, signal: AbortSignal): Promise<string | undefined> {
  if (!existsSync(damageNote(file))) return undefined;
  const found = await findDamage(file, signal, 'integrity_check');
  if (found === undefined) rmSync(damageNote(file), { force: true, recursive: true });
  return found;
}
