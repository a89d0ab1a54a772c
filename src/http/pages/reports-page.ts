import { clinicLabels } from '../../domain/clinics/clinic-label.ts';
import { amountForPeople } from '../../domain/clinics/money.ts';
import {
  type LeadGroup,
  type LeadsRow,
  leadGroups,
  type OpenVisits,
  weekdays,
} from '../../domain/clinics/report-rows.ts';
import { HOUR } from '../../platform/duration.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { printedBarChart } from '../../reports/charts.ts';
import type { TextName } from '../../texts/texts.ts';
import { clinicSelect } from './changes-page.ts';
import { card, linkToMore } from './parts/card.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { type PageColumn, table } from './parts/table.ts';

/** The figures of `report leads` and `report appointments` for one clinic. */
export interface ClinicFigures {
  clinic: string;
  name: string | null;
  timezone: string;
  leads: readonly LeadsRow[];
  visits: readonly OpenVisits[];
  /** Statuses without a configured meaning. */
  unknownStatuses: readonly string[];
}

interface ReportsPage {
  shown: readonly ClinicFigures[];
  clinics: readonly { clinic: string; name: string | null }[];
  /** The selected clinic. */
  clinic: string | undefined;
  by: LeadGroup;
  /** `YYYY-MM` */
  month: string;
  /** Selectable months, newest first. */
  months: readonly string[];
  /** The address of the following clinics. */
  next: string | null;
  viewer: Viewer;
}

const groupNames = {
  source: 'source',
  campaign: 'by_campaign',
  channel: 'by_channel',
  dentist: 'dentist',
  treatment: 'treatment',
  weekday: 'by_weekday',
  month: 'by_month',
} as const satisfies Record<LeadGroup, TextName>;

const MOST_BARS = 12;
const MOST_ROWS = 200;

/** The figures of `clinic-sync report` for each clinic, and side by side when there are several. */
export function reportsPage(page: ReportsPage): string {
  const { shown, clinics, clinic, by, month, next, viewer } = page;
  const { locale } = viewer;
  const { t } = locale;
  const [first] = shown;
  return layout({
    title: t('nav_reports'),
    viewer,
    locale: shown.length === 1 && first ? locale.inZone(first.timezone) : locale,
    body: html`
      <h1>${t('nav_reports')} <span class="faint">${monthName(month, locale)}</span></h1>
      <p class="lead">${t('reports_lead')} ${t('value_hint')}</p>
      <form method="get" action="/reports" class="filter">
        ${clinics.length > 1 && clinicSelect(clinics, clinic, t('all'), t('clinic'))}
        <label>
          ${t('by_month')}
          <select name="month">
            ${page.months.map(
              (one) =>
                html`<option value="${one}"${one === month && html` selected`}>${monthName(one, locale)}</option>`,
            )}
          </select>
        </label>
        <input type="hidden" name="by" value="${by}"><button class="quiet">${t('show')}</button>
      </form>
      <nav class="filters no-print" aria-label="${t('report_by')}">
        ${leadGroups.map(
          (one) => html`
            <a href="${reportAddressOf({ clinic, month, by: one })}"${one === by && html` aria-current="page"`}>
              ${t(groupNames[one])}
            </a>
          `,
        )}
      </nav>
      ${shown.length > 1 && together(page, locale)}${shown.map((one) => clinicSection(one, page, locale))}
      ${linkToMore(next, t('next_page'))}
    `,
  });
}

interface Address {
  clinic: string | undefined;
  month: string;
  by: LeadGroup;
  after?: string;
}

export const reportAddressOf = ({ clinic, ...asked }: Address): string =>
  `/reports?${new URLSearchParams({ ...(clinic !== undefined && { clinic }), ...asked })}`;

const monthName = (month: string, { inZone }: Locale): string =>
  inZone('UTC').date(Date.parse(`${month}-01`), { month: 'long', year: 'numeric' });

/** Sums of rows, with values by currency: amounts in different currencies are never added. */
interface Sum {
  label: string;
  of: readonly LeadsRow[];
}

