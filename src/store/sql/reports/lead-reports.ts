import { type RawBuilder, sql } from 'kysely';
import {
  leadFigures,
  type OpenVisits,
  type ReportColumns,
  type VisitPeriod,
} from '../../../domain/clinics/report-columns.ts';
import { daysAfter, daysBetween } from '../../../domain/date-time.ts';
import { instant } from '../../../platform/clock.ts';
import { SECOND } from '../../../platform/duration.ts';
import type { LeadColumn, LeadTotals, ReportSteps, ReportVerbs } from '../../ports/reports.ts';
import type { Db } from '../database.ts';
import { tableIn } from '../dialects.ts';

const BOOKED = sql.raw(
  `sum(case when booked_at is not null or state in ('booked', 'booked_no_id') then 1 else 0 end)`,
);

/** Each column that counts an outcome. */
const OUTCOMES = sql.raw(
  Object.entries<ReportColumns[string]>(leadFigures)
    .flatMap(([name, { outcome }]) =>
      outcome === undefined ? [] : [`sum(case when outcome = '${outcome}' then 1 else 0 end) as "${name}"`],
    )
    .join(', '),
);

function groupOf(by: LeadColumn | ReportSteps): RawBuilder<unknown> {
  if (typeof by === 'string') return sql.ref(by);
  const steps = by.steps.map(({ until, group }) => sql`when received_at < ${until} then ${group}`);
  return sql`case ${sql.join(steps, sql` `)} end`;
}

/** The clinic's present day, by the offsets that the views use. */
async function todayOf(db: Db, clinic: string, now: number): Promise<string> {
  const clock = await db
    .selectFrom('clinic_clocks')
    .select('ahead')
    .where('clinic', '=', clinic)
    .where('since', '<=', instant(now))
    .orderBy('since', 'desc')
    .limit(1)
    .executeTakeFirst();
  return instant(now + Number(clock?.ahead ?? 0) * SECOND).slice(0, 10);
}

type LeadVerbs = Pick<ReportVerbs, 'openVisits' | 'visitsBy' | 'leads' | 'leadSpan' | 'unknownStatuses'>;

/** By the visit's date. Without a period, visits whose date was never read count, too. */
const datedIn = ({ from, to }: VisitPeriod, date = 'date') =>
  sql`${from === undefined ? sql`` : sql`and ${sql.ref(date)} >= ${from}`}
    ${to === undefined ? sql`` : sql`and ${sql.ref(date)} <= ${to}`}`;

const groupOfVisit = { status: 'a.status', dentist: 'd.doctor_name', source: 'b.source' } as const;

