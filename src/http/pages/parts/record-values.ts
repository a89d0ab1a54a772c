import { mirrorColumns, namesIn } from '../../../domain/clinics/record-columns.ts';
import type { ReportColumn } from '../../../domain/clinics/report-columns.ts';
import type { ListPoll } from '../../../domain/clinics/resource.ts';
import type { Row } from '../../../domain/clinics/tables.ts';
import { type Html, html, type Part } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { columnTitle, figureOf, NOTHING, shownOf } from '../../../reports/figures.ts';
import type { PageColumn } from './table.ts';

export interface ShownAt {
  locale: Locale;
  now: number;
}

const LONGEST = 60;
/** From this length a value has a line of its own. */
const LONG = 30;
const isLong = (value: unknown) => typeof value === 'string' && value.length > LONG;

export const recordAddress = (clinic: string, poll: ListPoll, id: string): string =>
  `/clinics/${encodeURIComponent(clinic)}/${poll}/${encodeURIComponent(id)}`;

/** The columns of a list of rows, without the clinic and those named here. Long texts are cut. */
export const recordColumnsOf = (
  columns: Readonly<Record<string, ReportColumn>>,
  { locale, now, without }: ShownAt & { without: readonly string[] },
): PageColumn<Row>[] =>
  shownOf(columns)
    .filter(([name]) => name !== 'clinic' && !without.includes(name))
    .map(([name, column]) => ({
      title: columnTitle(name, column, locale),
      cell: (row) => shownValue(name, column, row, { locale, now, longest: LONGEST }),
      figure: column.type === 'money' || column.type === 'number',
    }));

/** Every field of a record with its whole value. */
export const recordFacts = (poll: ListPoll, row: Row, shown: ShownAt): Html => {
  const { name: naming } = namesIn(poll);
  const fields = shownOf(mirrorColumns[poll]).filter(([name]) => name !== 'clinic' && name !== naming);
  return html`
    <dl class="facts">
      ${fields.map(
        ([name, column]) => html`
          <div${isLong(row[name]) && html` class="whole"`}>
            <dt>${columnTitle(name, column, shown.locale)}</dt>
            <dd>
              ${row[name] === null ? html`<span class="faint">${NOTHING}</span>` : shownValue(name, column, row, shown)}
            </dd>
          </div>
        `,
      )}
    </dl>
  `;
};

function shownValue(
  name: string,
  column: ReportColumn,
  row: Row,
  { locale, now, longest = Number.POSITIVE_INFINITY }: ShownAt & { longest?: number },
): Part {
  const value = row[name] ?? null;
  if (value === null) return '';
  if (column.type === 'instant') return locale.time(String(value), now);
  const text = figureOf(name, column, [row], locale).parts.join('');
  if (column.type === 'money') return html`<bdi class="amount">${text}</bdi>`;
  return html`<bdi>${text.length > longest ? `${text.slice(0, longest)}…` : text}</bdi>`;
}
