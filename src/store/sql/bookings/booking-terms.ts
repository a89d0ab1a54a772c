import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Booking } from '../../../domain/booking.ts';
import { searchFields, termsOf } from '../../../domain/search-terms.ts';
import { isOlderBeside } from '../changes/chain-older.ts';
import { type Db, type Parts, parseJson, type Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import { readMemory, writeMemory } from '../installation/key-value.ts';
import type { Stored } from '../schema.ts';
import { toBooking } from './booking-rows.ts';

type TermRow = Stored<'booking_terms'>;
type Named = Pick<Booking, 'ref' | 'received_at' | (typeof searchFields)[number]>;

const insert = insertMany<TermRow>(['term', 'received_at', 'ref'], (trx, rows) =>
  trx
    .insertInto('booking_terms')
    .values(rows as unknown as TermRow[])
    .onConflict((conflict) => conflict.doNothing()),
);

/** In the transaction that stores the bookings. */
export const addTerms = (trx: Trx, bookings: readonly Named[]): Promise<void> =>
  insert(
    trx,
    bookings.flatMap((booking) =>
      termsOf(booking).map((term) => ({ term, received_at: booking.received_at, ref: booking.ref })),
    ),
  );

export async function forgetTerms(trx: Trx, ref: string): Promise<void> {
  await trx.deleteFrom('booking_terms').where('ref', '=', ref).execute();
}

/** After a person corrected a booking. */
export async function renewTerms(trx: Trx, before: Named, after: Named): Promise<void> {
  if (searchFields.every((field) => before[field] === after[field])) return;
  await forgetTerms(trx, after.ref);
  await addTerms(trx, [after]);
}

/** Behind every term that begins so; no character sorts after it. */
const END = '\u{10ffff}';

/**
 * Bookings of which, for each of these, a term begins so: those with just the first of them before others, each the newest
 * first. Reads the index of the longest one in its order, and stops at `limit`.
 */
export async function withTerms(db: Db, beginnings: readonly string[], limit: number): Promise<Booking[]> {
  const [first, ...others] = beginnings.toSorted((a, b) => b.length - a.length);
  if (first === undefined || limit < 1) return [];
  const terms = tableIn(db, 'booking_terms');
  const hasOthers = others.map(
    (beginning) => sql`and exists (select 1 from ${terms} as other where other.ref = found.ref
      and other.term >= ${beginning} and other.term < ${beginning + END})`,
  );
  const refs = new Set<string>();
  const look = async (range: RawBuilder<unknown>) => {
    // One booking may have several terms that begin so.
    const { rows } = await sql<{ ref: string }>`select ref from ${terms} as found
      where ${range} ${sql.join(hasOthers, sql` `)}
      order by term desc, received_at desc limit ${sql.lit(limit * 2)}`.execute(db);
    for (const { ref } of rows) if (refs.size < limit) refs.add(ref);
  };
  await look(sql`term = ${first}`);
  if (refs.size < limit) await look(sql`term > ${first} and term < ${first + END}`);
  if (refs.size === 0) return [];
  const rows = await db
    .selectFrom('bookings')
    .selectAll()
    .where('ref', 'in', [...refs])
    .execute();
  return rows
    .map(toBooking)
    .sort((a, b) => b.received_at.localeCompare(a.received_at) || a.ref.localeCompare(b.ref));
}

/** Takes some milliseconds, so that a lead never waits long. */
const PORTION = 250;
const SCOPE = 'search';
const KEY = 'filled';

/** From where on bookings of older versions have no terms; see `fillTerms`. */
export async function noteUnfilled(trx: Trx): Promise<void> {
  const { rows } = await sql`select 1 from bookings limit 1`.execute(trx);
  if (rows.length > 0) await writeMemory(trx, SCOPE, KEY, JSON.stringify({ received_at: '', ref: '' }));
}

/** The step of the schema that brought the terms. */
const TERMS = 120;

/** Gives the bookings of versions without terms theirs, the oldest first, in short transactions. Resolves to their number. */
export async function fillTerms({ db, write }: Parts, signal?: AbortSignal): Promise<number> {
  if ((await readMemory(db, SCOPE, KEY)) === undefined || (await isOlderBeside(db, TERMS))) return 0;
  let total = 0;
  for (let count = PORTION; count === PORTION; total += count) {
    signal?.throwIfAborted();
    await turn();
    count = await write('prune', fillPortion, 'soon');
  }
  return total;
}

async function fillPortion(trx: Trx): Promise<number> {
  const noted = await readMemory(trx, SCOPE, KEY);
  if (noted === undefined) return 0;
  const behind = parseJson<{ received_at: string; ref: string }>(noted);
  const rows = await trx
    .selectFrom('bookings')
    .select(['ref', 'received_at', ...searchFields])
    .where('received_at', '>=', behind.received_at)
    .where((row) => row.or([row('received_at', '>', behind.received_at), row('ref', '>', behind.ref)]))
    .orderBy('received_at')
    .orderBy('ref')
    .limit(PORTION)
    .execute();
  await addTerms(trx, rows);
  const last = rows.at(-1);
  if (last === undefined || rows.length < PORTION)
    await trx
      .deleteFrom('memory')
      .where((row) => row.and({ scope: SCOPE, key: KEY }))
      .execute();
  else await writeMemory(trx, SCOPE, KEY, JSON.stringify({ received_at: last.received_at, ref: last.ref }));
  return rows.length;
}
