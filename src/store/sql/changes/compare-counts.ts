import { type RawBuilder, sql } from 'kysely';
import { noClinic } from '../../../domain/bookings/booking.ts';
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

/** The quarter of an hour in which a lead came, as its bucket is named. */
const QUARTER = sql`substr(received_at, 1, 14) || case when substr(received_at, 15, 2) < '15' then '00'
  when substr(received_at, 15, 2) < '30' then '15' when substr(received_at, 15, 2) < '45' then '30' else '45' end`;

/**
 * The first count of leads that is not as their rows and the log have them. Removed leads stay counted, in the state
 * that they had; of these, the log gives the number, unless retention removed some of it (`isWhole`).
 */
export async function firstFalseCount(db: Db, clinic: string, isWhole: boolean): Promise<Difference | null> {
  const [changes, bookings] = [tableIn(db, 'changes'), tableIn(db, 'bookings')];
  const mine = sql`where clinic = ${clinic}`;
  const counts = sql`(select bucket, source, state, count as n from ${tableIn(db, 'booking_counts')} ${mine}) c`;
  const known = sql`(select count(*) from (
    select id from ${changes} ${mine} and resource = 'booking' ${staying(db, clinic)}
    union select ref from ${bookings} ${mine}) k)`;
  const inAll = sql`union all select 'all', coalesce(sum(n), 0), ${known} from ${counts}
    where bucket = '' having coalesce(sum(n), 0) <> ${known}`;
  const { rows } = await sql<Pick<Difference, 'id'> & Record<'stored' | 'logged', number>>`
    select p.source || ' ' || p.state as id, coalesce(c.n, 0) as stored, p.n as logged from (
      select '' as bucket, source, state, count(*) as n from ${bookings} ${mine} group by source, state
      union all
      select ${QUARTER}, source, state, count(*) from ${bookings} ${mine} group by ${QUARTER}, source, state) p
    left join ${counts} on c.bucket = p.bucket and c.source = p.source and c.state = p.state
    where p.n > coalesce(c.n, 0)
    union all
    select source || ' ' || state, sum(case when bucket = '' then n else 0 end),
      sum(case when bucket = '' then 0 else n end) from ${counts}
    group by source, state having sum(case when bucket = '' then n else -n end) <> 0
    ${isWhole ? inAll : sql``}
    limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { id, stored, logged } = row;
  const values = { stored: String(stored), logged: String(logged) };
  return { resource: 'leads', id, field: 'count', sequence: null, ...values };
}

/**
 * Bookings that did not leave this clinic: one that named none of several is logged under `noClinic`, and from then on
 * under the clinic that a person chose for it.
 */
export const staying = (db: Db, clinic: string) =>
  clinic === noClinic
    ? sql`and id not in (select id from ${tableIn(db, 'changes')} where clinic <> ${noClinic} and resource = 'booking')`
    : sql``;

/** Null if each follows from the log, of which nothing may have been removed. */
export async function firstMiscounted(db: Db, clinic: string): Promise<Difference | null> {
  for (const [resource, found] of unexplained(db, clinic)) {
    const [row] = (await found.execute(db)).rows;
    if (row !== undefined)
      return { resource, id: row.id, field: null, sequence: null, stored: 'present', logged: null };
  }
  return null;
}
