import { clinicLabels } from '../domain/clinics/clinic-label.ts';
import type { MonthPack } from '../domain/clinics/month.ts';
import type { Row } from '../domain/clinics/tables.ts';
import { wallClockText } from '../domain/date-time.ts';
import { toMs } from '../platform/clock.ts';
import { type Html, html, toText } from '../platform/text/html.ts';
import { type Bar, barChart } from './charts.ts';
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
    visits: barChart(
      'Visits by status',
      largest(
        pack.visits.map(({ status, visits }) => ({ label: status ?? '(not read yet)', value: visits })),
      ),
    ),
    leads: barChart(
      'Leads by source and campaign',
      largest(
        [...leads].map(([label, all]) => ({
          label,
          value: all.reduce((total, one) => total + one.leads, 0),
        })),
      ),
    ),
    figures: barChart(
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
  return `<!doctype html>\n${toText(html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style></head><body>
<h1>${title}</h1>
${sum === undefined ? '' : sumSection(sum)}${packs.map((pack) => clinicSection(pack, labelOf(pack)))}</body></html>`)}\n`;
}

/** Printed, a table footer would repeat on every page as if it were that page's total; so `tfoot` is a row group. */
const style = html`
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
h2{margin-top:2.5rem;border-top:2px solid;padding-top:.6rem}
.charts{display:flex;flex-wrap:wrap;gap:1.5rem}
svg{max-width:100%;height:auto}
svg text{fill:currentColor}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;min-width:18rem}
th,td{padding:.25rem .7rem;text-align:left;border-bottom:1px solid #8886;white-space:nowrap}
td.t{min-width:10rem;max-width:22rem;white-space:normal;overflow-wrap:anywhere}
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums}
tfoot td{font-weight:600;border-top:2px solid}
code{overflow-wrap:anywhere}
@media (max-width:40rem){table{font-size:.8rem}th,td{padding:.25rem .25rem;white-space:normal}td.n{white-space:nowrap}td.t{min-width:5rem}}
@media print{body{margin:0;max-width:none;font-size:11px}h2{break-before:page}h1+h2{break-before:auto}h3{break-after:avoid}tfoot{display:table-row-group}tr,svg{break-inside:avoid}.scroll{overflow:visible}table{font-size:9.5px}th,td{padding:.2rem .35rem}th{white-space:normal}td.t{min-width:8rem}}
`;

const chartsOf = (pack: MonthPack | MonthSum): Html =>
  html`<div class="charts">${Object.values(monthCharts(pack))}</div>`;

function sumSection(sum: MonthSum): Html {
  return html`<h2>All ${sum.clinics} clinics</h2>${chartsOf(sum)}
<p>${feeTotals(sum).map((row) => html`${row.name ?? ''} in ${row.currency ?? 'an unknown currency'}. `)}Fees in different currencies are never added.</p>
${sumTables(sum).map((table) => tableOf(table))}`;
}

function clinicSection(pack: MonthPack, called: string): Html {
  return html`<h2>${called}</h2>
<p>${pack.month} and all times by the clinic’s clock (${pack.timezone}); taken ${wallClockText(toMs(pack.taken_at), pack.timezone)}.</p>
${pack.notes.length === 0 ? '' : html`<ul>${pack.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${pack.head === null ? '' : html`<p>Head of the hash chain: <code>${pack.clinic}:${pack.head.sequence}:${pack.head.hash}</code></p>`}
${chartsOf(pack)}
${monthTables(pack).map((table) => tableOf(table, pack.timezone))}`;
}

/** Texts typed by people wrap; dates, codes and our own words stay on one line. */
const written = ['name', 'campaign', 'item', 'status'];

function cssOf({ name, kind }: MonthTable['columns'][number]): string {
  if (kind === 'number' || kind === 'decimal') return 'n';
  return written.includes(name) ? 't' : '';
}

function tableOf({ title, columns, rows, totals }: MonthTable, timezone = 'UTC'): Html {
  const line = (row: Row) =>
    html`<tr>${columns.map((column) => html`<td class="${cssOf(column)}">${cellForPeople(row, column, timezone)}</td>`)}</tr>`;
  if (rows.length === 0) return html`<h3>${title}</h3><p>None.</p>\n`;
  return html`<h3>${title}</h3><div class="scroll"><table><thead><tr>${columns.map(
    (column) => html`<th class="${cssOf(column)}">${column.label}</th>`,
  )}</tr></thead><tbody>${rows.map(line)}</tbody><tfoot>${totals.map(line)}</tfoot></table></div>
`;
}
