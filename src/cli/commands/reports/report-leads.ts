import { leadColumns, leadGroups } from '../../../domain/clinics/report-columns.ts';
import { monthOf, type Period, presentMonth, wallClockAt, yearTo } from '../../../domain/date-time.ts';
import { systemClock } from '../../../platform/clock.ts';
import { leadsReport } from '../../../reports/leads.ts';
import { clinicArgument, command } from '../../command.ts';
import { chosenClinics } from '../../configuration.ts';
import { answerReport, csvArgument, monthOnly, ofEach, refuseContradictions } from '../../report-output.ts';
import { withStore } from '../../with-app.ts';
import { dayArgument } from './report-fees.ts';

export const leads = command({
  name: 'leads',
  describe: 'What became of the leads: booked, completed, lost, beside the period before',
  args: {
    by: { choices: leadGroups, default: 'source', describe: 'One row for each' },
    month: {
      type: 'string',
      describe: 'Leads of this month, 2026-03; default: this month',
      coerce: monthOnly,
    },
    from: dayArgument('Leads from this day on'),
    to: dayArgument('To this day, included; default: today'),
    touch: {
      choices: ['last', 'first'],
      default: 'last',
      describe: 'Campaign and channel of the newest submission, or of the first with the phone number',
    },
    clinic: clinicArgument,
    csv: csvArgument,
  },
  examples: {
    'report leads --by campaign': 'this month, beside the month before',
    'report leads --by month --from 2026-01-01': 'how the year has gone',
  },
  open: withStore,
  async run(io, given, { config, store }) {
    refuseContradictions(given);
    const chosen = chosenClinics(config, given.clinic);
    const now = systemClock.now();
    const present = presentMonth(chosen, now);
    const periods = new Set<string>();
    const unknown: string[] = [];
    const parts = await ofEach(io, chosen, async ({ key: clinic, timezone: zone }) => {
      const period = periodOf(given, wallClockAt(now, zone).date, present);
      periods.add(`${period.from} to ${period.to}`);
      unknown.push(...(await store.reports.unknownStatuses(clinic)).map((status) => `${clinic}: ${status}`));
      return leadsReport(store, { clinic, zone, by: given.by, touch: given.touch, period });
    });
    const rows = parts.flat();
    await answerReport(io, given, {
      ...{ columns: leadColumns, rows, clinics: chosen, by: given.by },
      none: `No leads received ${[...periods].join(', ')}, nor in the period before.`,
      // The months before those of a year are mostly in that year themselves.
      totals: given.by === 'month' ? 'alone' : 'with before',
    });
    if (given.json || given.csv) return;
    if (rows.length > 0)
      io.err(`Leads received ${[...periods].join(', ')}; in brackets: the period before.\n`);
    if (unknown.length > 0)
      io.err(
        `These statuses have no meaning configured: ${unknown.join(', ')}\n  ` +
          '→ Name them under clinics.CLINIC.outcomes.\n',
      );
  },
});

/** The given month or days; by default this month, or twelve months when grouped by month. */
function periodOf(
  given: { by: string; month: string | undefined; from: string | undefined; to: string | undefined },
  today: string,
  present: string,
): Period {
  if (given.month !== undefined) return monthOf(given.month);
  const { to = today } = given;
  if (given.from !== undefined) return { from: given.from, to };
  if (given.to !== undefined) return { from: monthOf(to.slice(0, 7)).from, to };
  return given.by === 'month' ? yearTo(present) : monthOf(present);
}
