import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const CACHE_KB = 512;

/** A thread of its own: SQLite reads the whole file and returns only then. */
function quickCheck(file: string): unknown {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // Every page is read once: keeping them is of no use.
    database.pragma(`cache_size = -${CACHE_KB}`);
    return database.pragma('quick_check(1)', { simple: true });
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
parentPort?.postMessage(quickCheck(workerData as string));
