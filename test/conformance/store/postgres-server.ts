import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Connections } from '../../../src/store/postgres/connections.ts';
import { lockNumber } from '../../../src/store/postgres/dialect.ts';
import { openPool } from '../../../src/store/postgres/pool.ts';
import { openPostgres, type PostgresOptions } from '../../../src/store/postgres.ts';
import type { Store } from '../../../src/store/store.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { EMPTY, patientTimes } from '../../support/store/empty-postgres.ts';
import type { PostgresServer } from '../../support/store/postgres-server.ts';
import { accept } from '../../support/store/store-file.ts';
import { until } from '../../support/until.ts';
import { describeCommands } from './commands.ts';
import { describeFleet } from './fleet.ts';
import { describeHalfWay } from './half-way.ts';
import { minute } from './samples.ts';

const LOST = new Error('Connection terminated unexpectedly');

/** What a store promises on a server, which PGlite cannot show. */
export function describePostgresServer(server: () => PostgresServer): void {
  const open = async (more: Partial<PostgresOptions> = {}): Promise<Store> => {
    const store = await openPostgres({
      url: server().url(),
      clock: systemClock,
      log: silentLog,
      mode: 'daemon',
      version: '0.0.0',
      times: patientTimes,
      ...more,
    });
    onTestFinished(() => store.close());
    return store;
  };
  const openEmpty = async (more: Partial<PostgresOptions> = {}) => {
    await server().run(EMPTY);
    return await open(more);
  };
  const newDatabase = async (name: string, ...statements: string[]) => {
    await server().run(`drop database if exists ${name}`);
    await server().run(`create database ${name}`);
    for (const statement of statements) await server().run(statement, name);
    return server().url(name);
  };
  const tablesOf = async (database: string) =>
    (
      await server().run(`select tablename from pg_tables where schemaname = 'public' order by 1`, database)
    ).map(({ tablename }) => tablename);

  it('takes a database in which there is only what an extension brought along', async () => {
    const url = await newDatabase('extended', 'create extension pg_stat_statements');

    expect((await open({ url })).identity.restored).toBe(false);
  });

  it('gives older changes no hashes while a daemon without a chain runs beside it', async () => {
    const store = await openEmpty();
    await accept(store);
    const [chained] = await server().run('select count(*) as count from change_hashes');
    await server().run('delete from change_hashes');
    await server().run("update chain_heads set pending = 1, sequence = 0, hash = ''");
    await server().run("update migrations set at = '2020-01-01T00:00:00.000Z' where number < 104");
    await server().run(`insert into members (id, version, schema, host, beat_at, expires_at)
      values ('former', '0.1.9', 82, 'east', clock_timestamp(), clock_timestamp() + interval '1 hour')`);

    const beside = await store.changes.chainOlder();
    await server().run("delete from members where id = 'former'");
    const afterwards = await store.changes.chainOlder();

    expect(beside).toBe(0);
    expect(afterwards).toBe(Number(chained?.count));
    expect(afterwards).toBeGreaterThan(0);
  });

  it('waits, when it starts, while another one that starts makes the tables', async () => {
    await server().run(EMPTY);
    const other = openPool(server().url(), silentLog);
    const making = await other.connect();
    await making.query(`begin; select pg_advisory_xact_lock(${lockNumber('public')})`);
    const clock = fakeClock();
    const opening = open({ clock });
    await until('it waits to try again', () => clock.sleeping > 0);

    await making.query('rollback');
    making.release();
    await other.end();
    await clock.advance(10);

    expect((await opening).identity.restored).toBe(false);
  });

  it('notifies another daemon at once of a lead, a person’s decision, and a command’s write', async () => {
    const here = await openEmpty();
    const there = await open();
    let told = 0;
    const watch = here.fleet?.watch(() => {
      told += 1;
    });
    onTestFinished(() => watch?.stop());
    const isTold = async (action: () => Promise<unknown>) => {
      const before = told;
      await action();
      await until('it is told', () => told > before);
    };
    await until('notices arrive', () => watch?.isHeard === true);

    await isTold(() => accept(there));
    await isTold(async () => there.fleet?.announce());
    const tool = await open({ mode: 'tool' });
    await isTold(() => tool.keyValue.set('notes', { of: 'a command' }));
    const before = told;
    await accept(here, { submission_id: 'of its own' });
    await isTold(() => accept(there, { submission_id: 'of the other again' }));

    // Not by its own lead.
    expect(told).toBe(before + 1);
  });

  it('notices that notices stopped, and resumes automatically', async () => {
    const here = await openEmpty();
    const watch = here.fleet?.watch(() => {});
    onTestFinished(() => watch?.stop());
    await until('notices arrive', () => watch?.isHeard === true);

    await server().run(
      "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()",
    );

    await until('it is notified again', async () => {
      const [listening] = await server().run(
        "select pid from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()",
      );
      return listening !== undefined && watch?.isHeard === true;
    });
  });

  describe('refuses with a sentence and a remedy, and writes nothing', () => {
    const refused = (url: string, mode: 'daemon' | 'tool' = 'daemon') =>
      openPostgres({ url, clock: systemClock, log: silentLog, mode, version: '0.0.0' }).then(
        () => 'opened',
        ({ message, hint }) => `${message} ${hint}`,
      );

    it('an address that is none', async () => {
      expect(await refused('mysql://x')).toMatch(/address of the database cannot be read.*postgres:\/\//);
    });

    it('a server that does not answer', async () => {
      expect(await refused('postgres://me@127.0.0.1:1/clinic')).toMatch(
        /^No database answers \(127.0.0.1:1\/clinic, ECONNREFUSED\)\. Check the address under store\.postgres/,
      );
    });

    it('a wrong password, without telling it', async () => {
      const url = server().url('postgres', 'somebody:secret');

      expect(await refused(url)).toMatch(/refused the sign-in \(127[^,]*, 28P01\)\. Check user and password/);
      expect(await refused(url)).not.toContain('secret');
    });

    it('a database that does not exist', async () => {
      expect(await refused(server().url('nowhere'))).toMatch(/does not exist \([^)]*3D000\)\. Create it/);
    });

    it('a database of another program', async () => {
      const url = await newDatabase('rails', 'create table migrations (id int, migration text)');

      expect(await refused(url)).toMatch(/belongs to another program\..*create an empty database/);
      expect(await tablesOf('rails')).toEqual(['migrations']);
    });

    it('a newer schema', async () => {
      const url = await newDatabase('newer');
      await (await open({ url })).close();
      await server().run(`insert into migrations values (9999, 'later', '')`, 'newer');

      expect(await refused(url)).toMatch(
        /written by a newer version \(schema 9999.*Run that version again, or restore a dump/,
      );
      expect(await refused(url, 'tool')).toMatch(/written by a newer version/);
    });

    it('a database that cannot be written', async () => {
      const url = await newDatabase('frozen');
      await server().run('alter database frozen set default_transaction_read_only = on');

      expect(await refused(url)).toMatch(
        /cannot be written: it is read-only\..*default_transaction_read_only off/,
      );
    });

    it('a user without rights', async () => {
      const url = await newDatabase('guarded', 'revoke all on schema public from public');
      await server().run(`drop role if exists guest; create role guest login password 'p'`);

      const answer = await refused(url.replace(/^postgres:\/\/[^@]*@/, 'postgres://guest@'));

      expect(answer).toMatch(/no schema in the database|may not do what is necessary/);
      expect(await tablesOf('guarded')).toEqual([]);
    });

    it('a command before the first start of a daemon', async () => {
      const url = await newDatabase('fresh');

      expect(await refused(url, 'tool')).toMatch(/is empty\. Start the daemon of this version once/);
      expect(await tablesOf('fresh')).toEqual([]);
    });
  });

  describeHalfWay(
    (connections, times) => openEmpty({ connections, ...(times && { times }) }),
    () => server().url(),
    (statement) => server().run(statement),
  );

  describeFleet(
    (times, clock = systemClock) => openEmpty({ times, clock }),
    (times, clock = systemClock) => open({ times, clock }),
    (statement) => server().run(statement),
  );

  describeCommands(openEmpty, open, (statement) => server().run(statement));

  describe('a daemon', () => {
    it('is not in trouble because another one, whose clock is behind, wrote last', async () => {
      const store = await openEmpty();
      await server().run(`create function write_last() returns trigger language plpgsql as $$
          begin new.checked_at := '2020-01-01T00:00:00.000Z'; return new; end $$;
        create trigger write_last before update on identity for each row execute function write_last()`);
      onTestFinished(() =>
        server()
          .run('drop function write_last cascade')
          .then(() => {}),
      );

      expect(await store.health()).toMatchObject({ ok: true, problem: null });
    });

    it('notices at its next check what a command has written', async () => {
      const store = await openEmpty();
      const command = await open({ mode: 'tool' });
      const looks = [await store.changedElsewhere(), await store.changedElsewhere()];
      await accept(store);
      looks.push(await store.changedElsewhere());

      await command.keyValue.set('notes', { one: 'x' });
      looks.push(await store.changedElsewhere(), await store.changedElsewhere());

      expect(looks).toEqual([false, false, false, true, false]);
    });

    it('holds what waited when the server is another one, or has another history', async () => {
      const before = await openEmpty();
      const { booking } = await accept(before, { state: 'queued' });
      await before.close();
      await server().run(
        `update memory set value = '7/00000001' where scope = 'installation' and key = 'server'`,
      );

      const after = await open();

      expect(after.identity).toMatchObject({ instance: before.identity.instance, restored: true });
      expect(await after.bookings.get(booking.ref)).toMatchObject({
        state: 'held',
        reason: 'restored_state',
      });
    });
  });

  describe('writes', () => {
    it('of two processes take turns: numbers without a gap, in commit order', async () => {
      const stores = [await openEmpty(), await open({ mode: 'tool' })];

      await Promise.all(Array.from({ length: 40 }, (_, i) => accept(stores[i % 2] as Store)));

      const rows = await server().run('select sequence from changes order by sequence');
      expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, i) => i + 1));
      expect(await stores[0]?.changes.latest('main')).toBe(rows.length);
    });

    it('of two processes take turns: a lead that comes to both at the same moment is stored once', async () => {
      const stores = [await openEmpty(), await open({ mode: 'tool' })];
      const rounds = Array.from({ length: 10 }, (_, round) => `lead ${round}`);

      const results = await Promise.all(
        rounds.map((content_hash) =>
          Promise.all(stores.map(async (store) => (await accept(store, { content_hash })).result)),
        ),
      );

      expect(results.map((pair) => pair.toSorted())).toEqual(rounds.map(() => ['merged', 'new']));
    });

    it('of more leads than one statement takes share a transaction, without a savepoint for each', async () => {
      const pool = openPool(server().url(), silentLog);
      const texts: string[] = [];
      const store = await openEmpty({
        connections: {
          end: () => pool.end(),
          async connect() {
            const client = await pool.connect();
            const query: typeof client.query = (text, values) => {
              texts.push(text);
              return client.query(text, values);
            };
            return { query, release: (broken) => client.release(broken) };
          },
        },
      });

      await Promise.all(Array.from({ length: 200 }, () => accept(store)));

      const count = (what: RegExp) => texts.filter((text) => what.test(text)).length;
      expect(count(/^insert into \S*"bookings"/)).toBeGreaterThan(1);
      expect(count(/^savepoint/)).toBe(0);
    });

    it('leave out the one character that PostgreSQL cannot store', async () => {
      const store = await openEmpty();

      const { booking } = await accept(store, { patient_name: 'Ada\0 Planted', note: 'a\0b' });

      expect(await store.bookings.get(booking.ref)).toMatchObject({
        patient_name: 'Ada Planted',
        note: 'ab',
      });
    });

    /** Connections that are cut at the first COMMIT of a write that the test waits for. */
    const cutting = (cut: (commit: () => Promise<unknown>) => Promise<unknown>) => {
      const pool = openPool(server().url(), silentLog);
      const state = { isArmed: false };
      const connections: Connections = {
        end: () => pool.end(),
        async connect() {
          const client = await pool.connect();
          return {
            release: (broken) => client.release(broken),
            async query(text, values) {
              if (text !== 'commit' || !state.isArmed) return await client.query(text, values);
              state.isArmed = false;
              await cut(() => client.query('commit'));
              throw LOST;
            },
          };
        },
      };
      return { connections, state };
    };

    it('are known to be stored when only the answer to COMMIT was lost', async () => {
      const { connections, state } = cutting((commit) => commit());
      const store = await openEmpty({ connections });
      state.isArmed = true;

      const { result } = await accept(store);

      expect([result, store.commitFailure()]).toEqual(['new', undefined]);
      expect(await server().run('select state from bookings')).toHaveLength(1);
    });

    // Well before the server itself aborts an idle transaction.
    it('are repeated when COMMIT did not arrive', { timeout: 12_000 }, async () => {
      const { connections, state } = cutting(async () => {});
      const store = await openEmpty({ connections });
      state.isArmed = true;

      const { result } = await accept(store);

      expect([result, store.commitFailure()]).toEqual(['new', undefined]);
      expect(await server().run('select state from bookings')).toHaveLength(1);
    });

    it('resume on their own after every connection was ended', async () => {
      const store = await openEmpty();
      await accept(store);
      await server().run(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
      );

      const { result } = await accept(store, { received_at: minute(1) });

      expect([result, store.commitFailure()]).toEqual(['new', undefined]);
      expect(await server().run('select ref from bookings')).toHaveLength(2);
    });
  });
}
