import { type RawBuilder, sql } from 'kysely';
import type { Delivery } from '../../../domain/delivery.ts';
import type { DeliveryVerbs } from '../../ports/deliveries.ts';
import type { Db } from '../database.ts';
import { isPostgres, tableIn } from '../dialects.ts';
import type { Stored } from '../schema.ts';

type Row = Stored<'deliveries'>;

export const toDelivery = ({ n, ...row }: Row): Delivery => ({
  ...row,
  state: row.state as Delivery['state'],
});

/**
 * For the deliveries `d`: pending, and first in line for their record. States are literals, because SQLite uses a
 * partial index only for the index's own condition.
 */
const isHead = (db: Db, connector: string) => sql<boolean>`
  d.connector = ${connector} and d.state = 'pending' and not exists (
    select 1 from ${tableIn(db, 'deliveries')} as front
    where front.state in ('pending', 'dead')
      and front.connector = d.connector and front.clinic = d.clinic and front.thing = d.thing
      and (front.sequence, front.n) < (d.sequence, d.n)
  )`;

export const dueDeliveries = (db: Db): Pick<DeliveryVerbs, 'due' | 'nextDue' | 'heldUp'> => ({
  async due(connector, at, limit, after = '') {
    const clinics = await waitingClinics(db, connector);
    const behind = clinics.findIndex((clinic) => clinic > after);
    const inTurn = behind < 0 ? clinics : [...clinics.slice(behind), ...clinics.slice(0, behind)];
    const found: Row[] = [];
    // A clinic that waits for its next attempt must not take the place of one that has something due.
    for (const some of portions(inTurn, Math.max(limit, CLINICS_AT_ONCE))) {
      const most = Math.ceil((limit - found.length) / some.length);
      const rows = Map.groupBy(await firstOfEach(db, { connector, at, clinics: some, most }), clinicOf);
      found.push(...alternating(some.map((clinic) => rows.get(clinic) ?? [])));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit).map(toDelivery);
  },

  async nextDue(connector) {
    const row = await db
      .selectFrom('deliveries as d')
      .select('d.next_attempt_at')
      .where(isHead(db, connector))
      .orderBy('d.next_attempt_at')
      .limit(1)
      .executeTakeFirst();
    return row?.next_attempt_at;
  },

  async heldUp(connector) {
    const row = await db
      .selectFrom('deliveries')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.min('created_at').as('since'),
        fn.min('next_attempt_at').as('next'),
        fn.max('last_error').as('error'),
      ])
      .where('connector', '=', connector)
      .where(sql<boolean>`state = 'pending'`)
      .where('attempts', '>', 0)
      .executeTakeFirstOrThrow();
    const { since, next } = row;
    return since === null || next === null ? undefined : { ...row, since, next };
  },
});

const CLINICS_AT_ONCE = 32;
const clinicOf = ({ clinic }: Row): string => clinic;

const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, place) =>
    all.slice(place * size, (place + 1) * size),
  );

/** In alphabetical order, one index step each, since each clinic may have thousands of rows. */
async function waitingClinics(db: Db, connector: string): Promise<string[]> {
  const next = (behind: RawBuilder<unknown>) => sql`
    select clinic from ${tableIn(db, 'deliveries')}
    where connector = ${connector} and state = 'pending' ${behind} order by clinic limit 1`;
  const { rows } = await sql<{ clinic: string }>`
    with recursive waiting(clinic) as (
      select (${next(sql``)})
      union all
      select (${next(sql`and clinic > waiting.clinic`)}) from waiting where clinic is not null
    )
    select clinic from waiting where clinic is not null
  `.execute(db);
  return rows.map(({ clinic }) => clinic);
}

interface Wanted {
  connector: string;
  at: string;
  clinics: readonly string[];
  /** Per clinic. */
  most: number;
}

/** The first due deliveries of each of these clinics, in order. */
async function firstOfEach(db: Db, { connector, at, clinics, most }: Wanted): Promise<Row[]> {
  const deliveries = tableIn(db, 'deliveries');
  // The time as an expression, so that SQLite uses the index with the right order and sorts nothing.
  const first = (columns: string) => sql`
    select ${sql.raw(columns)} from ${deliveries} as d
    where ${isHead(db, connector)} and d.clinic = chosen.clinic and d.next_attempt_at || '' <= ${at}
    order by d.sequence, d.n limit ${most}`;
  const { rows } = await sql<Row>`
    with chosen(clinic) as (values ${sql.join(clinics.map((clinic) => sql`(${clinic})`))})
    select found.* from chosen ${
      isPostgres(db)
        ? sql`cross join lateral (${first('d.*')}) as found`
        : sql`cross join ${deliveries} as found where found.n in (${first('d.n')})`
    }
  `.execute(db);
  return rows.toSorted((one, other) => one.sequence - other.sequence || one.n - other.n);
}

/** The first of each list, then the second of each, and so on. */
function alternating<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat();
}
