import type { ExpressionBuilder } from 'kysely';
import type { NewChange } from '../../../domain/clinics/change.ts';
import type { ChangeFilter, ChangeVerbs } from '../../ports/changes.ts';
import type { StoreParts } from '../database.ts';
import type { Schema } from '../schema.ts';
import { chainHead } from './chain.ts';
import { chainOlder } from './chain-older.ts';
import { clinicsWithRows } from './compare-rows.ts';
import { clinicsIn, type LogChanges, latestSequence, toChange } from './log-changes.ts';
import { verifyChain } from './verify-chain.ts';

/** Order of changes across all clinics. The first condition alone lets the index be used. */
const isBefore = (
  row: ExpressionBuilder<Schema, 'changes'>,
  { at, clinic, sequence }: NonNullable<ChangeFilter['before']>,
) =>
  row.and([
    row('at', '<=', at),
    row.or([
      row('at', '<', at),
      row('clinic', '>', clinic),
      row.and([row('clinic', '=', clinic), row('sequence', '<', sequence)]),
    ]),
  ]);

export function changeVerbs(parts: StoreParts & { logChanges: LogChanges }): ChangeVerbs {
  const { db, write, logChanges } = parts;
  const latest = latestSequence();
  const ofResource = (clinic: string, resource: string) =>
    db.selectFrom('changes').selectAll().where('clinic', '=', clinic).where('resource', '=', resource);

  return {
    announce: (clinic, at, changes) =>
      write('incidents', async (trx) => {
        const fresh: NewChange[] = [];
        for (const change of changes) {
          const { resource, id, type } = change;
          const last = await trx
            .selectFrom('changes')
            .select('type')
            .where((row) => row.and({ clinic, resource, id }))
            .orderBy('sequence', 'desc')
            .limit(1)
            .executeTakeFirst();
          if (last?.type !== type) fresh.push(change);
        }
        await logChanges(trx, { clinic, at, changes: fresh });
      }),

    async after(clinic, sequence, limit) {
      const rows = await db
        .selectFrom('changes')
        .selectAll()
        .where('clinic', '=', clinic)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .limit(limit)
        .execute();
      return rows.map(toChange);
    },

    latest: (clinic) => latest(db, clinic),

    async page({ clinic, resource, id, before, limit }) {
      let query = db.selectFrom('changes').selectAll().limit(limit);
      if (clinic === undefined) {
        query = query.orderBy('at', 'desc').orderBy('clinic').orderBy('sequence', 'desc');
        if (before !== undefined) query = query.where((row) => isBefore(row, before));
        return (await query.execute()).map(toChange);
      }
      query = query.where('clinic', '=', clinic).orderBy('sequence', 'desc');
      if (resource !== undefined) query = query.where('resource', '=', resource);
      if (resource !== undefined && id !== undefined) query = query.where('id', '=', id);
      if (before !== undefined) query = query.where('sequence', '<', before.sequence);
      return (await query.execute()).map(toChange);
    },

    async history(clinic, resource, id) {
      const rows = await ofResource(clinic, resource).where('id', '=', id).orderBy('sequence').execute();
      return rows.map(toChange);
    },

    async historyPage(clinic, resource, limit, after) {
      let query = ofResource(clinic, resource).orderBy('id').orderBy('sequence').limit(limit);
      if (after !== undefined)
        query = query.where((row) =>
          row(row.refTuple('id', 'sequence'), '>', row.tuple(after.id, after.sequence)),
        );
      return (await query.execute()).map(toChange);
    },

    async clinics() {
      const log = ['changes', 'change_hashes', 'chain_heads', 'removed_changes'] as const;
      const logged = await Promise.all(log.map((table) => clinicsIn(db, table)));
      return [...new Set([...logged.flat(), ...(await clinicsWithRows(db))])].sort();
    },
    verify: (clinic, options) => verifyChain(db, clinic, options),
    async head(clinic) {
      const head = await chainHead(db, clinic);
      return head === undefined ? undefined : { sequence: head.sequence, hash: head.hash };
    },
    chainOlder: (signal) => chainOlder(parts, signal),
  };
}
