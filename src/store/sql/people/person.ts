import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { mentionsPhone, phoneEnd } from '../../../domain/phone.ts';
import { fold } from '../../../platform/text/fold.ts';
import type { PersonFilter, PersonFound } from '../../ports/removal.ts';
import type { StoredBookingRow } from '../bookings/booking-rows.ts';
import { staysErased } from '../changes/erased-fields.ts';
import type { Db } from '../database.ts';
import { isPostgres, tableIn } from '../dialects.ts';
import { type Stored, tables } from '../schema.ts';
import { textsFor } from './texts-with-numbers.ts';

const ROWS_PER_STATEMENT = 500;

/** Columns with free text, without our own timestamps. */
const texts = Object.entries(tables.bookings).flatMap(([name, { type, nullable, json }]) =>
  type === 'TEXT' && nullable && !json && !name.endsWith('_hash') && !name.endsWith('_at')
    ? [name as keyof StoredBookingRow]
    : [],
);

/** See `Store.findPerson`. Indexes narrow the search to the bookings that may contain one of the numbers. */
export async function findPerson(db: Db, { phones = [], refs = [] }: PersonFilter): Promise<PersonFound> {
  const found: PersonFound = { refs: [], mentions: [], same_name: [] };
  const forms = new Set(phones);
  const given = new Set(refs);
  /** Per clinic: a namesake at another clinic is another patient. */
  const names = new Set<string>();
  const isTheirs = (row: StoredBookingRow) =>
    given.has(row.ref) || forms.has(row.phone_e164 ?? '') || forms.has(row.patient_phone ?? '');
  for (const row of await candidates(db, phones, refs)) {
    if (isTheirs(row)) {
      found.refs.push(row.ref);
      if (row.patient_name !== null) names.add(nameKey(row.clinic, row.patient_name));
    } else {
      const fields = texts.filter((name) => isMentioned(name, row[name], phones));
      if (fields.length > 0) found.mentions.push({ ref: row.ref, fields });
    }
  }
  if (names.size === 0) return found;
  for await (const { clinic, appointment_id, name, date, time } of followed(db))
    if (name !== null && names.has(nameKey(clinic, name)))
      found.same_name.push({ clinic, appointment_id, date, time });
  return found;
}

/** A superset of the person's bookings and of those that mention them, by ref. */
async function candidates(
  db: Db,
  phones: readonly string[],
  refs: readonly string[],
): Promise<StoredBookingRow[]> {
  const found = new Map<string, StoredBookingRow>();
  const add = (rows: readonly StoredBookingRow[]) => {
    for (const row of rows) found.set(row.ref, row);
  };
  const all = db.selectFrom('bookings').selectAll();
  if (refs.length > 0) add(await all.where('ref', 'in', refs).execute());
  if (phones.length > 0) {
    const texts = textsFor[isPostgres(db) ? 'postgres' : 'sqlite'];
    const bookings = tableIn(db, 'bookings');
    const key = sql.raw(isPostgres(db) ? 'ref' : 'rowid');
    const digits = [...new Set(phones.map(phoneEnd))].filter((end) => end.length >= 5);
    // Both conditions are answered from narrow indexes, without reading the rows.
    for (const asked of [texts.phonesWithDigits(digits), texts.idsWithDigits(digits)])
      add(
        await all
          .where(sql<boolean>`${key} in (select ${key} from ${bookings} where ${sql.raw(asked)})`)
          .execute(),
      );
    const noted = all.where(condition(texts.withNumbers)).where(condition(texts.withDigits(digits)));
    add(await noted.execute());
  }
  return [...found.values()].toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
}

const condition = (text: string) => sql<boolean>`(${sql.raw(text)})`;

const nameKey = (clinic: string, name: string): string => JSON.stringify([clinic, fold(name)]);

const isMentioned = (field: string, value: unknown, phones: readonly string[]): boolean =>
  typeof value === 'string' &&
  /\p{N}/u.test(value) &&
  !staysErased('booking', field, value) &&
  mentionsPhone(value, phones);

/** Appointments tracked without a booking, in pages; other work of the process runs in between. */
async function* followed(db: Db): AsyncGenerator<Stored<'appointments'>> {
  const all = db
    .selectFrom('appointments')
    .selectAll()
    .where('ref', 'is', null)
    .orderBy('clinic')
    .orderBy('appointment_id')
    .limit(ROWS_PER_STATEMENT);
  for (let page = await all.execute(); ; ) {
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < ROWS_PER_STATEMENT) return;
    await turn();
    page = await all
      .where((row) => {
        const { clinic, appointment_id } = last;
        return row(row.refTuple('clinic', 'appointment_id'), '>', row.tuple(clinic, appointment_id));
      })
      .execute();
  }
}
