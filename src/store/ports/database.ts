import type { Failure } from '../../platform/failure.ts';

/** The database as a whole: its health, its room on the disk, its copies. */
export interface DatabaseVerbs {
  /**
   * Cheap and honest: writes a row and reads it back; after a write that failed, as much as a booking takes. `ok:false`
   * carries a sentence for a person, `warning` one about what will not work for long. Does not throw.
   * After a COMMIT that threw (other than for a full disk) it is unknown whether it is on disk: from then on `ok` is
   * false and every write throws, until the process is restarted and reads what is really there. The same after damage
   * was found, until a backup is restored.
   */
  health(): Promise<StoreHealth>;
  /**
   * Reads every page, beside other work, in seconds to minutes. Resolves to the damage found, by this or any verb before;
   * from then on nothing is written. Rejects when it could not look or was aborted.
   */
  checkIntegrity(signal: AbortSignal): Promise<Failure | undefined>;
  /**
   * Free bytes on the database's volume against the configured floor. `below`: take no new lead (503), so that what is
   * accepted can still be booked. Cheap: measured at most once a second. Does not throw.
   */
  space(): { free: number | null; floor: number; below: boolean };
  /** The failed COMMIT, if there was one: only a restart of the process recovers. No I/O. */
  commitFailure(): Failure | undefined;
  /** Why nothing is written any more: a failed COMMIT, or damage that any process found. As cheap as a look for a file. */
  unwritable(): Failure | undefined;
  /** Verified online copy; refuses to overwrite. Resolves to its size in bytes. */
  backup(file: string): Promise<number>;
  /** A restored database has been acted upon (sending is paused, durably): the next start need not do so again. */
  settleRestored(): Promise<void>;
  /**
   * True when another process (a command beside the daemon) has committed something since the last call. Cheap: nothing
   * is read from disk when nothing happened.
   */
  changedElsewhere(): Promise<boolean>;
  /** Waits for writes under way. Idempotent. */
  close(): Promise<void>;
}

export interface StoreHealth {
  ok: boolean;
  /** With what to do about it. */
  problem: string | null;
  /** What to do about it, alone; null where that is not known. */
  remedy: string | null;
  /** Of the file and its log; null when unknown, or in memory. */
  bytes: number | null;
  log_bytes: number | null;
  /** It works, and will not for long unless a person acts. */
  warning: string | null;
}
