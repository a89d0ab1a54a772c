import type { Instant } from '../../platform/clock.ts';
import type { Failure } from '../../platform/failure.ts';

/** The database as a whole: health, disk space, copies. */
export interface DatabaseVerbs {
  /**
   * Cheap: writes a row and reads it back; after a failed write, a row as large as a booking. `ok:false` carries a
   * sentence for users, `warning` one about what will soon fail. Does not throw. After a COMMIT that threw (other than
   * for a full disk) it is unknown whether it is on disk: `ok` is false and every write throws until a restart reads
   * the actual state. Damage has the same effect until a backup is restored.
   */
  health(): Promise<StoreHealth>;
  /**
   * Reads every page, beside other work, in seconds to minutes. Resolves to the damage found, by this or an earlier
   * verb; from then on nothing is written. Rejects if the check failed or was aborted. Undefined for a server, which
   * checks its own files.
   */
  checkIntegrity?(signal: AbortSignal): Promise<Failure | undefined>;
  /**
   * Free bytes on the database's volume, and the configured floor. `below`: accept no new lead (503), so that accepted
   * ones can still be booked. Cheap: measured at most once a second. Does not throw.
   */
  space(): { free: number | null; floor: number; below: boolean };
  /** The failed COMMIT, if any: only a restart of the process recovers. No I/O. */
  commitFailure(): Failure | undefined;
  /** Why nothing more is written: a failed COMMIT, or damage found by any process. Costs one check for a file. */
  unwritable(): Failure | undefined;
  /** Verified online copy; refuses to overwrite. Resolves to its size in bytes. */
  backup(file: string): Promise<number>;
  /**
   * The same for the daemon, in a process of its own, which `signal` kills: a new file in the directory, whose oldest
   * files of this installation are removed beyond `keep`. Resolves to its time and size, and the number of such files.
   * Throws `Failure` if none was written. Undefined for a server, whose own tools do this.
   */
  backUpInto?(
    directory: { path: string; keep: number },
    signal: AbortSignal,
  ): Promise<{ at: Instant; bytes: number; count: number }>;
  /**
   * Clears overwritten data from what the database keeps beside its tables (SQLite's write-ahead log; PostgreSQL keeps
   * none that this program may clear). Waits five seconds; false while another process keeps the database open for
   * reading.
   */
  clearLog(): Promise<boolean>;
  /** Records that a restored database was handled (sending is durably paused); the next start need not repeat it. */
  settleRestored(): Promise<void>;
  /**
   * True when another process (a command beside the daemon) has committed since the last call. Cheap: reads nothing
   * from disk unless something happened.
   */
  changedElsewhere(): Promise<boolean>;
  /** Whether any daemon has this database open now. */
  hasDaemon(): Promise<boolean>;
  /**
   * For a command that does the daemon's work; undefined while a daemon runs. A daemon that starts before `release` is
   * refused.
   */
  takeDaemonsPlace(): Promise<{ release(): Promise<void> } | undefined>;
  /** Waits for writes in progress. Idempotent. */
  close(): Promise<void>;
}

export interface StoreHealth {
  ok: boolean;
  /** Problem and remedy. */
  problem: string | null;
  /** The remedy alone; null if unknown. */
  remedy: string | null;
  /** Bytes of the file and its log; null when unknown, or in memory. */
  bytes: number | null;
  log_bytes: number | null;
  /** It works, but will soon fail unless a user acts. */
  warning: string | null;
}
