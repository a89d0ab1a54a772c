import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Clock } from '../platform/clock.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { failureSentence } from '../platform/text/sentences.ts';
import type { StoreHealth } from './ports/database.ts';
import { type FleetTimes, fleetTimes, type Grown } from './ports/fleet.ts';
import { type Connections, speaking } from './postgres/connections.ts';
import { type PostgresDialect, postgresDialect } from './postgres/dialect.ts';
import { fleetVerbs, type Statements } from './postgres/fleet-verbs.ts';
import { lookAtServer, refuseSecondSchema, type Server } from './postgres/look-at-server.ts';
import { daemonsPlace, suspended } from './postgres/membership.ts';
import { type Listen, notices } from './postgres/notices.ts';
import { listenAt, openPool, serverPlaceOf } from './postgres/pool.ts';
import { isBusy, isConnectionLost, isStorage } from './postgres/postgres-failure.ts';
import { startStatistics } from './postgres/statistics.ts';
import { type SqlStore, sqlStore } from './sql/sql.ts';
import type { Store } from './store.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  url: string;
  /** The address as its file says now; undefined when that cannot be read. */
  reread?: (() => string | undefined) | undefined;
  clock: Clock;
  log: Log;
  /**
   * `daemon`: beside other daemons, once it is a member (`Store.fleet`); creates and migrates the database and begins a
   * new epoch. `alone`: the same for a command, while no daemon runs. `tool`: beside daemons or alone; refuses a
   * database that is missing or needs a migration.
   */
  mode: 'daemon' | 'alone' | 'tool';
  version: string;
  /** For tests: connections to another PostgreSQL, and other timeouts. */
  connections?: Connections;
  times?: FleetTimes;
}

const addressOf =
  ({ url, reread }: Pick<PostgresOptions, 'url' | 'reread'>) =>
  () =>
    reread?.() ?? url;

interface Opened {
  options: PostgresOptions;
  connections: Connections;
  place: string;
  server: Server;
  dialect: PostgresDialect;
  sql: SqlStore;
  /** A statement that begins every transaction from now on. */
  noting: Noting;
  /** Called after each commit; see `notices`. */
  committed: { tell?: (grown: Grown, isWhole: boolean) => void };
  /** Never rejects. */
  analyze: () => Promise<void>;
}
/** For tests of whole processes, which cannot wait: milliseconds for which a silent one counts as living. */
const timesOf = ({ times }: PostgresOptions): FleetTimes =>
  times ?? fleetTimes(Number(process.env.CLINIC_SYNC_FLEET_TTL_MS ?? NaN) || undefined);

type Noting = { statement: string | undefined };

