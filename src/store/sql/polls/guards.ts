import { sql } from 'kysely';
import type { ListPoll } from '../../../domain/clinics/resource.ts';
import { type Instant, instant, toMs } from '../../../platform/clock.ts';
import { MINUTE } from '../../../platform/duration.ts';
import type { Guard, GuardVerbs } from '../../ports/polls.ts';
import { type Db, parseJson, type StoreParts } from '../database.ts';
import type { Stored } from '../schema.ts';
import { savePoll } from './polls.ts';

/** Literals, because SQLite uses no partial index for bound values. */
const OPEN = [sql.lit('open'), sql.lit('approved')];

/** Closed guards beyond this many are not listed. */
const LISTED = 200;

const toGuard = ({ n, approved_by, ...row }: Stored<'guards'>): Guard => ({
  ...row,
  things: parseJson<Guard['things']>(row.things),
  approval_only: row.approval_only === 1,
  id: String(n),
  poll: row.poll as ListPoll,
  kind: row.kind as Guard['kind'],
  state: row.state as Guard['state'],
});

/** Ids are short because people type them: `guards approve 3`. */
const number = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0);

/** The wall clock was set if it differs by more from the time that passed. */
const SET_MS = MINUTE;

/** For how long the answers have agreed, whether or not the clock was set between the last two of them. */
function agreedFor({ first_at, last_at }: Guard, at: Instant, elapsedMs: number | undefined): number {
  const byWall = toMs(at) - toMs(last_at);
  const elapsed = elapsedMs ?? Math.max(0, byWall);
  const isSet = byWall < 0 || byWall - elapsed > SET_MS;
  return toMs(last_at) - toMs(first_at) + (isSet ? elapsed : byWall);
}

export function guardVerbs({ db, write }: StoreParts): GuardVerbs {
  const current = async (from: Db, clinic: string, poll: ListPoll) => {
    const row = await from
      .selectFrom('guards')
      .selectAll()
      .where((row) => row.and({ clinic, poll }))
      .where('state', 'in', OPEN)
      .executeTakeFirst();
    return row && toGuard(row);
  };

  const open = async () => {
    const rows = await db.selectFrom('guards').selectAll().where('state', 'in', OPEN).execute();
    return rows.sort((a, b) => b.n - a.n).map(toGuard);
  };

  return {
    current: (clinic, poll) => current(db, clinic, poll),

    raise: (guard, at, elapsedMs) =>
      write('guard', async (trx) => {
        const before = await current(trx, guard.clinic, guard.poll);
        const stored = { things: JSON.stringify(guard.things), approval_only: Number(guard.approval_only) };
        if (before !== undefined && before.fingerprint === guard.fingerprint && before.kind === guard.kind) {
          const first_at = instant(toMs(at) - agreedFor(before, at, elapsedMs));
          const again = { ...guard, seen: before.seen + 1, first_at, last_at: at };
          await trx
            .updateTable('guards')
            .set({ ...again, ...stored })
            .where('n', '=', number(before.id))
            .execute();
          return { ...before, ...again };
        }
        if (before !== undefined)
          await trx
            .updateTable('guards')
            .set({ state: 'withdrawn', last_at: at })
            .where('n', '=', number(before.id))
            .execute();
        const opened = { ...guard, ...stored, seen: 1, state: 'open', first_at: at, last_at: at };
        const row = await trx.insertInto('guards').values(opened).returningAll().executeTakeFirstOrThrow();
        return toGuard(row);
      }),

    close: (id, state, at) =>
      write('guard', async (trx) => {
        await trx
          .updateTable('guards')
          .set({ state, last_at: at })
          .where('n', '=', number(id))
          .where('state', 'in', ['open', 'approved'])
          .execute();
      }),

    approve: (id, at, by) =>
      write('guard', async (trx) => {
        const approved = await trx
          .updateTable('guards')
          .set({ state: 'approved', approved_by: by, last_at: at })
          .where((row) => row.and({ n: number(id), state: 'open' }))
          .returning(['clinic', 'poll'])
          .executeTakeFirst();
        if (approved !== undefined)
          await savePoll(trx, approved.clinic, approved.poll as ListPoll, { next_due_at: at });
        return approved !== undefined;
      }),

    open,

    async list() {
      // By number from the newest one on: open guards come first, and are few.
      const closed = db
        .selectFrom('guards')
        .selectAll()
        .where('state', 'not in', OPEN)
        .orderBy('n', 'desc')
        .limit(sql.lit(LISTED));
      return [...(await open()), ...(await closed.execute()).map(toGuard)];
    },
  };
}
