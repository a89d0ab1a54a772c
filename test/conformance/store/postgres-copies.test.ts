/** @module-tag thorough */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openOnServer } from '../../support/store/open-on-server.ts';
import { hasOwnPostgres, type OwnServer, ownServer } from '../../support/store/postgres-server.ts';
import { accept } from '../../support/store/store-file.ts';
import { startSwitch } from '../../support/store/switch.ts';
import { until } from '../../support/until.ts';

/** What PostgreSQL's own tools bring back may be older than what was sent: nothing may be sent from it. */
describe.skipIf(!hasOwnPostgres)('a database that came from a copy', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await ownServer();
    await server.run("alter role owner password 'p'");
  });
  afterAll(() => server?.stop());

  let made = 0;
  const newDatabase = async () => {
    made += 1;
    await server.run(`create database clinic_${made}`);
    return `clinic_${made}`;
  };
  /** One booking that is queued, in a database of its own; the daemon has stopped. */
  const queued = async () => {
    const database = await newDatabase();
    const store = await openOnServer(server.url(database));
    const { booking } = await accept(store, { state: 'queued' });
    await store.close();
    return { database, ref: booking.ref, instance: store.identity.instance };
  };
  const held = { state: 'held', reason: 'restored_state' };

  it('is none after its tables were rewritten and the server was restarted', async () => {
    const { database, ref } = await queued();
    await server.run('vacuum (full, freeze)', database);
    await server.restart();

    const store = await openOnServer(server.url(database));

    expect(store.identity.restored).toBe(false);
    expect(await store.bookings.get(ref)).toMatchObject({ state: 'queued' });
  });

  it.each([
    ['put back in its place', ['--clean', '--if-exists'], false],
    ['restored into another database', [], true],
    ['with its rows alone', ['--data-only', '--disable-triggers'], false],
  ])('by pg_dump, %s: what waited is held', async (_how, options, elsewhere) => {
    const { database, ref, instance } = await queued();
    const file = join(server.folder, `${database}.dump`);
    await server.program('pg_dump', '--format=custom', '--file', file, database);
    const target = elsewhere ? await newDatabase() : database;
    if (options.includes('--data-only'))
      await server.run(
        `do $$ declare one text; begin
          for one in select tablename from pg_tables where schemaname = 'public' loop
            execute format('truncate %I cascade', one); end loop; end $$`,
        target,
      );

    await server.program('pg_restore', ...options, '--dbname', target, file);
    const first = await openOnServer(server.url(target));
    const found = await first.bookings.get(ref);
    await first.settleRestored();
    await first.close();
    const second = await openOnServer(server.url(target));

    expect(first.identity).toMatchObject({ instance, restored: true });
    expect(found).toMatchObject(held);
    expect(second.identity.restored).toBe(false);
  });

  it('by CREATE DATABASE … TEMPLATE: what waited is held', async () => {
    const { database, ref } = await queued();
    await server.run(`create database copied_${made} template ${database}`);

    const store = await openOnServer(server.url(`copied_${made}`));

    expect(await store.bookings.get(ref)).toMatchObject(held);
  });

  it('by pg_basebackup and archived logs, at a point in time: what waited is held', {
    timeout: 60_000,
  }, async () => {
    const { database, ref } = await queued();
    const log = join(server.folder, 'data', 'pg_wal');
    const restore = [`restore_command=cp ${log}/%f %p`, 'recovery_target_name=before'];
    const standby = await server.standby(
      [...restore, 'recovery_target_action=promote', 'primary_conninfo='],
      async () => {
        await server.run("select pg_create_restore_point('before')");
        const later = await openOnServer(server.url(database));
        await accept(later);
        await later.close();
        await server.run('select pg_switch_wal()');
      },
    );
    onTestFinished(() => standby.stop());
    await until(
      'it is a primary',
      async () => (await standby.run('select pg_is_in_recovery() as it'))[0]?.it === false,
    );

    const store = await openOnServer(standby.url(database));

    expect(await store.bookings.get(ref)).toMatchObject(held);
    expect(await store.bookings.list({})).toHaveLength(1);
  });

  it('by a replica that takes over under a running daemon: it writes nothing more, and holds after its restart', {
    timeout: 60_000,
  }, async () => {
    const { database, ref } = await queued();
    const standby = await server.standby();
    onTestFinished(() => standby.stop());
    await using line = await startSwitch(server.port);
    const url = `postgres://owner:p@127.0.0.1:${line.port}/${database}`;
    const running = await openOnServer(url);
    await accept(running);
    await until(
      'the replica has both',
      async () => (await standby.run('select ref from bookings', database)).length === 2,
    );

    await standby.promote();
    line.to(standby.port);
    const said = await accept(running).catch((error) => `${error.message} ${error.hint}`);
    const count = await standby.run('select ref from bookings', database);
    const reason = running.commitFailure()?.message;
    await running.close();
    const after = await openOnServer(url);

    expect(said).toMatch(/a replica that took over, answers for the database .* Restart the program/);
    expect(reason).toMatch(/a replica that took over/);
    expect(count).toHaveLength(2);
    expect(after.identity.restored).toBe(true);
    expect(await after.bookings.get(ref)).toMatchObject(held);
  });
});
