import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { PHONE_TAIL } from '../../domain/phone.ts';
import type { Db, Trx } from './database.ts';

/**
 * The schema of a PostgreSQL database, from its dialect's adapter; undefined on SQLite. Tables are qualified with it,
 * because behind a pooler no search path can be relied on.
 */
export function schemaOf(db: Db): string | undefined {
  const { schema }: { schema?: string } = db.getExecutor().adapter as object;
  return schema;
}

export const isPostgres = (db: Db): boolean => schemaOf(db) !== undefined;

/** Caches what is compiled for SQLite and for each PostgreSQL schema. */
export function compiledOnce<T>(): (db: Db, compile: () => T) => T {
  let ofSqlite: T | undefined;
  const ofSchema = new Map<string, T>();

  return (db, compile) => {
    const schema = schemaOf(db);
    if (schema === undefined) {
      ofSqlite ??= compile();
      return ofSqlite;
    }
    const known = ofSchema.get(schema) ?? compile();
    ofSchema.set(schema, known);
    return known;
  };
}

/**
 * A value to compare with. SQLite plans a statement again for each bare bound value if it orders, limits or uses a
 * partial index, which costs twenty times the look-up.
 */
export const comparedValue = <T extends string>(value: T): RawBuilder<T> => sql<T>`(select ${value})`;

/** For tables in hand-written SQL; kysely qualifies those of its own builders. */
export function tableIn(db: Db, name: string): RawBuilder<unknown> {
  const schema = schemaOf(db);
  return sql.table(schema === undefined ? name : `${schema}.${name}`);
}

/** Rows inserted, updated and deleted so far by this connection or transaction; compare two readings. */
export async function rowsChanged(trx: Trx): Promise<number> {
  const query = isPostgres(trx)
    ? sql<{ count: number }>`
        select sum(n_tup_ins + n_tup_upd + n_tup_del) as count from pg_catalog.pg_stat_xact_user_tables`
    : sql<{ count: number }>`select total_changes() as count`;
  return (await query.execute(trx)).rows[0]?.count ?? 0;
}

/** The instant `days` days ago, by the database's own clock. */
export const daysAgo = (db: Db, days: number): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`to_char(now() at time zone 'utc' - make_interval(days => ${days}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`-${days} days`})`;

/** Exactly the indexes' own conditions; any other would read every booked row. */
export const DIFFERING = {
  sqlite: "json_array_length(evidence, '$.mismatch') > 0",
  postgres: "json_array_length((evidence::json) -> 'mismatch') > 0",
};
export const isDiffering = (db: Db): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.raw(DIFFERING[isPostgres(db) ? 'postgres' : 'sqlite'])}`;

/** The last characters of a text column, or all of a shorter one. */
export const ending = (db: Db, column: string, length: number): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`right(${sql.ref(column)}, ${sql.lit(length)})`
    : sql<string>`substr(${sql.ref(column)}, ${sql.lit(-length)})`;

/** Columns of the index of cancellations and moves, by the ending of the phone number. */
export const TASKS = {
  sqlite: `clinic, (substr(phone_e164, -${PHONE_TAIL})), received_at`,
  postgres: `clinic, ("right"(phone_e164, ${PHONE_TAIL})), received_at`,
};

/** Ascending, with null before everything else. */
export const ascending = (db: Db, column: string): RawBuilder<unknown> =>
  isPostgres(db) ? sql`${sql.ref(column)} nulls first` : sql.ref(column);

/** A text column as a whole number; if it is none, null on PostgreSQL and 0 on SQLite. */
export const asWholeNumber = (db: Db, column: string): RawBuilder<number | null> =>
  isPostgres(db)
    ? sql<
        number | null
      >`case when ${sql.ref(column)} ~ '^[0-9]{1,18}$' then cast(${sql.ref(column)} as bigint) end`
    : sql<number | null>`cast(${sql.ref(column)} as integer)`;
