import { sql } from 'kysely';
import type { BookingVerbs } from '../../ports/bookings.ts';
import type { Db } from '../database.ts';
import { prepared } from '../prepared.ts';

interface Asked {
  clinic: string;
  since: string;
  value: string;
  at_most: number;
}

/** How many were accepted lately, which is asked twice for every submission. */
export function countBookings(db: Db): BookingVerbs['countSince'] {
  return async (clinic, since, by, atMost = Number.MAX_SAFE_INTEGER) => {
    const asked = { clinic, since, at_most: atMost };
    const found =
      'source' in by
        ? await fromSource(db, { ...asked, value: by.source })
        : await withPhone(db, { ...asked, value: by.phone_e164 });
    return found.length;
  };
}

/** Rows instead of a count: a count over a limited selection is a subquery, which costs more than the rows do. */
const found = (column: 'source' | 'phone_e164') =>
  prepared<Asked, { one: number }>(
    ['clinic', 'since', 'value', 'at_most'],
    (db, { clinic, since, value, at_most }) =>
      db
        .selectFrom('bookings')
        .select(sql.lit(1).as('one'))
        .where('clinic', '=', clinic)
        .where(column, '=', value)
        .where('received_at', '>=', since)
        .limit(at_most),
  );

const fromSource = found('source');
const withPhone = found('phone_e164');
