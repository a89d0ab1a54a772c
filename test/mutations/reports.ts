import type { MutationSet } from './mutation.ts';

/** What a played year must notice: its simulator knows every figure. */
export const reports: MutationSet = {
  module: 'reports',
  tests: ['test/stories/year-of-reports.test.ts'],
  titles: 'SQLite',
  mutations: [
    {
      file: 'src/store/sql/leads/conversions.ts',
      find: 'const when = visit_at !== undefined && visit_at < at ? visit_at : at;',
      replace: 'const when = at;',
      harm: 'a visit is worth what its treatment costs when its status is read',
    },
    {
      file: 'src/store/sql/leads/conversions.ts',
      find: "if (isConverted === (outcome === 'completed')) return [];",
      replace: "if (isConverted || outcome !== 'completed') return [];",
      harm: 'a cancelled visit stays a conversion',
    },
    {
      file: 'src/store/sql/leads/conversions.ts',
      find: '  if (isConverted) await noteRetraction(trx, lead, visit);\n',
      replace: '',
      harm: 'no platform is told that a visit was cancelled',
    },
    {
      file: 'src/store/sql/leads/lead-views.ts',
      find: 'day(at, aheadAt(at, clinic))',
      replace: "day(at, '0')",
      harm: 'days are counted from the day in Greenwich',
    },
    {
      file: 'src/store/sql/retention/prune-bookings.ts',
      find: '  await archiveVisit(trx, clinic, appointment_id);\n',
      replace: '',
      harm: 'months have fewer visits once retention has removed them',
    },
    {
      file: 'src/store/sql/retention/prune-changes.ts',
      find: '!mayEndMonth(toMs(at), toMs(next.at))',
      replace: 'next.at.slice(0, 7) === at.slice(0, 7)',
      harm: 'the figures at a month’s end are thinned away where it does not end with UTC’s',
    },
    {
      file: 'src/reports/fee-report.ts',
      find: 'instant(startOfDay(dayAfter(on), timezone))',
      replace: 'instant(startOfDay(on, timezone))',
      harm: 'a day’s price list leaves out what changed on the day',
    },
    {
      file: 'src/store/sql/fees/fee-book.ts',
      find: 'if (former !== undefined) end(former, change);',
      replace: 'if (former !== undefined && !isGone) end(former, change);',
      harm: 'a treatment that is gone keeps its price',
    },
    {
      file: 'src/store/sql/fees/fee-book.ts',
      find: "if (type.endsWith('.removed')) period.removed_by = sequence;",
      replace: 'period.removed_by = null;',
      harm: 'a removal leads to no line of the change log',
    },
    {
      file: 'src/store/sql/fees/fee-book.ts',
      find: 'if (period.currency === currency) continue;',
      replace: 'period.currency = currency;\n      continue;',
      harm: 'a clinic’s new currency is that of its former prices',
    },
    {
      file: 'src/reports/leads.ts',
      find: "'00:00', zone).ms",
      replace: "'00:00', 'UTC').ms",
      harm: 'leads of the clinic’s evening belong to the next day',
    },
    {
      file: 'src/store/sql/reports/lead-reports.ts',
      find: "sum(case when booked_at is not null or state in ('booked', 'booked_no_id') then 1 else 0 end)",
      replace: "sum(case when state = 'booked' then 1 else 0 end)",
      harm: 'bookings without a number are not counted as booked',
    },
    {
      file: 'src/reports/month-corrections.ts',
      find: '?? now, now].find',
      replace: '?? now].find',
      harm: 'a visit moved into a closed month is not listed',
    },
    {
      file: 'src/reports/month-corrections.ts',
      find: 'from_at < from',
      replace: 'from_at > from',
      harm: 'fees found changed after an outage over a month’s end are not listed',
    },
  ],
};
