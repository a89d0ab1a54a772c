import type { Poll } from '../../../domain/clinics/resource.ts';
import type { NewUnreadable, Unreadable } from '../../ports/polls.ts';
import type { Db, Trx } from '../database.ts';
import { asWholeNumber } from '../dialects.ts';

/** A record without a readable id is identified by its position in the list. */
const keyOf = ({ id, position }: NewUnreadable): string => id ?? `[${position}]`;

/** Replaces the unreadable records of a list; the others were read or are gone. */
export async function replaceUnreadable(
  trx: Trx,
  clinic: string,
  poll: Poll,
  at: string,
  records: readonly NewUnreadable[],
): Promise<void> {
  for (const record of records) await noteUnreadable(trx, clinic, poll, at, record);
  await trx
    .deleteFrom('unreadable')
    .where((row) => row.and({ clinic, poll }))
    .where('last_at', '<>', at)
    .execute();
}

/** Counts one more answer in which the record was unreadable. */
export async function noteUnreadable(
  trx: Trx,
  clinic: string,
  poll: Poll,
  at: string,
  record: NewUnreadable,
): Promise<void> {
  const { id, position, field, problem } = record;
  await trx
    .insertInto('unreadable')
    .values({
      ...{ clinic, poll, thing: keyOf(record), id, position, field, problem },
      ...{ tries: 1, first_at: at, last_at: at },
    })
    .onConflict((conflict) =>
      conflict.columns(['clinic', 'poll', 'thing']).doUpdateSet((row) => ({
        ...{ id, position, field, problem },
        tries: row('unreadable.tries', '+', 1),
        last_at: at,
      })),
    )
    .execute();
}

export const forgetUnreadable = (trx: Trx, clinic: string, poll: Poll, ids: readonly string[]) =>
  trx
    .deleteFrom('unreadable')
    .where((row) => row.and({ clinic, poll }))
    .where('thing', 'in', ids)
    .execute();

/** See `PollVerbs.unreadable`. */
export async function listUnreadable(db: Db, clinic?: string): Promise<Unreadable[]> {
  let query = db
    .selectFrom('unreadable')
    .selectAll()
    // Untracked appointments are no longer read.
    .where((row) =>
      row.or([
        row('poll', '<>', 'appointments'),
        row.exists(
          row
            .selectFrom('appointments')
            .select('appointments.clinic')
            .whereRef('appointments.clinic', '=', 'unreadable.clinic')
            .where('appointments.appointment_id', '=', asWholeNumber(db, 'unreadable.id'))
            .where('appointments.done', '=', 0),
        ),
      ]),
    )
    .orderBy('clinic')
    .orderBy('poll')
    .orderBy('first_at')
    .orderBy('thing');
  if (clinic !== undefined) query = query.where('unreadable.clinic', '=', clinic);
  const rows = await query.execute();
  return rows.map(({ thing, ...row }): Unreadable => ({ ...row, poll: row.poll as Poll }));
}
