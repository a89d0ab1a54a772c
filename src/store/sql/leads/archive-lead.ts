import { sql } from 'kysely';
import type { Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';

/** To the quarter of an hour, as `booking_counts` has it. */
const quarter = (column: string) =>
  sql.raw(`substr(${column}, 1, 14) || CASE WHEN substr(${column}, 15, 2) < '15' THEN '00'
    WHEN substr(${column}, 15, 2) < '30' THEN '15' WHEN substr(${column}, 15, 2) < '45' THEN '30' ELSE '45' END || ':00.000Z'`);

/** Keeps what reports count of a lead that is removed: nothing that leads to a person. */
export async function archiveLead(trx: Trx, ref: string): Promise<void> {
  const columns = sql.raw(
    'clinic, source, campaign, channel, first_campaign, first_channel, state, outcome, lost_reason',
  );
  await sql`
    insert into ${tableIn(trx, 'archived_leads')} (${columns}, received_at, booked_at, completed_at, treatment_id,
      doctor_id, fee, currency, days_to_visit)
    select ${columns}, ${quarter('received_at')}, ${quarter('booked_at')}, ${quarter('completed_at')}, treatment_id,
      doctor_id, fee_as_sent, currency, days_to_visit
    from ${tableIn(trx, 'leads')} where ref = ${ref}
  `.execute(trx);
}
