import { type Html, html } from '../platform/text/html.ts';
import { fitted, textWidth } from '../platform/text/text-width.ts';

/** Charts that stand alone, in a file, on paper or in a mail. The colours suit light and dark backgrounds. */
const INK = '#5b6470';
const BAR = '#2f7dbd';
const WIDTH = 520;
const ROW = 24;
const TOP = 34;
const SIZE = 12;
const TITLE_SIZE = 14;
/** Bold letters are wider. */
const BOLD = 1.1;
/** Maximum widths of the texts before and behind the bars; the bars get the rest. */
const WIDEST_LABEL = 220;
const WIDEST_SHOWN = 130;
const GAP = 8;
/** Some letters of Bengali and Devanagari fonts begin a little before their place. */
const EDGE = 2;

export interface Bar {
  label: string;
  value: number;
  /** Text behind the bar. Default: the value. */
  shown?: string;
}

const round = (value: number): number => Math.round(value * 10) / 10;

interface Words {
  dir: 'ltr' | 'rtl';
  number: (value: number) => string;
  /** Shown and read out when there are no bars. */
  nothing: string;
}

/** Horizontal bars from top to bottom, growing in reading direction. Values below zero have no bar. */
export function printedBarChart(title: string, bars: readonly Bar[], words: Words): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const height = TOP + Math.max(1, bars.length) * ROW + 8;
  const isRtl = words.dir === 'rtl';
  const x = (along: number) => round(isRtl ? WIDTH - along : along);
  const [ahead, behind] = isRtl ? ['end', 'start'] : ['start', 'end'];
  const shownOf = ({ value, shown }: Bar) => fitted(shown ?? words.number(value), WIDEST_SHOWN, SIZE);
  const labelOf = ({ label }: Bar) => fitted(label, WIDEST_LABEL, SIZE);
  const widest = (of: (bar: Bar) => string) =>
    Math.ceil(Math.max(0, ...bars.map((bar) => textWidth(of(bar), SIZE))));
  const start = widest(labelOf) + GAP;
  const room = WIDTH - start - GAP - widest(shownOf);
  const heading = fitted(title, WIDTH - 2 * EDGE, TITLE_SIZE * BOLD);
  const all = bars.map((bar) => `${bar.label}: ${shownOf(bar)}`).join(', ');
  const text = (along: number, y: number, anchor: string | undefined, content: string, whole = content) =>
    html`
      <text x="${x(along)}" y="${y}" text-anchor="${anchor}" font-family="system-ui, sans-serif"
        font-size="${SIZE}">
        ${whole !== content && html`<title>${whole}</title>`}${content}
      </text>
    `;
  return html`
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}"
      height="${height}" direction="ltr" role="img"
      aria-label="${title}: ${all === '' ? words.nothing : all}" fill="${INK}">
      <title>${title}</title>
      <text x="${x(EDGE)}" y="18" text-anchor="${ahead}" font-family="system-ui, sans-serif"
        font-size="${TITLE_SIZE}" font-weight="600">
        ${heading}
      </text>
      ${bars.length === 0 && text(EDGE, TOP + 16, ahead, words.nothing)}
      ${bars.map((bar, i) => {
        const y = TOP + i * ROW;
        const wide = round((Math.max(0, bar.value) / most) * room);
        return html`
          ${text(start - GAP, y + 15, behind, labelOf(bar), bar.label)}
          <rect x="${x(isRtl ? start + wide : start)}" y="${y + 4}" width="${wide}" height="15" rx="2"
            fill="${BAR}"/>
          ${text(start + wide + GAP, y + 15, ahead, shownOf(bar))}
        `;
      })}
    </svg>
  `;
}
