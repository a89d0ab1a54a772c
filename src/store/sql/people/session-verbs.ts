import type { SessionVerbs } from '../../ports/people.ts';
import type { StoreParts } from '../database.ts';

export function sessionVerbs({ db, write }: StoreParts): SessionVerbs {
  return {
    get: (id) => db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst(),

    start: (session) =>
      write('people', async (trx) => {
        await trx.deleteFrom('sessions').where('ends_at', '<=', session.started_at).execute();
        await trx.insertInto('sessions').values(session).execute();
      }),

    seen: (id, at) =>
      write(
        'people',
        async (trx) =>
          void (await trx.updateTable('sessions').set({ seen_at: at }).where('id', '=', id).execute()),
        'soon',
      ),

    end: (ids) =>
      write(
        'people',
        async (trx) => void (await trx.deleteFrom('sessions').where('id', 'in', ids).execute()),
      ),

    list: (at) =>
      db.selectFrom('sessions').selectAll().where('ends_at', '>', at).orderBy('seen_at', 'desc').execute(),
  };
}
