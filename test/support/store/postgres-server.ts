import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The user without rights, on Linux: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const [bin] = globSync('/usr/lib/postgresql/*/bin');
const given = process.env.TEST_POSTGRES;

/** A server is given by `TEST_POSTGRES`, the address of an empty database, or the package of Debian is installed. */
export const hasPostgres = bin !== undefined || given !== undefined;
/** A server of its own can be stopped and started. */
export const hasOwnPostgres = bin !== undefined && given === undefined;

export interface PostgresServer {
  /** Of a database, for a user; both are made when they are missing. */
  url(database?: string, user?: string): string;
  /** As the owner of everything. */
  run(statement: string, database?: string): Promise<Record<string, unknown>[]>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  return given === undefined ? await ownServer() : givenServer(given);
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // The server may end it while it is used.
  client.on('error', () => {});
  await client.connect();
  try {
    const found: pg.QueryResult | pg.QueryResult[] = await client.query(statement);
    return Array.isArray(found) ? [] : found.rows;
  } finally {
    await client.end();
  }
}

function givenServer(address: string): PostgresServer {
  const url = (database?: string) => {
    const parsed = new URL(address);
    if (database !== undefined) parsed.pathname = database;
    return parsed.href;
  };
  return {
    url,
    run: (statement, database) => query(url(database), statement),
    restart: () => Promise.reject(new Error('The given server is not ours to restart.')),
    stop: async () => {},
  };
}

async function ownServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(folder, NOBODY, NOBODY);
    // The way there: the folder of a test run may be its owner's alone.
    if ((statSync(tmpdir()).mode & 0o001) === 0) chmodSync(tmpdir(), 0o711);
  }
  const as = { cwd: folder, ...(isRoot && { uid: NOBODY, gid: NOBODY }) };
  const data = join(folder, 'data');
  const made = spawnSync(
    join(bin ?? '', 'initdb'),
    [
      '--no-sync',
      '--username=owner',
      '--encoding=UTF8',
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
      data,
    ],
    { ...as, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const url = (database = 'postgres', user = 'owner') =>
    user === 'owner'
      ? `postgres://owner@localhost:${port}/${database}?host=${folder}`
      : `postgres://${user}@127.0.0.1:${port}/${database}`;
  const run = (statement: string, database?: string) => query(url(database), statement);
  let server: ChildProcess | undefined;

  const start = async () => {
    const options = ['-D', data, '-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
    server = spawn(join(bin ?? '', 'postgres'), options, { ...as, stdio: 'ignore' });
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
    const ended = once(server, 'exit');
    // SIGINT ends the connections, SIGTERM would wait for them.
    server.kill('SIGINT');
    await ended;
  };

  await start();
  return {
    url,
    run,
    async restart() {
      await end();
      await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
