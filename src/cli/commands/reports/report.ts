import { openVisitGroups, visitColumns } from '../../../domain/clinics/report-columns.ts';
import { monthOf, wallClockAt } from '../../../domain/date-time.ts';
import { systemClock } from '../../../platform/clock.ts';
import { visitsReport } from '../../../reports/visits.ts';
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
    await answerReport(io, given, {
      ...{ columns: visitColumns, rows, clinics, by, totals: 'alone', none: 'No visits.' },
    });
    const days = new Set(clinics.map(({ timezone }) => wallClockAt(now, timezone).date));
    if (!given.json && !given.csv && rows.length > 0)
      io.err(`Open on ${[...days].join(' or ')} by the clinic’s calendar; days since they were booked.\n`);
  },
});

export const report = group({
  name: 'report <command>',
  describe: 'What bookings and visits add up to',
  commands: [leads, appointments, fees, month],
  examples: { 'report leads --by campaign': 'what became of the leads of each campaign' },
});
