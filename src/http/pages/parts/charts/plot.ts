import { DAY, MINUTE } from '../../../../platform/duration.ts';
import { type Html, html } from '../../../../platform/text/html.ts';
import type { Locale } from '../../../../platform/text/locale.ts';
import { textWidth } from '../../../../platform/text/text-width.ts';

export interface Point {
  /** Milliseconds since the epoch. */
  at: number;
  /** Null while there is none: the line is interrupted. */
  value: number | null;
  /** Default: the number. */
  shown?: string;
}

interface Plot {
  title: string;
  /** Oldest first, at least one with a value, which holds until the next. */
  points: readonly Point[];
  /** End of the time axis. */
  now: number;
  /** Unique on the page. */
  id: string;
}

const WIDTH = 260;
const HEIGHT = 132;
const sides = { right: WIDTH - 8, top: 10, bottom: HEIGHT - 22 };
/** As in the stylesheet. */
const TICK_SIZE = 10.5;
const LEAST_LEFT = 42;

/** Where a plot begins beside the labels of its levels. */
export const leftOf = (labels: readonly string[]): number =>
  Math.max(LEAST_LEFT, Math.ceil(Math.max(...labels.map((one) => textWidth(one, TICK_SIZE))) + 8));
const SHORTEST = 10 * MINUTE;

/** A step line over time with labelled axes and a description in words. */
export function plot({ title, points, now, id }: Plot, locale: Locale): Html {
  const { date, dir } = locale;
  const first = points[0] ?? { at: now, value: null };
  // A new installation shows its first minutes, not an empty day.
  const start = Math.min(first.at, now - SHORTEST);
  const values = points.flatMap(({ value }) => value ?? []);
  const levels = niceLevels(Math.min(...values), Math.max(...values));
  const low = levels[0] ?? 0;
  const high = levels.at(-1) ?? 1;
  const labels = levels.map((one) => compact(one, locale));
  const box = { ...sides, left: leftOf(labels) };

  // Time runs in reading direction.
  const x = (at: number) => {
    const along = ((at - start) / (now - start)) * (box.right - box.left);
    return round(dir === 'rtl' ? box.right - along : box.left + along);
  };
  const y = (value: number) => round(box.bottom - ((value - low) / (high - low)) * (box.bottom - box.top));

  const lines = runsOf(points, now).map(({ from, steps, end }) => {
    const [top = from] = steps;
    const drawn = steps.slice(1).map(({ at, value }) => `H${x(at)}V${y(value)}`);
    return { from: x(from.at), line: `M${x(from.at)} ${y(top.value)}${drawn.join('')}H${x(end)}` };
  });
  const last = points.at(-1);
  const days = [start, start + (now - start) / 2, now];
  const label = (at: number) => date(at, labelDetail(now - start));

  return html`
    <svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-t ${id}-d">
      <title id="${id}-t">${title}</title><desc id="${id}-d">${description(title, points, locale)}</desc>
      ${levels.map(
        (level, index) =>
          html`
            <path class="grid" d="M${box.left} ${y(level)}H${box.right}"/>
            <text class="tick end" x="${box.left - 7}" y="${y(level) + 4}">${labels[index]}</text>
          `,
      )}
      ${days.map(
        (at, index) =>
          html`
            <text
              class="tick ${(dir === 'rtl' ? ['end', 'middle', 'start'] : ['start', 'middle', 'end'])[index]}"
              x="${x(at)}" y="${HEIGHT - 5}">
              ${label(at)}
            </text>
          `,
      )}
      ${lines.map(
        ({ from, line }) =>
          html`<path class="area" d="${line}V${box.bottom}H${from}Z"/><path class="line" d="${line}"/>`,
      )}
      ${
        last !== undefined &&
        last.value !== null &&
        html`<circle class="dot" cx="${x(now)}" cy="${y(last.value)}" r="3.5"/>`
      }
      ${stretches(points, start, now).map(
        ({ point, end }) => html`
          <path class="zone" d="M${x(point.at)} ${box.top}H${x(end)}V${box.bottom}H${x(point.at)}z">
            <title>${said(point, locale, now - start)}</title>
          </path>
        `,
      )}
    </svg>
  `;
}

function labelDetail(range: number): Intl.DateTimeFormatOptions {
  if (range < 2 * DAY) return { hour: '2-digit', minute: '2-digit' };
  return range < 300 * DAY ? { day: 'numeric', month: 'short' } : { month: 'short', year: 'numeric' };
}

interface Run {
  from: { at: number; value: number };
  steps: { at: number; value: number }[];
  end: number;
}

/** The points between two interruptions. */
function runsOf(points: readonly Point[], now: number): Run[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (const { at, value } of points) {
    if (open) open.end = at;
    if (value === null) open = undefined;
    else if (open) open.steps.push({ at, value });
    else {
      open = { from: { at, value }, steps: [{ at, value }], end: now };
      runs.push(open);
    }
  }
  if (open) open.end = now;
  return runs;
}

/** What a pointer can tell apart. */
const MOST_STRETCHES = 40;

/** Each value and how long it held; of several too close to tell apart, the last. */
function stretches(points: readonly Point[], start: number, now: number) {
  const slot = ({ at }: Point) => Math.floor(((at - start) / (now - start)) * MOST_STRETCHES);
  const kept = points.filter((point, index) => {
    const next = points[index + 1];
    return points.length <= MOST_STRETCHES || next === undefined || slot(next) !== slot(point);
  });
  return kept.flatMap((point, index) =>
    point.value === null ? [] : [{ point, end: kept[index + 1]?.at ?? now }],
  );
}

/** A value and its day, within two days also its time. */
function said({ at, value, shown }: Point, { date, number }: Locale, range = 2 * DAY): string {
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const when = date(at, range < 2 * DAY ? { ...day, hour: '2-digit', minute: '2-digit' } : day);
  return `${when}: ${shown ?? number(value ?? 0)}`;
}

/** The plot in words. */
export function description(title: string, points: readonly Point[], locale: Locale): string {
  const known = points.filter(({ value }) => value !== null);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return `${title}: ${locale.t('chart_empty')}`;
  const ends = known.length === 1 ? [last] : [first, last];
  return `${title}. ${ends.map((point) => said(point, locale)).join('; ')}.`;
}

/** Two to five round levels that enclose the values; steps are whole numbers. */
export function niceLevels(low: number, high: number): number[] {
  if (low === high) return low === 0 ? [0, 1] : [Math.max(0, low - 1), low, low + 1];
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const levels = [];
  for (let level = Math.floor(low / step) * step; level < high + step; level += step) levels.push(level);
  return levels;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const compact = (value: number, { lang, number }: Locale): string =>
  Math.abs(value) >= 100_000
    ? new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
    : number(value);
