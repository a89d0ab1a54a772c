import { sql } from 'kysely';
import type { LeadCount } from '../../../domain/month-pack.ts';
import type { LeadCounts, OpenAppointment, ReportVerbs, Weekday } from '../../ports/reports.ts';
import type { Db } from '../database.ts';
import { isPostgres, tableIn } from '../dialects.ts';

const has = (outcome: string) => sql.raw(`sum(case when outcome = '${outcome}' then 1 else 0 end)`);

const BOOKED = sql.raw(
  `sum(case when booked_at is not null or state in ('booked', 'booked_no_id') then 1 else 0 end)`,
);

const weekdayIn = (db: Db, { weekday_ahead: seconds }: Weekday): string =>
  isPostgres(db)
    ? `extract(dow from cast(substr(received_at, 1, 19) as timestamp) + interval '${seconds} seconds')`
    : `strftime('%w', substr(received_at, 1, 19), '${seconds} seconds')`;

type LeadVerbs = Pick<ReportVerbs, 'openAppointments' | 'leadsOf' | 'leads' | 'unknownStatuses'>;

/** What the views `leads` and `appointments_open` add up to. */
/** Times are compared as the index for pages has them; SQLite would read a clinic’s whole history otherwise. */
export function leadReports(db: Db): LeadVerbs {
  return {
    async openAppointments(clinic) {
      const { rows } = await sql<OpenAppointment>`
        select clinic, appointment_id, ref, status, source, dentist, booked_at
        from ${tableIn(db, 'appointments_open')} where clinic = ${clinic} order by appointment_id
      `.execute(db);
      return rows;
    },

    async leadsOf(clinic, from, to) {
      const { rows } = await sql<LeadCount>`
        select source, campaign, count(*) as leads, ${BOOKED} as booked, ${has('completed')} as completed
        from ${tableIn(db, 'leads')} where clinic = ${clinic} and (received_at || '') >= ${from} and (received_at || '') < ${to}
        group by source, campaign order by 3 desc, source, campaign
      `.execute(db);
      return rows;
    },

    async leads(clinic, { from, until, by }) {
      const group = sql.raw(typeof by === 'string' ? by : weekdayIn(db, by));
      const { rows } = await sql<Record<keyof LeadCounts, unknown>>`
        select ${group} as "group", case when outcome = 'completed' then currency end as currency, count(*) as leads,
          ${BOOKED} as booked,
          ${has('completed')} as completed, ${has('cancelled')} as cancelled, ${has('no_show')} as no_show,
          ${has('unknown')} as "unknown", ${has('open')} as "open", ${has('lost')} as lost,
          sum(case when outcome = 'completed' then fee end) as value,
          sum(minutes_to_booking) as minutes, count(minutes_to_booking) as with_minutes,
          sum(days_to_visit) as days, count(days_to_visit) as with_days
        from ${tableIn(db, 'leads')}
        where clinic = ${clinic} and (received_at || '') >= ${from} and (received_at || '') < ${until}
        group by 1, 2
      `.execute(db);
      return rows.map(({ group, currency, ...counts }) => ({
        ...(Object.fromEntries(
          Object.entries(counts).map(([name, count]) => [name, Number(count ?? 0)]),
        ) as unknown as Omit<LeadCounts, 'group' | 'currency'>),
        group: group === null ? null : String(group),
        currency: currency === null ? null : String(currency),
      }));
    },

    async unknownStatuses(clinic) {
      const rows = await db
        .selectFrom('status_outcomes')
        .select('status')
        .where('clinic', '=', clinic)
        .where('outcome', '=', 'unknown')
        .orderBy('status')
        .execute();
      return rows.map(({ status }) => status);
    },
  };
}