/**
 * Opens the database. Throws `Failure` refused when it belongs to another program, is newer, is on an old or read-only
 * server, or another daemon has it; transient when it cannot be reached. Nothing is written then.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const place = serverPlaceOf(options.url);
  const connections = options.connections ?? openPool(addressOf(options), options.log);
  let opened: Opened | undefined;
  try {
    const server = await lookAtServer(speaking(connections, place), place);
    opened = connect(options, place, connections, server);
    return await (options.mode === 'tool' ? openBesideDaemon(opened) : openForWork(opened));
  } catch (error) {
    await (opened === undefined ? connections.end() : opened.sql.close()).catch(() => {});
    throw error;
  }
}

function connect(options: PostgresOptions, place: string, connections: Connections, server: Server): Opened {
  const { clock } = options;
  const { schema, identity } = server;
  const noting: Noting = { statement: undefined };
  const committed: Opened['committed'] = {};
  const onCommit = (grown: Grown, isWhole: boolean) => committed.tell?.(grown, isWhole);
  const dialect = postgresDialect({
    connections,
    schema,
    place,
    clock,
    server: identity,
    first: () => noting.statement,
  });
  const { plugins } = dialect;
  const sql = sqlStore({ dialect, plugins, place, clock, isBusy, isStorage, onCommit });
  const analyze = startStatistics(sql.run, schema, options.log);
  return { options, connections, place, server, dialect, sql, noting, committed, analyze };
}

async function openForWork(opened: Opened): Promise<Store> {
  const { options, place, server, sql } = opened;
  const { log } = options;
  const state = await sql.schema();
  if (state.current === 0) {
    await refuseSecondSchema(speaking(opened.connections, place), place, server.schema);
    await sql.migrate(state);
  } else await refuseFormerDaemon(opened, state.pending);
  const { pending, current } = await sql.schema();
  await sql.migrate({ pending, current });
  if (pending.length > 0) log.info('database brought up to date', { count: pending.length });
  const alone = options.mode === 'alone' ? placeOfDaemons(opened) : undefined;
  await alone?.take();
  try {
    const { held, ...identity } = await begin(sql, server);
    if (identity.restored)
      log.warn('database has moved or was restored: bookings that waited are held', {
        path: place,
        count: held,
      });
    log.info('database opened', { path: place });
    // After a restore or a move; only speeds up later reads.
    await opened.analyze();
    const leave = async () => {
      try {
        // Tells the next start for how long no daemon was running.
        await sql.beat('daemon');
        await alone?.release();
      } catch (error) {
        log.warn('database closed without cleanup', { problem: asFailure(error, 'closing').message });
      }
    };
    const store = assemble(opened, identity, () => sql.close(leave));
    if (alone !== undefined) return { ...store, ...sql.verbsAs(alone.id, suspended) };
    return asMember(opened, store);
  } catch (error) {
    await alone?.release().catch(() => {});
    throw error;
  }
}

/** The migration since which several daemons may share a database. */
const FLEET = 72;

/** Older daemons do not check who owns a unit. */
async function refuseFormerDaemon({ sql, server, place }: Opened, pending: readonly { number: number }[]) {
  if (!pending.some(({ number }) => number === FLEET)) return;
  const living = `select host from "${server.schema}".members where expires_at > clock_timestamp()`;
  const [other] = await sql.run(living);
  if (other === undefined) return;
  throw new Failure({
    kind: 'refused',
    message: `A daemon of an older version on ${String(other.host)} is using the database ${place}.`,
    hint: 'Stop it first. A crashed one is forgotten after 15 seconds.',
  });
}

const wasReplaced = (place: string): Failure =>
  new Failure({
    kind: 'transient',
    message: `The database ${place} was restored while this daemon ran: it may have forgotten something.`,
    hint: 'Restart the program: it then holds what may have been sent.',
  });

function placeOfDaemons({ sql, server, place, options }: Opened) {
  const { clock, version } = options;
  const { run, inTurn } = sql;
  return daemonsPlace({ run, inTurn, schema: server.schema, place, clock, version, times: timesOf(options) });
}

const verbsOf = ({ sql, server: { schema }, options }: Opened, run: Statements) =>
  fleetVerbs({ run, schema, times: timesOf(options), newest: sql.newest, clock: options.clock });

