import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const CACHE_KB = 512;

/** `quick_check` does not compare indexes with rows. */
export interface Task {
  file: string;
  check: 'quick_check' | 'integrity_check';
}

/** Runs in its own thread, because SQLite blocks until it has read the whole file. */
function check({ file, check }: Task): unknown {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // Every page is read only once, so caching is useless.
    database.pragma(`cache_size = -${CACHE_KB}`);
    return database.pragma(`${check}(1)`, { simple: true });
  } catch (error) {
    // An error loses its class on the way to the other thread.
    if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      return error.code;
    throw error;
  } finally {
    database.close();
  }
}

// On other systems this would change the priority of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
parentPort?.postMessage(check(workerData as Task));
