import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

/** The user without rights, on Linux: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const [bin] = globSync('/usr/lib/postgresql/*/bin');
const given = process.env.TEST_POSTGRES;

/** Either `TEST_POSTGRES` is the address of an empty database, or Debian’s package is installed. */
export const hasPostgres = bin !== undefined || given !== undefined;
/** A server of its own can be stopped and started. */
export const hasOwnPostgres = bin !== undefined && given === undefined;

export interface PostgresServer {
  /** The address of a database for a user; creates both when missing. */
  url(database?: string, user?: string): string;
  /** As the owner of everything. */
  run(statement: string, database?: string): Promise<Record<string, unknown>[]>;
  /** `settings` as in postgresql.conf, `ssl=on`, from now on. */
  restart(settings?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** A server of its own. */
export interface OwnServer extends PostgresServer {
  readonly port: number;
  /** For files that the server reads; its user's. */
  readonly folder: string;
  /** Writes a file that the server's user alone may read. */
  write(name: string, text: string): string;
  /** Runs one of PostgreSQL's programs against it, such as pg_dump; resolves to what it wrote. */
  program(name: string, ...args: string[]): Promise<string>;
  /** A standby that follows it, from a copy made before `meanwhile`. `settings` as in postgresql.conf. */
  standby(settings?: readonly string[], meanwhile?: () => Promise<unknown>): Promise<Standby>;
}

export interface Standby extends OwnServer {
  /** It becomes a primary of its own. */
  promote(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  return given === undefined ? await ownServer() : givenServer(given);
}

interface Asking {
  run: PostgresServer['run'];
  /** Ends the connections that are kept. */
  release(): Promise<void>;
}

/** A database is neither copied nor dropped while somebody is connected to it. */
const needsNobody = /\b(create|alter|drop) database\b/;

/** A new connection takes fifty times as long as a statement, so one is kept for each database. */
function asking(url: (database?: string) => string): Asking {
  const kept = new Map<string, pg.Client>();
  const connect = async (address: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: address });
    // The server may close it, in use or not.
    client.on('error', () => {
      if (kept.get(address) === client) kept.delete(address);
    });
    await client.connect();
    return client;
  };
  const release = async () => {
    const clients = [...kept.values()];
    kept.clear();
    await Promise.all(clients.map((client) => client.end()));
  };
  const ask = async (address: string, statement: string, client: pg.Client) => {
    try {
      const found: pg.QueryResult | pg.QueryResult[] = await client.query(statement);
      if (kept.has(address)) await client.end();
      else kept.set(address, client);
      return Array.isArray(found) ? [] : found.rows;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  };
  return {
    release,
    async run(statement, database) {
      if (needsNobody.test(statement)) await release();
      const address = url(database);
      const known = kept.get(address);
      kept.delete(address);
      if (known === undefined) return await ask(address, statement, await connect(address));
      try {
        return await ask(address, statement, known);
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.severity === 'ERROR') throw error;
        // Ended by the server since it was last used, which nobody had heard of yet.
        return await ask(address, statement, await connect(address));
      }
    },
  };
}

function givenServer(address: string): PostgresServer {
  const url = (database?: string) => {
    const parsed = new URL(address);
    if (database !== undefined) parsed.pathname = database;
    return parsed.href;
  };
  const { run, release } = asking(url);
  return {
    url,
    run,
    restart: () => Promise.reject(new Error('The given server is not ours to restart.')),
    stop: release,
  };
}

const isRoot = process.getuid?.() === 0;
/** Whoever the server runs as. */
export const serverUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-postgres-'));
  if (isRoot) {
    chownSync(folder, NOBODY, NOBODY);
    // The folders above: those of a test run may be closed to others.
    if ((statSync(tmpdir()).mode & 0o001) === 0) chmodSync(tmpdir(), 0o711);
  }
  return folder;
}

/** One of PostgreSQL's programs, as the server's user. */
async function program(folder: string, name: string, args: readonly string[]): Promise<string> {
  const child = spawn(join(bin ?? '', name), args, { cwd: folder, ...serverUser });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name}: ${output}`);
  return output;
}

/**
 * Within a test run all servers are copies of one that was never started: a copy costs a twentieth of an initdb. So they
 * have one system identifier: a test of two strangers gives one of them a cluster of its own.
 */
export async function ownServer(): Promise<OwnServer> {
  const empty = process.env.TEST_EMPTY_CLUSTER;
  if (empty === undefined) return await startCluster(await newCluster());
  if (!existsSync(empty)) {
    const made = await newCluster();
    try {
      renameSync(made, empty);
    } catch {
      // Another worker was quicker.
      rmSync(made, { recursive: true, force: true });
    }
  }
  const folder = newFolder();
  await promisify(execFile)('cp', ['-a', join(empty, 'data'), folder]);
  return await startCluster(folder);
}

/** The folder of a cluster that was never started. */
async function newCluster(): Promise<string> {
  const folder = newFolder();
  const options = ['--no-sync', '--username=owner', '--encoding=UTF8'];
  const auth = ['--auth-local=trust', '--auth-host=scram-sha-256'];
  await program(folder, 'initdb', [...options, ...auth, join(folder, 'data')]);
  return folder;
}

/** Starts the cluster in `folder`/data; it goes with the folder when it is stopped. */
async function startCluster(folder: string, settings: readonly string[] = []): Promise<OwnServer> {
  const data = join(folder, 'data');
  const port = await freePort();
  const url = (database = 'postgres', user = 'owner') =>
    user === 'owner'
      ? `postgres://owner@localhost:${port}/${database}?host=${folder}`
      : `postgres://${user}@127.0.0.1:${port}/${database}`;
  const { run, release } = asking(url);
  const here = ['-h', folder, '-p', String(port), '-U', 'owner'];
  let used = settings;
  let server: ChildProcess | undefined;

  const start = async () => {
    const options = ['-D', data, '-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
    const more = used.flatMap((setting) => ['-c', setting]);
    server = spawn(join(bin ?? '', 'postgres'), [...options, ...more], {
      cwd: folder,
      ...serverUser,
      stdio: 'ignore',
    });
    for (let tries = 0; tries < 200; tries++) {
      if (
        await run('select 1').then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(50);
    }
    throw new Error('PostgreSQL did not start.');
  };
  const end = async () => {
    if (server === undefined || server.exitCode !== null) return;
    await release();
    const ended = once(server, 'exit');
    // SIGINT ends the connections, SIGTERM would wait for them.
    server.kill('SIGINT');
    await ended;
  };

  await start();
  return {
    port,
    folder,
    url,
    run,
    async restart(given = []) {
      used = given;
      await end();
      await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      if (isRoot) chownSync(path, NOBODY, NOBODY);
      return path;
    },
    program: (name, ...args) => program(folder, name, [...here, ...args]),
    async standby(given, meanwhile) {
      const its = newFolder();
      await program(folder, 'pg_basebackup', [
        ...here,
        '--write-recovery-conf',
        '-c',
        'fast',
        '-D',
        join(its, 'data'),
      ]);
      await meanwhile?.();
      const standby = await startCluster(its, given);
      return {
        ...standby,
        async promote() {
          await standby.run('select pg_promote()');
        },
      };
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
