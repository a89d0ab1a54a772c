import { openVisitGroups, type VisitsRow } from '../../../domain/clinics/report-rows.ts';
import { monthOf, wallClockAt } from '../../../domain/date-time.ts';
import { systemClock } from '../../../platform/clock.ts';
import { visitsReport } from '../../../reports/appointments.ts';
import { clinicArgument, command, group } from '../../command.ts';
import { chosenClinics } from '../../configuration.ts';
import { answerReport, csvArgument, monthOnly, ofEach, refuseContradictions } from '../../report-output.ts';
import { withStore } from '../../with-app.ts';
import { dayArgument, fees } from './report-fees.ts';
import { leads } from './report-leads.ts';
import { month } from './report-month.ts';

const appointments = command({
  name: 'appointments',
  describe: 'All visits, and how many days ago the open ones were booked',
  args: {
    by: { choices: openVisitGroups, default: 'status', describe: 'One row for each' },
    month: { type: 'string', describe: 'Visits in this month, 2026-03; default: all', coerce: monthOnly },
    from: dayArgument('Visits from this day on'),
    to: dayArgument('To this day, included'),
    clinic: clinicArgument,
    csv: csvArgument,
  },
  examples: {
    'report appointments --by dentist': 'whose visits are open',
    'report appointments --month 2026-03': 'what became of the visits of a month',
  },
  open: withStore,
  async run(io, given, { config, store }) {
    refuseContradictions(given);
    const { by, month } = given;
    const period = month === undefined ? { from: given.from, to: given.to } : monthOf(month);
    const now = systemClock.now();
    const clinics = chosenClinics(config, given.clinic);
    const ofClinic = ({ key: clinic }: { key: string }) => visitsReport(store, { clinic, by, now, period });
    const rows = (await ofEach(io, clinics, ofClinic)).flat();
    const isTable = !given.json && !given.csv;
    await answerReport(io, given, {
      rows: isTable && rows.length > 1 ? [...rows, totalOf(rows)] : rows,
      none: 'No visits.',
      columns: {
        CLINIC: 'clinic',
        [by.toUpperCase()]: ({ group: name }) => name ?? '(unknown)',
        VISITS: 'visits',
        OPEN: 'open',
        '0–7 DAYS': 'days_0_7',
        '8–30': 'days_8_30',
        '31–90': 'days_31_90',
        'OVER 90': 'days_over_90',
        OLDEST: ({ oldest_days }) => (oldest_days === null ? '' : `${oldest_days} d`),
      },
      fields: [
        ...(['clinic', 'group', 'visits', 'open', 'days_0_7', 'days_8_30', 'days_31_90'] as const),
        ...(['days_over_90', 'oldest_days'] as const),
      ],
    });
    const days = new Set(clinics.map(({ timezone }) => wallClockAt(now, timezone).date));
    if (isTable && rows.length > 0)
      io.err(`Open on ${[...days].join(' or ')} by the clinic’s calendar; days since they were booked.\n`);
  },
});

function totalOf(rows: readonly VisitsRow[]): VisitsRow {
  const sum = (field: Exclude<keyof VisitsRow, 'clinic' | 'group'>) =>
    rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  const oldest = rows.flatMap(({ oldest_days }) => oldest_days ?? []);
  const clinics = new Set(rows.map(({ clinic }) => clinic));
  return {
    clinic: clinics.size === 1 ? (rows[0]?.clinic ?? '') : `all ${clinics.size}`,
    ...{ group: 'Total', visits: sum('visits'), open: sum('open'), days_0_7: sum('days_0_7') },
    ...{ days_8_30: sum('days_8_30'), days_31_90: sum('days_31_90'), days_over_90: sum('days_over_90') },
    oldest_days: oldest.length === 0 ? null : Math.max(...oldest),
  };
}

export const report = group({
  name: 'report <command>',
  describe: 'What bookings and visits add up to',
  commands: [leads, appointments, fees, month],
  examples: { 'report leads --by campaign': 'what became of the leads of each campaign' },
});