function together({ shown, clinics: all, by }: ReportsPage, locale: Locale): Html {
  const labelOf = clinicLabels(all);
  const { t } = locale;
  const title = t('together', { count: shown.length });
  const clinics = shown.map((one): Sum => ({ label: labelOf(one), of: one.leads }));
  const leads = shown.flatMap((one) => one.leads);
  const groups = [...Map.groupBy(leads, ({ group }) => groupName(group, by, locale))];
  const sums = groups.map(([label, of]): Sum => ({ label, of }));
  if (by !== 'month' && by !== 'weekday') sums.sort((a, b) => count(b.of, 'leads') - count(a.of, 'leads'));
  else sums.sort((a, b) => order(a) - order(b));
  return card(
    { id: 'together', title, kind: 'card report' },
    html`${leadsTable(title, t('clinic'), clinics, locale)}
${chart(sums, by, locale)}
${leadsTable(`${title} · ${t(groupNames[by])}`, t(groupNames[by]), sums, locale)}`,
  );
}

/** The calendar position of a month or weekday. */
const order = ({ of: [row] }: Sum): number => {
  const at = weekdays.indexOf(row?.group ?? '');
  return at < 0 ? Number((row?.group ?? '').replace('-', '')) : at;
};

function clinicSection(figures: ClinicFigures, page: ReportsPage, { inZone }: Locale): Html {
  const { clinic, timezone, leads, visits, unknownStatuses } = figures;
  const { by, month, clinics } = page;
  const locale = inZone(timezone);
  const { t } = locale;
  const called = clinicLabels(clinics)(figures);
  const sums = leads.map((row): Sum => ({ label: groupName(row.group, by, locale), of: [row] }));
  const id = `clinic-${clinic}`;
  const key = new URLSearchParams({ clinic, month });
  return card(
    {
      id,
      title: called,
      beside: html`
        <p class="faint">${timezone}</p>
        <p class="no-print">
          <a href="/reports/month.html?${String(key)}" download>${t('month_file')}</a> ·${' '}
          <a href="/fees?clinic=${encodeURIComponent(clinic)}">${t('nav_fees')}</a>
        </p>
      `,
      kind: 'card report',
    },
    html`
      ${
        unknownStatuses.length > 0 &&
        html`
          <p class="fault">
            ${t('statuses_unsaid', {
              statuses: unknownStatuses.join(', '),
              place: `clinics.${clinic}.outcomes`,
            })}
          </p>
        `
      }
      ${
        leads.length === 0
          ? html`<p class="empty">${t('no_leads')}</p>`
          : [chart(sums, by, locale), leadsTable(`${called}: ${t('leads')}`, t(groupNames[by]), sums, locale)]
      }
      <h3>${t('open_visits')}</h3>
      ${
        visits.length === 0
          ? html`<p class="empty">${t('no_open_visits')}</p>`
          : visitsTable(called, figures, by, locale)
      }
    `,
  );
}

function groupName(group: string | null, by: LeadGroup, locale: Locale): string {
  if (group === null) return locale.t('none');
  if (by === 'month') return monthName(group, locale);
  const weekday = by === 'weekday' ? weekdays.indexOf(group) : -1;
  // 1 January 2024 was a Monday.
  return weekday < 0 ? group : locale.inZone('UTC').date(Date.UTC(2024, 0, 1 + weekday), { weekday: 'long' });
}

type Count = 'leads' | 'booked' | 'completed' | 'cancelled' | 'no_show' | 'unknown' | 'open' | 'lost';
type Before = `${'leads' | 'booked' | 'completed'}_before`;
const count = (rows: readonly LeadsRow[], field: Count | Before): number =>
  rows.reduce((total, one) => total + one[field], 0);

function chart(sums: readonly Sum[], by: LeadGroup, { t, dir, number }: Locale): Html {
  const bars = sums.slice(0, MOST_BARS).map(({ label, of }) => ({
    label,
    value: count(of, 'leads'),
    shown: `${number(count(of, 'leads'))} (${number(count(of, 'leads_before'))})`,
  }));
  return printedBarChart(`${t('leads')} · ${t(groupNames[by])}`, bars, {
    dir,
    number,
    nothing: t('no_leads'),
  });
}

const compared = ['leads', 'booked', 'completed'] as const;
const plain = ['cancelled', 'no_show', 'unknown', 'open', 'lost'] as const;
const countNames = {
  leads: 'leads',
  booked: 'lead_booked',
  completed: 'lead_completed',
  cancelled: 'lead_cancelled',
  no_show: 'lead_no_show',
  unknown: 'unknown_value',
  open: 'lead_open',
  lost: 'lead_lost',
} as const satisfies Record<Count, TextName>;

