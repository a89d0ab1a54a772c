import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const CACHE_KB = 512;

/** `quick_check` leaves out whether indexes and rows agree. */
export interface Task {
  file: string;
  check: 'quick_check' | 'integrity_check';
}

/** A thread of its own: SQLite reads the whole file and returns only then. */
function check({ file, check }: Task): unknown {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // Every page is read once: keeping them is of no use.
    database.pragma(`cache_size = -${CACHE_KB}`);
    return database.pragma(`${check}(1)`, { simple: true });
  } catch (error) {
    // An error of this class would not arrive as one in the other thread.
    if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      return error.code;
    throw error;
  } finally {
    database.close();
  }
}

// Elsewhere the priority is that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
parentPort?.postMessage(check(workerData as Task));
