/** @module-tag thorough */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { inspectServer } from '../../../src/store/postgres/inspect.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/store/pgbouncer.ts';
import { hasOwnPostgres, type OwnServer, ownServer } from '../../support/store/postgres-server.ts';
import { until } from '../../support/until.ts';

describe.skipIf(!hasOwnPostgres)('inspecting the server', () => {
  let server: OwnServer;
  let url: string;
  beforeAll(async () => {
    server = await ownServer();
    await server.run(`create role clinic login password 'p'`);
    await server.run('create database clinic owner clinic');
    url = server.url('clinic', 'clinic:p');
  });
  afterAll(() => server?.stop());

  const look = async (address = url, clock = systemClock) => {
    const { lines, state } = await inspectServer(address, clock, silentLog);
    const of = (level: string) =>
      lines.filter((line) => line.level === level).map(({ what, hint = '' }) => `${what} ${hint}`);
    return { state, ok: of('ok').join('\n'), warn: of('warn'), fail: of('fail') };
  };

  it('finds nothing wrong with an ordinary one, before and after the first start', async () => {
    const before = await look();
    const options = { clock: systemClock, log: silentLog, version: '0.0.0' };
    await (await openPostgres({ url, mode: 'daemon', ...options })).close();
    const after = await look();

    expect([before.state, after.state]).toEqual(['empty', 'filled']);
    expect(after).toMatchObject({ warn: [], fail: [] });
    expect(after.ok).toMatch(/^PostgreSQL 1\d.* \(127\.0\.0\.1:\d+\/clinic\), UTF8/);
    expect(after.ok).toContain('clinic may create and change tables');
    expect(after.ok).toContain('no replicas');
    expect(after.ok).toContain('no pooler in between');
    expect(after.ok).toMatch(/\d+ of 97 connections are free/);
  });

  it('counts the connections of other users as used', async () => {
    const free = async () => Number(/(\d+) of 97 connections are free/.exec((await look()).ok)?.[1]);
    await server.run(`create role other login password 'p'`);
    const before = await free();
    const others = Array.from({ length: 5 }, () => new Client(server.url('clinic', 'other:p')));
    onTestFinished(async () => void (await Promise.all(others.map((one) => one.end()))));
    await Promise.all(others.map((one) => one.connect()));

    expect(before - (await free())).toBe(5);
  });

  it('says what keeps a daemon from using it, and checks no further', async () => {
    expect(await look('postgres://clinic:p@127.0.0.1:1/clinic')).toMatchObject({
      state: 'unusable',
      ok: '',
      fail: [expect.stringMatching(/^No database answers .*Check the address under store\.postgres/)],
    });
  });

  it('names missing rights: to create tables, and to change those of another user', async () => {
    await server.run(`create role guest login password 'p'`);
    const guest = server.url('clinic', 'guest:p');
    const none = await look(guest);
    await server.run('grant create on schema public to guest', 'clinic');
    const others = await look(guest);

    expect(none.fail).toEqual([expect.stringMatching(/^guest may not create tables .* grant usage, create/)]);
    expect(others.fail).toEqual([expect.stringMatching(/^\d+ tables .* do not belong to .*reassign owned/)]);
  });

  it('does not ask for the tables of another program', async () => {
    await server.run('create database shop owner clinic');
    await server.run('create table orders (id int)', 'shop');

    expect((await look(server.url('shop', 'clinic:p'))).fail).toEqual([]);
  });

  it('warns of a replica that may lack the last leads, or whose state the user may not see', async () => {
    const standby = await server.standby();
    onTestFinished(() => standby.stop());
    await until('it follows', async () => (await server.run('select 1 from pg_stat_replication')).length > 0);
    const hidden = await look();
    await server.run('grant pg_read_all_stats to clinic');

    const seen = await look();

    expect(hidden.warn).toEqual([
      expect.stringMatching(/^Replicas follow \(1\), but clinic may not see .*pg_read_all_stats/),
    ]);
    expect(seen.warn).toEqual([
      expect.stringMatching(
        /^Asynchronous replicas: 1 of 1\. .* may lack the last leads.*synchronous_standby/,
      ),
    ]);
  });

  it('warns of clocks apart and of too few connections', async () => {
    await server.run('alter role clinic connection limit 3');
    onTestFinished(async () => void (await server.run('alter role clinic connection limit -1')));
    const clock = { ...systemClock, now: () => systemClock.now() - 90_000 };

    const { warn } = await look(url, clock);

    expect(warn.join('\n')).toMatch(/Its clock is 90 s ahead of this machine’s\. .*NTP/);
    expect(warn.join('\n')).toMatch(/clinic may have 3 connections .* up to 6/);
  });

  it.skipIf(!hasPgBouncer)('says how PgBouncer pools', async () => {
    const modes = ['transaction', 'session'] as const;
    const found = [];
    for (const mode of modes) {
      await using pooler = await startPgBouncer(server, mode);
      found.push((await look(pooler.url('clinic'))).ok.split('\n').at(-1));
    }

    expect(found).toEqual([
      expect.stringMatching(/transaction pooler is in between/),
      expect.stringMatching(/session pooler is in between/),
    ]);
  });
});
