import { DAY, MINUTE } from '../../../platform/duration.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { textWidth } from '../../../platform/text/text-width.ts';

export interface Point {
  /** Milliseconds since the epoch. */
  at: number;
  value: number;
}

interface Plot {
  title: string;
  /** Oldest first, at least one. A value holds until the next. */
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
  const first = points[0] ?? { at: now, value: 0 };
  // A new installation shows its first minutes, not an empty day.
  const start = Math.min(first.at, now - SHORTEST);
  const values = points.map(({ value }) => value);
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

  const steps = points.slice(1).map(({ at, value }) => `H${x(at)}V${y(value)}`);
  const line = `M${x(first.at)} ${y(first.value)}${steps.join('')}H${x(now)}`;
  const last = points.at(-1) ?? first;
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
      <path class="area" d="${line}V${box.bottom}H${x(first.at)}Z"/><path class="line" d="${line}"/>
      <circle class="dot" cx="${x(now)}" cy="${y(last.value)}" r="3.5"/>
    </svg>
  `;
}

function labelDetail(range: number): Intl.DateTimeFormatOptions {
  if (range < 2 * DAY) return { hour: '2-digit', minute: '2-digit' };
  return range < 300 * DAY ? { day: 'numeric', month: 'short' } : { month: 'short', year: 'numeric' };
}

/** The plot in words. */
export function description(title: string, points: readonly Point[], { date, number, t }: Locale): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return `${title}: ${t('chart_empty')}`;
  const day = (at: number) => date(at, { day: 'numeric', month: 'long', year: 'numeric' });
  const say = ({ at, value }: Point) => `${day(at)}: ${number(value)}`;
  return `${title}. ${points.length === 1 ? say(last) : `${say(first)}; ${say(last)}`}.`;
}

/** Two to five round levels that enclose the values; whole numbers, because these are counts. */
export function niceLevels(low: number, high: number): number[] {
  if (low === high) return low === 0 ? [0, 1] : [low - 1, low, low + 1];
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
