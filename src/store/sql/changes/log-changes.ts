import { sql } from 'kysely';
import type { Change, ChangedResource, ChangeType, NewChange } from '../../../domain/clinics/change.ts';
import { polls, resourceOf } from '../../../domain/clinics/resource.ts';
import type { Instant } from '../../../platform/clock.ts';
import { type Db, fromJson, parseJson, type Trx } from '../database.ts';
import { isPostgres, tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import { savePoll } from '../polls/polls.ts';
import { prepared } from '../prepared.ts';
import type { Stored, tables } from '../schema.ts';
import { atOnce } from '../transaction.ts';
import { appendToChain, chainHeads } from './chain.ts';

export const toChange = (row: Stored<'changes'>): Change => ({
  ...row,
  type: row.type as ChangeType,
  resource: row.resource as ChangedResource,
  data: parseJson(row.data),
  previous: fromJson(row.previous),
});

/** New changes of a clinic. `at` of a change, if set, replaces the common one. */
interface ClinicChanges {
  clinic: string;
  at: Instant;
  changes: readonly (NewChange & { at?: Instant })[];
}

/** Needs no more statements for several clinics, each listed once, than for one. */
export type LogChanges = (trx: Trx, ...all: readonly ClinicChanges[]) => Promise<Change[]>;

/**
 * Appends changes to the clinic's log. Gap-free and in commit order: on SQLite the transaction holds the write lock
 * from its first statement on, on PostgreSQL the clinic's head until it ends. A rollback frees its numbers.
 */
export function logChanges(): LogChanges {
  const latest = latestSequence();
  const insert = insertMany<Stored<'changes'>>(
    ['clinic', 'sequence', 'at', 'type', 'resource', 'id', 'data', 'previous'],
    (trx, rows) => trx.insertInto('changes').values(rows as unknown as Stored<'changes'>[]),
  );
  const lastOf = async (trx: Trx, all: readonly ClinicChanges[]): Promise<Map<string, number>> => {
    if (isPostgres(trx)) return moveHeads(trx, all);
    const found = all.map(async ({ clinic }) => [clinic, await latest(trx, clinic)] as const);
    return new Map(await Promise.all(found));
  };

  return async (trx, ...given) => {
    const all = given.filter(({ changes }) => changes.length > 0);
    if (all.length === 0) return [];
    const [moved, heads] = await atOnce(
      lastOf(trx, all),
      chainHeads(
        trx,
        all.map(({ clinic }) => clinic),
      ),
    );
    const numbered = all.flatMap(({ clinic, at, changes }) => {
      // If the newest changes were deleted by hand, their numbers are not reused.
      const last = Math.max(moved.get(clinic) ?? 0, heads.get(clinic)?.sequence ?? 0);
      return changes.map((change, i) => ({ at, ...change, clinic, sequence: last + 1 + i }));
    });
    const rows = numbered.map((change) => ({
      ...change,
      data: JSON.stringify(change.data),
      previous: change.previous === null ? null : JSON.stringify(change.previous),
      values: change,
    }));
    // Changes of an older version get their hashes first; see `chainOlder`.
    const chained = rows.filter(({ clinic }) => heads.get(clinic)?.pending !== 1);
    await atOnce<unknown[]>(
      insert(trx, rows),
      appendToChain(trx, chained, heads),
      ...all.map((one) => noteLastChange(trx, one)),
    );
    return numbered;
  };
}

/** Reserves numbers; resolves to the last one before them. Others wait until this transaction ends. */
async function moveHeads(trx: Trx, all: readonly ClinicChanges[]): Promise<Map<string, number>> {
  const counts = new Map(all.map(({ clinic, changes }) => [clinic, changes.length]));
  const wanted = [...counts].map(([clinic, count]) => sql`(${clinic}, cast(${count} as bigint))`);
  const { rows } = await sql<{ clinic: string; sequence: number }>`
    insert into ${tableIn(trx, 'clinic_heads')} as head (clinic, sequence) values ${sql.join(wanted)}
    on conflict (clinic) do update set sequence = head.sequence + excluded.sequence, changed_at = clock_timestamp()
    returning clinic, sequence`.execute(trx);
  return new Map(rows.map(({ clinic, sequence }) => [clinic, sequence - (counts.get(clinic) ?? 0)]));
}

/** Stores when each resource last changed; bookings have their own columns. */
async function noteLastChange(trx: Trx, { clinic, at, changes }: ClinicChanges): Promise<void> {
  const changed = new Set(changes.map(({ resource }) => resource));
  for (const poll of polls)
    if (changed.has(resourceOf[poll])) await savePoll(trx, clinic, poll, { last_change_at: at });
}

/** Highest sequence of a clinic; 0 when there is none. */
export function latestSequence(): (db: Db, clinic: string) => Promise<number> {
  const queries = new Map<string, (db: Db, values: object) => Promise<{ sequence: number }[]>>();

  // The clinic's key is part of the statement: with ORDER BY and a bound value, SQLite plans again for every call, at
  // ten times the cost of the look-up, and this runs with every booking. There are few clinics.
  const queryFor = (clinic: string) => {
    const known = queries.get(clinic);
    if (known !== undefined) return known;
    const query = prepared<object, { sequence: number }>([], (db) =>
      db
        .selectFrom('changes')
        .select('sequence')
        .where('clinic', '=', sql.lit(clinic))
        .orderBy('sequence', 'desc')
        .limit(sql.lit(1)),
    );
    queries.set(clinic, query);
    return query;
  };

  return async (db, clinic) => (await queryFor(clinic)(db, {}))[0]?.sequence ?? 0;
}

/** Every clinic in the change log, by one index step each instead of reading all rows. */
export const clinicsWithChanges = (db: Db): Promise<string[]> => clinicsIn(db, 'changes');

export async function clinicsIn(db: Db, table: keyof typeof tables & string): Promise<string[]> {
  const rowsOf = tableIn(db, table);
  const { rows } = await sql<{ clinic: string }>`
    with recursive found(clinic) as (
      select min(clinic) from ${rowsOf}
      union all
      select (select min(clinic) from ${rowsOf} where clinic > found.clinic) from found where found.clinic is not null
    )
    select clinic from found where clinic is not null`.execute(db);
  return rows.map(({ clinic }) => clinic);
}
