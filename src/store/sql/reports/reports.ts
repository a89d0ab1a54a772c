import { type RawBuilder, sql } from 'kysely';
import type { FeePeriod } from '../../../domain/clinics/fees.ts';
import type { VisitCount } from '../../../domain/clinics/month.ts';
import { statistics } from '../../../domain/clinics/resource.ts';
import type { ReportVerbs } from '../../ports/reports.ts';
import type { Db } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { closedMonths } from './closed-months.ts';
import { leadReports, statusesOf } from './lead-reports.ts';

export function reportVerbs(db: Db): ReportVerbs {
  return {
    ...leadReports(db),
    ...closedMonths(db),

    async feePeriods(clinic, from, to) {
      const rows = await db
        .selectFrom('fee_periods')
        .selectAll()
        .where('clinic', '=', clinic)
        .where('valid_from', '<', to)
        .where((row) => row.or([row('valid_to', 'is', null), row('valid_to', '>=', from)]))
        .orderBy('kind', 'desc')
        .orderBy(sql`length(id)`)
        .orderBy('id')
        .orderBy('valid_from')
        .orderBy('sequence')
        .execute();
      return rows as FeePeriod[];
    },

    async feePeriodsOf(clinic, { kind, id }, { limit, before }) {
      const rows = await db
        .selectFrom('fee_periods')
        .selectAll()
        .where((row) => row.and({ clinic, kind, id }))
        .$if(before !== undefined, (query) => query.where('valid_from', '<', before ?? ''))
        .orderBy('valid_from', 'desc')
        .orderBy('sequence', 'desc')
        .limit(limit)
        .execute();
      return rows as FeePeriod[];
    },

    async feesAt(clinic, kind, { end, limit, after }) {
      const { rows } = await sql<FeePeriod>`
        select * from ${tableIn(db, 'fee_periods')}
        where clinic = ${clinic} and kind = ${kind} and valid_from < ${end} and (valid_to is null or valid_to >= ${end})
          ${
            after === undefined
              ? sql``
              : sql`and length(id) >= ${after.length}
            and (length(id), id) > (${after.length}, ${after})`
          }
        order by length(id), id, valid_from limit ${limit}
      `.execute(db);
      return rows;
    },

    async knownSince(clinic) {
      const { rows } = await sql<{ at: string | null }>`
        select min(first_seen_at) as at from (
          select first_seen_at from ${tableIn(db, 'organization_things')} where clinic = ${clinic}
          union all select first_seen_at from ${tableIn(db, 'treatments_things')} where clinic = ${clinic}
          union all select first_seen_at from ${tableIn(db, 'dentists_things')} where clinic = ${clinic}) all_of_them
      `.execute(db);
      return rows[0]?.at ?? undefined;
    },

    async visits(clinic, from, to) {
      const appointments = tableIn(db, 'appointments');
      const counted = (having: RawBuilder<unknown>) => sql`
        select status, count(*) as visits from ${appointments}
        where clinic = ${clinic} and ${having} and date >= ${from} and date < ${to} group by status`;
      const statuses = await statusesOf(db, clinic);
      const { rows } = await sql<VisitCount>`
        select status, cast(sum(visits) as bigint) as visits from (
          ${counted(sql`status is null`)}
          ${statuses.length === 0 ? sql`` : sql`union all ${counted(sql`status in (${sql.join(statuses)})`)}`}
          union all select nullif(status, ''), visits from ${tableIn(db, 'archived_visits')}
          where clinic = ${clinic} and date >= ${from} and date < ${to}) all_of_them
        group by status order by visits desc, status
      `.execute(db);
      return rows.map(({ status, visits }) => ({ status, visits: Number(visits) }));
    },

    async figures(clinic, at) {
      return db
        .selectFrom('organization_statistics')
        .select(['at', ...statistics])
        .where('clinic', '=', clinic)
        .where('at', '<', at)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
    },
  };
}
