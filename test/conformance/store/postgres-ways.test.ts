/** @module-tag thorough */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { fleetTimes } from '../../../src/store/ports/fleet.ts';
import type { Connections } from '../../../src/store/postgres/connections.ts';
import { openPool } from '../../../src/store/postgres/pool.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import { makeCertificate } from '../../support/http/certificate.ts';
import { EMPTY, patientTimes } from '../../support/store/empty-postgres.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/store/pgbouncer.ts';
import { hasOwnPostgres, type OwnServer, ownServer } from '../../support/store/postgres-server.ts';
import { accept } from '../../support/store/store-file.ts';
import { until } from '../../support/until.ts';
import { describeHalfWay } from './half-way.ts';

/** A way to the server on which what is open can fall silent for good. */
async function silenceable(port: number) {
  const silent = new Set<Socket>();
  const open = new Set<Socket>();
  let isSilent = false;
  const way = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      if (isSilent) silent.add(from);
      from.on('data', (bytes) => silent.has(from) || to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => silent.has(from) || to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    way.close();
  });
  return {
    port: (way.address() as AddressInfo).port,
    silence() {
      for (const socket of open) silent.add(socket);
    },
    /** Like `silence`, also for what connects until `use` resolves. */
    async whileSilent(use: () => Promise<unknown>) {
      isSilent = true;
      this.silence();
      await use();
      isSilent = false;
    },
  };
}

