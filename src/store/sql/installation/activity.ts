import { sql } from 'kysely';
import type { ActivityVerbs } from '../../ports/activity.ts';
import type { StoreParts } from '../database.ts';
import { insertMany } from '../insert-many.ts';

const columns = ['series', 'at', 'answered', 'refused', 'failed', 'total_ms', 'most'] as const;

export function activityVerbs({ db, write }: StoreParts): ActivityVerbs {
  const addAll = insertMany(columns, (trx, rows) =>
    trx
      .insertInto('activity')
      .values(rows as never)
      .onConflict((hour) =>
        hour.columns(['series', 'at']).doUpdateSet({
          answered: sql`activity.answered + excluded.answered`,
          refused: sql`activity.refused + excluded.refused`,
          failed: sql`activity.failed + excluded.failed`,
          total_ms: sql`activity.total_ms + excluded.total_ms`,
          most: sql`case when excluded.most > activity.most then excluded.most else activity.most end`,
        }),
      ),
  );
  return {
    add: (rows, keptSince) =>
      write(
        'incidents',
        async (trx) => {
          await addAll(trx, rows);
          await trx.deleteFrom('activity').where('at', '<', keptSince).execute();
        },
        'later',
      ),
    list: (series, since) =>
      db
        .selectFrom('activity')
        .select(columns)
        .where('series', '=', series)
        .where('at', '>=', since)
        .orderBy('at')
        .execute(),
  };
}