/** Units write under their fences; heartbeats have their own connection. */
function asMember(opened: Opened, store: Store): Store {
  const { sql, server, place, options, connections, dialect, committed } = opened;
  const { log, clock } = options;
  const address = addressOf(options);
  const answerMs = timesOf(options).ttlMs / 3;
  const own = options.connections === undefined ? openPool(address, log, answerMs, 1) : undefined;
  const run: Statements = own === undefined ? sql.run : endingSilent(speaking(own, place).rows, connections);
  const { schema } = server;
  const { wrote, ...verbs } = verbsOf(opened, run);
  const listen = own === undefined ? nobody : listenAt(address);
  const others = notices({ listen, run, schema, clock, log });
  committed.tell = (grown, isWhole) => {
    if (grown.size === 0) return;
    if (isWhole) wrote(grown);
    others.tell();
  };
  let replaced: Failure | undefined;
  const commitFailure = () => dialect.commitFailure() ?? replaced;
  let closing: Promise<void> | undefined;
  const member: Store = {
    ...store,
    fleet: {
      ...verbs,
      watch: others.watch,
      async announce() {
        await sql.run(signed(schema, COMMIT_OF_TOOL));
        others.tell();
      },
      async join(about) {
        // The member's row may be missing because an older copy of the whole database was restored.
        if (await isFromDump(sql, schema)) {
          replaced = wasReplaced(place);
          throw replaced;
        }
        await verbs.join(about);
      },
    },
    commitFailure,
    unwritable: commitFailure,
    under: (fence) => ({ ...member, ...sql.verbsUnder(fence) }),
    close() {
      closing ??= store.close().then(() => {
        others.close();
        return own?.end();
      });
      return closing;
    },
  };
  return member;
}

/**
 * Ends the store's connections that are older than the last failure of `run`, once `run` works again: a connection that
 * was cut off silently keeps its statement for a minute, while this process counts as living and keeps its units.
 */
function endingSilent(run: Statements, connections: Connections): Statements {
  let endThem: (() => void) | undefined;
  return async (...given) => {
    // Before it is tried: those that connect afterwards may work.
    const endOlder = connections.suspect?.();
    try {
      const rows = await run(...given);
      endThem?.();
      endThem = undefined;
      return rows;
    } catch (error) {
      if (isConnectionLost(error)) endThem = endOlder;
      throw error;
    }
  };
}

const living = (schema: string, role?: 'daemon'): string =>
  `select 1 from "${schema}".members where expires_at > ` +
  `clock_timestamp()${role === undefined ? '' : ` and role = '${role}'`} limit 1`;

const SERVER = { scope: 'installation', key: 'server' };

/** Holds what waited if the database is on another server, in another timeline, or from a dump: it may lack changes. */
async function begin(sql: SqlStore, { identity: now, schema }: Server) {
  const before = await sql.verbs.keyValue.get(SERVER.scope, SERVER.key);
  const hasMoved = before !== undefined && now !== null && before !== now;
  const isOlder = hasMoved || (await isFromDump(sql, schema));
  const attended = (await sql.run(living(schema, 'daemon'))).length > 0;
  const begun = await sql.begin(isOlder ? undefined : 'itself', randomUUID(), { attended });
  if (now !== null) await sql.verbs.keyValue.set(SERVER.scope, { [SERVER.key]: now });
  await sql.run(signed(schema, SIGNATURE));
  return begun;
}

/**
 * A row that contains the number of the transaction that wrote it. PostgreSQL stores that number beside each row
 * (xmin); a row written by pg_restore has a different one.
 */
const SIGNATURE = { scope: 'installation', key: 'written by' };

async function isFromDump(sql: SqlStore, schema: string): Promise<boolean> {
  const { scope, key } = SIGNATURE;
  const [row] = await sql.run(
    // xmin has only the last 32 bits.
    `select (value::numeric % 4294967296)::text = xmin::text as own from "${schema}".memory
      where scope = ${literal(scope)} and key = ${literal(key)}`,
  );
  return row !== undefined && row.own !== true;
}

async function openBesideDaemon(opened: Opened): Promise<Store> {
  const { place, server, sql, noting } = opened;
  const { pending, current } = await sql.schema();
  const identity = pending.length === 0 ? await sql.identity() : undefined;
  if (identity === undefined)
    throw new Failure({
      kind: 'refused',
      message: `The database ${place} is ${current === 0 ? 'empty' : 'not up to date'}.`,
      hint: 'Start the daemon of this version once: it updates the database.',
    });
  // Tells the daemon that a command wrote something; see `DatabaseVerbs.changedElsewhere`.
  noting.statement = signed(server.schema, COMMIT_OF_TOOL);
  const store = assemble(opened, { ...identity, restored: false }, () => sql.close());
  // Notifies at once, because the process may have ended before a delayed notice.
  const { sql: tool, committed, options } = opened;
  const others = notices({ ...options, listen: nobody, run: tool.run, schema: server.schema });
  committed.tell = () => void others.tellNow().catch(() => {});
  const fleet = { ...verbsOf(opened, tool.run), announce: async () => {}, watch: others.watch };
  return Object.assign(store, { fleet });
}

