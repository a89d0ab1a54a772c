import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';
import { findDamage } from './integrity.ts';
import { sqliteCode } from './storage-failure.ts';

/** Says that damage was found, beside the database: what is written into a damaged file may be lost. */
export const damageNote = (file: string): string => `${file}.damaged`;

export const damaged = (file: string, cause?: unknown): Failure =>
  new Failure({
    kind: 'transient',
    message: `The database ${file} is damaged: nothing is written to it any more.`,
    hint: 'Stop the daemon, then restore a backup: clinic-sync restore FILE.',
    cause,
  });

/** For every process that opens the database from now on. Does not throw: this process knows anyway. */
export function noteDamage(file: string, cause: unknown): void {
  const found = typeof cause === 'string' ? cause : (sqliteCode(cause) ?? 'a damaged page');
  try {
    writeFileSync(damageNote(file), `${found}\n`, { mode: 0o600 });
  } catch {
    // A full disk or a read-only volume: the next process finds the damage when it meets it.
  }
}

/**
 * What is wrong with a database that was found damaged before; undefined for any other. Reads all of it, and forgets the
 * note when it is sound again: it was repaired, or a copy was put in its place by hand.
 */
export async function knownDamage(file: string, signal: AbortSignal): Promise<string | undefined> {
  if (!existsSync(damageNote(file))) return undefined;
  const found = await findDamage(file, signal, 'integrity_check');
  if (found === undefined) rmSync(damageNote(file), { force: true });
  return found;
}
