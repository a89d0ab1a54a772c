import type { Failure } from '../../platform/failure.ts';

/** The database as a whole: its health, its disk space, its copies. */
export interface DatabaseVerbs {
  /**
   * Cheap and honest: writes a row and reads it back; after a failed write, a row as large as a booking. `ok:false`
   * carries a sentence for a person, `warning` one about what will soon fail. Does not throw. After a COMMIT that threw
   * (other than for a full disk), nobody knows whether it is on disk: `ok` is false and every write throws until a
   * restart reads what is really there. Found damage has the same effect until a backup is restored.
   */
  health(): Promise<StoreHealth>;
  /**
   * Reads every page, beside other work, in seconds to minutes. Resolves to the damage found, by this or any verb before;
   * from then on nothing is written. Rejects when it could not look or was aborted. Missing where a server looks after its
   * own files.
   */
  checkIntegrity?(signal: AbortSignal): Promise<Failure | undefined>;
  /**
   * Free bytes on the database's volume against the configured floor. `below`: take no new lead (503), so that what is
   * accepted can still be booked. Cheap: measured at most once a second. Does not throw.
   */
  space(): { free: number | null; floor: number; below: boolean };
  /** The failed COMMIT, if there was one: only a restart of the process recovers. No I/O. */
  commitFailure(): Failure | undefined;
  /** Why nothing is written any more: a failed COMMIT, or damage that any process found. As cheap as checking whether a file exists. */
  unwritable(): Failure | undefined;
  /** Verified online copy; refuses to overwrite. Resolves to its size in bytes. */
  backup(file: string): Promise<number>;
  /** Records that a restored database was handled (sending is durably paused), so that the next start need not. */
  settleRestored(): Promise<void>;
  /**
   * True when another process (a command beside the daemon) has committed something since the last call. Cheap: nothing
   * is read from disk when nothing happened.
   */
  changedElsewhere(): Promise<boolean>;
  /** Does a daemon have this database now, this one or another? */
  hasDaemon(): Promise<boolean>;
  /**
   * For a command that does the daemon's work; undefined while a daemon runs. A daemon that starts before `release` is
   * refused.
   */
  takeDaemonsPlace(): Promise<{ release(): Promise<void> } | undefined>;
  /** Waits for writes under way. Idempotent. */
  close(): Promise<void>;
}

export interface StoreHealth {
  ok: boolean;
  /** Includes what to do about it. */
  problem: string | null;
  /** Only what to do about it; null when unknown. */
  remedy: string | null;
  /** Bytes of the file and its log; null when unknown, or in memory. */
  bytes: number | null;
  log_bytes: number | null;
  /** It works, but will soon fail unless a person acts. */
  warning: string | null;
}
