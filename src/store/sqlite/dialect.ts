import type Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { Failure } from '../../platform/failure.ts';
import { bind } from '../bind.ts';
import { createAccessQueue } from './access-queue.ts';
import { type DamageNote, damaged, noNote } from './damage.ts';
import { type FileWatch, unwatched } from './replaced-file.ts';
import { noTimeLeft, type StopTime, unhurried } from './stop-time.ts';
import { isDamage, sqliteCode, storageFailure } from './storage-failure.ts';

/** Size of the statement cache; except for the remainders of bulk inserts, the product has fewer statements. */
const STATEMENTS_KEPT = 250;

export interface SqliteDialect extends Dialect {
  /** Set after a COMMIT threw and may or may not be on disk. Only reopening the file tells. */
  readonly commitFailure: () => Failure | undefined;
  /** Set after damage was found, here or by another process. Nothing is written then; a restart does not help. */
  readonly damaged: () => Failure | undefined;
  /** Why nothing may be written: one of the above, or the file was replaced. */
  readonly unwritable: () => Failure | undefined;
  /** Reports damage found by other means than a statement. */
  readonly noteDamage: (cause: unknown) => void;
}

/**
 * Kysely over one better-sqlite3 connection. Not kysely's own dialect, because that begins transactions deferred: one
 * that reads before it writes then fails at once if another process wrote in between (SQLITE_BUSY_SNAPSHOT).
 */
export function sqliteDialect(
  database: Database.Database,
  file: string,
  note: DamageNote = noNote,
  { replaced, close }: FileWatch = unwatched,
  stop: StopTime = unhurried,
): SqliteDialect {
  let commitFailure: Failure | undefined;
  let damage: Failure | undefined;
  const statements = new Map<string, Database.Statement>();
  let counted = 0;

  const prepare = (text: string): Database.Statement => {
    const known = statements.get(text);
    if (known !== undefined) {
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const statement = database.prepare(text);
    statements.set(text, statement);
    for (const oldest of statements.keys()) {
      if (statements.size <= STATEMENTS_KEPT) break;
      statements.delete(oldest);
    }
    return statement;
  };

  const run = (text: string, parameters: readonly unknown[] = []): QueryResult<never> => {
    try {
      const values = parameters.map(bind);
      const statement = prepare(text);
      if (statement.reader) return { rows: statement.all(values) as never[] };
      const { changes } = statement.run(values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      if (isDamage(error)) noteDamage(error);
      throw storageFailure(error, file);
    }
  };

  const noteDamage = (cause: unknown) => {
    if (damage !== undefined) return;
    damage = damaged(file, cause);
    note.write(cause);
  };

  /** Checked for each transaction, at about 2 µs, because another process may have found damage since. */
  const knownDamage = () => damage ?? (note.exists() ? damaged(file) : undefined);

  const unwritable = () => commitFailure ?? knownDamage() ?? replaced();

  /**
   * Counts this file's commits in its first page. Each commit therefore writes that page to the log, which lets a start
   * recognise whose log it is. See `assertWhole`.
   */
  const countCommit = () => {
    const [row] = prepare('select total_changes() as changes').all([]) as { changes: number }[];
    if (row === undefined || row.changes === counted) return;
    const [version] = prepare('pragma user_version').all([]) as { user_version: number }[];
    database.exec(`pragma user_version = ${(version?.user_version ?? 0) + 1}`);
    counted = row.changes;
  };

  const queue = createAccessQueue<DatabaseConnection>();
  /** One per query or transaction, so that the queue can tell them apart. */
  const newConnection = (): DatabaseConnection => ({
    executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      return queue.run(this, () => run(sql, parameters));
    },
    streamQuery() {
      // An unfinished iterator would keep the write-ahead log from being reset.
      throw new Failure({ kind: 'refused', message: 'This database does not stream.' });
    },
  });

  const commit = () => {
    countCommit();
    try {
      stop.timed(() => run('commit'));
    } catch (error) {
      if (isSurelyNotCommitted(error) || isDamage(error)) throw error;
      commitFailure = new Failure({
        kind: 'transient',
        message: `It is not known whether the last write reached the disk (${file}, ${codeOf(error)}).`,
        hint: 'Check the volume, then restart the program: it reads what is really there.',
        cause: error,
      });
      throw commitFailure;
    }
  };

  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      return newConnection();
    },
    releaseConnection: async (connection) => queue.leave(connection),
    async beginTransaction(connection) {
      await queue.enter(connection);
      const broken = unwritable() ?? (stop.fits(1) ? undefined : noTimeLeft());
      if (broken !== undefined) throw broken;
      await queue.run(connection, () => run('begin immediate'));
    },
    commitTransaction: (connection) => queue.run(connection, commit),
    async rollbackTransaction(connection) {
      // SQLite has already rolled back after a full disk or an I/O error.
      await queue.run(connection, () => database.inTransaction && run('rollback'));
    },
    async destroy() {
      statements.clear();
      database.close();
      close();
    },
  };

  return {
    createDriver: () => driver,
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector,
    commitFailure: () => commitFailure,
    damaged: knownDamage,
    unwritable,
    noteDamage,
  };
}

const codeOf = (error: unknown): string => sqliteCode(error) ?? 'no code';

/** Kysely's own introspector reads every column of every table: half of what a command needs to open a database. */
const createIntrospector: Dialect['createIntrospector'] = (db) => {
  const getTables: DatabaseIntrospector['getTables'] = async () => {
    const tables = sql<{ name: string }>`
      select name from sqlite_schema
      where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'`;
    const { rows } = await tables.execute(db);
    return rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }));
  };
  return { getTables, getSchemas: async () => [] };
};

/** Kysely's own lock for a single connection wakes every waiter each time it is free: n² for n of them. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * A full disk leaves the commit's last frame incomplete, and a busy database writes none. Any other error, such as a
 * failed fsync, may follow a complete commit.
 */
function isSurelyNotCommitted(error: unknown): boolean {
  const code = sqliteCode(error) ?? '';
  return code === 'SQLITE_FULL' || code.startsWith('SQLITE_BUSY');
}
