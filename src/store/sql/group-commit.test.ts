import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { openFile } from '../sqlite/open-database.ts';
import { isFileBusy, isFileStorage } from '../sqlite/storage-failure.ts';
import type { Db, Trx } from './database.ts';
import { writePipeline } from './write-pipeline.ts';

const note = (text: string) => async (trx: Trx) =>
  void (await sql`insert into notes values (${text})`.execute(trx));

function notes(file = ':memory:') {
  const database = openFile(file, { create: true });
  database.exec('create table notes (note text) strict');
  const db: Db = new Kysely({ dialect: sqliteDialect(database, 'notes.db') });
  onTestFinished(() => db.destroy());
  const commits = () => database.pragma('user_version', { simple: true });
  const clock = fakeClock();
  return {
    database,
    commits,
    clock,
    ...writePipeline({ db, clock, isBusy: isFileBusy, isStorage: isFileStorage }),
  };
}

describe('a group of writes in memory', () => {
  it('rolls back the one that failed, and none of the others', async () => {
    const { database, write } = notes();
    const half = async (trx: Trx) => {
      await note('half')(trx);
      throw new Error('refused');
    };

    const settled = await Promise.allSettled([
      write('move', note('before'), 'soon'),
      write('move', half, 'soon'),
      write('move', note('after'), 'soon'),
    ]);

    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(database.prepare('select note from notes').pluck().all()).toEqual(['before', 'after']);
  });

  it('shares its commit with writes of the next event-loop turns when it can wait', async () => {
    const { commits, write } = notes();

    const early = write('record', note('early'), 'later');
    for (let turn = 0; turn < 4; turn += 1) await nextTurn();
    const middle = write('record', note('middle'), 'later');
    await nextTurn();
    await Promise.all([early, middle]);

    expect(commits()).toBe(1);
  });

  it('runs a write that a caller waits for before hundreds that can wait', async () => {
    const { commits, write } = notes();
    const commitsAfter = (done: Promise<void>) => done.then(() => Number(commits()));

    const polls = Array.from({ length: 600 }, (_, n) =>
      commitsAfter(write('record', note(`poll ${n}`), 'later')),
    );
    const lead = commitsAfter(write('accept', note('lead'), 'soon'));

    expect(await lead).toBe(1);
    expect((await Promise.all(polls)).filter((commit) => commit === 1)).toHaveLength(255);
    expect(commits()).toBe(3);
  });

  it('lets consequences of a commit share the next one', async () => {
    const { commits, write } = notes();

    const arriving = nextTurn().then(() => write('accept', note('another lead'), 'soon'));
    const following: Promise<void>[] = [];
    await write('accept', async (trx) => {
      following.push(write('claim', note('claim'), 'soon'));
      await note('lead')(trx);
    });
    await Promise.all([arriving, ...following]);

    expect(commits()).toBe(2);
  });

  it('includes writes that arrive while another process has the lock', async () => {
    const file = join(await temporaryFolder(), 'notes.db');
    const { database, commits, clock, write } = notes(file);
    const other = openFile(file, { create: false });
    onTestFinished(() => void other.close());
    other.exec('begin immediate');

    const first = write('accept', note('first'), 'soon');
    await until('it waits for the lock', async () => clock.sleeping > 0);
    const second = write('accept', note('second'), 'soon');
    other.exec('rollback');
    await clock.advance(10);
    await Promise.all([first, second]);

    expect(commits()).toBe(1);
    expect(database.prepare('select note from notes').pluck().all()).toEqual(['first', 'second']);
  });

  it('fails those that waited when the transaction does not even begin, and not those that come after', async () => {
    const { database, write } = notes();
    database.exec('begin');
    const refused = await Promise.allSettled([
      write('accept', note('one'), 'soon'),
      write('accept', note('two'), 'soon'),
    ]);
    database.exec('rollback');
    await write('accept', note('three'), 'soon');

    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(database.prepare('select note from notes').pluck().all()).toEqual(['three']);
  });

  it('commits at once when a write arrives that cannot wait', async () => {
    const { commits, write } = notes();
    const order: string[] = [];
    const wrote = (name: string) => () => void order.push(name);

    const patient = write('record', note('patient'), 'later').then(wrote('patient'));
    const urgent = write('accept', note('urgent'), 'soon').then(wrote('urgent'));
    await nextTurn();
    await Promise.resolve();
    const afterOneTurn = commits();
    await Promise.all([patient, urgent]);

    expect(afterOneTurn).toBe(1);
    expect(order).toEqual(['patient', 'urgent']);
  });
});
