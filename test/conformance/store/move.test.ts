/** @module-tag thorough */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { moveStore } from '../../../src/store/move.ts';
import type { Connections } from '../../../src/store/postgres/connections.ts';
import { openPool } from '../../../src/store/postgres/pool.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import { formerDatabase, formerVersions } from '../../support/store/former-database.ts';
import { openOnServer } from '../../support/store/open-on-server.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/store/postgres-server.ts';
import {
  accept,
  alterFile,
  createDatabase,
  newStoreFile,
  openTestStore,
} from '../../support/store/store-file.ts';

const newest = formerVersions.toSorted().at(-1) ?? '';

describe.skipIf(!hasPostgres)('moving an installation from its file to a server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  let made = 0;
  const emptyDatabase = async () => {
    made += 1;
    await server.run(`create database target_${made}`);
    return { name: `target_${made}`, url: server.url(`target_${made}`) };
  };
  const tablesOf = async (name: string) =>
    await server.run("select relname from pg_class where relnamespace = 'public'::regnamespace", name);
  const move = (file: string, url: string, connections?: Connections) =>
    moveStore({
      file,
      url,
      by: 'rita',
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
      ...(connections && { connections }),
    });
  const refusal = (file: string, url: string, connections?: Connections): Promise<string> =>
    move(file, url, connections).then(
      () => 'moved',
      ({ message, hint }) => `${message} ${hint ?? ''}`,
    );
  /** A database in which every case occurs, brought up to date. */
  const everyCase = async () => {
    const file = formerDatabase(newest);
    await (await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' })).close();
    return file;
  };
  const rowsIn = (file: string, table: string): unknown[] => {
    const database = new Database(file, { readonly: true });
    const rows = database.prepare(`select * from ${table}`).all();
    database.close();
    return rows;
  };

  it('moves every row of every table, and continues with the next numbers', async () => {
    const file = await everyCase();
    alterFile(
      file,
      `insert into changes values ('odd', 7, '2026-01-01T00:00:00.000Z', 'x', 'x', '1', '{}', null)`,
    );
    const { url, name } = await emptyDatabase();

    const moved = await move(file, url);

    expect(moved.rows).toBeGreaterThan(500);
    for (const [table, count] of Object.entries(moved.tables)) {
      const there = (await server.run(`select count(*) as count from ${table}`, name))[0]?.count;
      const more = table === 'audit' || table === 'memory' ? 1 : 0;
      expect([table, Number(there)]).toEqual([table, rowsIn(file, table).length + more]);
      expect(count).toBe(rowsIn(file, table).length);
    }
    const before = rowsIn(file, 'bookings').length;
    const store = await openOnServer(url);
    expect(store.identity.restored).toBe(false);
    expect(await store.bookings.list({})).toHaveLength(before);
    await accept(store, { clinic: 'odd', content_hash: 'new' });
    expect((await store.changes.after('odd', 7, 1))[0]?.sequence).toBe(8);
    const [entry] = await store.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ actor: 'rita', action: 'migrate', subject: 'clinic-sync.db' });
  });

  it('gives no number again that the file has given, also of rows that are gone', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    alterFile(
      file,
      `insert into erasures (at, refs, appointments) values ('', '[]', '[]'), ('', '[]', '[]'); delete from erasures`,
    );
    const { url, name } = await emptyDatabase();

    await move(file, url);

    const [row] = await server.run(
      `insert into erasures (at, refs, appointments) values ('', '[]', '[]') returning n`,
      name,
    );
    expect(Number(row?.n)).toBe(3);
  });

  it('leaves the file as it was, but neither a daemon nor a command opens it by accident', async () => {
    const file = newStoreFile();
    const first = await openTestStore(file);
    const { booking } = await accept(first, { state: 'queued' });
    await first.close();
    const before = readFileSync(file);
    const { url } = await emptyDatabase();

    await move(file, url);
    const refusals = await Promise.all(
      (['daemon', 'tool'] as const).map((mode) => openTestStore(file, mode).catch(({ message }) => message)),
    );

    expect(readFileSync(file)).toEqual(before);
    expect(refusals).toEqual(Array(2).fill(expect.stringMatching(/was moved to .*target_/)));
    rmSync(`${file}.marker`);
    const onPurpose = await openTestStore(file);
    expect(await onPurpose.bookings.get(booking.ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
    });
  });

  it('keeps holding what an older copy held: also one that was moved before', async () => {
    const file = newStoreFile();
    const first = await openTestStore(file);
    const { booking } = await accept(first, { state: 'queued' });
    await first.close();
    const [one, two] = [await emptyDatabase(), await emptyDatabase()];

    const moves = [await move(file, one.url), await move(file, two.url)];

    expect(moves.map(({ held }) => held)).toEqual([false, true]);
    const stores = [await openOnServer(one.url), await openOnServer(two.url)];
    const states = await Promise.all(
      stores.map(async (store) => (await store.bookings.get(booking.ref))?.state),
    );
    expect(states).toEqual(['queued', 'held']);
  });

  describe('refuses with a sentence, and changes nothing', () => {
    const untouched = async (file: string, name: string) => {
      const marker = `${file}.marker`;
      expect(await tablesOf(name)).toEqual([]);
      if (existsSync(marker)) expect(readFileSync(marker, 'utf8')).not.toContain('moved');
    };

    it('while a daemon has the file', async () => {
      const file = newStoreFile();
      await openTestStore(file);
      const { url, name } = await emptyDatabase();

      expect(await refusal(file, url)).toMatch(
        /^A daemon has the database .* open\. Stop it first, then migrate/,
      );
      await untouched(file, name);
    });

    it('while a command writes to the file', async () => {
      const file = newStoreFile();
      await createDatabase(file);
      const other = new Database(file);
      other.exec('begin immediate');
      onTestFinished(() => void other.close());
      const { url, name } = await emptyDatabase();

      expect(await refusal(file, url)).toMatch(/writing|in use|locked/i);
      await untouched(file, name);
    });

    it('a file that is not there, and makes none', async () => {
      const file = newStoreFile();
      const { url, name } = await emptyDatabase();

      expect(await refusal(file, url)).toMatch(/^There is no database .*\. Check the path/);
      expect([existsSync(file), existsSync(`${file}.lock`)]).toEqual([false, false]);
      await untouched(file, name);
    });

    it('a file that an older version wrote', async () => {
      const file = formerDatabase('v0.1.0');
      const { url, name } = await emptyDatabase();

      expect(await refusal(file, url)).toMatch(
        /is not up to date\. Start the daemon of this version on it once/,
      );
      await untouched(file, name);
    });

    it('a database that has something in it: an installation, its living daemon, another program', async () => {
      const file = newStoreFile();
      await createDatabase(file);
      const [ours, other] = [await emptyDatabase(), await emptyDatabase()];
      const daemon = await openOnServer(ours.url);
      await daemon.fleet?.join({ id: 'one', version: '1', config_hash: 'x' });
      await server.run('create table customers (id int)', other.name);

      const lived = await refusal(file, ours.url);
      await daemon.fleet?.leave('one');
      await daemon.close();
      const refusals = [lived, await refusal(file, ours.url), await refusal(file, other.url)];

      expect(refusals).toEqual([
        expect.stringMatching(/^A daemon runs on the database .*target_/),
        expect.stringMatching(
          /is not empty: it is an installation of clinic-sync\. Create an empty database/,
        ),
        expect.stringMatching(/is not empty: it is that of another program\./),
      ]);
      expect(await tablesOf(other.name)).toHaveLength(1);
      await (await openTestStore(file)).close();
    });

    /** Spoils what is sent or what comes back. */
    const spoiling = (
      url: string,
      spoil: (text: string, values?: (string | null)[]) => void,
    ): Connections => {
      const pool = openPool(url, silentLog);
      return {
        end: () => pool.end(),
        async connect() {
          const client = await pool.connect();
          return {
            release: (broken) => client.release(broken),
            async query(text, values) {
              spoil(text, values);
              return await client.query(text, values);
            },
          };
        },
      };
    };

    it('when a row there is not equal to the original', async () => {
      const file = await everyCase();
      const { url, name } = await emptyDatabase();
      const connections = spoiling(url, (text, values) => {
        if (text.includes('"bookings"') && values?.[0])
          values[0] = values[0].replace('"attempt":"1"', '"attempt":"2"');
      });

      expect(await refusal(file, url, connections)).toMatch(
        /^The copy of the table bookings is not equal to the original: a row differs\. Nothing was changed/,
      );
      await untouched(file, name);
    });

    it.each(['insert into "public"."booking_events"', 'fetch', 'CREATE INDEX', 'analyze'])(
      'when the connection breaks at %s, and succeeds when it is done again',
      async (step) => {
        const file = await everyCase();
        const { url, name } = await emptyDatabase();
        const connections = spoiling(url, (text) => {
          if (text.startsWith(step)) throw new Error('Connection terminated unexpectedly');
        });

        const said = await refusal(file, url, connections);
        await untouched(file, name);
        const again = await move(file, url);

        expect(said).toMatch(/connection to the database was lost/);
        expect(again.held).toBe(false);
      },
    );
  });

  it('is complete when only the answer to its end was lost', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    const { url } = await emptyDatabase();
    const pool = openPool(url, silentLog);
    const connections: Connections = {
      end: () => pool.end(),
      async connect() {
        const client = await pool.connect();
        return {
          release: (broken) => client.release(broken),
          async query(text, values) {
            const answer = await client.query(text, values);
            if (text === 'commit') throw new Error('Connection terminated unexpectedly');
            return answer;
          },
        };
      },
    };

    await move(file, url, connections);

    expect(await refusal(file, url)).toMatch(/is not empty/);
    expect((await (await openOnServer(url)).health()).ok).toBe(true);
  });
});
