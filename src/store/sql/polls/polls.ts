import type { Poll } from '../../../domain/clinics/resource.ts';
import type { Said } from '../../../texts/texts.ts';
import type { PollVerbs } from '../../ports/polls.ts';
import type { Db, StoreParts, Trx } from '../database.ts';
import type { BoundValue } from '../insert-many.ts';
import { prepared } from '../prepared.ts';
import type { Stored } from '../schema.ts';
import { listUnreadable } from './unreadable.ts';

type PollRow = Stored<'polls'>;
type Saved = Partial<PollRow>;

/** One statement for each set of columns: a thousand clinics save two thousand times a minute that nothing is new. */
const saves = new Map<string, (db: Db, values: Record<string, BoundValue>) => Promise<unknown>>();

export async function savePoll(trx: Trx, clinic: string, poll: Poll, values: Saved): Promise<void> {
  const columns = Object.keys(values);
  const known = saves.get(columns.join());
  const save = known ?? prepared(['clinic', 'poll', ...columns], savingPoll);
  if (known === undefined) saves.set(columns.join(), save);
  await save(trx, { clinic, poll, ...values });
}

const savingPoll = (db: Db, { clinic, poll, ...values }: Record<string, BoundValue>) =>
  db
    .insertInto('polls')
    .values({ failures: 0, rows: 0, ...(values as Saved), clinic: String(clinic), poll: String(poll) })
    .onConflict((conflict) => conflict.columns(['clinic', 'poll']).doUpdateSet(values as Saved));

const plan = prepared<{ clinic: string; poll: string; next: string; known: string | null }, { poll: string }>(
  ['clinic', 'poll', 'next', 'known'],
  (db, { clinic, poll, next, known }) =>
    db
      .insertInto('polls')
      .values({ failures: 0, rows: 0, clinic, poll, next_due_at: next })
      .onConflict((conflict) =>
        conflict
          .columns(['clinic', 'poll'])
          .doUpdateSet({ next_due_at: next })
          .where(({ eb, or }) =>
            or([
              eb('polls.next_due_at', 'is', null),
              eb('polls.next_due_at', '>=', next),
              eb('polls.next_due_at', '=', known),
            ]),
          ),
      )
      .returning('polls.poll'),
);

const pollsOf = prepared<{ clinic: string }, PollRow>(['clinic'], (db, { clinic }) =>
  db.selectFrom('polls').selectAll().where('clinic', '=', clinic).orderBy('poll'),
);

export function pollVerbs({ db, write }: StoreParts): PollVerbs {
  return {
    async list(clinic) {
      const rows =
        clinic === undefined
          ? await db.selectFrom('polls').selectAll().orderBy('clinic').orderBy('poll').execute()
          : await pollsOf(db, { clinic });
      return rows.map(({ recorded_at, last_started_at, said, ...row }) => ({
        ...row,
        poll: row.poll as Poll,
        ...(said !== null && { said: JSON.parse(said) as Said }),
      }));
    },

    finished: (clinic, poll, at, { error, said }) =>
      write('run', async (trx) => {
        if (error === null) {
          const success = { last_success_at: at, last_error: null, failures: 0, failing_since: null };
          return savePoll(trx, clinic, poll, success);
        }
        const before = await trx
          .selectFrom('polls')
          .select('failures')
          .where((row) => row.and({ clinic, poll }))
          .executeTakeFirst();
        const failures = (before?.failures ?? 0) + 1;
        const since = failures === 1 ? { failing_since: at } : {};
        const inCodes = said === undefined ? null : JSON.stringify(said);
        return savePoll(trx, clinic, poll, { last_error: error, said: inCodes, failures, ...since });
      }),

    // `later`: a run with nothing to do shares one commit with its due time.
    idle: (clinic, poll, at) =>
      write('run', (trx) => savePoll(trx, clinic, poll, { last_idle_at: at }), 'later'),

    due: (clinic, poll, next) =>
      write('run', (trx) => savePoll(trx, clinic, poll, { next_due_at: next }), 'later'),

    // `RETURNING` yields nothing when the `WHERE` of the conflict refuses.
    plan: (clinic, poll, next, known) =>
      write('run', async (trx) => (await plan(trx, { clinic, poll, next, known })).length > 0, 'later'),

    capTimes: (clinic, poll, at) =>
      write('run', async (trx) => {
        for (const column of ['last_success_at', 'last_idle_at', 'failing_since'] as const)
          await trx
            .updateTable('polls')
            .set({ [column]: at })
            .where((row) => row.and({ clinic, poll }))
            .where(column, '>', at)
            .execute();
      }),

    unreadable: (clinic) => listUnreadable(db, clinic),
  };
}