/** Sums over the views `leads` and `appointments_open`. */
/** Times are compared as expressions of the index for pages; otherwise SQLite would read a clinic’s whole history. */
export function leadReports(db: Db): LeadVerbs {
  return {
    async visitsBy(clinic, by, period) {
      const ofRemoved = by === 'status' ? sql`nullif(status, '')` : sql`null`;
      const { rows } = await sql<{ group: string | null; visits: number }>`
        select "group", cast(sum(visits) as bigint) as visits from (
          select ${sql.ref(groupOfVisit[by])} as "group", count(*) as visits from ${tableIn(db, 'appointments')} a
          left join ${tableIn(db, 'bookings')} b on b.ref = a.ref
          left join ${tableIn(db, 'dentists_things')} d on d.clinic = a.clinic and d.id = cast(b.doctor_id as text)
          where a.clinic = ${clinic} ${datedIn(period, 'a.date')} group by 1
          union all select ${ofRemoved}, visits from ${tableIn(db, 'archived_visits')}
          where clinic = ${clinic} ${datedIn(period)}) all_of_them
        group by 1`.execute(db);
      return rows.map(({ group, visits }) => ({ group, visits: Number(visits) }));
    },

    async openVisits(clinic, by, now, period = {}) {
      const ended = await db
        .selectFrom('status_outcomes')
        .select('status')
        .where('clinic', '=', clinic)
        .where('outcome', 'in', ['completed', 'cancelled', 'no_show'])
        .execute();
      const isOver = new Set(ended.map(({ status }) => status));
      const going = (await statusesOf(db, clinic)).filter((status) => !isOver.has(status));
      const isOpen = sql`(status is null ${going.length === 0 ? sql`` : sql`or status in (${sql.join(going)})`})`;
      const today = await todayOf(db, clinic, now);
      const between = (newer: number | null, older: number | null) => sql`sum(case when
        ${older === null ? sql`1 = 1` : sql`booked_on > ${daysAfter(today, -older)}`} and
        ${newer === null ? sql`1 = 1` : sql`booked_on <= ${daysAfter(today, -newer)}`} then 1 else 0 end)`;
      const { rows } = await sql<Omit<OpenVisits, 'clinic' | 'oldest_days'> & { oldest_on: string }>`
        select ${sql.ref(by)} as "group", count(*) as open, ${between(null, 8)} as days_0_7,
          ${between(8, 31)} as days_8_30,
          ${between(31, 91)} as days_31_90, ${between(91, null)} as days_over_90, min(booked_on) as oldest_on
        from ${tableIn(db, 'appointments_open')} where clinic = ${clinic} and ${isOpen} ${datedIn(period)} group by 1
      `.execute(db);
      return rows.map(({ group, oldest_on, ...counts }) => ({
        ...(Object.fromEntries(
          Object.entries(counts).map(([name, count]) => [name, Number(count)]),
        ) as unknown as Omit<OpenVisits, 'clinic' | 'group' | 'oldest_days'>),
        ...{ clinic, group, oldest_days: Math.max(0, daysBetween(oldest_on, today)) },
      }));
    },

    async leads(clinic, { from, until, by, withCampaign = false }) {
      const within = withCampaign ? sql`campaign` : sql`null`;
      const { rows } = await sql<Record<keyof LeadTotals | 'within', unknown>>`
        select ${groupOf(by)} as "group", ${within} as within,
          case when outcome = 'completed' then currency end as currency, count(*) as leads,
          ${BOOKED} as booked, ${OUTCOMES}, sum(case when outcome = 'completed' then fee end) as value,
          sum(minutes_to_booking) as minutes, count(minutes_to_booking) as with_minutes,
          sum(days_to_visit) as days, count(days_to_visit) as with_days
        from ${tableIn(db, 'leads')}
        where clinic = ${clinic} and (received_at || '') >= ${from} and (received_at || '') < ${until}
        group by 1, 2, 3
      `.execute(db);
      const text = (value: unknown) => (value === null ? null : String(value));
      return rows.map(({ group, within: campaign, currency, ...counts }) => ({
        ...(Object.fromEntries(
          Object.entries(counts).map(([name, count]) => [name, Number(count ?? 0)]),
        ) as unknown as Omit<LeadTotals, 'group' | 'campaign' | 'currency'>),
        ...{ group: text(group), campaign: text(campaign), currency: text(currency) },
      }));
    },

    async leadSpan(clinic) {
      const ends = async (direction: 'asc' | 'desc') => {
        const [present, archived] = await Promise.all([
          db
            .selectFrom('bookings')
            .select('received_at')
            .where('clinic', '=', clinic)
            .orderBy(sql`(received_at || '')`, direction)
            .limit(1)
            .executeTakeFirst(),
          db
            .selectFrom('archived_leads')
            .select('received_at')
            .where('clinic', '=', clinic)
            .orderBy('received_at', direction)
            .limit(1)
            .executeTakeFirst(),
        ]);
        return [present, archived].flatMap((one) => one?.received_at ?? []).sort();
      };
      const [first, last] = [(await ends('asc')).at(0), (await ends('desc')).at(-1)];
      return first === undefined || last === undefined ? undefined : { first, last };
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
