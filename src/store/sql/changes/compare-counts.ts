import { type RawBuilder, sql } from 'kysely';
import type { Difference } from '../../ports/changes.ts';
import type { Db } from '../database.ts';
import { tableIn } from '../dialects.ts';

/**
 * What reports count beside the rows of each record, and the changes that it needs: retractions and conversions come
 * with one each, and retention counts only what the log once had. Each statement finds what no change explains.
 */
function unexplained(db: Db, clinic: string): [what: string, found: RawBuilder<{ id: string }>][] {
  const [changes, bookings] = [tableIn(db, 'changes'), tableIn(db, 'bookings')];
  return [
    [
      'retraction of lead',
      sql`select r.ref as id from ${tableIn(db, 'retractions')} r where r.clinic = ${clinic} and not exists (
        select 1 from ${changes} c where c.clinic = r.clinic and c.resource = 'lead' and c.id = r.ref
          and c.type = 'lead.conversion_retracted' and c.at = r.retracted_at) limit 1`,
    ],
    [
      // A version without conversions left only the visit's change, at the same instant.
      'conversion of lead',
      sql`select b.ref as id from ${bookings} b
        where b.clinic = ${clinic} and coalesce(b.completed_at, b.fee) is not null
        and not exists (select 1 from ${changes} c where c.clinic = b.clinic and c.resource = 'lead' and c.id = b.ref)
        and not exists (select 1 from ${changes} c
          where c.clinic = b.clinic and c.resource = 'appointment' and c.at = b.completed_at) limit 1`,
    ],
    [
      'count of removed',
      sql`select 'leads' as id
        where (select count(*) from ${tableIn(db, 'archived_leads')} where clinic = ${clinic}) > (
          select count(distinct c.id) from ${changes} c where c.clinic = ${clinic} and c.resource = 'booking'
          and not exists (select 1 from ${bookings} b where b.ref = c.id))`,
    ],
    [
      // A visit may be followed, removed and followed again.
      'count of removed',
      sql`select 'visits' as id
        where (select coalesce(sum(visits), 0) from ${tableIn(db, 'archived_visits')} where clinic = ${clinic})
        + (select count(*) from ${tableIn(db, 'appointments')} where clinic = ${clinic}) > (
          select count(*) from ${changes}
          where clinic = ${clinic} and resource = 'appointment' and type = 'appointment.tracked')`,
    ],
  ];
}

/** Null if each follows from the log, of which nothing may have been removed. */
export async function firstMiscounted(db: Db, clinic: string): Promise<Difference | null> {
  for (const [resource, found] of unexplained(db, clinic)) {
    const [row] = (await found.execute(db)).rows;
    if (row !== undefined)
      return { resource, id: row.id, field: null, sequence: null, stored: 'present', logged: null };
  }
  return null;
}