/** `0 days`, `2.5 days`; below zero where a visit was moved to before its lead. */
const inDays = (days: number | undefined, { lang }: Locale): string | undefined =>
  days === undefined
    ? undefined
    : new Intl.NumberFormat(lang, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);

function leadsTable(caption: string, title: string, sums: readonly Sum[], locale: Locale): Html {
  const { t, number, duration } = locale;
  const only = ({ of }: Sum, field: 'hours_to_booking' | 'days_to_visit') =>
    of.length === 1 ? (of[0]?.[field] ?? undefined) : undefined;
  const columns: PageColumn<Sum>[] = [
    { title, cell: ({ label }) => html`<bdi>${label}</bdi>` },
    ...compared.map((name) => ({
      title: t(countNames[name]),
      cell: ({ of }: Sum) =>
        html`${number(count(of, name))} <span class="faint">(${number(count(of, `${name}_before`))})</span>`,
      figure: true,
    })),
    ...plain.map((name) => ({
      title: t(countNames[name]),
      cell: ({ of }: Sum) => number(count(of, name)),
      figure: true,
    })),
    { title: t('lead_value'), cell: ({ of }) => value(of, locale), figure: true },
    // The averages of several rows cannot be combined into one.
    ...(sums.some(({ of }) => of.length > 1)
      ? []
      : [
          {
            title: t('to_booking'),
            cell: (sum: Sum) => {
              const hours = only(sum, 'hours_to_booking');
              return hours === undefined ? undefined : duration(hours * HOUR);
            },
            figure: true,
          },
          {
            title: t('to_visit'),
            cell: (sum: Sum) => inDays(only(sum, 'days_to_visit'), locale),
            figure: true,
          },
        ]),
  ];
  const total: Sum = { label: t('total'), of: sums.flatMap(({ of }) => of) };
  const left = sums.length - MOST_ROWS;
  return html`
    <div class="scroll" role="region" tabindex="0" aria-label="${caption}">
      ${table(caption, columns, [...sums.slice(0, MOST_ROWS), ...(sums.length > 1 ? [total] : [])])}
    </div>
    ${left > 0 && html`<p class="hint">${t('and_more', { count: left })}</p>`}
  `;
}

/** One amount per currency; rows with several currencies are named as such. */
function value(rows: readonly LeadsRow[], { t }: Locale): Part {
  const amounts = new Map<string | null, number>();
  for (const row of rows)
    if (row.value) amounts.set(row.currency, (amounts.get(row.currency) ?? 0) + row.value);
  const parts = [...amounts]
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .map(([currency, amount]) =>
      `${amountForPeople(String(Number(amount.toFixed(4))), currency)} ${currency ?? ''}`.trim(),
    );
  if (rows.some((row) => row.value === null)) parts.push(t('several_currencies'));
  return parts.length === 0 ? '–' : parts.map((part) => html`<bdi class="amount">${part}</bdi> `);
}

function visitsTable(called: string, { visits }: ClinicFigures, by: LeadGroup, locale: Locale): Html {
  const { t, number } = locale;
  const ages = [
    [t('days_from_to', { from: 0, to: 7 }), 'days_0_7'],
    [t('days_from_to', { from: 8, to: 30 }), 'days_8_30'],
    [t('days_from_to', { from: 31, to: 90 }), 'days_31_90'],
    [t('days_over', { days: 90 }), 'days_over_90'],
  ] as const;
  const columns: PageColumn<OpenVisits>[] = [
    {
      title: t(by === 'dentist' || by === 'source' ? groupNames[by] : 'state'),
      cell: ({ group }) => html`<bdi>${group ?? t('unknown_value')}</bdi>`,
    },
    { title: t('lead_open'), cell: ({ open }) => number(open), figure: true },
    ...ages.map(([title, age]) => ({ title, cell: (row: OpenVisits) => number(row[age]), figure: true })),
    { title: t('oldest'), cell: ({ oldest_days }) => inDays(oldest_days, locale), figure: true },
  ];
  const caption = `${called}: ${t('open_visits')}`;
  return html`
    <div class="scroll" role="region" tabindex="0" aria-label="${caption}">
      ${table(caption, columns, visits)}
    </div>
  `;
}
