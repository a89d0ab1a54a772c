import { sql } from 'kysely';
import { mentionsPhone, PHONE_TAIL } from '../../../domain/phone.ts';
import type { Mention, PersonFound } from '../../store.ts';
import type { Db } from '../database.ts';
import { staysErased } from '../erasure/erased-fields.ts';
import { tables } from '../schema.ts';

/** Columns in which anything may be written. */
const texts = Object.entries(tables.bookings).flatMap(([name, { type, nullable, json }]) =>
  type === 'TEXT' && nullable && !json && name !== 'content_hash' ? [name] : [],
);

/**
 * The bookings of a phone number, given in every way it may have been written, and those in whose other texts the number
 * occurs. The database looks through all of them for the number's last digits and for other than Latin writing; only
 * what it finds is looked at more closely.
 */
export async function findPerson(db: Db, phones: readonly string[]): Promise<PersonFound> {
  const found: PersonFound = { refs: [], mentions: [] };
  const forms = new Set(phones);
  for (const row of await candidates(db, phones)) {
    if (forms.has(row.phone_e164 ?? '') || forms.has(row.patient_phone ?? '')) found.refs.push(row.ref);
    else {
      const fields = Object.entries(row).flatMap(([field, value]) =>
        typeof value === 'string' && !staysErased('booking', field, value) && mentionsPhone(value, phones)
          ? [field]
          : [],
      );
      const mention: Mention = { ref: row.ref, fields };
      if (fields.length > 0) found.mentions.push(mention);
    }
  }
  return found;
}

async function candidates(db: Db, phones: readonly string[]) {
  const tails = new Set(phones.map((phone) => phone.replace(/\D/g, '').slice(-PHONE_TAIL)));
  const all = sql.join(
    texts.map((name) => sql`coalesce(${sql.ref(name)}, '')`),
    sql` || '|' || `,
  );
  const bare = [' ', '-', '.', '(', ')', '/'].reduce(
    (text, separator) => sql`replace(${text}, ${separator}, '')`,
    sql`(${all})`,
  );
  const conditions = [
    sql<boolean>`phone_e164 in (${sql.join([...phones])})`,
    sql<boolean>`patient_phone in (${sql.join([...phones])})`,
    sql<boolean>`(${all}) glob '*[^ -~]*'`,
    ...[...tails].filter((tail) => tail !== '').map((tail) => sql<boolean>`instr(${bare}, ${tail}) > 0`),
  ];
  return db
    .selectFrom('bookings')
    .selectAll()
    .where((row) => row.or(conditions))
    .orderBy('ref')
    .execute();
}
