import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { until } from '../until.ts';
import { freePort, type OwnServer, serverUser } from './postgres-server.ts';

// Debian has it where ordinary users do not look.
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env: environment }).status === 0;

/** A pooler in front of a server, with fewer connections to it than a process asks for. */
export async function startPgBouncer(server: OwnServer, mode: 'transaction' | 'session' | 'statement') {
  const port = await freePort();
  const config = server.write(
    `pgbouncer-${port}.ini`,
    `[databases]
* = host=${server.folder} port=${server.port} user=owner
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 10 : 2}
logfile = ${join(server.folder, `pgbouncer-${port}.log`)}
`,
  );
  const child = spawn('pgbouncer', ['-q', config], { ...serverUser, env: environment, stdio: 'ignore' });
  const url = (database = 'postgres') => `postgres://owner@127.0.0.1:${port}/${database}`;
  await until('the pooler answers', async () => {
    const client = new pg.Client({ connectionString: url() });
    client.on('error', () => {});
    return await client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
