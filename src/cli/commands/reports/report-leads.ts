import { amountForPeople } from '../../../domain/clinics/money.ts';
import { type LeadsRow, leadGroups } from '../../../domain/clinics/report-rows.ts';
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
    const totals = given.json || given.csv ? new Map<LeadsRow, LeadsRow[]>() : totalsOf(rows);
    // The months before those of a year are mostly in that year themselves.
    const beside = (row: LeadsRow, before: number) =>
      given.by === 'month' && totals.has(row) ? '' : ` (${before})`;
    await answerReport(io, given, {
      rows: [...rows, ...totals.keys()],
      none: `No leads received ${[...periods].join(', ')}, nor in the period before.`,
      columns: {
        CLINIC: 'clinic',
        [given.by.toUpperCase()]: ({ group: name }) => name ?? '(none)',
        LEADS: (row) => row.leads + beside(row, row.leads_before),
        BOOKED: (row) => row.booked + beside(row, row.booked_before),
        COMPLETED: (row) => row.completed + beside(row, row.completed_before),
        CANCELLED: 'cancelled',
        'NO-SHOW': 'no_show',
        UNKNOWN: 'unknown',
        OPEN: 'open',
        LOST: 'lost',
        VALUE: (row) => amounts(totals.get(row) ?? [row]),
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
        `These statuses have no meaning configured: ${unknown.join(', ')}\n  ` +
          '→ Name them under clinics.CLINIC.outcomes.\n',
      );
  },
});

/** A total of each clinic that has several rows, and of all clinics, each with the rows in it. */
function totalsOf(rows: readonly LeadsRow[]): Map<LeadsRow, LeadsRow[]> {
  const clinics = [...Map.groupBy(rows, ({ clinic }) => clinic)];
  const totals = new Map<LeadsRow, LeadsRow[]>();
  for (const [clinic, own] of clinics) if (own.length > 1) totals.set(sumLeads(own, clinic), own);
  if (clinics.length > 1) totals.set(sumLeads(rows, `all ${clinics.length}`), [...rows]);
  return totals;
}

function sumLeads(rows: readonly LeadsRow[], clinic: string): LeadsRow {
  const sum = (field: Exclude<keyof LeadsRow, 'clinic' | 'group' | 'currency'>) =>
    rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  return {
    ...{ clinic, group: 'Total', leads: sum('leads'), booked: sum('booked'), completed: sum('completed') },
    ...{ cancelled: sum('cancelled'), no_show: sum('no_show'), unknown: sum('unknown'), open: sum('open') },
    ...{ lost: sum('lost'), value: null, currency: null, hours_to_booking: null, days_to_visit: null },
    ...{ leads_before: sum('leads_before'), booked_before: sum('booked_before') },
    completed_before: sum('completed_before'),
  };
}

/** One amount for each currency. */
function amounts(rows: readonly LeadsRow[]): string {
  if (rows.some(({ value }) => value === null)) return 'several currencies';
  const paid = Map.groupBy(
    rows.filter(({ value }) => value !== 0),
    ({ currency }) => currency,
  );
  if (paid.size === 0) return '0';
  return [...paid]
    .map(([currency, some]) => {
      const amount = some.reduce((total, { value }) => total + (value ?? 0), 0);
      return `${amountForPeople(String(Number(amount.toFixed(4))), currency)} ${currency ?? ''}`.trim();
    })
    .join(' + ');
}

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