/** How a server is reached: names and passwords, TLS, replicas, poolers. */
describe.skipIf(!hasOwnPostgres)('the way to a server', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await ownServer();
    await server.run(`create role clinic login password 'p'`);
    await server.run('create database clinic owner clinic');
  });
  afterAll(() => server?.stop());

  const open = async (
    url: string,
    mode: 'daemon' | 'tool' = 'daemon',
    connections?: Connections,
    times = patientTimes,
  ) => {
    const options = { clock: systemClock, log: silentLog, version: '0.0.0', times };
    const store = await openPostgres({ url, mode, ...options, ...(connections && { connections }) });
    onTestFinished(() => store.close());
    return store;
  };
  const said = (url: string, connections?: Connections): Promise<string> =>
    open(url, 'daemon', connections).then(
      () => 'opened',
      ({ message, hint }) => `${message} ${hint}`,
    );
  const tables = async (database: string) =>
    (await server.run("select 1 from pg_class where relnamespace = 'public'::regnamespace", database)).length;
  const address = (rest: string) => `postgres://clinic:p@127.0.0.1:${server.port}/${rest}`;

  it('is refused for a host that does not exist', async () => {
    expect(await said('postgres://clinic:p@no-such-host.invalid/clinic')).toMatch(
      /^The server of the database has no address \(no-such-host\.invalid\/clinic, E\w+\)\. Check the address/,
    );
  });

  it('is refused without a password where the server asks for one', async () => {
    expect(await said(server.url('clinic', 'clinic'))).toMatch(
      /^The database asks for a password \([^)]*\)\. Put it into the address under store\.postgres/,
    );
  });

  it('leaves no connection behind that would keep the process from ending', async () => {
    const sockets: Socket[] = [];
    const way = createServer((visitor) => {
      sockets.push(visitor);
      visitor.on('error', () => {});
      const onward = connect(server.port, '127.0.0.1').on('error', () => {});
      visitor.pipe(onward).pipe(visitor);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void way.close());
    await once(way, 'listening');
    const { port } = way.address() as AddressInfo;

    await said(`postgres://clinic@127.0.0.1:${port}/clinic`);

    expect(sockets).toHaveLength(1);
    // The server itself would close it after a minute.
    await until('it is closed', () => sockets.every(({ destroyed }) => destroyed), { withinMs: 20_000 });
  });

  it('refuses to begin anew in an empty schema that came before the one with the data', async () => {
    await server.run('create database shop owner clinic');
    const own = address('shop');
    const first = await open(own);
    await accept(first);
    await first.close();
    await server.run('create schema clinic authorization clinic', 'shop');

    expect(await said(own)).toMatch(
      /^The data in \S+ is in the schema public, and the empty schema clinic comes first for this user\. Drop/,
    );
    expect(await server.run(`select 1 from pg_tables where schemaname = 'clinic'`, 'shop')).toEqual([]);

    const old = await open(`${own}?options=-csearch_path%3Dpublic`);
    expect(await old.bookings.list({ limit: 9 })).toHaveLength(1);
    const anew = await open(`${own}?options=-csearch_path%3Dclinic`);
    expect(await anew.bookings.list({ limit: 9 })).toHaveLength(0);
  });

  it('signs in with the password that its file has now', async () => {
    await server.run(`create role rotating login password 'old'`);
    await server.run('create database rotated owner rotating');
    const at = (password: string) => `postgres://rotating:${password}@127.0.0.1:${server.port}/rotated`;
    let current = at('old');
    const store = await openPostgres({
      ...{ url: current, reread: () => current, mode: 'daemon', version: '0.0.0' },
      ...{ clock: systemClock, log: silentLog, times: patientTimes },
    });
    onTestFinished(() => store.close());

    await server.run(`alter role rotating password 'new'`);
    current = at('new');
    await server.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rotating'`);
    await until('it signs in again', async () => {
      await store.keyValue.set('notes', { one: 'new' });
      return true;
    });

    expect(await store.keyValue.get('notes', 'one')).toBe('new');
  });

  it('works again within seconds when its connections are cut off silently', {
    timeout: 30_000,
  }, async () => {
    await server.run('create database silenced owner clinic');
    const way = await silenceable(server.port);
    const url = `postgres://clinic:p@127.0.0.1:${way.port}/silenced`;
    const store = await open(url, 'daemon', undefined, fleetTimes(1_500));
    await store.keyValue.set('notes', { one: 'before' });
    await store.fleet?.report();

    way.silence();
    const written = store.keyValue.set('notes', { one: 'meanwhile' });
    await until('new connections work', () => store.fleet?.report());
    await written;

    expect(await store.keyValue.get('notes', 'one')).toBe('meanwhile');
  });

  it('works again within seconds when that happens twice before heartbeats arrive', {
    timeout: 60_000,
  }, async () => {
    await server.run('create database flapping owner clinic');
    const way = await silenceable(server.port);
    const url = `postgres://clinic:p@127.0.0.1:${way.port}/flapping`;
    const store = await open(url, 'daemon', undefined, fleetTimes(1_500));
    const hasFailed = () => expect(store.fleet?.report()).rejects.toMatchObject({ kind: 'transient' });
    await store.fleet?.report();

    const read = () => store.keyValue.list('notes', '');
    let stuck: Promise<unknown> | undefined;
    await way.whileSilent(() => {
      // On all but one of the pool's connections, so that the next one is new.
      stuck = Promise.allSettled([read(), read(), read()]);
      return hasFailed();
    });
    await read();
    await way.whileSilent(hasFailed);
    const written = store.keyValue.set('notes', { one: 'afterwards' });
    await until('heartbeats arrive', () => store.fleet?.report());
    await stuck;
    await written;

    expect(await store.keyValue.get('notes', 'one')).toBe('afterwards');
  });

  it('is refused for a user that may not make tables, and nothing is made', async () => {
    await server.run(`create role guest login password 'p'`);
    await server.run('create database theirs');

    expect(await said(server.url('theirs', 'guest:p'))).toMatch(
      /^This user may not do what is necessary in the database .*grant it CREATE and USAGE/,
    );
    expect(await tables('theirs')).toBe(0);
  });

  it('is refused for a server that is too old, and nothing is made', async () => {
    const pool = openPool(address('clinic'), silentLog);
    const old: Connections = {
      end: () => pool.end(),
      async connect() {
        const client = await pool.connect();
        return {
          release: (broken) => client.release(broken),
          query: (text, values) =>
            client.query(
              text
                .replace("current_setting('server_version_num')", "'140012'")
                .replace("current_setting('server_version')", "'14.12'"),
              values,
            ),
        };
      },
    };

    expect(await said(address('clinic'), old)).toMatch(
      /is PostgreSQL 14\.12; clinic-sync needs 15 or newer\. Bring the server up to date/,
    );
    expect(await tables('clinic')).toBe(0);
  });

  it('is refused for a replica, which takes no writes', async () => {
    const standby = await server.standby();
    onTestFinished(() => standby.stop());

    expect(await said(standby.url('clinic'))).toMatch(
      /cannot be written: it is a replica\. Put the address of the primary server under store\.postgres/,
    );
  });

  it('keeps the plans of repeated reads, and reads on after a newer version changed their table', async () => {
    await server.run('create database kept');
    const pool = openPool(server.url('kept'), silentLog);
    const kept = new Set<unknown>();
    const connections: Connections = {
      end: () => pool.end(),
      async connect() {
        const client = await pool.connect();
        const found = await client.query('select statement from pg_prepared_statements', []);
        for (const { statement } of [found].flat().flatMap(({ rows }) => rows)) kept.add(statement);
        return client;
      },
    };
    const store = await open(server.url('kept'), 'daemon', connections);
    const read = () => store.polls.list('main');
    const before = [await read(), await read(), await read()];

    await server.run('alter table polls add column later text', 'kept');
    const after = [await read(), await read()];

    expect([...kept]).toContainEqual(expect.stringMatching(/^select \* from "public"\."polls"/));
    expect(after).toEqual(before.slice(0, 2));
  });

  describe('with TLS', () => {
    let authority: string;
    let stranger: string;
    const hba = (lines: string) =>
      `hba_file=${server.write('own_hba.conf', `local all all trust\n${lines}\n`)}`;
    beforeAll(async () => {
      const { key, cert } = await makeCertificate();
      authority = server.write('server.crt', cert);
      stranger = server.write('stranger.crt', (await makeCertificate()).cert);
      await server.restart([
        'ssl=on',
        `ssl_cert_file=${authority}`,
        `ssl_key_file=${server.write('server.key', key)}`,
        hba('hostssl all all 127.0.0.1/32 scram-sha-256'),
      ]);
    });
    afterAll(() => server?.restart());

    it('works when the certificate is of the named authority', async () => {
      await server.run('create database secure owner clinic');

      const store = await open(address(`secure?sslmode=verify-full&sslrootcert=${authority}`));

      expect((await accept(store)).result).toBe('new');
    });

    it.each([
      [
        '',
        /does not let this user in from here .*28000\)\..*If the server requires TLS, add \?sslmode=verify-full/,
      ],
      ['?sslmode=verify-full', /server of the database has a self-signed certificate .*sslrootcert/],
      ['?sslmode=verify-full&sslrootcert=STRANGER', /server of the database has a .*sslrootcert/],
      [
        '?sslmode=verify-full&sslrootcert=/nowhere.pem',
        /^A file named in the database address cannot be read .*sslrootcert/,
      ],
    ])('is refused with %s', async (options, sentence) => {
      expect(await said(address(`clinic${options.replace('STRANGER', stranger)}`))).toMatch(sentence);
      expect(await tables('clinic')).toBe(0);
    });

    it.each(['prefer', 'require', 'verify-ca'])(
      'checks as much with sslmode=%s, and nothing warns of it',
      async (mode) => {
        const warnings: string[] = [];
        const note = ({ message }: Error) => void warnings.push(message);
        process.on('warning', note);
        onTestFinished(() => void process.off('warning', note));

        expect(await said(address(`clinic?sslmode=${mode}&sslrootcert=${stranger}`))).toMatch(
          /has a self-signed certificate/,
        );
        expect(warnings).toEqual([]);
      },
    );

    it('is refused by a server without it', async () => {
      await server.restart();

      expect(await said(address('clinic?sslmode=verify-full'))).toMatch(
        /^The server of the database does not speak TLS \([^)]*\)\. Switch it on there/,
      );
    });
  });

  describe.skipIf(!hasPgBouncer)('through PgBouncer', () => {
    it('keeps no statements, which each transaction may look for on another connection', async () => {
      await using pooler = await startPgBouncer(server, 'transaction');
      const keeps = async (url: string) => {
        const pool = openPool(url, silentLog);
        (await pool.connect()).release();
        const client = await pool.connect();
        await client.query('select 1');
        const found = client.queryKept !== undefined;
        client.release();
        await pool.end();
        return found;
      };

      expect([await keeps(server.url()), await keeps(pooler.url())]).toEqual([true, false]);
    });

    it.each(['transaction', 'session'] as const)('works while it pools by %s', async (mode) => {
      await server.run(`create database by_${mode}`);
      await using pooler = await startPgBouncer(server, mode);
      const url = pooler.url(`by_${mode}`);
      const [daemon, command] = [await open(url), await open(url, 'tool')];

      const results = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => (await accept(i % 2 === 0 ? daemon : command)).result),
      );

      expect(results).toEqual(Array(40).fill('new'));
      const rows = await server.run('select sequence from changes order by sequence', `by_${mode}`);
      expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, i) => i + 1));
      await Promise.all([daemon.close(), command.close()]);
    });

    describe('while it pools by transaction', () => {
      let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
      beforeAll(async () => {
        await server.run('create database half_way');
        pooler = await startPgBouncer(server, 'transaction');
      });
      afterAll(() => pooler?.[Symbol.asyncDispose]());

      describeHalfWay(
        async (connections, times) => {
          await server.run(EMPTY, 'half_way');
          return await open(pooler.url('half_way'), 'daemon', connections, times);
        },
        () => pooler.url('half_way'),
        (statement) => server.run(statement, 'half_way'),
      );
    });

    it('is refused while it allows no transactions, and nothing is made', async () => {
      await server.run('create database by_statement');
      await using pooler = await startPgBouncer(server, 'statement');

      expect(await said(pooler.url('by_statement'))).toMatch(
        /^A pooler in front of the database .* allows no transactions\. .*pool_mode = transaction/,
      );
      expect(await tables('by_statement')).toBe(0);
    });
  });
});
