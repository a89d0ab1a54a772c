import { sql } from 'kysely';
import type { EarlierLead, Gap } from '../../../domain/clinics/month.ts';
import type { ReportVerbs } from '../../ports/reports.ts';
import { toChange } from '../changes/log-changes.ts';
import { type Db, slices } from '../database.ts';
import { tableIn } from '../dialects.ts';

type Verbs = Pick<
  ReportVerbs,
  'visitChanges' | 'bookedThen' | 'earlierLeads' | 'completedStatuses' | 'logBegins' | 'gaps'
>;

const REFS_PER_STATEMENT = 1_000;

/** What was learned about closed months, and the gaps in it. */
export function closedMonths(db: Db): Verbs {
  return {
    async visitChanges(clinic, from, to) {
      const rows = await db
        .selectFrom('changes')
        .selectAll()
        .where('clinic', '=', clinic)
        .where('resource', '=', sql.lit('appointment'))
        .where('at', '>=', from)
        .where('at', '<', to)
        .orderBy('at')
        .orderBy('sequence')
        .execute();
      return rows.map(toChange);
    },

    async bookedThen(clinic, from, to) {
      const rows = await db
        .selectFrom('changes')
        .select('id')
        .distinct()
        .where('clinic', '=', clinic)
        .where('type', '=', sql.lit('booking.booked'))
        .where('at', '>=', from)
        .where('at', '<', to)
        .execute();
      return rows.map(({ id }) => id);
    },

    async earlierLeads(clinic, before, refs) {
      const leads: EarlierLead[] = [];
      for (const some of slices(refs, REFS_PER_STATEMENT)) {
        // By ref alone: with a clinic or an instant to compare, SQLite would read all of the clinic's bookings.
        const rows = await db
          .selectFrom('bookings')
          .select(['clinic', 'ref', 'source', 'campaign', 'received_at'])
          .where('ref', 'in', some)
          .execute();
        for (const { clinic: of, ...lead } of rows)
          if (of === clinic && lead.received_at < before) leads.push(lead);
      }
      return leads;
    },

    async completedStatuses(clinic) {
      const rows = await db
        .selectFrom('status_outcomes')
        .select('status')
        .where((row) => row.and({ clinic, outcome: 'completed' }))
        .execute();
      return new Set(rows.map(({ status }) => status));
    },

    async logBegins(clinic) {
      const [removed, first] = await Promise.all([
        db.selectFrom('removed_changes').select('at').where('clinic', '=', clinic).executeTakeFirst(),
        db
          .selectFrom('changes')
          .select('at')
          .where('clinic', '=', clinic)
          .orderBy('sequence')
          .limit(1)
          .executeTakeFirst(),
      ]);
      return removed && first?.at;
    },

    async gaps(clinic, from, to) {
      const { rows } = await sql<Gap>`
        select poll, from_at, to_at from ${tableIn(db, 'poll_gaps')}
        where clinic = ${clinic} and from_at < ${to} and to_at > ${from}
        union all select poll, recorded_at, null from ${tableIn(db, 'polls')}
        where clinic = ${clinic} and poll in ('treatments', 'dentists') and recorded_at < ${to}
        order by 2
      `.execute(db);
      return rows;
    },
  };
}
