import { type Html, html } from '../platform/html.ts';

/** Pictures that stand alone: in a file, on a printed page, in a mail. Their colours suit light and dark paper. */
const INK = '#5b6470';
const BAR = '#2f7dbd';
const WIDTH = 520;
const LABEL = 150;
const ROW = 24;
const TOP = 34;
const LONGEST_LABEL = 22;

export interface Bar {
  label: string;
  value: number;
  /** What is written behind the bar; default: the value. */
  shown?: string;
}

const short = (label: string): string =>
  label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1).toWellFormed()}…` : label;
const round = (value: number): number => Math.round(value * 10) / 10;
const grouped = new Intl.NumberFormat('en-GB');

/** Horizontal bars, the given order from above. Values below zero have no bar. */
export function barChart(title: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const height = TOP + Math.max(1, bars.length) * ROW + 8;
  const words = bars
    .map(({ label, value, shown }) => `${label}: ${shown ?? grouped.format(value)}`)
    .join(', ');
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}: ${words === '' ? 'nothing' : words}" fill="${INK}"><title>${title}</title>
<text x="0" y="18" font-family="system-ui, sans-serif" font-size="14" font-weight="600">${title}</text>
${bars.length === 0 ? html`<text x="0" y="${TOP + 16}" font-family="system-ui, sans-serif" font-size="12">Nothing in this month.</text>` : ''}${bars.map(
  ({ label, value, shown }, i) => {
    const y = TOP + i * ROW;
    const wide = round((Math.max(0, value) / most) * (WIDTH - LABEL - 90));
    return html`<text x="${LABEL - 8}" y="${y + 15}" text-anchor="end" font-family="system-ui, sans-serif" font-size="12">${short(label)}</text><rect x="${LABEL}" y="${y + 4}" width="${wide}" height="15" rx="2" fill="${BAR}"/><text x="${LABEL + wide + 6}" y="${y + 15}" font-family="system-ui, sans-serif" font-size="12">${shown ?? grouped.format(value)}</text>
`;
  },
)}</svg>`;
}
