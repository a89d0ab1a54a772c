import { type Html, html } from '../platform/html.ts';

/** Charts that stand alone, in a file, on paper or in a mail. The colours suit light and dark backgrounds. */
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
  /** Text behind the bar. Default: the value. */
  shown?: string;
}

const short = (label: string): string =>
  label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1).toWellFormed()}…` : label;
const round = (value: number): number => Math.round(value * 10) / 10;

interface Words {
  dir: 'ltr' | 'rtl';
  number: (value: number) => string;
  /** Shown and read out when there are no bars. */
  nothing: string;
}

const grouped = (value: number) => value.toLocaleString('en-GB');
const english: Words = {
  dir: 'ltr',
  number: grouped,
  nothing: 'Nothing in this month.',
};

/** Horizontal bars from top to bottom, growing in reading direction. Values below zero have no bar. */
export function barChart(title: string, bars: readonly Bar[], words: Words = english): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const height = TOP + Math.max(1, bars.length) * ROW + 8;
  const isRtl = words.dir === 'rtl';
  const x = (along: number) => round(isRtl ? WIDTH - along : along);
  const [ahead, behind] = isRtl ? ['end', 'start'] : ['start', 'end'];
  const shownOf = ({ value, shown }: Bar) => shown ?? words.number(value);
  const all = bars.map((bar) => `${bar.label}: ${shownOf(bar)}`).join(', ');
  const text = (along: number, y: number, anchor: string | undefined, content: string) =>
    html`<text x="${x(along)}" y="${y}" text-anchor="${anchor}" font-family="system-ui, sans-serif" font-size="12">${content}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" direction="ltr" role="img" aria-label="${title}: ${all === '' ? words.nothing : all}" fill="${INK}"><title>${title}</title>
<text x="${x(0)}" y="18" text-anchor="${ahead}" font-family="system-ui, sans-serif" font-size="14" font-weight="600">${title}</text>
${bars.length === 0 && text(0, TOP + 16, ahead, words.nothing)}${bars.map((bar, i) => {
  const y = TOP + i * ROW;
  const wide = round((Math.max(0, bar.value) / most) * (WIDTH - LABEL - 90));
  return html`${text(LABEL - 8, y + 15, behind, short(bar.label))}<rect x="${x(isRtl ? LABEL + wide : LABEL)}" y="${y + 4}" width="${wide}" height="15" rx="2" fill="${BAR}"/>${text(LABEL + wide + 6, y + 15, ahead, shownOf(bar))}
`;
})}</svg>`;
}
