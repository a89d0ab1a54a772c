import { wallClockAt } from '../../domain/date-time.ts';
import { type OpenVisits, openVisitGroups } from '../../domain/report-rows.ts';
import { systemClock } from '../../platform/clock.ts';
import { openVisits } from '../../reports/appointments.ts';
import { clinicArgument, command, group } from '../command.ts';
import { answerReport, csvArgument, ofEach } from '../report-output.ts';
import { chosenClinics, withStore } from '../with-app.ts';
import { fees } from './report-fees.ts';
import { leads } from './report-leads.ts';
import { month } from './report-month.ts';

const appointments = command({
  name: 'appointments',
  describe: 'Open visits, by how many days ago they were booked',
  args: {
    by: { choices: openVisitGroups, default: 'status', describe: 'One row for each' },
    clinic: clinicArgument,
    csv: csvArgument,
  },
  examples: { 'report appointments --by dentist': 'whose visits are open' },
  open: withStore,
  async run(io, given, { config, store }) {
    const now = systemClock.now();
    const clinics = chosenClinics(config, given.clinic);
    const rows = (await ofEach(io, clinics, ({ key }) => openVisits(store, key, given.by, now))).flat();
    const isTable = !given.json && !given.csv;
    await answerReport(io, given, {
      rows: isTable && rows.length > 1 ? [...rows, totalOf(rows)] : rows,
      none: 'No visit is open.',
      columns: {
        CLINIC: 'clinic',
        [given.by.toUpperCase()]: ({ group: name }) => name ?? '(unknown)',
        OPEN: 'open',
        '0–7 DAYS': 'days_0_7',
        '8–30': 'days_8_30',
        '31–90': 'days_31_90',
        'OVER 90': 'days_over_90',
        OLDEST: ({ oldest_days }) => `${oldest_days} d`,
      },
      fields: [
        ...(['clinic', 'group', 'open', 'days_0_7', 'days_8_30', 'days_31_90'] as const),
        ...(['days_over_90', 'oldest_days'] as const),
      ],
    });
    const days = new Set(clinics.map(({ timezone }) => wallClockAt(now, timezone).date));
    if (isTable && rows.length > 0)
      io.err(`Open on ${[...days].join(' or ')} by the clinic’s calendar; days since they were booked.\n`);
  },
});

function totalOf(rows: readonly OpenVisits[]): OpenVisits {
  const sum = (field: Exclude<keyof OpenVisits, 'clinic' | 'group'>) =>
    rows.reduce((total, row) => total + row[field], 0);
  const clinics = new Set(rows.map(({ clinic }) => clinic));
  return {
    clinic: clinics.size === 1 ? (rows[0]?.clinic ?? '') : `all ${clinics.size}`,
    ...{ group: 'Total', open: sum('open'), days_0_7: sum('days_0_7'), days_8_30: sum('days_8_30') },
    ...{ days_31_90: sum('days_31_90'), days_over_90: sum('days_over_90') },
    oldest_days: Math.max(...rows.map(({ oldest_days }) => oldest_days)),
  };
}

export const report = group({
  name: 'report <command>',
  describe: 'What bookings and visits add up to',
  commands: [leads, appointments, fees, month],
  examples: { 'report leads --by campaign': 'what became of the leads of each campaign' },
});
