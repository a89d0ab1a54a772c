import { setImmediate as turn } from 'node:timers/promises';
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Booking } from '../../../domain/bookings/booking.ts';
import { searchFields, termsOf } from '../../../domain/bookings/search-terms.ts';
import { isOlderBeside } from '../changes/chain-older.ts';
import { type Db, parseJson, type StoreParts, slices, type Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import { readMemory, writeMemory } from '../installation/key-value.ts';
import type { Schema, Stored } from '../schema.ts';
import { toBooking } from './booking-rows.ts';

type TermRow = Stored<'booking_terms'>;
type Named = Pick<Booking, 'ref' | 'received_at' | (typeof searchFields)[number]>;

const insert = insertMany<TermRow>(['term', 'received_at', 'ref'], (trx, rows) =>
  trx
    .insertInto('booking_terms')
    .values(rows as unknown as TermRow[])
    .onConflict((conflict) => conflict.doNothing()),
);

const addTerms = (trx: Trx, bookings: readonly Named[]): Promise<void> =>
  insert(
    trx,
    bookings
      .flatMap(({ ref, received_at, ...booking }) =>
        termsOf(booking).map((term) => ({ term, received_at, ref })),
      )
      // In index order, so that each page of the index is read and written once.
      .sort((a, b) => compared(a.term, b.term)),
  );

const compared = (a: string, b: string): number => Number(a > b) - Number(a < b);

type DueRow = Stored<'terms_due'>;

const insertDue = insertMany<DueRow>(['received_at', 'ref'], (trx, rows) =>
  trx
    .insertInto('terms_due')
    .values(rows as unknown as DueRow[])
    .onConflict((conflict) => conflict.doNothing()),
);

/** Runs in the transaction that stores the bookings; a lead waits for no more. `fillTerms` writes the terms later. */
export const oweTerms = (trx: Trx, bookings: readonly DueRow[]): Promise<void> =>
  insertDue(
    trx,
    bookings.map(({ received_at, ref }) => ({ received_at, ref })),
  );

export async function forgetTerms(trx: Trx, ref: string): Promise<void> {
  await trx.deleteFrom('booking_terms').where('ref', '=', ref).execute();
}

/** Updates the terms after a user's correction. */
export async function renewTerms(trx: Trx, before: Named, after: Named): Promise<void> {
  if (searchFields.every((field) => before[field] === after[field])) return;
  await forgetTerms(trx, after.ref);
  await addTerms(trx, [after]);
}

/** Sorts after every term with a given beginning. */
const END = '\u{10ffff}';

/** Bookings without terms that a search examines directly. There are more only after an upgrade. */
const MOST_DUE = 10_000;

export async function termsDue(db: Db): Promise<{ count: number; most: number }> {
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (select 1 from ${tableIn(db, 'terms_due')} limit ${sql.lit(MOST_DUE)}) as due`.execute(db);
  return { count: Number(rows[0]?.count ?? 0), most: MOST_DUE };
}

/**
 * Bookings that have a matching term for each of these beginnings: those with exactly the longest one first, then the
 * others, each newest first. Reads the longest one's index in order, up to `limit`; examines bookings without terms
 * directly.
 */
export async function withTerms(db: Db, beginnings: readonly string[], limit: number): Promise<Booking[]> {
  const [first, ...others] = beginnings.toSorted((a, b) => b.length - a.length);
  if (first === undefined || limit < 1) return [];
  const terms = tableIn(db, 'booking_terms');
  const hasOthers = others.map(
    (beginning) => sql`and exists (select 1 from ${terms} as other where other.ref = found.ref
      and other.term >= ${beginning} and other.term < ${beginning + END})`,
  );
  // Before the index: a booking that gets its terms in between is then found twice rather than never.
  const due = await dueBookings(db, beginnings);
  const found = new Set<string>();
  const look = async (range: RawBuilder<unknown>, isMeant: (term: string) => boolean) => {
    // One booking may have several matching terms.
    const { rows } = await sql<DueRow>`select ref, received_at from ${terms} as found
      where ${range} ${sql.join(hasOthers, sql` `)}
      order by term desc, received_at desc limit ${sql.lit(limit * 2)}`.execute(db);
    const waiting = due.filter((booking) => termsOf(booking).some(isMeant));
    for (const { ref } of [...rows, ...waiting].sort(newestFirst)) if (found.size < limit) found.add(ref);
  };
  await look(sql`term = ${first}`, (term) => term === first);
  if (found.size < limit)
    await look(sql`term > ${first} and term < ${first + END}`, (term) => term.startsWith(first));
  if (found.size === 0) return [];
  const rows = await db
    .selectFrom('bookings')
    .selectAll()
    .where('ref', 'in', [...found])
    .execute();
  return rows.map(toBooking).sort(newestFirst);
}

const newestFirst = (a: DueRow, b: DueRow): number =>
  compared(b.received_at, a.received_at) || compared(a.ref, b.ref);

/** The newest bookings without terms that would match all of these beginnings. */
async function dueBookings(db: Db, beginnings: readonly string[]): Promise<Named[]> {
  const due = db.selectFrom('terms_due').select(['received_at', 'ref']);
  const newest = await due
    .orderBy('received_at', 'desc')
    .orderBy('ref', 'desc')
    .limit(sql.lit(MOST_DUE))
    .execute();
  const found: Named[] = [];
  for (const some of slices(newest, PORTION)) {
    const rows = await named(
      db,
      some.map(({ ref }) => ref),
    );
    const isMeant = (terms: readonly string[]) =>
      beginnings.every((beginning) => terms.some((term) => term.startsWith(beginning)));
    found.push(...rows.filter((row) => isMeant(termsOf(row))));
    await turn();
  }
  return found;
}

const named = (db: Db, refs: readonly string[]): Promise<Named[]> =>
  db
    .selectFrom('bookings')
    .select(['ref', 'received_at', ...searchFields])
    .where('ref', 'in', [...refs])
    .execute();

/** Takes a few milliseconds, so that leads never wait long. */
const PORTION = 250;

const SCOPE = 'search';
const KEY = 'filled';
/** The migration that introduced `terms_due`: older daemons do not fill it. */
const DUE = 130;
/** Bookings queued per transaction; each is a row of two columns. */
const OWED = 1_000;

/**
 * Queues one portion of the bookings of older versions for their terms, newest first, unless a daemon of such a version
 * is still running. Resolves to their number.
 */
async function oweOlder(trx: Trx): Promise<number> {
  const noted = await readMemory(trx, SCOPE, KEY);
  if (noted === undefined || (await isOlderBeside(trx, DUE))) return 0;
  const before = placeIn(noted);
  const newest = trx
    .selectFrom('bookings')
    .select(['received_at', 'ref'])
    .orderBy('received_at', 'desc')
    .orderBy('ref', 'desc')
    .limit(OWED);
  const rows = await (before === undefined ? newest : newest.where(isBelow(before))).execute();
  await insertDue(trx, rows);
  if (rows.length === OWED) await writeMemory(trx, SCOPE, KEY, JSON.stringify({ before: rows.at(-1) }));
  else
    await trx
      .deleteFrom('memory')
      .where((row) => row.and({ scope: SCOPE, key: KEY }))
      .execute();
  return rows.length;
}

/** The last booking queued so far; undefined at the beginning. */
function placeIn(noted: string): DueRow | undefined {
  if (!noted.startsWith('{"before":')) return undefined;
  return parseJson<{ before: { received_at: string; ref: string } }>(noted).before;
}

const isBelow =
  ({ received_at, ref }: DueRow) =>
  (row: ExpressionBuilder<Schema, 'bookings'>) =>
    row.and([
      row('received_at', '<=', received_at),
      row.or([row('received_at', '<', received_at), row('ref', '<', ref)]),
    ]);

/** Writes the terms queued by `oweTerms`, newest first, in short transactions. Resolves to the number of bookings. */
export async function fillTerms({ db, write }: StoreParts, signal?: AbortSignal): Promise<number> {
  const inPortions = async (size: number, portion: () => Promise<number>) => {
    let total = 0;
    for (let count = size; count === size; total += count) {
      signal?.throwIfAborted();
      await turn();
      count = await portion();
    }
    return total;
  };
  if ((await readMemory(db, SCOPE, KEY)) !== undefined)
    await inPortions(OWED, () => write('prune', oweOlder, 'soon'));
  return inPortions(PORTION, async () => {
    const due = await someDue(db);
    return due.length === 0 ? 0 : write('prune', fillPortion, 'soon');
  });
}

const someDue = (db: Db): Promise<DueRow[]> =>
  db
    .selectFrom('terms_due')
    .select(['received_at', 'ref'])
    .orderBy('received_at', 'desc')
    .orderBy('ref', 'desc')
    .limit(PORTION)
    .execute();

async function fillPortion(trx: Trx): Promise<number> {
  const due = await someDue(trx);
  const last = due.at(-1);
  if (last === undefined) return 0;
  // Bookings removed or erased since have no terms.
  await addTerms(
    trx,
    await named(
      trx,
      due.map(({ ref }) => ref),
    ),
  );
  await trx
    .deleteFrom('terms_due')
    .where('received_at', '>=', last.received_at)
    .where((row) => row.or([row('received_at', '>', last.received_at), row('ref', '>=', last.ref)]))
    .execute();
  return due.length;
}
