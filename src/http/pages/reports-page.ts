import { clinicLabels } from '../../domain/clinics/clinic-label.ts';
import {
  type LeadGroup,
  type LeadsRow,
  leadColumns,
  leadFigures,
  leadGroupNames,
  leadGroups,
  type OpenVisits,
  openVisitColumns,
} from '../../domain/clinics/report-columns.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { printedBarChart } from '../../reports/charts.ts';
import { asRow, figureOf, figureText, totalOf } from '../../reports/figures.ts';
import { monthName } from '../../reports/month-page.ts';
import { clinicSelect } from './changes-page.ts';
import { card, linkToMore } from './parts/card.ts';
import { downloads } from './parts/downloads.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { type ReportLine, reportTable } from './parts/report-table.ts';

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
  /** Its own address. */
  here: string;
  /** The address of the following clinics. */
  next: string | null;
  viewer: Viewer;
}

const MOST_BARS = 12;

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
      <p class="lead">
        ${t('reports_lead')}${' '}
        ${t('columns_add_up', { first: t(leadFigures.to_come.label), last: t(leadFigures.lost.label) })}${' '}
        ${t('value_hint')}
      </p>
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
              ${t(leadGroupNames[one])}
            </a>
          `,
        )}
      </nav>
      ${shown.length > 1 && together(page, locale)}${shown.map((one) => clinicSection(one, page, locale))}
      ${downloads(page.here, locale)}${linkToMore(next, t('next_page'))}
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

function together({ shown, clinics: all, by }: ReportsPage, locale: Locale): Html {
  const labelOf = clinicLabels(all);
  const { t } = locale;
  const title = t('together', { count: shown.length });
  const clinics = shown.map((one) => ({ label: labelOf(one), rows: one.leads.map(asRow) }));
  const leads = shown.flatMap((one) => one.leads);
  const groups = [...Map.groupBy(leads, ({ group }) => group)]
    .map(([group, of]) => ({ group, leads: totalOf(leadFigures, of).leads, rows: of.map(asRow) }))
    .sort((a, b) => (by === 'month' ? (String(a.group) < String(b.group) ? -1 : 1) : b.leads - a.leads))
    .map(({ group, rows }) => ({ label: groupName(group, by, locale), rows }));
  return card(
    { id: 'together', title, kind: 'card report' },
    html`${leadsTable(title, t('clinic'), clinics, locale)}
${chart(groups, by, locale)}
${leadsTable(`${title} · ${t(leadGroupNames[by])}`, t(leadGroupNames[by]), groups, locale)}`,
  );
}

function clinicSection(figures: ClinicFigures, page: ReportsPage, { inZone }: Locale): Html {
  const { clinic, timezone, leads, visits, unknownStatuses } = figures;
  const { by, month, clinics } = page;
  const locale = inZone(timezone);
  const { t } = locale;
  const called = clinicLabels(clinics)(figures);
  const lines = leads.map((row) => ({ label: groupName(row.group, by, locale), rows: [asRow(row)] }));
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
          <a href="/reports/month.xlsx?${String(key)}" download>${t('month_report')} (XLSX)</a> ·${' '}
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
          : [
              chart(lines, by, locale),
              leadsTable(`${called}: ${t('leads')}`, t(leadGroupNames[by]), lines, locale),
            ]
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

const groupName = (group: string | null, by: LeadGroup, locale: Locale): string =>
  group === null ? locale.t('none') : by === 'month' ? monthName(group, locale) : group;

interface TextLine extends ReportLine {
  label: string;
}

function chart(lines: readonly TextLine[], by: LeadGroup, locale: Locale): Html {
  const { t, dir, number } = locale;
  const bars = lines.slice(0, MOST_BARS).map(({ label, rows }) => ({
    label,
    value: totalOf(leadFigures, rows).leads,
    shown: figureText(figureOf('leads', leadFigures.leads, rows, locale)),
  }));
  const words = { dir, number, nothing: t('no_leads') };
  return printedBarChart(`${t('leads')} · ${t(leadGroupNames[by])}`, bars, words);
}

const leadsTable = (caption: string, title: string, lines: readonly ReportLine[], locale: Locale): Html =>
  reportTable({ caption, title, columns: leadColumns, lines, locale, hasTotal: true });

function visitsTable(called: string, { visits }: ClinicFigures, by: LeadGroup, locale: Locale): Html {
  const { t } = locale;
  return reportTable({
    ...{ caption: `${called}: ${t('open_visits')}`, columns: openVisitColumns, locale, hasTotal: true },
    title: t(by === 'dentist' || by === 'source' ? leadGroupNames[by] : 'state'),
    lines: visits.map((row) => ({ label: row.group ?? t('unknown_value'), rows: [asRow(row)] })),
  });
}
