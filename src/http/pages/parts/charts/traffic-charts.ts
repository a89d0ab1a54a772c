import { toMs } from '../../../../platform/clock.ts';
import { DAY, HOUR } from '../../../../platform/duration.ts';
import { type Html, html } from '../../../../platform/text/html.ts';
import type { Locale } from '../../../../platform/text/locale.ts';
import type { Activity } from '../../../../store/ports/activity.ts';
import type { PlainText } from '../../../../texts/texts.ts';
import { table } from '../table.ts';
import { leftOf, niceLevels } from './plot.ts';

interface Bar {
  /** Start of its hour or day. */
  at: number;
  /** From the bottom; each kind has the same position in every bar. */
  values: readonly number[];
}

interface Bars {
  title: string;
  /** The chart in words. */
  words: string;
  bars: readonly Bar[];
  from: number;
  to: number;
  /** Length of one bar in milliseconds. */
  stepMs: number;
  /** Unique on the page. */
  id: string;
  /** A value in words, of a level, too. */
  level?: (value: number) => string;
  /** Of each kind. */
  names?: readonly string[];
}

const WIDTH = 300;
const HEIGHT = 118;
const sides = { right: WIDTH - 4, top: 8, bottom: HEIGHT - 20 };

/** Bars over time with labelled axes; time runs in reading direction. */
export function barChart(
  { title, words, bars, from, to, stepMs, id, level, names = [] }: Bars,
  { date, number, list, dir }: Locale,
): Html {
  const highest = Math.max(1, ...bars.map(({ values }) => sum(values)));
  const levels = niceLevels(0, highest);
  const high = levels.at(-1) ?? 1;
  const said = level ?? number;
  const box = { ...sides, left: leftOf(levels.map(said)) };
  const count = Math.max(1, Math.round((to - from) / stepMs));
  const step = (box.right - box.left) / count;
  const place = (at: number) => {
    const along = ((at - from) / stepMs) * step;
    return round(dir === 'rtl' ? box.right - along - step : box.left + along);
  };
  const y = (value: number) => round(box.bottom - (value / high) * (box.bottom - box.top));
  const wide = round(Math.max(0.8, step * 0.82));
  const when = (at: number) =>
    date(at, {
      ...{ weekday: 'short', day: 'numeric', month: 'short' },
      ...(stepMs < DAY && { hour: '2-digit', minute: '2-digit' }),
    });
  const figuresOf = (values: readonly number[]) =>
    list(
      values.flatMap((value, kind) =>
        value === 0 ? [] : [[names[kind], said(value)].filter(Boolean).join(' ')],
      ),
    );
  const days: [number, string][] = [
    [from, 'start'],
    [to - stepMs, 'end'],
  ];
  return html`
    <svg class="plot bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-t ${id}-d">
      <title id="${id}-t">${title}</title><desc id="${id}-d">${words}</desc>
      ${levels.map(
        (one) => html`
          <path class="grid" d="M${box.left} ${y(one)}H${box.right}"/>
          <text class="tick end" x="${box.left - 6}" y="${y(one) + 4}">${said(one)}</text>
        `,
      )}
      ${days.map(
        ([at, side]) => html`
          <text class="tick ${(dir === 'rtl') === (side === 'start') ? 'end' : 'start'}"
            x="${(dir === 'rtl') === (side === 'start') ? box.right : box.left}" y="${HEIGHT - 4}">
            ${date(at, { day: 'numeric', month: 'short' })}
          </text>
        `,
      )}
      ${bars.map(({ at, values }) => {
        let below = 0;
        return values.map((value, kind) => {
          if (value === 0) return undefined;
          const base = y(below);
          below += value;
          return html`<path class="kind-${kind}" d="M${place(at)} ${base}V${y(below)}h${wide}V${base}z"/>`;
        });
      })}
      ${bars.map(
        ({ at, values }) =>
          sum(values) > 0 &&
          html`
            <path class="zone" d="M${place(at)} ${box.top}h${round(step)}V${box.bottom}h-${round(step)}z">
              <title>${when(at)}: ${figuresOf(values)}</title>
            </path>
          `,
      )}
    </svg>
  `;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const round = (value: number): number => Math.round(value * 10) / 10;

interface Hours {
  id: string;
  /** Hours of the last week. */
  hours: readonly Activity[];
  now: number;
}

/** Calls, refusals, failures and response times of the last week. */
export function trafficCharts({ id, hours, now }: Hours, locale: Locale): Html {
  const { t } = locale;
  if (hours.length === 0) return html`<p class="empty">${t('chart_empty')}</p>`;
  const counts = [
    ['chart_calls', (one: Activity) => one.answered + one.refused + one.failed],
    ['chart_refused', (one: Activity) => one.refused],
    ['chart_failed', (one: Activity) => one.failed],
  ] as const;
  return html`
    <div class="plots">${counts.map(([name, of]) => {
      const values = hours.map(of);
      const words = t('chart_total', {
        title: t(name),
        total: sum(values),
        most: Math.max(...values),
      });
      return figure(t(name), locale.number(sum(values)), {
        ...hourly(hours, of, now),
        title: t(name),
        words,
        id: `${id}-${name}`,
        locale,
      });
    })}${latency({ id, hours, now }, locale)}</div>
    ${byDay(
      t('chart_calls'),
      hours,
      [
        ...counts.map(([name, of]) => ({
          name,
          of: (some: readonly Activity[]) => locale.number(sum(some.map(of))),
        })),
        { name: 'chart_latency', of: (some) => milliseconds(meanOf(some), locale) },
      ],
      locale,
    )}
  `;
}

interface DayColumn {
  name: PlainText;
  of: (hours: readonly Activity[]) => string;
}

/** The same by day, for whom no pointer shows the values. */
function byDay(
  caption: string,
  hours: readonly Activity[],
  columns: readonly DayColumn[],
  { t, date }: Locale,
): Html {
  const days = Map.groupBy(hours, ({ at }) =>
    date(toMs(at), { weekday: 'short', day: 'numeric', month: 'short' }),
  );
  return html`
    <details>
      <summary>${t('in_numbers')}</summary>
      ${table(
        caption,
        [
          { title: t('day'), cell: ([day]: [string, Activity[]]) => day },
          ...columns.map(({ name, of }) => ({
            title: t(name),
            cell: ([, some]: [string, Activity[]]) => of(some),
            figure: true,
          })),
        ],
        [...days].toReversed(),
      )}
    </details>
  `;
}

const meanOf = (hours: readonly Activity[]): number => {
  const answered = sum(hours.map((one) => one.answered));
  return answered === 0 ? 0 : Math.round(sum(hours.map((one) => one.total_ms)) / answered);
};

const milliseconds = (value: number, { number }: Locale): string => `${number(value)} ms`;

function latency({ id, hours, now }: Hours, locale: Locale): Html {
  const { t } = locale;
  const mean = meanOf(hours);
  const ms = (value: number) => milliseconds(value, locale);
  const title = t('chart_latency');
  const words = t('chart_latency_words', {
    title,
    mean: ms(mean),
    most: ms(Math.max(...hours.map((one) => one.most))),
  });
  const of = (one: Activity) => meanOf([one]);
  return figure(title, ms(mean), {
    ...{ ...hourly(hours, of, now), title, words, id: `${id}-latency`, level: ms, locale },
  });
}

/** How far a connector was behind in each hour of the last week. */
export function lagChart({ id, hours, now }: Hours, locale: Locale): Html {
  const { t, number } = locale;
  const last = hours.at(-1)?.most ?? 0;
  const words = t('chart_lag_words', {
    title: t('chart_lag'),
    most: Math.max(0, ...hours.map((one) => one.most)),
    last,
  });
  return html`
    <div class="plots">${figure(t('chart_lag'), number(last), {
      ...hourly(hours, (one) => one.most, now),
      title: t('chart_lag'),
      words,
      id,
      locale,
    })}</div>
    ${byDay(
      t('chart_lag'),
      hours,
      [{ name: 'chart_lag', of: (some) => number(Math.max(0, ...some.map(({ most }) => most))) }],
      locale,
    )}
  `;
}

function hourly(hours: readonly Activity[], of: (one: Activity) => number, now: number) {
  const to = (Math.floor(now / HOUR) + 1) * HOUR;
  return {
    bars: hours.map((one) => ({ at: toMs(one.at), values: [of(one)] })),
    from: to - 7 * DAY,
    to,
    stepMs: HOUR,
  };
}

const figure = (title: string, value: string, { locale, ...chart }: Bars & { locale: Locale }): Html =>
  html`<figure><figcaption><span>${title}</span><strong>${value}</strong></figcaption>
${barChart(chart, locale)}</figure>
`;

export interface DailyLeads {
  source: string;
  days: ReadonlyMap<string, number>;
}

/** Leads of the last days, with a colour per busiest source; the table below has the same figures. */
export function leadsChart(
  { sources, days, id }: { sources: readonly DailyLeads[]; days: readonly string[]; id: string },
  locale: Locale,
): Html {
  const { t, number } = locale;
  if (sources.length === 0) return html`<p class="empty">${t('no_bookings_yet')}</p>`;
  const total = (one: DailyLeads) => sum([...one.days.values()]);
  const sorted = sources.toSorted((a, b) => total(b) - total(a)).slice(0, MOST_SOURCES);
  const words = sorted
    .map((one) => t('chart_leads_words', { source: one.source, count: total(one) }))
    .join(' · ');
  // Days of a calendar: none is 23 or 25 hours long, whatever the clock.
  const calendar = locale.inZone('UTC');
  const from = Date.parse(days[0] ?? '');
  const columns = [t('day'), ...sorted.map(({ source }) => source)];
  return html`
    <figure class="leads">
      <ul class="legend">
        ${sorted.map(
          ({ source }, kind) => html`
            <li>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <path class="kind-${kind}" d="M0 0h10v10H0z"/>
              </svg>
              <code>${source}</code>
            </li>
          `,
        )}
      </ul>
      ${barChart(
        {
          title: t('chart_leads'),
          words,
          bars: days.map((day) => ({
            at: Date.parse(day),
            values: sorted.map((one) => one.days.get(day) ?? 0),
          })),
          from,
          to: from + days.length * DAY,
          stepMs: DAY,
          id,
          names: sorted.map(({ source }) => source),
        },
        calendar,
      )}
      <details>
        <summary>${t('in_numbers')}</summary>
        <table>
          <caption class="unseen">${t('chart_leads')}</caption>
          <thead><tr>${columns.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
          <tbody>
            ${days.toReversed().map(
              (day) =>
                html`
                  <tr>
                    <th scope="row">
                      ${calendar.date(Date.parse(day), { weekday: 'short', day: 'numeric', month: 'short' })}
                    </th>
                    ${sorted.map((one) => html`<td class="figure">${number(one.days.get(day) ?? 0)}</td>`)}
                  </tr>
                `,
            )}
          </tbody>
        </table>
      </details>
    </figure>
  `;
}

const MOST_SOURCES = 5;
