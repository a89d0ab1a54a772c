import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { tableIn } from '../dialects.ts';

/** The statuses of a clinic's appointments, one index step each, whatever the number of appointments. */
export async function statusesOf(db: Db, clinic: string): Promise<string[]> {
  const appointments = tableIn(db, 'appointments');
  const { rows } = await sql<{ status: string }>`
    with recursive statuses (status) as (
      select min(status) from ${appointments} where clinic = ${clinic}
      union all select (select min(a.status) from ${appointments} a where a.clinic = ${clinic} and a.status > s.status)
      from statuses s where s.status is not null)
    select status from statuses where status is not null
  `.execute(db);
  return rows.map(({ status }) => status);
}
