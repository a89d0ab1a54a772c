import Database from 'better-sqlite3';

const CACHE_KB = 512;

/** `quick_check` does not compare indexes with rows. */
export interface Task {
  file: string;
  check: 'quick_check' | 'integrity_check';
}

/** `ok`, or the first damage SQLite reports. Blocks until it has read the whole file. */
export function checkPages({ file, check }: Task): unknown {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // Every page is read only once, so a larger cache is useless.
    database.pragma(`cache_size = -${CACHE_KB}`);
    return database.pragma(`${check}(1)`, { simple: true });
  } catch (error) {
    // An error loses its class on its way out of another process.
    if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      return error.code;
    throw error;
  } finally {
    database.close();
  }
}
