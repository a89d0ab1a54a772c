import { clinicLabels } from '../domain/clinics/clinic-label.ts';
import type { MonthPack } from '../domain/clinics/month.ts';
import type { Row } from '../domain/clinics/tables.ts';
import { wallClockText } from '../domain/date-time.ts';
import { toMs } from '../platform/clock.ts';
import { assetOf } from '../platform/text/asset.ts';
import { type Html, html, toText, verbatim } from '../platform/text/html.ts';
import { type Bar, printedBarChart } from './charts.ts';
import type { MonthSum } from './month-pack.ts';
import { cellForPeople, feeTotals, type MonthTable, monthTables, sumTables } from './month-tables.ts';

const MOST_BARS = 12;

const largest = (bars: Bar[]): Bar[] => bars.toSorted((a, b) => b.value - a.value).slice(0, MOST_BARS);

/** The charts of a month by file name. */
export function monthCharts(pack: MonthPack | MonthSum): Record<'visits' | 'leads' | 'figures', Html> {
  const leads = Map.groupBy(pack.leads, ({ source, campaign }) =>
    campaign === null ? source : `${source} · ${campaign}`,
  );
  return {
    visits: printedBarChart(
      'Visits by status',
      largest(
        pack.visits.map(({ status, visits }) => ({ label: status ?? '(not read yet)', value: visits })),
      ),
    ),
    leads: printedBarChart(
      'Leads by source and campaign',
      largest(
        [...leads].map(([label, all]) => ({
          label,
          value: all.reduce((total, one) => total + one.leads, 0),
        })),
      ),
    ),
    figures: printedBarChart(
      'Figures at the end',
      pack.figures.flatMap(({ figure, at_end }) =>
        at_end === null ? [] : [{ label: figure.replace('total_', ''), value: at_end }],
      ),
    ),
  };
}

/** One self-contained page for all clinics, made for printing. */
export function monthPage(packs: readonly MonthPack[], sum: MonthSum | undefined): string {
  const [first] = packs;
  const title = `Month ${first?.month ?? ''}`;
  const labelOf = clinicLabels(packs);
  return `<!doctype html>\n${toText(html`
    <html lang="en">
      <head>
        <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style>
      </head>
      <body>
        <h1>${title}</h1>${sum === undefined ? '' : sumSection(sum)}
        ${packs.map((pack) => clinicSection(pack, labelOf(pack)))}
      </body>
    </html>
  `)}\n`;
}

const style = verbatim(assetOf(new URL('./assets/month.css', import.meta.url)));

const chartsOf = (pack: MonthPack | MonthSum): Html =>
  html`<div class="charts">${Object.values(monthCharts(pack))}</div>`;

function sumSection(sum: MonthSum): Html {
  return html`
    <h2>All ${sum.clinics} clinics</h2>${chartsOf(sum)}
    <p>
      ${feeTotals(sum).map((row) => html`${row.name ?? ''} in ${row.currency ?? 'an unknown currency'}. `)}
      Fees in different currencies are never added.
    </p>
    ${sumTables(sum).map((table) => tableOf(table))}
  `;
}

function clinicSection(pack: MonthPack, called: string): Html {
  return html`
    <h2>${called}</h2>
    <p>
      ${pack.month} and all times by the clinic’s clock (${pack.timezone}
      ); taken ${wallClockText(toMs(pack.taken_at), pack.timezone)}.
    </p>
    ${pack.notes.length === 0 ? '' : html`<ul>${pack.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
    ${
      pack.head === null
        ? ''
        : html`<p>Head of the hash chain: <code>${pack.clinic}:${pack.head.sequence}:${pack.head.hash}</code></p>`
    }
    ${chartsOf(pack)}${monthTables(pack).map((table) => tableOf(table, pack.timezone))}
  `;
}

/** Texts typed by people wrap; dates, codes and our own words stay on one line. */
const written = ['name', 'campaign', 'item', 'status'];

function cssOf({ name, kind }: MonthTable['columns'][number]): string {
  if (kind === 'number' || kind === 'decimal') return 'n';
  return written.includes(name) ? 't' : '';
}

function tableOf({ title, columns, rows, totals }: MonthTable, timezone = 'UTC'): Html {
  const line = (row: Row) =>
    html`
      <tr>
        ${columns.map(
          (column) => html`<td class="${cssOf(column)}">${cellForPeople(row, column, timezone)}</td>`,
        )}
      </tr>
    `;
  if (rows.length === 0) return html`<h3>${title}</h3><p>None.</p>\n`;
  return html`<h3>${title}</h3><div class="scroll"><table><thead><tr>${columns.map(
    (column) => html`<th class="${cssOf(column)}">${column.label}</th>`,
  )}</tr></thead><tbody>${rows.map(line)}</tbody><tfoot>${totals.map(line)}</tfoot></table></div>
`;
}
