import { Failure } from '../../platform/failure.ts';
import { releaseConnection, type Speaking } from './connections.ts';
import { sqlState } from './postgres-failure.ts';

const OLDEST_VERSION = 15;
const PROTOCOL_VIOLATION = '08P01';

/**
 * Identifies the server, its timeline and the database: a promoted replica or a cluster restored from a backup has
 * another timeline, and a copy made by CREATE DATABASE another number. Null on a replica.
 */
export const SERVER_IDENTITY = `case when pg_catalog.pg_is_in_recovery() then null else
  (select system_identifier::text from pg_catalog.pg_control_system()) || '/' ||
  substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) || '/' ||
  (select oid::text from pg_catalog.pg_database where datname = current_database()) end`;

/** For pg_class: objects of an extension do not make the database that of another program. */
export const OF_NO_EXTENSION = `not exists (select 1 from pg_catalog.pg_depend brought
  where brought.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
    and brought.objid = pg_class.oid and brought.deptype = 'e')`;

export interface Server {
  identity: string | null;
  schema: string;
  /** What the server's administrator should know; null if nothing. */
  warning: string | null;
}

const LOOK = `select current_setting('server_version_num') as version, current_setting('server_version') as named,
  pg_catalog.pg_is_in_recovery()::text as recovering, current_setting('transaction_read_only') as read_only,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as whole_pages,
  current_setting('server_encoding') as encoding, current_schema() as schema, (${SERVER_IDENTITY}) as identity`;

/** Inside a transaction, which a pooler in statement mode rejects. */
async function look({ connect, ask, rollBack, row }: Speaking, place: string) {
  const held = await connect();
  try {
    await ask(held, 'begin');
    return (await ask(held, LOOK))[0]?.rows[0] ?? {};
  } catch (error) {
    if (sqlState(error) !== PROTOCOL_VIOLATION) throw error;
    await row(LOOK).catch(() => {
      throw error;
    });
    throw refused(
      `A pooler in front of the database ${place} allows no transactions.`,
      'Let it pool transactions: pool_mode = transaction (PgBouncer), not statement.',
    );
  } finally {
    await rollBack(held);
    releaseConnection(held);
  }
}

/** Checks the server before anything is written. Throws `Failure` for one that cannot be used. */
export async function lookAtServer(speak: Speaking, place: string): Promise<Server> {
  const found = await look(speak, place);
  const version = Math.floor(Number(found.version) / 10_000);
  if (version < OLDEST_VERSION)
    throw refused(
      `The database ${place} is PostgreSQL ${found.named}; clinic-sync needs ${OLDEST_VERSION} or newer.`,
      'Bring the server up to date, or use another one.',
    );
  if (found.recovering === 'true' || found.read_only === 'on')
    throw refused(
      `The database ${place} cannot be written: it is ${found.recovering === 'true' ? 'a replica' : 'read-only'}.`,
      found.recovering === 'true'
        ? 'Put the address of the primary server under store.postgres.'
        : 'Switch default_transaction_read_only off where it is set: for the user, the database or the server.',
    );
  if (found.encoding !== 'UTF8')
    throw refused(
      `The database ${place} has the encoding ${found.encoding}, which cannot represent every name.`,
      'Create a database with ENCODING UTF8.',
    );
  if (typeof found.schema !== 'string')
    throw refused(
      `There is no schema in the database ${place} that this user may use.`,
      'Grant the user CREATE and USAGE on the schema public, or make it the owner of the database.',
    );
  const unsafe = ['fsync', 'full_page_writes'].filter(
    (_, i) => [found.fsync, found.whole_pages][i] === 'off',
  );
  return {
    identity: typeof found.identity === 'string' ? found.identity : null,
    schema: found.schema,
    warning:
      unsafe.length === 0
        ? null
        : `The database ${place} runs with ${unsafe.join(' and ')} off: a power cut ` +
          'loses what was accepted. Switch it on in postgresql.conf.',
  };
}

/** Tables that only this program has side by side. */
const OURS = `('bookings', 'deliveries', 'changes')`;
/** A schema that the address names is the operator's choice; then only the others on its path count. */
const ELSEWHERE = `select nspname as schema from pg_catalog.pg_class
  join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where relname in ${OURS} and relkind in ('r', 'p') and nspname <> current_schema()
    and has_schema_privilege(pg_namespace.oid, 'usage')
    and (nspname = any(current_schemas(false))
      or (select source from pg_catalog.pg_settings where name = 'search_path') <> 'client')
  group by nspname having count(*) = 3 order by nspname limit 1`;

/**
 * Before tables are created: an administrator's new schema of the user's name comes before `public`, and an empty
 * database would book everything a second time. Throws `Failure` refused.
 */
export async function refuseSecondSchema(
  { row }: Pick<Speaking, 'row'>,
  place: string,
  schema: string,
): Promise<void> {
  const { schema: other } = await row(ELSEWHERE);
  if (other === undefined) return;
  throw refused(
    `The data in ${place} is in the schema ${String(other)}, and the empty schema ${schema} comes first for this user.`,
    `Drop the empty schema, or add ?options=-csearch_path%3D${String(other)} ` +
      `to the address; to start anew, name ${schema} there.`,
  );
}

const refused = (message: string, hint: string) => new Failure({ kind: 'refused', message, hint });
