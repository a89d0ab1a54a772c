import { wallClockAt } from '../../domain/date-time.ts';
import { amountForPeople } from '../../domain/money.ts';
import {
  type LeadsRow,
  leadGroups,
  monthOf,
  type Period,
  presentMonth,
  yearTo,
} from '../../domain/report-rows.ts';
import { systemClock } from '../../platform/clock.ts';
import { leadsReport } from '../../reports/leads.ts';
import { clinicArgument, command } from '../command.ts';
import { Exit, exit } from '../io.ts';
import { whileWorking } from '../progress.ts';
import { answerReport, csvArgument } from '../report-output.ts';
import { clinicKeys, withStore } from '../with-app.ts';
import { dayArgument } from './report-fees.ts';

const month = (given: unknown): string => {
  const text = String(given);
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new Exit(exit.usage, `${text} is not a month; write it as 2026-03.`);
};

export const leads = command({
  name: 'leads',
  describe: 'What became of the leads: booked, completed, lost, beside the period before',
  args: {
    by: { choices: leadGroups, default: 'source', describe: 'One row for each' },
    month: { type: 'string', describe: 'Leads of this month, 2026-03; default: this month', coerce: month },
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
    const rows: LeadsRow[] = [];
    const unknown: string[] = [];
    const keys = clinicKeys(config, given.clinic);
    const chosen = config.clinics.filter(({ key }) => keys.includes(key));
    const now = systemClock.now();
    const present = presentMonth(chosen, now);
    const periods = new Set<string>();
    for (const { key: clinic, timezone: zone } of chosen) {
      const period = periodOf(given, wallClockAt(now, zone).date, present);
      periods.add(`${period.from} to ${period.to}`);
      rows.push(
        ...(await whileWorking(io, `Adding up ${clinic}`, () =>
          leadsReport(store, {
            ...{ clinic, zone, by: given.by, touch: given.touch },
            period,
          }),
        )),
      );
      unknown.push(...(await store.reports.unknownStatuses(clinic)).map((status) => `${clinic}: ${status}`));
    }
    await answerReport(io, given, {
      rows,
      none: 'No leads in this period.',
      columns: {
        CLINIC: 'clinic',
        [given.by.toUpperCase()]: ({ group: name }) => name ?? '(none)',
        LEADS: ({ leads, leads_before }) => `${leads} (${leads_before})`,
        BOOKED: ({ booked, booked_before }) => `${booked} (${booked_before})`,
        COMPLETED: ({ completed, completed_before }) => `${completed} (${completed_before})`,
        CANCELLED: 'cancelled',
        'NO-SHOW': 'no_show',
        UNKNOWN: 'unknown',
        OPEN: 'open',
        LOST: 'lost',
        VALUE: ({ value, currency }) =>
          value === null
            ? 'several currencies'
            : [amountForPeople(String(value), currency), currency].filter((part) => part !== null).join(' '),
        'TO BOOKING': ({ hours_to_booking }) => (hours_to_booking === null ? '' : `${hours_to_booking} h`),
        'TO VISIT': ({ days_to_visit }) => (days_to_visit === null ? '' : `${days_to_visit} d`),
      },
      fields: leadFields,
    });
    if (given.json || given.csv) return;
    if (rows.length > 0)
      io.err(`Leads received ${[...periods].join(', ')}; in brackets: the period before.\n`);
    if (unknown.length > 0)
      io.err(
        `These statuses have no meaning configured: ${unknown.join(', ')}\n  → Name them under clinics.CLINIC.outcomes.\n`,
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

const leadFields = [
  ...([
    'clinic',
    'group',
    'leads',
    'booked',
    'completed',
    'cancelled',
    'no_show',
    'unknown',
    'open',
  ] as const),
  ...(['lost', 'value', 'currency', 'hours_to_booking', 'days_to_visit'] as const),
  ...(['leads_before', 'booked_before', 'completed_before'] as const),
];
