import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { isBusy, isStorage } from '../sqlite/storage-failure.ts';
import type { Db, Trx } from './database.ts';
import { groupCommit } from './group-commit.ts';

describe('a group of writes in memory', () => {
  it('loses what one of them wrote before it failed, and nothing of the others', async () => {
    const database = openDatabase(':memory:', { create: true });
    database.exec('create table notes (note text) strict');
    const db: Db = new Kysely({ dialect: sqliteDialect(database, 'notes.db') });
    onTestFinished(() => db.destroy());
    const { write } = groupCommit({ db, clock: fakeClock(), isBusy, isStorage });
    const note = (text: string) => async (trx: Trx) =>
      void (await sql`insert into notes values (${text})`.execute(trx));
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
});
