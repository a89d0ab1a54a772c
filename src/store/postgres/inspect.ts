import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { type Held, releaseConnection, type Speaking, speaking } from './connections.ts';
import { lookAtServer } from './look-at-server.ts';
import { MOST_CONNECTIONS, openPool, serverPlaceOf } from './pool.ts';

interface Found {
  level: 'ok' | 'warn' | 'fail';
  what: string;
  hint?: string;
}

interface Inspected {
  lines: Found[];
  /** `empty`: no daemon has created its tables yet. */
  state: 'unusable' | 'empty' | 'filled';
}

/** Tolerated clock difference between members, in milliseconds. */
const MOST_SKEW_MS = 2_000;

const ok = (what: string): Found => ({ level: 'ok', what });
const warn = (what: string, hint: string): Found => ({ level: 'warn', what, hint });
const fail = (what: string, hint = ''): Found => ({ level: 'fail', what, ...(hint && { hint }) });

/** Inspects a server: what a daemon relies on, and what its administrator should know. Changes nothing. */
export async function inspectServer(url: string, clock: Clock, log: Log): Promise<Inspected> {
  const place = serverPlaceOf(url);
  const connections = openPool(url, log);
  const speak = speaking(connections, place);
  try {
    const { warning } = await lookAtServer(speak, place);
    const before = clock.now();
    const facts = (await speak.row(FACTS)) as unknown as Facts;
    const after = clock.now();
    const lines = [
      ok(`PostgreSQL ${facts.version} (${place}), ${facts.encoding}`),
      rightsLine(facts),
      encryptionLine(url),
      ...replicaLines(facts),
      commitLine(facts.synchronous_commit),
      skewLine(facts.now_ms, before, after),
      connectionsLine(facts),
      await poolerLine(speak),
      ...(warning === null ? [] : [warn(warning, 'Without it a power cut of the server loses leads.')]),
    ];
    return { lines, state: facts.tables === 0 ? 'empty' : 'filled' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { lines: [fail(error.message, error.hint)], state: 'unusable' };
  } finally {
    await connections.end();
  }
}

interface Facts {
  version: string;
  encoding: string;
  user: string;
  schema: string;
  may_create: boolean;
  tables: number;
  /** In an installation; the tables of another program are not to be taken from their owner. */
  foreign_tables: number;
  synchronous_commit: string;
  now_ms: number;
  replicas: number;
  asynchronous: number;
  hidden: number;
  most: number;
  used: number;
  own_limit: number | null;
}

/** The state of replicas and the type of others' sessions are null for users without permission to see them. */
const FACTS = `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
  current_user::text as user, current_schema()::text as schema,
  pg_catalog.has_schema_privilege(current_schema(), 'CREATE') as may_create,
  (select count(*) from pg_catalog.pg_class where relkind = 'r'
    and relnamespace = current_schema()::regnamespace) as tables,
  (select count(*) from pg_catalog.pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
    and not pg_catalog.pg_has_role(relowner, 'USAGE')
    and pg_catalog.to_regclass(pg_catalog.quote_ident(current_schema()) || '.booking_events')
      is not null) as foreign_tables,
  current_setting('synchronous_commit') as synchronous_commit,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
  (select count(*) from pg_catalog.pg_stat_replication) as replicas,
  (select count(*) from pg_catalog.pg_stat_replication where sync_state = 'async') as asynchronous,
  (select count(*) from pg_catalog.pg_stat_replication where sync_state is null) as hidden,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
  (select count(*) from pg_catalog.pg_stat_activity where datid is not null and usesysid is not null
    and coalesce(backend_type, 'client backend') = 'client backend') as used,
  (select least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) from pg_catalog.pg_roles, pg_catalog.pg_database
    where rolname = current_user and datname = current_database()) as own_limit`;

function rightsLine({ user, schema, may_create, foreign_tables }: Facts): Found {
  if (!may_create)
    return fail(
      `${user} may not create tables in the schema ${schema}.`,
      `Make ${user} the owner of the database, or: grant usage, create on schema ${schema} to ${user}`,
    );
  if (foreign_tables > 0)
    return fail(
      `${foreign_tables} tables in the schema ${schema} do not belong to ${user}: an upgrade could not change them.`,
      `As their owner: reassign owned by OWNER to ${user}`,
    );
  return ok(`${user} may create and change tables in the schema ${schema}`);
}

function encryptionLine(url: string): Found {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  if (host.startsWith('/') || /^(localhost|127\.[\d.]+|\[::1\]|)$/.test(host)) return ok('on this machine');
  const mode = searchParams.get('sslmode') ?? 'disable';
  if (mode === 'disable' || mode === 'no-verify')
    return warn(
      mode === 'disable'
        ? 'Patients’ data goes over the network without encryption.'
        : 'Anyone on the network path can impersonate the server.',
      'Add ?sslmode=verify-full to the address under store.postgres, unless the network is your own.',
    );
  return ok('the connection is encrypted and the server’s certificate checked');
}

function replicaLines({ replicas, asynchronous, hidden, user }: Facts): Found[] {
  if (replicas === 0) return [ok('no replicas')];
  if (asynchronous > 0)
    return [
      warn(
        `Asynchronous replicas: ${asynchronous} of ${replicas}. If one takes over, it may lack the last leads.`,
        'Name them in synchronous_standby_names, or accept the risk: after a failover, what waited is held.',
      ),
    ];
  if (hidden > 0)
    return [
      warn(
        `Replicas follow (${replicas}), but ${user} may not see whether they are up to date.`,
        `As an administrator: grant pg_read_all_stats to ${user}`,
      ),
    ];
  return [ok(`acknowledged writes are on every replica (${replicas})`)];
}

const commitLine = (setting: string): Found =>
  ok(
    'each write is on the disk before it is ' +
      `acknowledged${setting === 'on' ? '' : ` (synchronous_commit is ${setting} for others)`}`,
  );

function skewLine(there: number, before: number, after: number): Found {
  const isAhead = there > after;
  const skew = isAhead ? there - after : Math.max(0, before - there);
  if (skew <= MOST_SKEW_MS) return ok('its clock agrees with this machine’s');
  return warn(
    `Its clock is ${(skew / 1000).toFixed(0)} s ${isAhead ? 'ahead of' : 'behind'} this machine’s.`,
    'Synchronize both machines (NTP): the database stores times from both.',
  );
}

/** `used` includes this connection. */
function connectionsLine({ most, used, own_limit, user }: Facts): Found {
  const free = most - used + 1;
  const hint = 'Raise it, or put a pooler in front of the server.';
  if (own_limit !== null && own_limit < MOST_CONNECTIONS)
    return warn(
      `${user} may have ${own_limit} connections to this database; a daemon takes up to ${MOST_CONNECTIONS}.`,
      hint,
    );
  if (free < MOST_CONNECTIONS)
    return warn(
      `${free} of ${most} connections are free (max_connections); a daemon takes up to ${MOST_CONNECTIONS}.`,
      hint,
    );
  return ok(`${free} of ${most} connections are free; a daemon takes up to ${MOST_CONNECTIONS}`);
}

/** A pooler reports its own process id to each client; the server reports the one that really serves it. */
async function poolerLine({ connect, ask }: Speaking): Promise<Found> {
  const held: Held[] = [];
  const process = async (one: Held) =>
    (await ask(one, 'select pg_catalog.pg_backend_pid() as pid'))[0]?.rows[0]?.pid;
  try {
    const first = await connect();
    held.push(first);
    const real = await process(first);
    const { processID } = first.client as { processID?: unknown };
    if (processID === real) return ok('no pooler in between');
    const second = await connect();
    held.push(second);
    // The first connection is still open, but its server process is free again.
    return (await process(second)) === real
      ? ok('a transaction pooler is in between')
      : ok('a session pooler is in between; it holds one connection for each of the daemon’s');
  } finally {
    for (const one of held) releaseConnection(one);
  }
}
