import type { ReportColumn, ReportColumns } from '../../../domain/clinics/report-columns.ts';
import type { Row } from '../../../domain/clinics/tables.ts';
import { toMs } from '../../../platform/clock.ts';
import { type Html, html, type Part } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { columnTitle, figureOf, shownOf } from '../../../reports/figures.ts';
import { type PageColumn, table } from './table.ts';

/** A line of a report: one row, or several together. */
export interface ReportLine {
  label: Part;
  rows: readonly Row[];
}

const MOST_ROWS = 200;

interface ReportTable {
  caption: string;
  /** The heading of the lines. */
  title: string;
  columns: ReportColumns;
  lines: readonly ReportLine[];
  locale: Locale;
  /** Whether the lines add up. */
  hasTotal?: boolean;
}

/** The figures of a report, each line beside its label. */
export function reportTable({ caption, title, columns, lines, locale, hasTotal = false }: ReportTable): Html {
  const { t } = locale;
  const figures = shownOf(columns).flatMap(([name, column]): PageColumn<ReportLine>[] => {
    if (column.type === 'key' || column.type === 'text') return [];
    // The averages of several rows cannot be combined into one.
    if (column.type === 'days' && !column.total && lines.some(({ rows }) => rows.length > 1)) return [];
    return [{ title: columnTitle(name, column, locale), cell: cellOf(name, column, locale), figure: true }];
  });
  const total = { label: t('total'), rows: lines.flatMap(({ rows }) => rows) };
  const left = lines.length - MOST_ROWS;
  return html`
    <div class="scroll" role="region" tabindex="0" aria-label="${caption}">
      ${table(
        caption,
        [{ title, cell: ({ label }: ReportLine) => html`<bdi>${label}</bdi>` }, ...figures],
        lines.slice(0, MOST_ROWS),
        undefined,
        hasTotal && lines.length > 1 ? total : undefined,
      )}
    </div>
    ${left > 0 && html`<p class="hint">${t('and_more', { count: left })}</p>`}
  `;
}

const cellOf =
  (name: string, column: ReportColumn, locale: Locale) =>
  ({ rows }: ReportLine): Part => {
    const { type } = column;
    if (type === 'instant') return dayCell(rows[0]?.[name], locale);
    const { parts, before } = figureOf(name, column, rows, locale);
    const shown = (texts: readonly string[]): Part =>
      type === 'money' || type === 'worth'
        ? texts.map((text, at) => html`${at > 0 && ' '}<bdi class="amount">${text}</bdi>`)
        : texts;
    return [shown(parts), before && html` <span class="faint">(${shown(before)})</span>`];
  };

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;

export const dayText = (at: string, { date }: Locale): string => date(toMs(at), DAY);

export const dayCell = (at: unknown, locale: Locale): Part =>
  typeof at === 'string' && html`<time datetime="${at}">${dayText(at, locale)}</time>`;
