import { clinicLabels } from '../domain/clinics/clinic-label.ts';
import type { MonthPack } from '../domain/clinics/month.ts';
import { leadFigures } from '../domain/clinics/report-columns.ts';
import { wallClockText } from '../domain/date-time.ts';
import { problemWords } from '../domain/texts/problem.ts';
import { type Instant, toMs } from '../platform/clock.ts';
import { assetOf } from '../platform/text/asset.ts';
import { type Html, html, toText, verbatim } from '../platform/text/html.ts';
import type { Locale } from '../platform/text/locale.ts';
import { type Bar, printedBarChart } from './charts.ts';
import { totalOf } from './figures.ts';
import type { MonthSum } from './month-pack.ts';
import { type MonthTable, monthTables, monthTexts, sumTables } from './month-tables.ts';

const MOST_BARS = 12;

const largest = (bars: Bar[]): Bar[] => bars.toSorted((a, b) => b.value - a.value).slice(0, MOST_BARS);

function chartsOf(pack: MonthPack | MonthSum, { t, dir, number }: Locale): Html {
  const leads = Map.groupBy(pack.leads, ({ source, campaign }) =>
    campaign === null ? source : `${source} · ${campaign}`,
  );
  const chart = (title: string, bars: Bar[]) =>
    printedBarChart(title, bars, { dir, number, nothing: t('records_none') });
  return html`
    <div class="charts">
      ${chart(
        t('month_visits'),
        largest(
          pack.visits.map(({ status, visits }) => ({ label: status ?? t('not_read_yet'), value: visits })),
        ),
      )}
      ${chart(
        t('month_leads'),
        largest([...leads].map(([label, all]) => ({ label, value: totalOf(leadFigures, all).leads }))),
      )}
      ${chart(
        t('month_figures'),
        pack.figures.flatMap(({ figure, at_end }) =>
          at_end === null ? [] : [{ label: t(figure), value: at_end }],
        ),
      )}
    </div>
  `;
}

/** One self-contained page for all clinics, made for printing, in the language of the locale. */
export function monthPage(packs: readonly MonthPack[], sum: MonthSum | undefined, locale: Locale): string {
  const [first] = packs;
  const { t, lang, dir } = locale;
  const title =
    first === undefined ? t('month_report') : `${t('month_report')}: ${monthName(first.month, locale)}`;
  const labelOf = clinicLabels(packs);
  return `<!doctype html>\n${toText(html`
    <html lang="${lang}" dir="${dir}">
      <head>
        <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style>
      </head>
      <body>
        <h1>${title}</h1>${sum === undefined ? '' : sumSection(sum, locale)}
        ${packs.map((pack) => clinicSection(pack, labelOf(pack), locale.inZone(pack.timezone)))}
      </body>
    </html>
  `)}\n`;
}

/** `March 2026` */
export const monthName = (month: string, { inZone }: Locale): string =>
  inZone('UTC').date(Date.parse(`${month}-01`), { month: 'long', year: 'numeric' });

const style = verbatim(assetOf(new URL('./assets/month.css', import.meta.url)));

const sumSection = (sum: MonthSum, locale: Locale): Html => html`
  <h2>${locale.t('together', { count: sum.clinics })}</h2>${chartsOf(sum, locale)}
  ${sumTables(sum).map((table) => tableOf(table, locale))}
`;

function clinicSection(pack: MonthPack, called: string, locale: Locale): Html {
  return html`
    <h2>${called}</h2>
    ${monthFacts(pack, locale).map(([what, value]) => html`<p>${what}: <bdi>${value}</bdi></p>`)}
    ${chartsOf(pack, locale)}${monthTables(pack).map((table) => tableOf(table, locale))}
  `;
}

/** What a month is about and how far it is to be trusted, each with its label. */
export function monthFacts(pack: MonthPack, locale: Locale): [what: string, value: string][] {
  const { t, zone } = locale;
  const local = (at: Instant) => wallClockText(toMs(at), zone);
  const head = pack.head && `${pack.clinic}:${pack.head.sequence}:${pack.head.hash}`;
  return [
    [t('month_zone'), zone],
    [t('month_taken'), local(pack.taken_at)],
    ...(pack.known_since === null ? [] : [[t('known_from'), local(pack.known_since)] as [string, string]]),
    ...(head === null ? [] : [[t('chain_head'), head] as [string, string]]),
    ...pack.notes.map(({ said, sentence }): [string, string] => [
      t('note'),
      problemWords(said, locale) ?? sentence,
    ]),
  ];
}

/** Beside each other on a phone. */
const MOST_COLUMNS = 8;

/** Texts typed by people wrap; dates, codes and our own words stay on one line. */
const written = ['name', 'campaign', 'item', 'status'];

function tableOf(table: MonthTable, locale: Locale): Html {
  const { title, headings, lines, total, isFigure, names } = monthTexts(table, locale);
  const css = headings.map((_, at) => (isFigure[at] ? 'n' : written.includes(names[at] ?? '') ? 't' : ''));
  const line = (cells: readonly string[]) =>
    html`<tr>${cells.map(
      (cell, at) => html`<td class="${css[at]}" data-label="${headings[at]}"><bdi>${cell}</bdi></td>`,
    )}</tr>`;
  if (lines.length === 0) return html`<h3>${title}</h3><p>${locale.t('records_none')}</p>\n`;
  const isWide = headings.length > MOST_COLUMNS && html` class="wide"`;
  return html`<h3>${title}</h3><div class="scroll"><table${isWide}><thead><tr>${headings.map(
    (heading, at) => html`<th class="${css[at]}">${heading}</th>`,
  )}</tr></thead><tbody>${lines.map(line)}</tbody>${total && html`<tfoot>${line(total)}</tfoot>`}</table></div>
`;
}