/** Without a connection of its own, no notices can be received. */
const nobody: Listen = () => Promise.reject(new Error('Notices cannot be received here.'));

const COMMIT_OF_TOOL = { scope: 'installation', key: 'commit of a command' };
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A statement that stores the number of its own transaction. */
const signed = (schema: string, { scope, key }: { scope: string; key: string }): string =>
  `insert into "${schema}".memory (scope, key, value)
    values (${literal(scope)}, ${literal(key)}, pg_catalog.pg_current_xact_id()::text)
    on conflict (scope, key) do update set value = excluded.value`;

function assemble(opened: Opened, identity: Store['identity'], close: () => Promise<void>): Store {
  const { sql, server, dialect, options, place } = opened;
  const { commitFailure } = dialect;
  let lastCommit: string | undefined;
  let isFirst = true;
  const store: Store = {
    ...sql.verbs,
    identity,
    health: () => health(opened, commitFailure),
    commitFailure,
    unwritable: commitFailure,
    space: () => ({ free: null, floor: 0, below: false }),
    async erase(person, at, by) {
      const rows = await sql.erase(person, at, by);
      // The file that the installation was moved from, and its backups.
      const backups = Object.keys(await sql.verbs.keyValue.list('backups', ''));
      return { ...rows, log_cleared: true, copies: [], backups: backups.filter((path) => existsSync(path)) };
    },
    clearLog: async () => true,
    settleRestored: sql.settleRestored,
    async hasDaemon() {
      return (await sql.run(living(server.schema))).length > 0;
    },
    async takeDaemonsPlace() {
      const taking = placeOfDaemons(opened);
      if (!(await taking.takeIfFree())) return undefined;
      // Replaced in place, because the connectors already write to this store.
      Object.assign(store, sql.verbsAs(taking.id, suspended));
      return {
        async release() {
          Object.assign(store, sql.verbs);
          await taking.release();
        },
      };
    },
    async changedElsewhere() {
      const before = lastCommit;
      lastCommit = await sql.verbs.keyValue.get(COMMIT_OF_TOOL.scope, COMMIT_OF_TOOL.key);
      const isNew = !isFirst && before !== lastCommit;
      isFirst = false;
      return isNew && options.mode === 'daemon';
    },
    backup: () =>
      Promise.reject(
        new Failure({
          kind: 'refused',
          message: `The database ${place} is backed up with PostgreSQL's own tools.`,
          hint: 'Use pg_dump, or continuous archiving (pg_basebackup).',
        }),
      ),
    close,
  };
  return store;
}

async function health(
  { sql, server, options, analyze }: Opened,
  commitFailure: () => Failure | undefined,
): Promise<StoreHealth> {
  const check = async () => {
    const broken = commitFailure();
    if (broken !== undefined) throw broken;
    await sql.beat(options.mode === 'tool' ? 'tool' : 'daemon');
    if (options.mode !== 'tool') await analyze();
    const [size] = await sql.run('select pg_catalog.pg_database_size(current_database()) as bytes');
    return Number(size?.bytes);
  };
  const found = await check().catch((error: unknown) => asFailure(error, 'Checking the database'));
  const failure = found instanceof Failure ? found : undefined;
  return {
    ok: failure === undefined,
    problem: failure === undefined ? null : failureSentence(failure),
    remedy: failure?.hint ?? null,
    bytes: typeof found === 'number' ? found : null,
    log_bytes: null,
    warning: server.warning,
  };
}
