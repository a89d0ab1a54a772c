import type { KeyValueVerbs } from '../../ports/key-value.ts';
import type { Db, StoreParts, Trx } from '../database.ts';
import { atOnce } from '../transaction.ts';

export async function readMemory(db: Db, scope: string, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('memory')
    .select('value')
    .where((row) => row.and({ scope, key }))
    .executeTakeFirst();
  return row?.value;
}

export const writeMemory = (trx: Trx, scope: string, key: string, value: string) =>
  trx
    .insertInto('memory')
    .values({ scope, key, value })
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doUpdateSet({ value }))
    .execute();

export const deleteMemory = (trx: Trx, scope: string, key: string) =>
  trx.deleteFrom('memory').where('scope', '=', scope).where('key', '=', key).execute();

export function keyValueVerbs({ db, write }: StoreParts): KeyValueVerbs {
  return {
    get: (scope, key) => readMemory(db, scope, key),

    keep: (scope, key, value) =>
      write('memory', async (trx) => {
        const row = { scope, key, value };
        await trx
          .insertInto('memory')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return (await readMemory(trx, scope, key)) ?? value;
      }),

    set: (scope, entries) =>
      write(
        'memory',
        async (trx) => {
          const writes = Object.entries(entries).map(
            ([key, value]): Promise<unknown> =>
              value === undefined ? deleteMemory(trx, scope, key) : writeMemory(trx, scope, key, value),
          );
          await atOnce(...writes);
        },
        // `soon`: shares a commit with other work instead of paying for its own fsync.
        'soon',
      ),

    async list(scope, prefix) {
      const rows = await db
        .selectFrom('memory')
        .select(['key', 'value'])
        .where('scope', '=', scope)
        // Text above the prefix and below the prefix followed by the highest character.
        .where('key', '>=', prefix)
        .where('key', '<=', `${prefix}\u{10ffff}`)
        .orderBy('key')
        .execute();
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
  };
}
