import { sql } from 'kysely';
import type { Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';

/** Rounds down to the quarter of an hour, as in `booking_counts`. */
const quarter = (column: string) =>
  sql.raw(`substr(${column}, 1, 14) || CASE WHEN substr(${column}, 15, 2) < '15' THEN '00'
    WHEN substr(${column}, 15, 2) < '30' THEN '15' WHEN substr(${column}, 15, 2) < '45' THEN '30'
      ELSE '45' END || ':00.000Z'`);

/** Keeps what reports count of a removed lead, without anything that identifies a person. */
export async function archiveLead(trx: Trx, ref: string): Promise<void> {
  const columns = sql.raw(
    'clinic, source, campaign, channel, first_campaign, first_channel, state, outcome, lost_reason',
  );
  await sql`
    insert into ${tableIn(trx, 'archived_leads')} (${columns}, received_at, booked_at, completed_at, treatment_id,
      doctor_id, fee, currency, days_to_visit, minutes_to_booking)
    select ${columns}, ${quarter('received_at')}, ${quarter('booked_at')}, ${quarter('completed_at')}, treatment_id,
      doctor_id, fee_as_sent, currency, days_to_visit, minutes_to_booking
    from ${tableIn(trx, 'leads')} where ref = ${ref}
  `.execute(trx);
}

/** Counts a removed visit by its day and last known status. */
export async function archiveVisit(trx: Trx, clinic: string, appointmentId: number): Promise<void> {
  await sql`
    insert into ${tableIn(trx, 'archived_visits')} (clinic, date, status, visits)
    select clinic, date, coalesce(status, ''), 1 from ${tableIn(trx, 'appointments')}
    where clinic = ${clinic} and appointment_id = ${appointmentId} and date is not null
    on conflict (clinic, date, status) do update set visits = archived_visits.visits + 1
  `.execute(trx);
}
