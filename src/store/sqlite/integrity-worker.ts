import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** A thread of its own: SQLite reads the whole file and returns only then. */
function quickCheck(file: string): unknown {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
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

parentPort?.postMessage(quickCheck(workerData as string));
