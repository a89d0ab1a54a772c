import { mentionsPhone } from '../../model/phone.ts';
import type { Mention, PersonFound } from '../store.ts';
import type { Db } from './database.ts';
import { staysErased } from './erased-fields.ts';

/** Rows a turn: a command reads all bookings once, and leaves the daemon's own reads alone meanwhile. */
const PAGE = 2_000;

/**
 * The bookings of a phone number, given in every way it may have been written, and those in whose other texts the number
 * occurs. Reads every booking, page by page, outside any transaction.
 */
export async function findPerson(db: Db, phones: readonly string[]): Promise<PersonFound> {
  const refs: string[] = [];
  const mentions: Mention[] = [];
  const forms = new Set(phones);
  let after = '';
  for (;;) {
    const rows = await db
      .selectFrom('bookings')
      .selectAll()
      .where('ref', '>', after)
      .orderBy('ref')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      if (forms.has(row.phone_e164 ?? '') || forms.has(row.patient_phone ?? '')) refs.push(row.ref);
      else {
        const fields = Object.entries(row).flatMap(([field, value]) =>
          typeof value === 'string' && !staysErased('booking', field, value) && mentionsPhone(value, phones)
            ? [field]
            : [],
        );
        if (fields.length > 0) mentions.push({ ref: row.ref, fields });
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return { refs, mentions };
    after = last.ref;
  }
}
