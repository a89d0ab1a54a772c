import { setImmediate as turn } from 'node:timers/promises';
import { mentionsPhone } from '../../../domain/phone.ts';
import { fold } from '../../../platform/fold.ts';
import type { Person, PersonFound } from '../../ports/erasure.ts';
import type { BookingRow } from '../bookings/booking-rows.ts';
import type { Db } from '../database.ts';
import { staysErased } from '../erasure/erased-fields.ts';
import { type Stored, tables } from '../schema.ts';

const ROWS_PER_STATEMENT = 500;

/** Columns in which any text may be. */
const texts = Object.entries(tables.bookings).flatMap(([name, { type, nullable, json }]) =>
  type === 'TEXT' && nullable && !json && name !== 'content_hash' ? [name as keyof BookingRow] : [],
);

/** See `Store.findPerson`. No column is indexed by what may be anywhere in a text, so all rows are read, page by page. */
export async function findPerson(db: Db, { phones = [], refs = [] }: Person): Promise<PersonFound> {
  const found: PersonFound = { refs: [], mentions: [], same_name: [] };
  const forms = new Set(phones);
  const given = new Set(refs);
  /** Per clinic: a namesake at another clinic is another patient. */
  const names = new Set<string>();
  const isTheirs = (row: BookingRow) =>
    given.has(row.ref) || forms.has(row.phone_e164 ?? '') || forms.has(row.patient_phone ?? '');
  for await (const row of bookings(db)) {
    if (isTheirs(row)) {
      found.refs.push(row.ref);
      if (row.patient_name !== null) names.add(nameKey(row.clinic, row.patient_name));
    } else {
      const fields = texts.filter((name) => isMentioned(name, row[name], phones));
      if (fields.length > 0) found.mentions.push({ ref: row.ref, fields });
    }
  }
  if (names.size === 0) return found;
  for await (const { clinic, appointment_id, name, date, time, ref } of appointments(db))
    if (ref === null && name !== null && names.has(nameKey(clinic, name)))
      found.same_name.push({ clinic, appointment_id, date, time });
  return found;
}

const nameKey = (clinic: string, name: string): string => JSON.stringify([clinic, fold(name)]);

const isMentioned = (field: string, value: unknown, phones: readonly string[]): boolean =>
  typeof value === 'string' &&
  /\p{N}/u.test(value) &&
  !staysErased('booking', field, value) &&
  mentionsPhone(value, phones);

const bookings = (db: Db) =>
  pages((last?: BookingRow) => {
    const all = db.selectFrom('bookings').selectAll().orderBy('ref').limit(ROWS_PER_STATEMENT);
    return (last === undefined ? all : all.where('ref', '>', last.ref)).execute();
  });

const appointments = (db: Db) =>
  pages((last?: Stored<'appointments'>) => {
    const all = db
      .selectFrom('appointments')
      .selectAll()
      .orderBy('clinic')
      .orderBy('appointment_id')
      .limit(ROWS_PER_STATEMENT);
    if (last === undefined) return all.execute();
    const { clinic, appointment_id } = last;
    return all
      .where((row) => row(row.refTuple('clinic', 'appointment_id'), '>', row.tuple(clinic, appointment_id)))
      .execute();
  });

/** All rows, in pages; other work of the process gets its turn between two. */
async function* pages<Row>(read: (last?: Row) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const rows: Row[] = await read(last);
    yield* rows;
    last = rows.length === ROWS_PER_STATEMENT ? rows.at(-1) : undefined;
    await turn();
  } while (last !== undefined);
}
